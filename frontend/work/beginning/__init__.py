"""What a person can begin, what is known of it beforehand, and why there is nothing."""
