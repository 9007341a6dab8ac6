"""How a project is set up: as a whole, to be made or copied as a file, and what its leads change later."""
