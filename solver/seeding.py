"""Seeds for the parts of a random run, derived by hashing the name of each part."""

from __future__ import annotations

import hashlib


def seed_of(*parts: object) -> int:
    """A seed in [0, 2**128) derived from parts such as (seed, generator, split, index).

    Adding an index to a seed instead would make seed 1 of item 0 equal to seed 0 of item 1.
    """
    named = "\0".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.blake2b(named, digest_size=16).digest(), "big")
