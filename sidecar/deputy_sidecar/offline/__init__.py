"""What the `offline` backend is made of: words, skills, and plans that need no model."""
