"""DuReader 2.0: people read up to five documents and answer in their own words, with opinions or entities."""
