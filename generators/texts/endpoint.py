"""Client of an OpenAI-compatible endpoint, with retries after transient failures."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from solver.errors import HopcheckError

_LONGEST = 4 * 1024 * 1024
_PATIENCE = 60.0
"""The longest wait between two attempts, in seconds."""

_AGAIN = (408, 409, 425, 429)


class EndpointError(HopcheckError):
    """The endpoint refuses or gives no answer after all retries."""

    code = "endpoint"


class _TransientError(Exception):
    """A transient failure; ``wait`` is the delay requested by the endpoint, in seconds."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An endpoint and its model.

    Attributes:
        base_url: URL up to ``/v1``.
        key: API key; empty if none is needed.
        timeout: seconds per attempt.
        tries: attempts per prompt.
        sleep: function that waits for some seconds.
    """

    base_url: str
    model: str
    key: str = ""
    timeout: float = 60.0
    tries: int = 6
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        if urlsplit(self.base_url).scheme not in ("http", "https"):
            message = f"found the address {self.base_url!r}, expected one with http or https"
            raise EndpointError(message, hint="such as http://localhost:8000/v1")

    def answer(self, question: str, *, seed: int) -> str:
        """Request a completion.

        Raises:
            EndpointError: it refuses, or all attempts failed; includes the last failure.
        """
        for number in range(1, self.tries + 1):
            try:
                return self._request(question, seed)
            except _TransientError as failure:
                if number == self.tries:
                    raise EndpointError(
                        f"{failure} after {self.tries} tries, expected an answer",
                        where=self.base_url,
                        hint="run the same command again to resume",
                    ) from None
                wait = 0.5 * 2.0 ** (number - 1) if failure.wait is None else failure.wait
                self.sleep(min(max(wait, 0.0), _PATIENCE))
        raise EndpointError("found no tries to make, expected at least one", where=self.base_url)

    def _request(self, question: str, seed: int) -> str:
        body = {
            "model": self.model,
            "messages": [{"role": "user", "content": question}],
            "seed": seed,
        }
        request = urllib.request.Request(
            f"{self.base_url.rstrip('/')}/chat/completions",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        if self.key:
            request.add_unredirected_header("Authorization", f"Bearer {self.key}")
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as response:
                return _content(response.read(_LONGEST))
        except urllib.error.HTTPError as error:
            status = f"found status {error.code}"
            if error.code not in _AGAIN and error.code < 500:
                hint = "check the address, the model and the key"
                message = f"{status}, expected an answer"
                raise EndpointError(message, where=self.base_url, hint=hint) from None
            raise _TransientError(status, _retry_after(error.headers.get("Retry-After"))) from None
        except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            raise _TransientError(f"found no connection ({reason})") from None


def _content(body: bytes) -> str:
    try:
        content = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        raise _TransientError("found an answer that is no chat completion") from None
    if not isinstance(content, str) or not content.strip():
        raise _TransientError("found an empty answer")
    return content


def _retry_after(value: str | None) -> float | None:
    """Seconds to wait, from a number or an HTTP date."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        return (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError):
        return None
