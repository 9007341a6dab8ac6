"""Benchmarks, run by hand and never in CI: `make bench` runs them all and writes results/*.json."""
