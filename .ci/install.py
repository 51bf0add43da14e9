"""Install packages: ``python .ci/install.py ARGUMENTS``, with arguments that pip and uv share.

uv takes a fraction of the time of pip, but reads neither its files of settings nor its variables,
so they are handed over. Where uv cannot be had or fails, pip installs. ``--require-hashes`` takes
the pins of its file as they are; ``--resolution`` (of uv alone) takes none; else the versions are
those of the files of constraints, whose hashes pip would ask of the project as well.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input")
CONSTRAINTS = ("constraints.txt", "constraints-extras.txt")
UNPINNED = ("--require-hashes", "--resolution")
# Each of pip's settings by its last word, and what separates values in the variable of uv.
VARIABLES = {
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "trusted-host": ("UV_INSECURE_HOST", " "),
    "cert": ("SSL_CERT_FILE", " "),
    "proxy": ("ALL_PROXY", " "),
    "default-timeout": ("UV_HTTP_TIMEOUT", " "),
    "timeout": ("UV_HTTP_TIMEOUT", " "),
    "no-index": ("UV_NO_INDEX", " "),
}


def variables(settings: str) -> dict[str, str]:
    """What ``pip config list`` prints, as variables of uv; later lines win, as for pip.

    Of several indices pip takes the best version; uv, by default, the first that has any.
    """
    found = {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    for line in settings.splitlines():
        name, equals, value = line.partition("=")
        variable = VARIABLES.get(name.rpartition(".")[2])
        if equals and variable is not None:
            found[variable[0]] = variable[1].join(str(ast.literal_eval(value)).split())
    return found


def pins() -> str:
    """The pinned versions without their hashes, with what depends on the platform."""
    lines = [line for name in CONSTRAINTS for line in Path(name).read_text("utf-8").splitlines()]
    return "".join(line.rstrip("\\ ") + "\n" for line in lines if "--hash" not in line)


def by_uv(pinned: list[str], arguments: list[str]) -> bool:
    """Install by uv, which is installed first; gives whether it worked."""
    get = [*PIP, "install", "--quiet", "--quiet", *pinned, "uv"]
    if subprocess.run(get, check=False).returncode:
        return False
    settings = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=False)
    install = [sys.executable, "-m", "uv", "pip", "install", "--python", sys.executable]
    environment = os.environ | variables(settings.stdout)
    return subprocess.run([*install, *arguments], env=environment, check=False).returncode == 0


def main(arguments: list[str]) -> int:
    """Install by uv or else by pip; gives the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pins.txt"
        file.write_text(pins(), encoding="utf-8")
        pinned = ["--constraint", str(file)]
        given = ["--quiet", *([] if arguments[0] in UNPINNED else pinned), *arguments]
        if by_uv(pinned, given):
            return 0
        print("uv did not install; trying pip", file=sys.stderr)  # noqa: T201
        return subprocess.run([*PIP, "install", "--no-compile", *given], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
