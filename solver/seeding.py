"""Seeds of the parts of a random run: a part's numbers depend on its name and on nothing else."""

from __future__ import annotations

import hashlib


def seed_of(*parts: object) -> int:
    """A seed in [0, 2**128) for the thing named by these parts: (seed, generator, split, index).

    Never add to a seed instead: seed 1 of item 0 would be seed 0 of item 1.
    """
    named = "\0".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.blake2b(named, digest_size=16).digest(), "big")
