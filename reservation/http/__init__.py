"""Floor 3: turns HTTP into the domain's words and back."""
