"""The codes of findings about chains of thought."""

from __future__ import annotations

from solver.dataset.copies import COPIES
from solver.verification.report import Codes

CODES = Codes(
    {
        "wrong-first-error": (
            "the first error of trace {id} is {found}, the file declares {declared}",
            "the first wrong step is another one",
        ),
        "wrong-step-verdict": (
            "step {step} of trace {id} is {found}, the file declares {declared}",
            "a step has another verdict",
        ),
        "wrong-label": (
            "the label of trace {id} is {found}, the file declares {declared}",
            "the gold label is wrong",
        ),
        "wrong-field": ("{message}", "a field of a data set differs from what is decided"),
        "wrong-certificate": (
            "the certificate of trace {id} proves nothing: {message}",
            "a certificate of a data set does not prove its verdict",
        ),
        "wrong-twin": ("{message}", "rows of a data set are not the twins that it consists of"),
        "wrong-statistics": ("{message}", "counts of `statistics.json` differ from the rows"),
        **COPIES,
    }
)
