"""Phrase files: what is read, what is refused, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.phrases import PhraseError, load_phrases

FILE = """# Phrases of a port.
domain = "temporal"

[[phrase]]
text  = "{A} set sail once {B} had docked"
means = ["start of A after end of B"]
not   = ["{A} set sail before {B} had docked"]

[[phrase]]
text = "between {A} and {C} lay {B}."
means = ["end of A before start of B", "end of B before start of C"]
"""


def test_content() -> None:
    file = load_phrases(FILE)
    first, second = file.phrases
    assert file.domain == "temporal"
    assert first.slots == ("A", "B")
    assert first.refused == ("{A} set sail before {B} had docked",)
    assert second.text == "between {A} and {C} lay {B}"
    assert second.slots == ("A", "C", "B")
    assert second.refused == ()
    assert (first.where, second.where) == ("phrases:5:1", "phrases:10:1")
    assert second.fill({"A": "Fair", "B": "Race", "C": "Ball"}) == "between Fair and Ball lay Race"


def test_digest_is_of_the_content_alone() -> None:
    file = load_phrases(FILE)
    layout = FILE.replace("# Phrases of a port.", "").replace("  ", " ").replace("text =", "text=")
    assert load_phrases(layout) == file
    assert load_phrases(layout).digest == file.digest
    for old, new in (("temporal", "spatial"), ("docked", "moored"), ("end of B", "start of B")):
        assert load_phrases(FILE.replace(old, new)).digest != file.digest


def test_paths(tmp_path: Path) -> None:
    path = tmp_path / "port.toml"
    path.write_text(FILE, encoding="utf-8")
    assert load_phrases(path) == load_phrases(str(path)) == load_phrases(FILE)
    assert load_phrases(path).phrases[0].where == f"{path}:5:1"
    with pytest.raises(PhraseError, match="No such file"):
        load_phrases(tmp_path / "harbour.toml")
    path.write_bytes(b"domain = 1\n\xff")
    with pytest.raises(PhraseError, match=r"port\.toml:2: found bytes that are not UTF-8"):
        load_phrases(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("text  =", "txt  =", r'5:1: found the key "txt"'),
        ("not   =", "isnt  =", r'7:1: found the key "isnt"'),
        ('domain = "temporal"', 'domains = "temporal"', r'2:1: found the key "domains"'),
        ('domain = "temporal"', "", "found no domain"),
        ('domain = "temporal"', "domain = 3", "2:1: found 3 as domain"),
        ("{A} set sail once", "{A set sail once", r'5:[0-9]+: found "{", expected a slot'),
        ("once {B} had", "once B} had", r'5:29: found "}", expected a slot'),
        ("{A} set sail once", "{} set sail once", r'5:[0-9]+: found "{}", expected a slot'),
        ("{A} set sail once", "{A b} set sail once", r'5:[0-9]+: found "{A b}", expected a slot'),
        ("{A} set sail once {B} had docked", "A sailed", "5:1: found no slot"),
        ("{A} set sail once {B} had", "{A} {B} had", "5:1: found two slots without a word"),
        ("had docked", "had docked. It sailed", "5:1: found .*, expected one sentence"),
        ('["start of A after end of B"]', "[]", "6:1: empty meaning"),
        ('["start of A after end of B"]', '[""]', "6:1: found '' in means"),
        ('["start of A after end of B"]', '"start of A"', "6:1: found a string as means"),
        ('means = ["start of A after end of B"]', "", 'found a phrase without "means"'),
        ('"start of A after end of B"]', '"start of A after end of B"', "7:1: not TOML: "),
        ("between {A} and {C} lay {B}.", "{A} set sail once {B} had docked", "10:1: .* again"),
        ("[[phrase]]", "[phrase]", "found no phrase|not TOML"),
    ],
)
def test_errors_have_places(old: str, new: str, message: str) -> None:
    assert old in FILE
    with pytest.raises(PhraseError, match=message):
        load_phrases(FILE.replace(old, new))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Tern set sail once Gull had docked", [{"A": "Tern", "B": "Gull"}]),
        ("Tern set sail once Gull", []),
        ("set sail once Gull had docked", []),
        (
            "Tern set sail once Gull set sail once Crow had docked",
            [
                {"A": "Tern", "B": "Gull set sail once Crow"},
                {"A": "Tern set sail once Gull", "B": "Crow"},
            ],
        ),
    ],
)
def test_matches(sentence: str, expected: list[dict[str, str]]) -> None:
    phrase = load_phrases(FILE).phrases[0]
    assert list(phrase.matches(sentence, lambda text, _: text.strip() or None)) == expected


def test_a_slot_twice_has_one_name() -> None:
    text = FILE.replace("once {B} had docked", "once {B} had docked and {A} was full")
    phrase = load_phrases(text).phrases[0]
    read = lambda sentence: list(phrase.matches(sentence, lambda text, _: text))  # noqa: E731
    assert read("Tern set sail once Gull had docked and Tern was full") == [
        {"A": "Tern", "B": "Gull"}
    ]
    assert read("Tern set sail once Gull had docked and Crow was full") == []


def test_the_first_word_may_have_a_capital() -> None:
    phrase = load_phrases(FILE).phrases[1]
    names = {"A": "Fair", "C": "Ball", "B": "Race"}
    for sentence in ("between Fair and Ball lay Race", "Between Fair and Ball lay Race"):
        assert list(phrase.matches(sentence, lambda text, _: text)) == [names]
