"""Benchmarks of lists that leads see."""
