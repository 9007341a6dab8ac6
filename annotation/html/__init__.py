"""Imported HTML pages: validate, tokenize, find candidates, render safely, and extract visible text by byte range."""

from annotation.html.limits import PageRefused
from annotation.html.marking import cut, find_quote, with_marks
from annotation.html.nq_layout import VERSION, lay_out
from annotation.html.pages import HtmlPage, language_of, open_page, open_published, take_in
from annotation.html.published import SYNTHESISED, check_layout, synthesise
from annotation.html.renderer import render
from annotation.html.rendering import RENDERER, Box, Heading, Image, ImageToShow, Rendering, with_pictures

__all__ = [
    "RENDERER",
    "SYNTHESISED",
    "VERSION",
    "Box",
    "Heading",
    "HtmlPage",
    "Image",
    "ImageToShow",
    "PageRefused",
    "Rendering",
    "check_layout",
    "cut",
    "find_quote",
    "language_of",
    "lay_out",
    "open_page",
    "open_published",
    "render",
    "synthesise",
    "take_in",
    "with_marks",
    "with_pictures",
]
