"""class_page: class.html, the instructor's page: what needs a decision, a section per exercise, then all students."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from html import escape
from typing import Any, Dict, List
from urllib.parse import quote

from charts import rung_bars, share_dots, summary
from ladder import Ladder
from outcome import Outcome, counts, file_name
from pages import page, plural, table
from points import number, rounded
from similar import alike, common_from, copies, unusual

SHOWN = 8  # rows of a list of the most common, slowest, or most alike: what fits on a screen
EXAMPLES = 3  # students whose lines are shown per diagnosis
UNUSUAL_SHARE = 0.4  # a program of which so much is in no other one is worth reading
HOW = ("measured", "modelled")  # rates of the two kinds are never in one list or picture

DECIDE = (
    "These have no points yet, because the student may have made no mistake. Put the right file into FROM, or write "
    "your points into {decisions}. Then run make class again."
)
LOOK = (
    "Nothing here waits for you. A program without a verdict has 0 points; if you write other points into {decisions}, "
    "those count."
)
NOTHING = "Every program that was handed in has a grade, and nothing unusual was seen."
PROVES_NOTHING = "That programs are alike proves nothing: students may have followed the same hint."
ALIKE = (
    "The share says how much of the shorter program is also in the other one. A passage has about three lines. It does not "
    "count if the starter has it, or more than {most} programs that are not copies of each other. So programs that are "
    "not listed may be alike, too."
)
DOTS = "Each dot is a program. A line is the rate that a rung asks for; most rungs ask for other things, too."
RATES = {
    (): "There are no rates.",
    ("modelled",): "All rates are modelled: no GPU has measured them. Compare shares, not rates: each program has a "
    "limit of its own, for the size and the blocks that were modelled.",
    ("measured",): "All rates are measured.",
    HOW: "Some rates are modelled and some are measured: do not compare one with the other.",
}


def class_page(about: Dict[str, Any], outcomes: List[Outcome], students: List[Dict[str, Any]], top: str) -> str:
    body = head(about, outcomes) + decisions(about, outcomes, students)
    for exercise in about["exercises"]:
        body += section(exercise, [one for one in outcomes if one.exercise == exercise], top)
    return page(f"The class: {', '.join(about['exercises'])}", body + all_students(outcomes, about["exercises"]))


def link(one: Outcome, text: str = "") -> str:
    return f'<a href="{quote(file_name(one, "html"))}">{escape(text or one.student)}</a>'


def head(about: Dict[str, Any], outcomes: List[Outcome]) -> List[str]:
    figures = [(len({one.student for one in outcomes}), "students")]
    figures += [(count, f"programs {what}") for count, what in counts(outcomes)]
    kinds = tuple(how for how in HOW if any(one.how == how for one in outcomes))
    details = f"Seed {about['seed']}, GPU={about['gpu']}, deadline: {about['deadline'] or 'none'}. {RATES[kinds]}"
    items = [f"<li><b>{count}</b>{escape(what)}</li>" for count, what in figures]
    return ["<h1>The class</h1>", f'<p class="soft">{escape(details)}</p>', '<ul class="figures">'] + items + ["</ul>"]


def decisions(about: Dict[str, Any], outcomes: List[Outcome], students: List[Dict[str, Any]]) -> List[str]:
    """Everything but plain grades, first what nobody but the instructor can decide."""
    waiting = [row(one) for one in outcomes if one.needs_decision]
    others = [row(one) for one in outcomes if one.stands_out and not one.needs_decision]
    others += [[escape(one["name"]), "", "", escape("; ".join(one["notes"]))] for one in students if one["notes"]]
    body = []
    for title, text, rows in (("Your decision", DECIDE, waiting), ("To look at", LOOK, others)):
        if rows:
            what = table(title.lower(), ["student", "exercise", "state", "what was seen"], rows)
            body += [f"<h2>{title}</h2>", f"<p>{text.format(**about)}</p>", what]
    return body or ["<h2>To look at</h2>", f"<p>{NOTHING}</p>"]


def row(one: Outcome) -> List[str]:
    return [link(one), escape(one.exercise), escape(one.state), escape("; ".join(one.remarks()))]


def section(exercise: str, outcomes: List[Outcome], top: str) -> List[str]:
    """What the class did in one exercise."""
    ladder = Ladder(top, exercise)
    graded = [one for one in outcomes if one.state == "graded"]
    body = [f'<h2 id="{escape(exercise)}">{escape(exercise)}</h2>']
    body += names("Not handed in", [one for one in outcomes if one.state == "missing"])
    body += names("The unchanged starter", [one for one in outcomes if one.unchanged])
    if not graded:
        return body + ["<p>Nothing was graded.</p>"]
    parts = [rungs(graded, ladder), rates(graded, ladder), diagnoses(graded), slowest(graded), longest(graded)]
    parts += [different(graded, ladder.starter), similar(graded, ladder.starter)]
    columns = [f"<section>{part}</section>" for part in parts if part]
    return body + ['<div class="columns">'] + columns + ["</div>"]


def names(title: str, ones: List[Outcome]) -> List[str]:
    """A line that opens and lists the students, if there are any."""
    if not ones:
        return []
    text = ", ".join(link(one) for one in ones)
    return [f"<details><summary>{title}: {plural(len(ones), 'student')}</summary><p>{text}</p></details>"]


def rungs(graded: List[Outcome], ladder: Ladder) -> str:
    return f"<h3>Rungs of {plural(len(graded), 'program')}</h3>" + rung_bars([one.rung or 0 for one in graded], ladder)


def with_rate(graded: List[Outcome], how: str) -> List[Outcome]:
    """The programs with a rate of this kind, the slowest first."""
    ones = [one for one in graded if one.share is not None and one.how == how]
    return sorted(ones, key=lambda one: (one.share, one.student))


def rates(graded: List[Outcome], ladder: Ladder) -> str:
    """Where the programs are between 0 and the limit."""
    parts = []
    for how in HOW:
        shares = [(one.share or 0.0, one.student) for one in with_rate(graded, how)]
        if shares:
            text = summary([share for share, _ in shares])
            floors = floors_of(with_rate(graded, how), ladder)
            parts += [f"<h3>Rates, {how}, as a share of the limit</h3>", share_dots(shares, floors)]
            parts.append(f'<p class="soft">{DOTS} {text[0].upper() + text[1:]}.</p>')
    return "".join(parts)


def floors_of(ones: List[Outcome], ladder: Ladder) -> Dict[int, float]:
    """The shares that the rungs ask of these programs: of some modelled ones, half of what the ladder says."""
    floors = dict(ladder.floors.values())
    for one in ones:
        for criterion in one.verdict.get("criteria") or []:
            needed = re.match(r"at least ([\d.]+) % of the limit", str(criterion.get("needed")))
            if needed and criterion["id"] in ladder.floors:
                floors[ladder.floors[criterion["id"]][0]] = float(needed.group(1)) / 100
    return floors


def diagnoses(graded: List[Outcome]) -> str:
    """The most common first diagnoses, with lines of some programs."""
    groups: Dict[str, List[Outcome]] = defaultdict(list)
    for one in graded:
        if one.diagnosis:
            groups[one.diagnosis["name"]].append(one)
    if not groups:
        return ""
    ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))[:SHOWN]
    return "<h3>Most common diagnoses</h3>" + "".join(diagnosis(name, ones) for name, ones in ordered)


def diagnosis(name: str, ones: List[Outcome]) -> str:
    examples = []
    for one in ones[:EXAMPLES]:
        line = line_of(one)
        examples.append(link(one) + (f": <code>{escape(line)}</code>" if line else ""))
    if len(ones) > EXAMPLES:
        examples.append(f"and {len(ones) - EXAMPLES} more")
    return f"<p><b>{escape(name)}</b>, {plural(len(ones), 'program')}<br>{'<br>'.join(examples)}</p>"


def line_of(one: Outcome) -> str:
    """The line of the program that the first diagnosis names."""
    place, lines = (one.diagnosis or {}).get("line"), one.source.splitlines()
    return lines[place - 1].strip()[:100] if isinstance(place, int) and 0 < place <= len(lines) else ""


def spoken(graded: List[Outcome], name: str) -> str:
    """What a screen reader calls a table: each exercise has one of this name."""
    return f"{graded[0].exercise}: {name}"


def slowest(graded: List[Outcome]) -> str:
    """The lowest rates of programs that are right."""
    parts = []
    for how in HOW:
        rows = []
        for one in with_rate(graded, how)[:SHOWN]:
            rate = f"{rounded(one.rate['value'])} {escape(one.rate['unit'])}"
            rows.append([link(one), str(one.rung), escape(one.size), rate, f"{100 * one.share:.2g} %"])
        if rows:
            name = f"slowest programs, {how}"
            parts += [
                f"<h3>{name.capitalize()}</h3>",
                table(spoken(graded, name), ["student", "rung", "arguments", "rate", "share"], rows, (1, 2, 3, 4)),
            ]
    return "".join(parts)


def longest(graded: List[Outcome]) -> str:
    """The checks that took far longer than most: programs that wait, or that do much more than they should."""
    ordered = sorted(graded, key=lambda one: -one.seconds)
    usual = ordered[len(ordered) // 2].seconds
    rows = [[link(one), str(one.rung), f"{one.seconds:.0f} s"] for one in ordered[:3] if one.seconds > 3 * usual]
    if not rows:
        return ""
    name = "longest checks"
    return f"<h3>{name.capitalize()}</h3>" + table(spoken(graded, name), ["student", "rung", "check"], rows, (1, 2))


def different(graded: List[Outcome], starter: str) -> str:
    """The programs of which most is in no other one: a new idea, or something that the lab does not know."""
    shares = unusual([one.source for one in graded], starter)
    ordered = sorted(zip(shares, graded), key=lambda item: (-item[0], item[1].student))
    rows = [
        [link(one), str(one.rung), f"{100 * share:.0f} %"] for share, one in ordered[:SHOWN] if share >= UNUSUAL_SHARE
    ]
    if not rows or len(graded) < 3:
        return ""
    name = "most unusual programs"
    return f"<h3>{name.capitalize()}</h3>" + table(
        spoken(graded, name), ["student", "rung", "in no other one"], rows, (1, 2)
    )


def similar(graded: List[Outcome], starter: str) -> str:
    name, sources = "programs that are alike", [one.source for one in graded]
    same, pairs = copies(sources, starter), alike(sources, starter)
    if not same and not pairs:
        return ""
    parts = [f"<h3>{name.capitalize()}</h3>", f'<p class="soft">{PROVES_NOTHING}</p>']
    for group in same:
        title = "The same file" if group.apart_from == "nothing" else f"The same apart from {group.apart_from}"
        more = f", and their copies above: {group.more} more" if group.more else ""
        parts.append(f"<p>{title}: {', '.join(link(graded[index]) for index in group.programs)}{more}.</p>")
    rows = []
    for pair in pairs[: 2 * SHOWN]:
        both = f"{link(graded[pair.first])} and {link(graded[pair.second])}"
        rows.append([both, f"{100 * pair.share:.0f} %", str(pair.shared)])
    if rows:
        more = f" There are {len(pairs) - len(rows)} more pairs." if len(pairs) > len(rows) else ""
        parts.append(f'<p class="soft">{ALIKE.format(most=common_from(sources))}{more}</p>')
        parts.append(table(spoken(graded, name), ["students", "alike", "passages"], rows, (1, 2)))
    return "".join(parts)


def all_students(outcomes: List[Outcome], exercises: List[str]) -> List[str]:
    by_student: Dict[str, Dict[str, Outcome]] = defaultdict(dict)
    for one in outcomes:
        by_student[one.student][one.exercise] = one
    rows = []
    for student, ones in by_student.items():
        total = sum(one.points or 0 for one in ones.values())
        points = number(total) + (" + ?" if any(one.needs_decision for one in ones.values()) else "")
        rows.append([escape(student)] + [link(ones[name], short(ones[name])) for name in exercises] + [points])
    most = number(sum({one.exercise: one.most for one in outcomes}.values()))
    headings = ["student"] + exercises + [f"points of {most}"]
    return ["<h2>All students</h2>", table("all students", headings, rows, (len(exercises) + 1,))]


def short(one: Outcome) -> str:
    return "starter" if one.unchanged else one.state if one.rung is None else f"rung {one.rung}"
