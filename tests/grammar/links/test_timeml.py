"""TimeML: reading, editing, and hostile input."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grammar.links.model import Document, FlawCode, Link, Node, RelationType
from grammar.links.timeml import TimemlError, edited_timeml, extended_timeml, read_timeml, timeml

TEXT = """<?xml version="1.0" encoding="UTF-8"?>
<!-- <TLINK lid="commented"/> -->
<TimeML><DOCID>d1</DOCID>
<TEXT>The bell <EVENT eid="e1" class="OCCURRENCE">rang</EVENT>. Café <EVENT eid="e2">opened</EVENT>
on <TIMEX3 tid="t1" value="1998-02-27">Friday</TIMEX3>. Then all <EVENT eid="e3">ate</EVENT>.</TEXT>
<MAKEINSTANCE eiid="ei1" eventID="e1"/><MAKEINSTANCE eiid="ei2" eventID="e2"/>
<TLINK lid="l1" relType="BEFORE" eventInstanceID="ei1" relatedToEventInstance="ei2"/>
<TLINK relType='IS_INCLUDED'
       lid='l2' eventInstanceID="ei2"  relatedToTime="t1" note="a &gt; b"></TLINK>
  <TLINK lid="l3" relType="BEFORE" timeID="t1" relatedToEventInstance="ei9"/>
<TLINK lid="l4" relType="NEARBY" timeID="t1" relatedToEventInstance="e3"/> <!-- kept -->
<TLINK lid="l5" relType="BEFORE" timeID="t1" relatedToTime="t1"/>
<TLINK lid="l6" relType="AFTER" eventInstanceID="e3" relatedToTime="t1"/>
</TimeML>
"""


def read(text: str, size: int = 7) -> Document:
    raw = text.encode()
    return read_timeml((raw[n : n + size] for n in range(0, len(raw), size)), "d.tml", "d")


def test_a_document() -> None:
    document = read(TEXT)
    assert list(document.nodes) == ["ei1", "ei2", "t1", "e3"]
    assert document.nodes["ei2"].word == "opened"
    assert document.nodes["ei2"].sentence == "Café opened on Friday."
    assert document.nodes["t1"] == Node(
        id="t1", is_time=True, word="Friday", sentence="Café opened on Friday.", value="1998-02-27"
    )
    assert [
        (link.id, link.left, link.relation, link.right, link.line) for link in document.links
    ] == [
        ("l1", "ei1", RelationType.BEFORE, "ei2", 7),
        ("l2", "ei2", RelationType.IS_INCLUDED, "t1", 8),
        ("l5", "t1", RelationType.BEFORE, "t1", 12),
        ("l6", "e3", RelationType.AFTER, "t1", 13),
    ]
    assert [(flaw.code, flaw.link, flaw.line) for flaw in document.flaws] == [
        (FlawCode.DANGLING, "l3", 10),
        (FlawCode.UNKNOWN, "l4", 11),
        (FlawCode.SELF, "l5", 12),
    ]
    assert read(TEXT, 10_000) == document


def test_changed_links_change_no_other_byte() -> None:
    raw = TEXT.encode()
    first, second, _, last = read(TEXT).links
    assert edited_timeml(raw, {}) == raw
    lines = TEXT.splitlines(keepends=True)
    assert edited_timeml(raw, {first: None}).decode() == "".join(lines[:6] + lines[7:])
    assert edited_timeml(raw, {second: None, last: None}).decode() == "".join(
        lines[:7] + lines[9:12] + lines[13:]
    )
    changed = edited_timeml(raw, {first: "AFTER", second: "BEGINS"}).decode()
    assert changed == TEXT.replace('"BEFORE" eventInstanceID', '"AFTER" eventInstanceID').replace(
        "'IS_INCLUDED'", '"BEGINS"'
    )


def test_a_link_that_shares_its_line() -> None:
    text = '<TimeML><TIMEX3 tid="t1"/><TIMEX3 tid="t2"/> <TLINK {}/> </TimeML>'
    text = text.format('relType="BEFORE" timeID="t1" relatedToTime="t2"')
    (link,) = read(text).links
    assert link.id == "line 1"
    removed = edited_timeml(text.encode(), {link: None})
    assert removed == b'<TimeML><TIMEX3 tid="t1"/><TIMEX3 tid="t2"/>  </TimeML>'


MORE = (
    Link(id="x", left="e3", right="ei1", relation=RelationType.AFTER),
    Link(id="y", left="t1", right="ei2", relation=RelationType.INCLUDES),
)


def test_added_links_change_no_other_byte() -> None:
    raw = TEXT.replace('lid="l1"', 'lid="c1"').replace("\n", "\r\n").encode()
    added = (
        b'\r\n<TLINK lid="c2" relType="AFTER" eventInstanceID="e3" relatedToEventInstance="ei1"/>'
        b'\r\n<TLINK lid="c3" relType="INCLUDES" timeID="t1" relatedToEventInstance="ei2"/>'
    )
    document = read_timeml([raw], "d.tml", "d")
    assert extended_timeml(raw, document, ()) == raw
    written = extended_timeml(raw, document, MORE)
    assert written == raw.replace(b"\r\n</TimeML>", added + b"\r\n</TimeML>")
    again = read_timeml([written], "d.tml", "d").links
    assert [(link.left, link.relation, link.right) for link in again[-2:]] == [
        (link.left, link.relation, link.right) for link in MORE
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<TimeML>{}</TimeML><!-- x -->", "<TimeML>{}{}\n</TimeML><!-- x -->"),
        ("<a:TimeML>{}\n</a:TimeML>", "<a:TimeML>{}\n{}\n</a:TimeML>"),
        ("<TimeML>{}<TLINK {}></TLINK> </TimeML>", "<TimeML>{}<TLINK {}></TLINK>{} </TimeML>"),
    ],
)
def test_where_links_are_added(text: str, expected: str) -> None:
    times = '<TIMEX3 tid="&#233;"/><TIMEX3 tid="t2"/>'
    before = 'relType="BEFORE" timeID="&#233;" relatedToTime="t2"'
    added = '<TLINK lid="c1" relType="AFTER" timeID="t2" relatedToTime="&#233;"/>'
    filled = [times, before] if "TLINK" in text else [times]
    raw = text.format(*filled).encode()
    document = read_timeml([raw], "d.tml", "d")
    more = Link(id="1", left="t2", right="é", relation=RelationType.AFTER)
    assert extended_timeml(raw, document, [more]).decode() == expected.format(*filled, added)


def test_a_root_without_an_end_tag_gets_no_links() -> None:
    with pytest.raises(TimemlError, match="no end tag"):
        extended_timeml(b"<TimeML/>", Document(name="d"), [])


def test_other_encodings_keep_their_bytes() -> None:
    raw = TEXT.replace("UTF-8", "ISO-8859-1").encode("latin-1")
    document = read_timeml([raw], "d.tml", "d")
    assert document.nodes["ei2"].sentence.startswith("Café")
    removed = edited_timeml(raw, {document.links[3]: None})
    assert removed == raw.replace(raw.splitlines(keepends=True)[12], b"")


def test_what_is_written_is_read() -> None:
    nodes = {
        "e1": Node(id="e1", word="<left> & 'right'"),
        "t1": Node(id="t1", is_time=True, word="now", value="1998"),
    }
    links = (Link(id='l"1', left="e1", right="t1", relation=RelationType.ENDED_BY),)
    written = timeml(Document(name="d", nodes=nodes, links=links))
    document = read_timeml([written], "d.tml", "d")
    assert {name: node.word for name, node in document.nodes.items()} == {
        "e1": "<left> & 'right'",
        "t1": "now",
    }
    (link,) = document.links
    assert (link.id, link.left, link.right, link.relation) == ('l"1', "e1", "t1", "ENDED_BY")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<!DOCTYPE a [<!ENTITY x "y">]><TimeML>&x;</TimeML>', "entity"),
        ('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><TimeML>&x;</TimeML>', "entity"),
        ('<!DOCTYPE a [<!ENTITY % x SYSTEM "http://x/"> %x;]><TimeML/>', "entity"),
        ('<!DOCTYPE a SYSTEM "http://x/y.dtd"><TimeML>&x;</TimeML>', "entity"),
        ("", "no element found"),
        ("<x/>", "found the root 'x', expected TimeML"),
        ("<TimeML/><TimeML/>", "junk after document element"),
        ("<TimeML>", "no element found"),
        ('<?xml version="1.0" encoding="klingon"?><TimeML/>', "unknown encoding"),
        ('<?xml version="1.0" encoding="utf-16"?><TimeML/>', "encoding"),
        ("<TimeML>" + "<a>" * 200, "nested more than 100 deep"),
        (f'<TimeML><a b="{"x" * 100_000}"/></TimeML>', "characters of attributes"),
        ('<TimeML><EVENT eid="t1"/><TIMEX3 tid="t1"/></TimeML>', "of an event and of a time"),
    ],
)
def test_hostile_documents_are_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(TimemlError, match=message) as refused:
        read(text, 50_000)
    assert str(refused.value).startswith("d.tml")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("raw", [TEXT.encode("utf-16"), TEXT.encode("latin-1"), b"\0\1\2"])
def test_wrong_encodings_are_refused(raw: bytes) -> None:
    with pytest.raises(TimemlError, match=r"d\.tml:"):
        read_timeml([raw], "d.tml", "d")


def test_endless_nesting_is_refused_early() -> None:
    taken = 0

    def blocks() -> Iterator[bytes]:
        nonlocal taken
        yield b"<TimeML>"
        while True:
            taken += 1
            yield b"<a>" * 1000

    with pytest.raises(TimemlError, match="nested"):
        read_timeml(blocks(), "d.tml", "d")
    assert taken == 1


@pytest.mark.parametrize("tag", ["tlink", "Event", "timex3", "makeInstance"])
def test_tags_that_are_spelt_otherwise_are_refused(tag: str) -> None:
    message = f"d.tml:2: found the tag '{tag}', expected '{tag.upper()}'"
    with pytest.raises(TimemlError, match=message):
        read(f"<TimeML>\n<{tag}/></TimeML>")
