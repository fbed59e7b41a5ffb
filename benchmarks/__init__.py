"""`make bench` measures the promises about speed."""
