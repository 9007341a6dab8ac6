"""What exists for calls of the API made from its schema."""
