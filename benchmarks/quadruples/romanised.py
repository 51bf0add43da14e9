"""Transliterates names to plain Latin letters, so that diacritics do not matter.

Diacritics are removed by Unicode decomposition; letters and signs without one are listed as the
library Unidecode, which the released script uses, writes them. Other scripts are left unchanged.
"""

from __future__ import annotations

import unicodedata

_PLAIN = {
    **{"æ": "ae", "ǽ": "ae", "ǣ": "ae", "œ": "oe", "ß": "ss", "ø": "o", "ǿ": "o", "ł": "l"},
    **{"đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŋ": "ng", "ŧ": "t", "ĸ": "k"},
    **{"ŀ": "l", "ŉ": "'n", "ə": "@", "ǝ": "@", "ɛ": "e", "ɔ": "o", "ɓ": "b", "ɖ": "d"},
    **{"ɗ": "d", "ɠ": "g", "ɣ": "g", "ƒ": "f", "ƙ": "k", "ɲ": "n", "ƴ": "y", "ʋ": "v"},
    **{"ʻ": "`", "ʼ": "'", "ʽ": "`", "ʾ": "`", "ʿ": "'", "ʹ": "'", "ʺ": '"', "´": "'"},
    **{"‘": "'", "’": "'", "‚": ",", "‛": "'", "“": '"', "”": '"', "„": ",,", "‟": '"'},
    **{"«": "<<", "»": ">>", "‹": "<", "›": ">", "¡": "!", "¿": "?", "·": "*", "•": "*"},
    **{"‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "--", "―": "--", "−": "-", "×": "x"},
    **{"′": "'", "″": "''", "°": "deg", "©": "(c)", "®": "(r)", "™": "(tm)", "€": "EUR"},
    **{"£": "PS", "¥": "Y=", "§": "SS", "†": "+", "‡": "++", "¦": "|", "\xad": "", "¸": ","},
    **{"¼": " 1/4", "½": " 1/2", "¾": " 3/4", "¢": "C/", "¶": "P", "÷": "/", "µ": "u"},
}
_TABLE = str.maketrans(_PLAIN)


def romanised(text: str) -> str:
    """Remove diacritics."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text.translate(_TABLE))
    return "".join(sign for sign in apart if not unicodedata.combining(sign))
