"""Tests of courses: their versions, exams, grading and outcomes."""
