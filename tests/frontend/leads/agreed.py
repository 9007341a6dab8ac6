"""What tests of a lead's page of agreement read from it."""

from __future__ import annotations


def text(response):
    return " ".join(response.content.decode().split())


def value(found, measure, statistic):
    group = next(each for each in found.groups if each.key == measure)
    return next(number.estimate for number in group.numbers if number.key == statistic)
