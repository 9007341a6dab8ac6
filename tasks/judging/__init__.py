"""Judging rounds as work: raters are given exhibits, judge them under one lease, and lock their round."""
