"""outcome: what a student's work on one exercise has come to: rung, points, rate, and what the instructor should see."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple

from points import Points
from similar import is_copy
from store import Store

# Nobody's mistake for certain: no points, not even 0.
NEED_A_DECISION = ("double", "misnamed", "not checked", "could not check")


# The basis of a grade, by the kind of its rate; without a rate, the rungs below the first one with a rate.
PROOF = {
    "measured": "Its results were right for the sizes and inputs of this check, and a GPU measured its rate. There the "
    "program shares a process with what measures it, so read it if the rate surprises you.",
    "modelled": "Its results were right for the sizes and inputs of this check. The simulated GPU, which it cannot reach, "
    "saw every access. Its rate is modelled, not measured.",
    "": "Nothing is known about its rate: only what the check says about its results was tried, with the sizes and "
    "inputs of this check.",
}


@dataclass
class Outcome:
    """`state` is "graded", "could not check" (the lab cannot), "no verdict" (the program prevented it), "not checked" (the
    machine failed), or what is wrong with what was handed in. `rung` is None without a verdict, `points` if somebody has
    to decide."""

    student: str
    exercise: str
    state: str
    most: float
    rung: Optional[int] = None
    perhaps: Optional[int] = None  # the rung that is reached if a GPU confirms what the model cannot decide
    points: Optional[float] = None
    notes: List[str] = field(default_factory=list)
    seen: List[str] = field(default_factory=list)
    store: Optional[Store] = None  # has the program and its check: thousands of them would fill the memory
    program: str = ""  # its names there
    key: str = ""
    seconds: float = 0.0
    runs: int = 0
    decided: bool = False  # the points are those of decisions.tsv
    unchanged: bool = False  # it is the starter, apart from comments and spaces
    view: str = ""  # where the page of make view is

    @property
    def verdict(self) -> Optional[Dict[str, Any]]:
        return self.store.finished(self.key)["verdict"] if self.store and self.key else None

    @property
    def pretty(self) -> str:
        return self.store.finished(self.key)["pretty"] if self.store and self.key else ""

    @property
    def source(self) -> str:
        return self.store.source_text(self.program) if self.store else ""

    @property
    def rate(self) -> Optional[Dict[str, Any]]:
        rate = (self.verdict or {}).get("rate")
        return rate if isinstance(rate, dict) and self.rung is not None and self.rung >= 1 else None

    @property
    def how(self) -> str:
        """Whether the rate was measured or modelled; nothing without a rate."""
        return self.rate["how"] if self.rate else ""

    @property
    def proof(self) -> str:
        """What the check can and cannot prove about this program, in one sentence."""
        return PROOF[self.how] if self.state == "graded" else "Nothing is proven: there is no verdict."

    @property
    def size(self) -> str:
        """The arguments of the run that the rate is from."""
        return str(((self.verdict or {}).get("work") or {}).get("arguments", "")) if self.rate else ""

    @property
    def share(self) -> Optional[float]:
        share = (self.verdict or {}).get("share")
        return float(share) if self.rate and isinstance(share, (int, float)) else None

    @property
    def diagnosis(self) -> Optional[Dict[str, Any]]:
        """What the student sees first: a diagnosis of the criterion that failed first, or this criterion itself."""
        verdict = self.verdict or {}
        diagnoses, criteria = verdict.get("diagnoses") or [], verdict.get("criteria") or []
        failed = next((one for one in criteria if one.get("passed") in (False, "undecided")), None)
        if verdict.get("status") == "reached" or failed is None:
            return diagnoses[0] if diagnoses else None
        first = next((one for one in diagnoses if one.get("criterion") == failed["id"]), None)
        return first or {"name": f"{failed['passed'] or 'not yet'}: {failed['text']}"}

    @property
    def needs_decision(self) -> bool:
        return self.state in NEED_A_DECISION and not self.decided

    @property
    def has_no_verdict(self) -> bool:
        return self.state not in ("graded", "missing") and not self.needs_decision and not self.decided

    @property
    def stands_out(self) -> bool:
        """True for what the instructor should look at."""
        if self.state == "missing":
            return self.decided
        unsure = self.perhaps is not None or self.runs > 1
        return self.state != "graded" or self.decided or unsure or bool(self.seen or self.notes)

    def diagnosis_text(self) -> str:
        if not self.diagnosis:
            return ""
        line = self.diagnosis.get("line")
        return f"{self.diagnosis['name']} line {line}" if line else self.diagnosis["name"]

    def remarks(self) -> List[str]:
        """Everything about it that is not in its verdict, one sentence each. Students read them too."""
        more = {
            "the unchanged starter": self.unchanged,
            f"a GPU has to decide whether it reaches rung {self.perhaps}": self.perhaps is not None,
            "measured again, because the first rate was within 3 % under a floor": self.runs > 1,
            "the instructor has decided its points": self.decided,
        }
        return self.seen + self.notes + [text for text, holds in more.items() if holds]


def counts(outcomes: List[Outcome]) -> List[Tuple[int, str]]:
    """How many programs came to what; together all of them. The first two are always there."""
    kinds = [
        ("graded", [one for one in outcomes if one.state == "graded"]),
        ("not handed in", [one for one in outcomes if one.state == "missing"]),
        ("waiting for your decision", [one for one in outcomes if one.needs_decision]),
        ("without a verdict", [one for one in outcomes if one.has_no_verdict]),
        ("with your points alone", [one for one in outcomes if one.decided and one.state not in ("graded", "missing")]),
    ]
    return [(len(ones), what) for what, ones in kinds if ones or what in ("graded", "not handed in")]


def outcomes_of(entry: Dict[str, Any], store: Store, points: Points, failed: Dict[str, str]) -> List[Outcome]:
    """The outcomes of one student of plan.json."""
    result = []
    for exercise, work in entry["works"].items():
        outcome = Outcome(entry["name"], exercise, work["state"], points.most(exercise), notes=list(work["notes"]))
        if work["state"] == "handed in":
            fill(outcome, work, store, points, failed)
        elif not outcome.needs_decision:
            outcome.points = 0.0
        result.append(outcome)
    return result


def fill(outcome: Outcome, work: Dict[str, Any], store: Store, points: Points, failed: Dict[str, str]) -> None:
    """Adds what the check said."""
    outcome.store, outcome.program = store, work["source"]
    outcome.unchanged = is_copy(outcome.source, points.ladders[outcome.exercise].starter)
    check = store.check(work["key"])
    if check is None:
        outcome.state = "not checked"
        outcome.notes.append("this machine could not check it: " + failed.get(work["key"], "the run was ended before"))
        return
    outcome.seen, outcome.key = check["seen"], work["key"]
    page = store.path("checks", work["key"], "view.html")
    outcome.view = page if os.path.isfile(page) and not os.path.islink(page) else ""
    outcome.seconds, outcome.runs = check["seconds"], check["runs"]
    if outcome.verdict is None:
        outcome.state, outcome.points = "no verdict", 0.0
        outcome.seen = outcome.seen or ["the program ended its own check"]
    elif outcome.verdict.get("status") == "could not check":
        outcome.state = "could not check"
        errors = [str(error) for error in outcome.verdict.get("internal_errors") or []]
        outcome.notes += [error for error in errors if not any(error in line for line in outcome.seen)]
    else:
        outcome.state, outcome.rung = "graded", outcome.verdict["rung"]
        outcome.perhaps = outcome.verdict.get("undecided")
        outcome.points = points.at(outcome.exercise, outcome.rung, outcome.perhaps)


def student_folder(student: str) -> str:
    """Where the results of a student are, in TO: no student is called as one of the other files there."""
    return os.path.join("students", student)


def file_name(outcome: Outcome, ending: str) -> str:
    return os.path.join(student_folder(outcome.student), f"{outcome.exercise}.{ending}")
