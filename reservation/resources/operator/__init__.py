"""The console of the operator: all accounts, and the state of the installation."""
