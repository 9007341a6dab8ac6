"""Pages of courses for those who take them."""
