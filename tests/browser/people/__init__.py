"""Browser tests of accounts, and of courses that people take."""
