"""Rules about tests and the packages that we depend on."""
