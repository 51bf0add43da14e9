"""A colour-blind safe palette (Okabe and Ito 2008), and sizes."""

from __future__ import annotations

from solver.drawing.scene import Role
from solver.model import Status

ROW = 0.42
"""Height of an event's row, in inches."""

INK = "#1f2328"
FAINT_INK = "#656d76"
RULE = "#e4e7eb"
PAPER = "#ffffff"

EVENT_FILL = {Role.LEFT: "#80b8d8", Role.RIGHT: "#f2cf80", Role.OTHER: "#d3d8de"}
EVENT_INK = {Role.LEFT: "#005a8e", Role.RIGHT: "#8f5f00", Role.OTHER: INK}
STATUS_COLOUR = {
    Status.ENTAILED: "#007a5a",
    Status.REFUTED: "#a8447f",
    Status.UNKNOWN: "#57606a",
    Status.CONTRADICTORY: "#c24e00",
}
WALK_STYLE = ("solid", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
"""Line styles of the first, second, ... walk of a certificate."""
