"""What jobs measure again and again."""
