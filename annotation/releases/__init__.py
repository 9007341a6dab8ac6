"""Releases: chosen, frozen by their members, written, rebuilt (`releases.build(...)` makes one)."""

from annotation.releases.building import build, folder_of, format_of, manifest_of

__all__ = ["build", "folder_of", "format_of", "manifest_of"]
