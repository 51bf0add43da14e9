"""Parses a faulty text and returns the parts of its error."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grammar.errors import ExitStatus, ParseError
from grammar.eventhop.model import Domain
from grammar.eventhop.reader import reader

ErrorParts = tuple[int, int, str, str, str]
ParseFailure = Callable[..., tuple[str, ErrorParts]]


@pytest.fixture
def failure() -> ParseFailure:
    """Returns the part and (line, column, found, expected, hint) of a faulty text."""

    def fail(
        domain: Domain, premise: str, claim: str, *, self_claims: bool = True
    ) -> tuple[str, ErrorParts]:
        with pytest.raises(ParseError) as raised:
            reader(domain, self_claims=self_claims).read("1", premise, claim)
        error = raised.value
        assert error.where == f"{error.part}:{error.line}:{error.column}"
        assert error.message == f"found {error.found}, expected {error.expected}"
        assert error.exit_status is ExitStatus.UNREADABLE
        assert "\n" not in str(error)
        return error.part, (error.line, error.column, error.found, error.expected, error.hint)

    return fail
