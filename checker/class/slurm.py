"""slurm: the checks of a class as one job array of Slurm, over a directory that all nodes share.

Each job of the array does a chunk of the checks with work.py, so that short checks share one start. Slurm starts a job again
whose node has failed, and this process sends the checks that are left into a second array. What is finished is seen in the
shared directory, so neither accounting nor the controller is needed to know it. If this process is killed, the jobs go on,
and the next one waits for them. SBATCH_PARTITION, SBATCH_RESERVATION and the like reach sbatch through the environment.
"""

from __future__ import annotations

import dataclasses
import os
import shlex
import shutil
import subprocess
import sys
import time
from typing import Dict, List, Optional

from progress import Progress
from store import Store, read_json, write_json
from work import NoSandbox, Task

CHUNK = 8  # checks per job: a check takes some 10 s, and a job about 1 s to start
CPUS_PER_JOB = 2  # the simulated GPU uses all it gets, but gains little from more at the sizes of a check
SECONDS_PER_CHECK = 1200  # more than the sandbox lets any check take: only a node that hangs reaches it
ROUNDS = 3  # arrays, until what is left is not done on this cluster
LOOK_SECONDS = 2.0  # between two looks at the queue: gentle to its controller
PATIENCE_SECONDS = 600  # without an answer from the controller
HELD = ("launch failed", "JobHeld")  # reasons for which nobody starts a job any more
NO_NODE = ("DOWN", "DRAINED", "ReqNodeNotAvail")  # reasons that an administrator has to see


class SlurmFailed(Exception):
    """Slurm does not take the job; its text is what sbatch says."""


class Slurm:
    """Does tasks as job arrays. `at_a_time` limits how many of them run; 0 means all."""

    def __init__(self, store: Store, top: str, at_a_time: int, progress: Progress):
        self.store, self.top, self.at_a_time, self.progress = store, top, at_a_time, progress

    def do(self, tasks: List[Task]) -> Dict[str, str]:
        """Does all tasks. Returns the keys that no node could do, with the reasons."""
        if shutil.which("sbatch") is None:
            raise SlurmFailed("EXECUTOR=slurm: there is no sbatch in PATH")
        waiting = {task.key: task for task in tasks}
        job = running_job(self.store)
        for _ in range(ROUNDS):
            if job is None:
                if not waiting:
                    break
                job = self.submit(list(waiting.values()))
            self.wait_for(job, waiting)
            job = None
        remove(self.store.path("slurm.json"))
        self.store.clear_unfinished()
        return {key: self.reason(key) for key in waiting}

    def submit(self, tasks: List[Task]) -> str:
        """Writes the tasks down and sends one array. Returns the number of the job."""
        shutil.rmtree(self.store.path("failed"), ignore_errors=True)
        os.makedirs(self.store.path("log"), exist_ok=True)
        write_json(self.store.path("todo.json"), [dataclasses.asdict(task) for task in tasks])
        parts = -(-len(tasks) // CHUNK)
        command = ["sbatch", "--parsable", "--requeue", "--export=ALL", "--job-name=class", "--open-mode=append"]
        command += [f"--array=0-{parts - 1}" + (f"%{self.at_a_time}" if self.at_a_time else "")]
        command += [f"--cpus-per-task={CPUS_PER_JOB}", f"--output={self.store.path('log', '%A_%a')}"]
        if os.environ["GPU"] != "sim":
            command.append("--gres=gpu:1")
        answer = subprocess.run(command + ["--wrap", self.script(parts)], capture_output=True, text=True, check=False)
        if answer.returncode != 0:
            raise SlurmFailed("EXECUTOR=slurm: " + (answer.stderr.strip().splitlines() or ["sbatch fails"])[-1])
        job = answer.stdout.strip().split(";")[0]
        write_json(self.store.path("slurm.json"), {"job": job})
        return job

    def script(self, parts: int) -> str:
        """What one job of the array runs."""
        work = os.path.join(self.top, "checker", "class", "work.py")
        limit = ["timeout", "--kill-after=60", str(CHUNK * SECONDS_PER_CHECK)]
        command = limit + [sys.executable, "-ESsB", work, self.store.results]
        return f'exec {shlex.join(command)} "$SLURM_ARRAY_TASK_ID" {parts} 1'

    def wait_for(self, job: str, waiting: Dict[str, Task]) -> None:
        """Until the array has left the queue. What is done on the way is taken out of `waiting`."""
        answered = time.monotonic()
        told = False
        while True:
            reasons = reasons_in_queue(job)
            if reasons is not None:
                answered = time.monotonic()
            queued = goes_on(reasons)
            stopped = [one for one in reasons or [] if any(word in one for word in NO_NODE)]
            if stopped and not told:
                print(f"note: Slurm starts no check: {stopped[0]}; sinfo -R says why", file=sys.stderr)
            told = bool(stopped)
            for key in [key for key in waiting if self.store.is_checked(key)]:
                self.progress.done(waiting.pop(key), None)
            no_sandbox = os.path.exists(self.store.path("failed", "sandbox"))
            if no_sandbox or not waiting or queued is False:
                subprocess.run(["scancel", "--quiet", job], capture_output=True, check=False)
            if no_sandbox:
                raise NoSandbox(self.reason("sandbox"))
            if not waiting or queued is False:
                return
            if time.monotonic() - answered > PATIENCE_SECONDS:
                raise SlurmFailed("EXECUTOR=slurm: the controller does not answer; the same command continues later")
            time.sleep(LOOK_SECONDS)

    def reason(self, key: str) -> str:
        return read_json(self.store.path("failed", key)) or f"its job has ended; {self.store.path('log')} says more"


def running_job(store: Store) -> Optional[str]:
    """The array of an earlier run that is still in the queue."""
    about = read_json(store.path("slurm.json"))
    job = about.get("job") if isinstance(about, dict) else None
    return job if job and goes_on(reasons_in_queue(job)) is not False else None


def reasons_in_queue(job: str) -> Optional[List[str]]:
    """For each job of an array in the queue, why it waits; None if the controller does not answer."""
    if shutil.which("squeue") is None:
        return []
    answer = subprocess.run(["squeue", "-h", "-r", "-j", job, "-o", "%r"], capture_output=True, text=True, check=False)
    if answer.returncode == 0:
        return answer.stdout.splitlines()
    return [] if "Invalid job id" in answer.stderr else None


def goes_on(reasons: Optional[List[str]]) -> Optional[bool]:
    """Whether any job runs, or will. One that could not be started on a node, or was started twice, is held for ever."""
    if reasons is None:
        return None
    return any(not any(word in reason for word in HELD) for reason in reasons)


def remove(path: str) -> None:
    if os.path.exists(path):
        os.unlink(path)
