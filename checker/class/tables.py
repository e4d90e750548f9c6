"""tables: the results for other programs: grades.csv, JUnit's XML, and what Gradescope reads.

Modelled and measured rates are in one column of grades.csv, and the next one says which of the two each is.
"""

from __future__ import annotations

import csv
import datetime
import io
import json
import xml.etree.ElementTree as xml
from typing import Any, Dict, List

from outcome import Outcome
from points import number, rounded

COLUMNS = ["student", "exercise", "state", "rung", "points", "of", "rate", "unit", "modelled or measured", "share"] + [
    "first diagnosis",
    "remarks",
    "seconds",
]


def grades(outcomes: List[Outcome]) -> str:
    """One row per student and exercise. Only the last column differs between two runs on the simulated GPU."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    for one in outcomes:
        rate = one.rate or {}
        table.writerow(
            [one.student, one.exercise, one.state, "" if one.rung is None else one.rung]
            + ["" if one.points is None else number(one.points), number(one.most)]
            + [rounded(rate["value"]) if rate else "", rate.get("unit", ""), one.how]
            + ["" if one.share is None else f"{one.share:.6f}".rstrip("0").rstrip(".")]
            + [one.diagnosis_text(), cell("; ".join(one.remarks())), f"{one.seconds:.1f}"]
        )
    return text.getvalue()


def cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return "'" + text if text[:1] in ("=", "+", "-", "@") else text


def clean(text: str) -> str:
    """A text without what XML forbids."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "?" for letter in text)


def junit(outcomes: List[Outcome]) -> str:
    """One suite per student and exercise, one case per criterion of the required rungs; as Windy Road's schema of Ant's
    format has it, which all readers of JUnit's XML accept."""
    root = xml.Element("testsuites")
    now = datetime.datetime.now().isoformat(timespec="seconds")
    for index, one in enumerate(outcomes):
        cases = cases_of(one)
        counts = {
            name: str(sum(case.find(name) is not None for case in cases)) for name in ("failure", "error", "skipped")
        }
        suite = xml.SubElement(root, "testsuite", name=f"{one.student} {one.exercise}", tests=str(len(cases)))
        suite.set("failures", counts["failure"])
        suite.set("errors", counts["error"])
        suite.set("skipped", counts["skipped"])
        suite.set("time", f"{one.seconds:.1f}")
        suite.attrib.update(package=one.exercise, id=str(index), timestamp=now, hostname="localhost")
        xml.SubElement(suite, "properties")
        suite.extend(cases)
        xml.SubElement(suite, "system-out")
        xml.SubElement(suite, "system-err")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def cases_of(one: Outcome) -> List[xml.Element]:
    name = f"{one.student}.{one.exercise}".replace(" ", "_")
    if one.state != "graded":
        case = xml.Element("testcase", classname=name, name="is graded", time="0")
        kind = "skipped" if one.state == "missing" else "error"
        message = clean(one.state + ": " + "; ".join(one.remarks()))
        xml.SubElement(
            case, kind, **({"message": message} if kind == "skipped" else {"message": message, "type": one.state})
        )
        return [case]
    cases = []
    for criterion in one.verdict["criteria"]:
        if criterion["rung"] > one.verdict["required"]:
            continue
        title = f"rung {criterion['rung']}: {criterion['text']}"
        case = xml.Element("testcase", classname=name, name=clean(title), time="0")
        if criterion["passed"] == "undecided":
            xml.SubElement(case, "skipped", message=clean(str(criterion.get("seen"))))
        elif criterion["passed"] is None:
            xml.SubElement(case, "skipped", message="waits for an earlier criterion")
        elif not criterion["passed"]:
            seen = f"seen: {criterion.get('seen')}; needed: {criterion.get('needed')}"
            xml.SubElement(case, "failure", message=clean(seen), type="criterion").text = clean(
                explanations(one, criterion)
            )
        cases.append(case)
    return cases


def explanations(one: Outcome, criterion: Dict[str, Any]) -> str:
    """The diagnoses of a criterion, with their lines."""
    found = [item for item in one.verdict["diagnoses"] if item.get("criterion") == criterion["id"]]
    places = [f"{item['file']}:{item['line']}: " if item.get("line") else "" for item in found]
    return "\n".join(place + str(item.get("text")) for place, item in zip(places, found))


def gradescope(outcomes: List[Outcome]) -> str:
    """results.json of one student: one test per exercise, and a leaderboard of the shares that were reached."""
    tests, board = [], []
    for one in outcomes:
        text = one.pretty if one.state == "graded" else "; ".join([one.state] + one.remarks())
        if one.needs_decision:
            text += "\nYour instructor decides about this one."
        tests.append(
            {
                "name": f"{one.exercise}: " + (f"rung {one.rung}" if one.rung is not None else one.state),
                "score": one.points or 0.0,
                "max_score": one.most,
                "status": "passed" if (one.points or 0) >= one.most else "failed",
                "output": text,
                "output_format": "text",
                "visibility": "visible",
            }
        )
        if one.share is not None:
            board.append({"name": f"{one.exercise}, % of the limit, {one.how}", "value": round(100 * one.share, 1)})
    total = sum(test["score"] for test in tests)
    seconds = round(sum(one.seconds for one in outcomes))
    value = {"score": total, "execution_time": seconds, "visibility": "visible", "tests": tests, "leaderboard": board}
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def student_json(one: Outcome) -> str:
    value = {
        "student": one.student,
        "exercise": one.exercise,
        "state": one.state,
        "rung": one.rung,
        "points": one.points,
        "of": one.most,
        "remarks": one.remarks(),
        "verdict": one.verdict,
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def student_text(one: Outcome) -> str:
    """What the student would have seen, and then what else was."""
    head = f"{one.student} · {one.exercise} · {one.state}"
    if one.points is not None:
        head += f" · {number(one.points)} of {number(one.most)} points"
    lines = [head, "", one.pretty.rstrip("\n")] if one.pretty else [head]
    if one.remarks():
        lines += ["", "seen:"] + [f"  - {remark}" for remark in one.remarks()]
    return "\n".join(lines) + "\n"
