"""The course of a qualification as its leads see it: building it, who takes it, what its numbers say, correcting it."""
