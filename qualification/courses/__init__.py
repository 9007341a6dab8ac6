"""Courses: what is taught and asked for a qualification, how an exam is sat and graded, and what follows."""
