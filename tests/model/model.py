# SPDX-License-Identifier: LGPL-2.1-or-later
"""model.py: the cases of cases.txt, and how Spin checks one."""

import dataclasses
import pathlib
import re
import shutil
import subprocess
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
MEMORY_MB = 12000
DEPTH = 200000


@dataclasses.dataclass
class Case:
    model: str
    must_hold: bool
    is_small: bool
    switches: list

    @property
    def name(self):
        return f"{self.model} {' '.join(switch.removeprefix('-D') for switch in self.switches)}"


@dataclasses.dataclass
class Outcome:
    is_as_expected: bool
    text: str


def cases():
    found = []
    for line in (FOLDER / "cases.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, expected, size, switches = (part.strip() for part in line.split("|"))
            assert expected in ("holds", "fails") and size in ("small", "all"), line
            found.append(Case(name, expected == "holds", size == "small", switches.split()))
    return found


def missing():
    """The name of a program that is needed and not there, or None."""
    return next((program for program in ("spin", "gcc") if not shutil.which(program)), None)


def run(folder, *command, seconds=None):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          timeout=seconds)


def must(folder, *command):
    done = run(folder, *command)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}:\n{done.stdout}")


def judge(case, text):
    errors = re.search(r"errors: (\d+)", text)
    states = re.search(r"^ *([\d.e+]+) states, stored", text, re.M)
    if not errors or not states:
        return Outcome(False, f"no result:\n{text}")
    if re.search(r"max search depth too small|Search not completed|aborting|out of memory", text) and errors.group(1) == "0":
        return Outcome(False, f"no error in {states.group(1)} states, not exhaustive")
    holds = errors.group(1) == "0"
    violated = re.search(r"assertion violated .*|invalid end state.*", text)
    found = f"holds, {states.group(1)} states" if holds else f"fails: {violated.group(0) if violated else 'an error'}"
    return Outcome(holds == case.must_hold, found if holds == case.must_hold else f"UNEXPECTED: {found}")


def check(case, seconds):
    """A case is run in a folder of its own. The trail of an error is shown by spin -t -p."""
    with tempfile.TemporaryDirectory(prefix="kvsql-model-") as name:
        folder = pathlib.Path(name)
        must(folder, "spin", "-a", *case.switches, str(FOLDER / f"{case.model}.pml"))
        must(folder, "gcc", "-O1", "-w", "-DSAFETY", "-DCOLLAPSE", f"-DMEMLIM={MEMORY_MB}", "-o", "pan", "pan.c")
        try:
            return judge(case, run(folder, "./pan", f"-m{DEPTH}", seconds=seconds).stdout)
        except subprocess.TimeoutExpired:
            return Outcome(False, f"not over after {seconds} s")
