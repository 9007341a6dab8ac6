"""Tests of the pages on which leads write courses and look at exams."""
