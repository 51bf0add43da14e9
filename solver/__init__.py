"""What decides: the model, the engines, the cross-check, the certificates, ``verify``.

Nothing heavy is imported here, so that ``python -m solver --help`` starts at once.
"""

__version__ = "0.1.0"

NAMESPACE = __name__.removesuffix("solver")
"""What the names of all packages begin with: nothing in a checkout, ``hopcheck.`` in a wheel."""
