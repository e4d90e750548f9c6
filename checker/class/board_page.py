"""board_page: the page of the live board: how many are active, the rungs of the room, the commonest diagnoses now, and who
has been without a new rung for longest, and what the room predicts. It reloads itself, and says when it is old.

It is for a projector, so it shows nothing that comes after a rung which somebody active has not reached: neither a
diagnosis, which says what the next rung repairs, nor a share."""

from __future__ import annotations

import time
from collections import Counter
from html import escape
from statistics import median
from typing import Dict, List

from charts import rung_bars
from ladder import Ladder
from notes import Note, Notes
from pages import page, plural, table

ACTIVE_MINUTES = 20  # somebody who has not checked for longer has gone, or listens
DAY_HOURS = 12  # older notes are another day's
SHOWN = 6  # rows of a list: a projector with 720 lines shows all of the page
BEST = 3  # students per exercise in the list of the best shares
CHART_WIDTH = 264  # four of them are beside each other on a projector
RELOAD_SECONDS = 5
OLD_SECONDS = 30  # a page that old is not what the room does now

SCRIPT = """
"use strict";
const button = document.querySelector("button"), old = document.querySelector("#old");
const written = Number(document.querySelector("#written").dataset.seconds), opened = Date.now();
let paused = sessionStorage.getItem("paused") === "yes";
function show() {
    const age = Math.round(Date.now() / 1000 - written);
    const reason = paused ? "It does not reload now." : "Is make board running?";
    const says = age > %(old)d ? `This page is ${age} seconds old. ${reason}` : "";
    if (old.textContent !== says) old.textContent = says;
    button.textContent = paused ? "Reload again" : "Stop reloading";
    if (!paused && !document.hidden && Date.now() - opened > %(reload)d) location.reload();
}
button.hidden = false;
button.addEventListener("click", () => {
    paused = !paused;
    sessionStorage.setItem("paused", paused ? "yes" : "no");
    show();
});
setInterval(show, 1000);
show();
"""


def board_page(notes: Notes, ladders: Dict[str, Ladder], now: float) -> str:
    today = [note for note in notes.all() if now - note.when < 3600 * DAY_HOURS]
    latest: Dict[str, Note] = {}
    for note in sorted(today, key=lambda note: note.when):
        latest[note.student] = note
    active = [note for note in latest.values() if now - note.when < 60 * ACTIVE_MINUTES]
    script = SCRIPT % {"old": OLD_SECONDS, "reload": 1000 * RELOAD_SECONDS}
    body = ['<div class="dense">'] + head(notes, latest, active, now) + rungs(today, ladders)
    common = common_rungs(today, active, ladders)
    body += ['<div class="columns">', "<section>"] + diagnoses(active, common) + ["</section>", "<section>"]
    body += stuck(active, ladders, common, now) + ["</section>", "</div>"] + guesses(today) + shares(today, common)
    body += ["</div>"]
    return page("The room", body, script)


def head(notes: Notes, latest: Dict[str, Note], active: List[Note], now: float) -> List[str]:
    figures = [(len(active), f"active in the last {ACTIVE_MINUTES} minutes"), (len(latest), "seen today")]
    for status, what in (("could not check", "could not check"), ("undecided", "need a GPU to decide")):
        count = sum(note.status == status for note in active)
        if count:
            figures.append((count, what))
    items = "".join(f"<li><b>{count}</b>{escape(what)}</li>" for count, what in figures)
    clock = time.strftime("%H:%M:%S", time.localtime(now))
    return [
        '<p class="corner"><button type="button" hidden></button></p>',
        "<h1>The room</h1>",
        f'<p class="soft" id="written" data-seconds="{now:.0f}">At {clock}. {escape(remarks(notes, now))}</p>',
        '<p class="bad" id="old" role="status"></p>',
        f'<ul class="figures">{items}</ul>',
    ]


def remarks(notes: Notes, now: float) -> str:
    """What keeps the board from being complete."""
    says = []
    if notes.failure:
        says.append(f"The directory cannot be read: {notes.failure}.")
    if now - notes.answered > OLD_SECONDS:
        since = f"since {time.strftime('%H:%M:%S', time.localtime(notes.answered))}" if notes.answered else "yet"
        says.append(f"The directory is slow: it has not been read completely {since}.")
    if notes.damaged:
        says.append(f"{plural(notes.damaged, 'file')} there cannot be read.")
    if notes.left_out:
        says.append(f"{plural(notes.left_out, 'file')} there were left out, because there are too many.")
    return " ".join(says)


def rungs(today: List[Note], ladders: Dict[str, Ladder]) -> List[str]:
    """Of each exercise, how many students have reached which rung."""
    parts = []
    for exercise, ladder in ladders.items():
        reached = [note.reached for note in today if note.exercise == exercise]
        if reached:
            heading = f"<h3>{escape(exercise)}: {plural(len(reached), 'student')}</h3>"
            parts.append(f"<section>{heading}{rung_bars(reached, ladder, CHART_WIDTH)}</section>")
    return (
        ["<h2>Highest rungs</h2>", '<div class="small">'] + (parts or ["<p>No check has arrived yet.</p>"]) + ["</div>"]
    )


def common_rungs(today: List[Note], active: List[Note], ladders: Dict[str, Ladder]) -> Dict[str, int]:
    """Of each exercise, the rung that everybody active has reached. Who has not begun is on rung 0."""
    reached = {(note.student, note.exercise): note.reached for note in today}
    students = [note.student for note in active]
    return {
        exercise: min((reached.get((student, exercise), 0) for student in students), default=ladder.last)
        for exercise, ladder in ladders.items()
    }


def diagnosis(note: Note, common: Dict[str, int]) -> str:
    """What a check found first, if everybody has reached the rung of its program."""
    known = not note.diagnosis or note.rung <= common[note.exercise]
    return note.diagnosis if known else f"on the way to rung {note.rung + 1}"


def diagnoses(active: List[Note], common: Dict[str, int]) -> List[str]:
    """What the latest checks found first. `make explain` says more about each."""
    counts = Counter((diagnosis(note, common), note.exercise) for note in active if note.diagnosis)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:SHOWN]
    if not ordered:
        return ["<h2>Diagnoses now</h2>", "<p>There are none.</p>"]
    rows = [[escape(name), escape(exercise), str(count)] for (name, exercise), count in ordered]
    return ["<h2>Diagnoses now</h2>", table("diagnoses now", ["diagnosis", "exercise", "students"], rows, (2,))]


def guesses(today: List[Note]) -> List[str]:
    """What the room expects of a rung (make predict): the latest exercises and rungs first."""
    found: Dict[tuple, List[float]] = {}
    for note in today:
        for rung, guess in note.guesses.items():
            found.setdefault((note.exercise, rung), []).append(guess)
    if not found:
        return []
    rows = [
        [escape(exercise), str(rung), str(len(all_))]
        + [f"{value:.3g}" for value in (min(all_), median(all_), max(all_))]
        for (exercise, rung), all_ in sorted(found.items(), reverse=True)[:SHOWN]
    ]
    headings = ["exercise", "rung", "guesses", "smallest", "median", "largest"]
    return ["<h2>What the room predicts</h2>", table("what the room predicts", headings, rows, (1, 2, 3, 4, 5))]


def stuck(active: List[Note], ladders: Dict[str, Ladder], common: Dict[str, int], now: float) -> List[str]:
    """Who has been without a new rung for longest, of those who are active and not done with their exercise."""
    open_ = [note for note in active if note.reached < ladders[note.exercise].required]
    ordered = sorted(open_, key=lambda note: (-seconds(note, now), note.student))[:SHOWN]
    if not ordered:
        return ["<h2>Longest without a new rung</h2>", "<p>Nobody.</p>"]
    rows = [
        [escape(note.label), escape(note.exercise), str(note.reached), minutes(seconds(note, now))]
        + [str(note.attempts), escape(diagnosis(note, common))]
        for note in ordered
    ]
    headings = ["student", "exercise", "rung", "for", "checks", "diagnosis now"]
    return ["<h2>Longest without a new rung</h2>", table("longest without a new rung", headings, rows, (2, 3, 4))]


def shares(today: List[Note], common: Dict[str, int]) -> List[str]:
    """The best shares of the limit in each exercise, of those who have given a name; measured and modelled ones are not
    compared."""
    rows = []
    for exercise, how in sorted({(note.exercise, how) for note in today for how in note.shares}):
        ones = [note for note in today if note.exercise == exercise and how in note.shares]
        ones = [note for note in ones if note.reached <= common[exercise]]
        for note in sorted(ones, key=lambda note: (-note.shares[how], note.label))[:BEST]:
            rows.append([escape(exercise), how, escape(note.label), f"{100 * note.shares[how]:.3g} %"])
    if not rows:
        return []
    headings = ["exercise", "", "student", "share"]
    return ["<h2>Best shares of the limit</h2>", table("best shares of the limit", headings, rows, (3,))]


def seconds(note: Note, now: float) -> float:
    return note.since + max(0.0, now - note.when)


def minutes(seconds_: float) -> str:
    return f"{seconds_ / 60:.0f} min" if seconds_ < 5400 else f"{seconds_ / 3600:.1f} h"
