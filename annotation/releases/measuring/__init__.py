"""What a release has, measured for its manifest and its data card: counts, people, hours, who wrote its items."""
