"""class_page: class.html, the instructor's page: what needs a decision, a section per exercise, then all students."""

from __future__ import annotations

import os
from collections import defaultdict
from html import escape
from typing import Any, Dict, List
from urllib.parse import quote

from charts import rung_bars, share_dots, summary
from ladder import Ladder
from outcome import Outcome, file_name
from pages import page, plural, table
from points import number, rounded
from similar import alike, unusual

SHOWN = 8  # rows of a list of the most common, slowest, or most alike: what fits on a screen
EXAMPLES = 3  # students whose lines are shown per diagnosis
UNUSUAL_SHARE = 0.4  # a program of which so much is in no other one is worth reading
HOW = ("measured", "modelled")  # rates of the two kinds are never in one list or picture

DECIDE = (
    "What could not be checked, double files, and files with other names have no points yet. Write yours into "
    "decisions.tsv, and run make class again. What is missing or cannot be read has 0 points."
)
NOTHING = "Every program that was handed in has a grade, and nothing unusual was seen."
ALIKE = (
    "Two programs that are alike prove nothing: students may have followed the same hint. "
    "The share says how much of the shorter program is also in the other one. What the starter or many programs have does "
    "not count."
)
RATES = {
    (): "There are no rates.",
    ("modelled",): "All rates are modelled: no GPU has measured them.",
    ("measured",): "All rates are measured.",
    HOW: "Some rates are modelled and some are measured: do not compare one with the other.",
}


def class_page(about: Dict[str, Any], outcomes: List[Outcome], students: List[Dict[str, Any]], top: str) -> str:
    body = head(about, outcomes) + decisions(outcomes, students)
    for exercise in about["exercises"]:
        body += section(exercise, [one for one in outcomes if one.exercise == exercise], top)
    return page(f"The class: {', '.join(about['exercises'])}", body + all_students(outcomes, about["exercises"]))


def link(one: Outcome, text: str = "") -> str:
    return f'<a href="{quote(file_name(one, "html"))}">{escape(text or one.student)}</a>'


def head(about: Dict[str, Any], outcomes: List[Outcome]) -> List[str]:
    graded = sum(one.state == "graded" for one in outcomes)
    missing = sum(one.state == "missing" for one in outcomes)
    figures = [
        (len({one.student for one in outcomes}), "students"),
        (graded, "programs graded"),
        (missing, "not handed in"),
        (len(outcomes) - graded - missing, "without a verdict"),
    ]
    kinds = tuple(how for how in HOW if any(one.how == how for one in outcomes))
    details = f"Seed {about['seed']}, GPU={about['gpu']}, deadline: {about['deadline'] or 'none'}. {RATES[kinds]}"
    items = [f"<li><b>{count}</b>{escape(what)}</li>" for count, what in figures]
    return ["<h1>The class</h1>", f'<p class="soft">{escape(details)}</p>', '<ul class="figures">'] + items + ["</ul>"]


def decisions(outcomes: List[Outcome], students: List[Dict[str, Any]]) -> List[str]:
    """Everything but plain grades, first what nobody but the instructor can decide."""
    remarkable = [one for one in outcomes if one.state != "missing" and (one.state != "graded" or one.remarks())]
    rows = [
        [link(one), escape(one.exercise), escape(one.state), escape("; ".join(one.remarks()))]
        for one in sorted(remarkable, key=lambda one: not one.needs_decision)
    ]
    rows += [[escape(one["name"]), "", "", escape("; ".join(one["notes"]))] for one in students if one["notes"]]
    if not rows:
        return ["<h2>To look at</h2>", f"<p>{NOTHING}</p>"]
    what = table("to look at", ["student", "exercise", "state", "what was seen"], rows)
    return ["<h2>To look at</h2>", f"<p>{DECIDE}</p>", what]


def section(exercise: str, outcomes: List[Outcome], top: str) -> List[str]:
    """What the class did in one exercise."""
    ladder = Ladder(top, exercise)
    graded = [one for one in outcomes if one.state == "graded"]
    body = [f'<h2 id="{escape(exercise)}">{escape(exercise)}</h2>'] + not_handed_in(outcomes)
    if not graded:
        return body + ["<p>Nothing was graded.</p>"]
    with open(os.path.join(top, exercise, "checker", "starter.cu"), encoding="utf-8") as file:
        starter = file.read()
    parts = [rungs(graded, ladder), rates(graded, ladder), diagnoses(graded), slowest(graded), longest(graded)]
    parts += [different(graded, starter), similar(graded, starter)]
    columns = [f"<section>{part}</section>" for part in parts if part]
    return body + ['<div class="columns">'] + columns + ["</div>"]


def not_handed_in(outcomes: List[Outcome]) -> List[str]:
    missing = [one.student for one in outcomes if one.state == "missing"]
    if not missing:
        return []
    head_ = f"<details><summary>Not handed in: {plural(len(missing), 'student')}</summary>"
    return [head_ + f"<p>{escape(', '.join(missing))}</p></details>"]


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
            parts += [f"<h3>Rates, {how}, as a share of the limit</h3>", share_dots(shares, ladder)]
            parts.append(f'<p class="soft">{text[0].upper() + text[1:]}.</p>')
    return "".join(parts)


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
            rows.append([link(one), str(one.rung), rate, f"{100 * one.share:.2g} %"])
        if rows:
            name = f"slowest programs, {how}"
            parts += [
                f"<h3>{name.capitalize()}</h3>",
                table(spoken(graded, name), ["student", "rung", "rate", "share"], rows, (1, 2, 3)),
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
    name, same = "programs that are alike", same_files(graded, starter)
    sources = [one.source for one in graded]
    pairs = [pair for pair in alike(sources, starter) if sources[pair.first] != sources[pair.second]]
    if not pairs:
        return f"<h3>{name.capitalize()}</h3>{same}" if same else ""
    rows = []
    for pair in pairs[: 2 * SHOWN]:
        names = f"{link(graded[pair.first])} and {link(graded[pair.second])}"
        rows.append([names, f"{100 * pair.share:.0f} %", str(pair.shared)])
    more = f" There are {len(pairs) - len(rows)} more pairs." if len(pairs) > len(rows) else ""
    text = f'<p class="soft">{ALIKE}{more}</p>'
    return (
        f"<h3>{name.capitalize()}</h3>"
        + same
        + text
        + table(spoken(graded, name), ["students", "alike", "passages"], rows, (1, 2))
    )


def same_files(graded: List[Outcome], starter: str) -> str:
    """The students whose files are the same, byte for byte; a file that nobody has changed does not count."""
    groups: Dict[str, List[Outcome]] = defaultdict(list)
    for one in graded:
        groups[one.source].append(one)
    same = [ones for source, ones in groups.items() if len(ones) > 1 and source != starter]
    return "".join(f"<p>The same file: {', '.join(link(one) for one in ones)}.</p>" for ones in same)


def all_students(outcomes: List[Outcome], exercises: List[str]) -> List[str]:
    by_student: Dict[str, Dict[str, Outcome]] = defaultdict(dict)
    for one in outcomes:
        by_student[one.student][one.exercise] = one
    rows = []
    for student, ones in by_student.items():
        total = sum(one.points or 0 for one in ones.values())
        points = number(total) + (" + ?" if any(one.needs_decision for one in ones.values()) else "")
        rows.append([escape(student)] + [link(ones[name], short(ones[name])) for name in exercises] + [points])
    headings = ["student"] + exercises + ["points"]
    return ["<h2>All students</h2>", table("all students", headings, rows, (len(exercises) + 1,))]


def short(one: Outcome) -> str:
    return one.state if one.rung is None else f"rung {one.rung}"
