"""Reports about items, and a lead's decisions about them."""
