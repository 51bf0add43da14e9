"""Prompts for a language model: the task and the form of answers, before a question."""

from __future__ import annotations

from benchmarks.eventhop.prompts import Variant

_TASK = """\
You are asked about an event at a certain time. Answer from what happened before that time.

Answers:
- Who or which party: names of people, organisations or places, the most likely first, with \
semicolons between them.
- Whether something will happen: yes, or unknown if nothing supports it.
- Why something will happen, with choices: the letter of the choice that explains it best."""
_FORMS = {
    Variant.ZERO_SHOT: "Give no reasons. Reply with one line of the form\nAnswer: ANSWER",
    Variant.COT: "Reason step by step: recall what the parties did before. Then end your reply "
    "with one line of the form\nAnswer: ANSWER",
}


def question_openings() -> dict[str, str]:
    """Kind of prompt -> the text before the question."""
    return {variant.value: f"{_TASK}\n\n{form}" for variant, form in _FORMS.items()}
