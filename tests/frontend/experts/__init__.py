"""What experts and leads compare and decide."""
