"""Ids and pseudonyms in releases depend on a key of their own, and stay when the session key changes."""

from annotation import pseudonyms

UUID = "0190c0de-0000-7000-8000-000000000001"


def names():
    name = pseudonyms.id_hex(UUID)
    return name, pseudonyms.id64(name), pseudonyms.pseudonym("nq/3", 7)


def test_they_are_the_same_as_when_they_depended_on_the_secret_key(settings):
    settings.GOLDFINCH_ID_KEY = "the key of an old site"
    assert names() == (
        "0850b2fb7614d199967d8ed7f99c7630665bbbfe",
        0x850B2FB7614D199,
        "89377be843d30c2f16e99d577f68efe7a5fc2317",
    )


def test_they_stay_when_the_secret_key_changes(settings):
    before = names()
    settings.SECRET_KEY = "another"
    assert names() == before


def test_another_id_key_gives_others(settings):
    before = names()
    settings.GOLDFINCH_ID_KEY = "another"
    assert not set(names()) & set(before)


def test_a_person_has_another_pseudonym_in_each_release_and_nobody_has_none():
    assert pseudonyms.pseudonym("nq/3", 7) != pseudonyms.pseudonym("nq/4", 7)
    assert pseudonyms.pseudonym("nq/3", None) == ""
