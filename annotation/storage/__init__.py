"""Files in the data folder: durable writes, locks, and packs of content-addressed objects."""
