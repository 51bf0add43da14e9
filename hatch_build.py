"""The build hook of the wheel: everything is installed below ``hopcheck``.

In a checkout the packages are top-level: ``solver``, ``grammar``, ``generators``, ``benchmarks``.
Other projects use these names as well, so the wheel contains them as ``hopcheck.solver`` and so on,
and their absolute imports are rewritten. Line numbers stay as they are.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.core import ProjectMetadata

NAMESPACE = "hopcheck"
_PIN = re.compile(r"^([\w.-]+)==([^\s;]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_FROM = re.compile(rb"from\s+")
_CACHES = ("__pycache__", "*.pyc", ".*")


class NamespaceBuildHook(BuildHookInterface[Any]):
    """Puts rewritten packages and data folders into the wheel.

    Configured in ``pyproject.toml``: ``packages`` and ``data`` are folders of the checkout,
    ``leave-out`` are patterns of paths in it.
    """

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files of the wheel to a temporary folder and include that."""
        if version == "editable":
            return
        self._stage = Path(tempfile.mkdtemp(prefix="hopcheck-wheel-"))
        root = Path(self.root)
        packages = self.config["packages"]
        leave_out = self.config.get("leave-out", [])
        for path in files(root, [NAMESPACE, *packages, *self.config["data"]], leave_out):
            source = root / path
            target = self._stage / destination(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".py":
                target.write_bytes(rewritten(source.read_bytes(), packages, path.as_posix()))
            else:
                shutil.copyfile(source, target)
        build_data["force_include"][str(self._stage / NAMESPACE)] = NAMESPACE
        # The playground is built with other tools; a wheel without it works as well.
        page = root / "build" / "site" / "packaged.html"
        if page.is_file():
            build_data["force_include"][str(page)] = f"{NAMESPACE}/playground.html"
        pins = (root / "constraints.txt").read_text(encoding="utf-8")
        bill = self._stage / f"{NAMESPACE}.cdx.json"
        bill.write_text(json.dumps(materials(pins, self.metadata), indent=1), encoding="utf-8")
        build_data["sbom_files"].append(str(bill))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's signature
        """Remove the temporary folder."""
        if version != "editable":
            shutil.rmtree(self._stage)


def materials(pins: str, metadata: ProjectMetadata[Any]) -> dict[str, Any]:
    """A bill of materials (CycloneDX 1.6): what the project needs, as pinned and tested.

    The wheel contains none of it; a file of a component has one of the component's hashes.
    """
    entries = re.split(r"\n(?=\S)", pins)
    components = [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{found[1]}@{found[2]}",
            "name": found[1],
            "version": found[2],
            "purl": f"pkg:pypi/{found[1]}@{found[2]}",
            "externalReferences": [
                {
                    "type": "distribution",
                    "url": f"pkg:pypi/{found[1]}@{found[2]}",
                    "hashes": [
                        {"alg": "SHA-256", "content": file} for file in _HASH.findall(entry)
                    ],
                }
            ],
        }
        for entry in entries
        if (found := _PIN.match(entry))
    ]
    own = f"pkg:pypi/{metadata.core.name}@{metadata.version}"
    needed = {
        re.split(r"[^\w.-]", need, maxsplit=1)[0].lower() for need in metadata.core.dependencies
    }
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": metadata.core.name,
                "version": metadata.version,
                "licenses": [{"expression": metadata.core.license_expression}],
            }
        },
        "components": components,
        "dependencies": [
            {"ref": own, "dependsOn": [c["bom-ref"] for c in components if c["name"] in needed]}
        ],
    }


def destination(path: PurePosixPath) -> PurePosixPath:
    """The path in the wheel of a path in the checkout."""
    return path if path.parts[0] == NAMESPACE else NAMESPACE / path


def files(
    root: Path, folders: Iterable[str], leave_out: Collection[str]
) -> Iterator[PurePosixPath]:
    """Files of the folders, relative to the root, sorted.

    Raises:
        ValueError: a pattern of ``leave_out`` matches no file.
    """
    unmatched = set(leave_out)
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            name = PurePosixPath(path.relative_to(root).as_posix())
            if not path.is_file() or any(fnmatchcase(p, c) for p in name.parts for c in _CACHES):
                continue
            matched = {pattern for pattern in leave_out if fnmatchcase(str(name), pattern)}
            unmatched -= matched
            if not matched:
                yield name
    if unmatched:
        raise ValueError(f"leave-out patterns without a file: {', '.join(sorted(unmatched))}")


def rewritten(source: bytes, packages: Collection[str], file: str = "<source>") -> bytes:
    """Python source whose absolute imports of the packages are imports below the namespace.

    ``from grammar.eventhop.model import Item`` becomes ``from hopcheck.grammar.eventhop.model
    import Item``.

    Raises:
        ValueError: an import has a form that cannot be rewritten in place.
    """
    lines = source.splitlines(keepends=True)
    edits: list[tuple[int, int, int, bytes]] = []
    for node in ast.walk(ast.parse(source, file)):
        if isinstance(node, ast.ImportFrom):
            if node.level == 0 and _top(node.module or "") in packages:
                line = lines[node.lineno - 1]
                found = _FROM.match(line, node.col_offset)
                module = (node.module or "").encode()
                if found is None or not line.startswith(module, found.end()):
                    raise ValueError(f"{file}:{node.lineno}: `from` and its module need one line")
                edits.append((node.lineno, found.end(), found.end(), NAMESPACE.encode() + b"."))
        elif isinstance(node, ast.Import):
            edits += [_edit(alias, file) for alias in node.names if _top(alias.name) in packages]
    for number, start, end, text in sorted(edits, reverse=True):
        line = lines[number - 1]
        lines[number - 1] = line[:start] + text + line[end:]
    return b"".join(lines)


def _edit(alias: ast.alias, file: str) -> tuple[int, int, int, bytes]:
    """``import solver.asp as asp`` is prefixed; ``import solver`` keeps the name it binds."""
    start = alias.col_offset
    if alias.asname is not None:
        return alias.lineno, start, start, f"{NAMESPACE}.".encode()
    if "." in alias.name:
        raise ValueError(f"{file}:{alias.lineno}: `import {alias.name}` needs `as`, or use `from`")
    end = start + len(alias.name)
    return alias.lineno, start, end, f"{NAMESPACE}.{alias.name} as {alias.name}".encode()


def _top(module: str) -> str:
    return module.partition(".")[0]
