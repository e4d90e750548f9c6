"""work: the checks of a class on this machine, a few at a time, each in the sandbox.

    work.py TO PART PARTS JOBS     one part of the checks in TO/.work/todo.json, for a job of a cluster

A check ends with one of the exit codes of cage/sandbox-check. A check that this machine could not do is tried once
more, alone, and then left for another run. On a real GPU, a rate up to 3 % below a floor is measured once more before
it costs a rung.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional

from ladder import Ladder
from store import Store, read_json, write_json

GAVE_VERDICT, BY_SUBMISSION, BY_MACHINE, NO_SANDBOX = 0, 1, 2, 3
TRIES = 2  # of a check that the machine could not do
NEAR_FLOOR = 0.97  # two runs on one GPU differ by up to 2 %; within 3 % of a floor, one run is not enough
LOOK_SECONDS = 0.05  # between two looks at the checks that run
SECONDS_MAX = 3600  # the sandbox has its own, much shorter limit: this one is for a sandbox that hangs
GRACE_SECONDS = 10  # for a sandbox to clean up after SIGTERM
THREADS = ("WARPUP_THREADS", "OMP_NUM_THREADS")  # of the simulated GPU, and of a program's own loops


@dataclass
class Task:
    """One check: a program, the exercise, and the key of what comes out. `student` is the first who has handed it in."""

    key: str
    exercise: str
    source: str
    seed: int
    student: str = ""
    tries: int = 0
    runs: int = 0


class NoSandbox(Exception):
    """No sandbox can be had here; its text is what cage/sandbox-check says."""


class Running:
    """One check that runs, in a session of its own."""

    def __init__(self, task: Task, store: Store, top: str, threads: int):
        self.task, self.folder, self.began = task, store.scratch(), time.monotonic()
        self.errors = open(self.folder + ".stderr", "w+", encoding="utf-8", errors="replace")
        inside = os.path.join(self.folder, "check")
        os.mkdir(inside)
        command = [
            sandbox_check(top),
            inside,
            os.path.join(top, task.exercise),
            store.source(task.source),
            str(task.seed),
        ]
        if shutil.which("setpriv"):  # the sandbox ends with this process, even if this process is killed
            command = ["setpriv", "--pdeathsig", "TERM", "--"] + command
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self.errors,
            start_new_session=True,
            env={**dict.fromkeys(THREADS, str(threads)), **os.environ},
        )

    def ended(self) -> bool:
        if time.monotonic() - self.began > SECONDS_MAX:
            self.stop()
        return self.process.poll() is not None

    def stop(self) -> None:
        """Ends the sandbox: first in its own way, then in any."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
                self.process.wait(GRACE_SECONDS)
                return
            except subprocess.TimeoutExpired:
                continue
            except ProcessLookupError:
                return

    def reason(self) -> str:
        """The last line on the sandbox's stderr."""
        self.errors.seek(0)
        lines = [line.strip() for line in self.errors if line.strip()]
        return lines[-1][:300] if lines else f"exit code {self.process.returncode}"

    def remove(self) -> None:
        self.errors.close()
        os.unlink(self.errors.name)
        shutil.rmtree(self.folder, ignore_errors=True)


def sandbox_check(top: str) -> str:
    return os.environ.get("WARPUP_SANDBOX_CHECK") or os.path.join(top, "checker", "cage", "sandbox-check")


def threads_per_check(jobs: int) -> int:
    """Each check's share of the cores that this class or this job of a cluster has: checks that run at the same time, each
    with a thread per core, would only wait for each other."""
    cores = int(os.environ.get("SLURM_CPUS_PER_TASK") or len(os.sched_getaffinity(0)))
    return max(1, cores // jobs)


class Worker:
    """Does tasks. `report` is called after each one with the task and, if the machine could not do it, the reason."""

    def __init__(self, store: Store, top: str, jobs: int, report: Callable[[Task, Optional[str]], None]):
        self.store, self.top, self.jobs, self.report = store, top, jobs, report
        self.threads = threads_per_check(jobs)
        self.running: List[Running] = []
        self.ladders: Dict[str, Ladder] = {}

    def do(self, tasks: List[Task]) -> Dict[str, str]:
        """Does all tasks. Returns the keys that the machine could not do, with the reasons."""
        waiting, failed = list(tasks), {}
        try:
            while waiting or self.running:
                while waiting and len(self.running) < self.at_a_time(waiting[0]):
                    self.running.append(Running(waiting.pop(0), self.store, self.top, self.threads))
                time.sleep(LOOK_SECONDS)
                for check in [check for check in self.running if check.ended()]:
                    self.running.remove(check)
                    self.finish(check, waiting, failed)
        finally:
            for check in self.running:
                check.stop()
                check.remove()
        return failed

    def at_a_time(self, task: Task) -> int:
        """What is tried once more is alone: several programs that never end keep a machine busy by themselves."""
        return self.jobs if task.tries == 0 else 1

    def finish(self, check: Running, waiting: List[Task], failed: Dict[str, str]) -> None:
        """Keeps a check that has ended, or has it done again."""
        task, code, inside = check.task, check.process.returncode, os.path.join(check.folder, "check")
        seconds, reason = time.monotonic() - check.began, check.reason()
        if code == NO_SANDBOX:
            check.remove()
            raise NoSandbox(reason)
        verdict = read_verdict(os.path.join(inside, "verdict.json")) if code in (GAVE_VERDICT, BY_SUBMISSION) else None
        if code == BY_SUBMISSION and verdict and verdict.get("status") == "could not check":
            code = GAVE_VERDICT  # what the lab does not know is nobody's mistake
        elif code == BY_SUBMISSION:
            verdict = None
        if code == BY_SUBMISSION or verdict is not None:
            task.runs += 1
            if verdict and task.runs == 1 and self.is_near_floor(task, verdict):
                self.keep_for_later(task, inside)
                waiting.insert(0, task)
            else:
                self.keep_best(task, inside, verdict, code, seconds)
                self.report(task, None)
        else:
            task.tries += 1
            if task.tries < TRIES:
                waiting.append(task)
            else:
                failed[task.key] = reason if code != GAVE_VERDICT else "the check left no verdict"
                self.report(task, failed[task.key])
        check.remove()

    def is_near_floor(self, task: Task, verdict: Dict[str, Any]) -> bool:
        """True if a measured rate just below a floor is what keeps the program from its next rung."""
        share, rate = verdict.get("share"), verdict.get("rate")
        if not isinstance(share, float) or not isinstance(rate, dict) or rate.get("how") != "measured":
            return False
        if task.exercise not in self.ladders:
            self.ladders[task.exercise] = Ladder(self.top, task.exercise)
        floors = self.ladders[task.exercise].floors
        missed = [
            one["id"] for one in verdict["criteria"] if one["passed"] is not True and one["rung"] == verdict["rung"] + 1
        ]
        return missed != [] and all(
            one in floors and NEAR_FLOOR * floors[one][1] <= share < floors[one][1] for one in missed
        )

    def keep_for_later(self, task: Task, inside: str) -> None:
        first = self.store.path("tmp", task.key + ".first")
        shutil.rmtree(first, ignore_errors=True)
        os.rename(inside, first)

    def keep_best(self, task: Task, inside: str, verdict: Optional[Dict[str, Any]], code: int, seconds: float) -> None:
        """Moves a check to its place; of two runs the better one."""
        first = self.store.path("tmp", task.key + ".first")
        before = read_verdict(os.path.join(first, "verdict.json"))
        if before and (verdict is None or worth(before) >= worth(verdict)):
            inside, first, code = first, inside, GAVE_VERDICT
        for name in os.listdir(inside):
            if name not in ("verdict.json", "pretty.txt", "seen.txt", "view.html"):
                os.unlink(os.path.join(inside, name))
        write_json(os.path.join(inside, "check.json"), {"exit": code, "seconds": round(seconds, 1), "runs": task.runs})
        self.store.install(inside, self.store.path("checks", task.key))
        shutil.rmtree(first, ignore_errors=True)


def worth(verdict: Dict[str, Any]) -> tuple:
    return (verdict["rung"], verdict.get("share") or 0)


def read_verdict(path: str) -> Optional[Dict[str, Any]]:
    """The judge's verdict, if it has what a verdict must have."""
    verdict = read_json(path) if os.path.isfile(path) and not os.path.islink(path) else None
    if not isinstance(verdict, dict) or not isinstance(verdict.get("rung"), int):
        return None
    if not isinstance(verdict.get("criteria"), list) or not isinstance(verdict.get("diagnoses"), list):
        return None
    return verdict


def main() -> int:
    """One job of a cluster: the tasks PART, PART + PARTS, PART + 2 PARTS … of todo.json that nobody has done yet."""
    results, part, parts, jobs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    store = Store(results)
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with open(store.path("todo.json"), encoding="utf-8") as file:
        tasks = [Task(**task) for task in json.load(file)[part::parts]]
    tasks = [task for task in tasks if not store.is_checked(task.key)]
    try:
        failed = Worker(store, top, jobs, lambda task, reason: print(task.key, reason or "checked", flush=True)).do(
            tasks
        )
    except NoSandbox as error:
        write_json(store.path("failed", "sandbox"), str(error))
        return NO_SANDBOX
    for key, reason in failed.items():
        write_json(store.path("failed", key), reason)
    return BY_MACHINE if failed else 0


if __name__ == "__main__":
    sys.exit(main())
