"""charts: the pictures of class.html, as SVG: a bar per rung, and a dot per program over its share of the limit."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import Dict, List, Tuple

from ladder import Ladder

WIDTH = 440  # what a phone shows without scrolling is scaled down from this
BAR_LEFT, BAR_WIDTH, ROW = 104, 290, 24
AXIS_LEFT, AXIS_WIDTH, AXIS_Y = 12, 400, 84
DOT, DOTS_HIGH = 8, 8  # width of a dot's place; with this many dots in one place, the stack has its full height


def rung_bars(rungs: List[int], ladder: Ladder, width: int = WIDTH) -> str:
    """A bar per rung, from the highest down, as on a ladder."""
    longest = width - (WIDTH - BAR_WIDTH)
    counts = [rungs.count(rung) for rung in range(ladder.last + 1)]
    parts = []
    for rung, count in enumerate(counts):
        y, length = ROW * (ladder.last - rung) + 4, longest * count / max(counts)
        kind = " (done)" if rung == ladder.required else " (bonus)" if rung > ladder.required else ""
        parts.append(f'<text x="0" y="{y + 13}">rung {rung}{kind}</text>')
        parts.append(f'<rect class="bar" x="{BAR_LEFT}" y="{y}" width="{length:.1f}" height="16"/>')
        parts.append(f'<text x="{BAR_LEFT + 6 + length:.1f}" y="{y + 13}">{count}</text>')
    spoken = ", ".join(f"rung {rung}: {count}" for rung, count in enumerate(counts))
    return svg(parts, ROW * (ladder.last + 1) + 4, spoken, width)


def share_dots(shares: List[Tuple[float, str]], floors: Dict[int, float]) -> str:
    """A dot per program, with its student's name, and a line per rung at the share that it asks for."""
    parts = []
    for rung, floor in sorted(floors.items()):
        if floor > 1:
            continue
        x = AXIS_LEFT + AXIS_WIDTH * floor
        parts.append(f'<line class="line" x1="{x:.0f}" x2="{x:.0f}" y1="16" y2="{AXIS_Y}"/>')
        parts.append(f'<text class="soft" x="{x:.0f}" y="11" text-anchor="middle">rung {rung}</text>')
    parts.append(f'<line class="line" x1="{AXIS_LEFT}" x2="{AXIS_LEFT + AXIS_WIDTH}" y1="{AXIS_Y}" y2="{AXIS_Y}"/>')
    for value in (0, 25, 50, 75, 100):
        x = AXIS_LEFT + AXIS_WIDTH * value // 100
        parts.append(f'<text class="soft" x="{x}" y="{AXIS_Y + 16}" text-anchor="middle">{value} %</text>')
    return svg(parts + dots(shares), AXIS_Y + 20, summary([share for share, _ in shares]))


def dots(shares: List[Tuple[float, str]]) -> List[str]:
    """The dots; those in one place are stacked, closer to each other where they are many."""
    places = [round(AXIS_WIDTH * min(share, 1.0) / DOT) for share, _ in shares]
    step = DOT * min(1.0, DOTS_HIGH / max(Counter(places).values()))
    levels: Counter = Counter()
    parts = []
    for (_, student), place in zip(shares, places):
        x, y = AXIS_LEFT + DOT * place, AXIS_Y - 5 - step * levels[place]
        levels[place] += 1
        parts.append(
            f'<circle class="dot" cx="{x}" cy="{y:.1f}" r="{DOT // 2}"><title>{escape(student)}</title></circle>'
        )
    return parts


def summary(shares: List[float]) -> str:
    """What the picture of the shares says, in words."""
    if len(shares) == 1:
        return f"1 program, at {100 * shares[0]:.1f} % of the limit"
    ordered = [100 * share for share in sorted(shares)]
    middle = f"the middle one is at {ordered[len(ordered) // 2]:.1f} %"
    return f"{len(ordered)} programs, from {ordered[0]:.1f} % to {ordered[-1]:.1f} % of the limit; {middle}"


def svg(parts: List[str], height: int, spoken: str, width: int = WIDTH) -> str:
    head = f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{escape(spoken)}">'
    return head + "".join(parts) + "</svg>"
