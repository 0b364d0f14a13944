# SPDX-License-Identifier: LGPL-2.1-or-later
"""rounds.py: measures workloads in rounds. Each round runs all variants, so that a disturbance of the machine hits all of them."""

import dataclasses
import time

import figures
import processes

WARM_SLOT_SECONDS = 0.2


@dataclasses.dataclass
class Variant:
    """A program that is compared, and its command for a workload. @calls: the calls of one unit (a scan in parts);
    0: as many as fit a round."""
    label: str
    program: str
    command: str
    table: str
    threads: int = 1
    calls: int = 0


@dataclasses.dataclass
class Workload:
    """@unit: the unit of times: "call", "row" (returned or written), "table row" (a call reads the table).
    @same_rows: all variants have to return the same number of rows for a call."""
    title: str
    unit: str
    variants: list
    writes: bool = False
    most_calls: int = 20_000
    same_rows: bool = False
    most_runs: int = 1_000
    is_cold: bool = False  # no warm-up


class Rounds:
    """Measures workloads. @programs: name → an object with the methods of processes.Program. Variants whose
    program is missing are omitted."""

    def __init__(self, store, programs, rows, options, progress):
        self.store, self.programs, self.rows = store, programs, rows
        self.runs, self.round_seconds = options.runs, options.round_seconds
        self.progress = progress
        self.series = {}  # (workload, label) → results of the rounds

    def variants(self, workload):
        return [variant for variant in workload.variants if variant.program in self.programs]

    def once(self, workload, variant, number, calls):
        program = self.programs[variant.program]
        first = program.numbers(variant.table, calls) if workload.writes else 0 if variant.calls else number * calls
        return program.run(variant.command, variant.table, first, calls, variant.threads)

    def calls_of(self, workload, variant):
        """Warms up, and measures how many calls fill a round."""
        if workload.is_cold:
            return variant.calls or 1
        if variant.calls:
            self.once(workload, variant, 0, variant.calls)
            return variant.calls
        calls = variant.threads
        while True:
            nanoseconds = self.once(workload, variant, 0, calls)["wall"]
            if nanoseconds >= self.round_seconds * 1e9 / 8 or calls >= workload.most_calls:
                break
            calls = min(workload.most_calls, calls * 4)
        fitting = calls * self.round_seconds * 1e9 / max(1, nanoseconds)
        return max(variant.threads, min(workload.most_calls, round(fitting)))

    def check_rows(self, workload, rows):
        """@rows: label → rows of one call, or of the calls of one unit."""
        if workload.same_rows and len(set(rows.values())) > 1:
            raise processes.Failure(f"{self.store}: {workload.title}: the variants read different rows: {rows}")

    def warm_up(self, workloads, seconds):
        """Gives just-in-time compilers time, with the workloads that are measured."""
        limit = time.monotonic() + seconds
        entries = [(workload, variant) for workload in workloads if not workload.is_cold for variant in self.variants(workload)]
        while time.monotonic() < limit and entries:
            for workload, variant in entries:
                self.progress.detail(f"{workload.title}, {variant.label}")
                slot = time.monotonic() + WARM_SLOT_SECONDS
                while time.monotonic() < min(slot, limit):
                    self.once(workload, variant, 0, variant.calls or variant.threads)

    def units(self, workload, result, variant):
        if workload.unit == "table row":
            return self.rows * (1 if variant.calls else result["calls"])
        return result["rows"] if workload.unit == "row" else result["calls"]

    def measure(self, workload):
        variants = self.variants(workload)
        if not variants:
            return
        calls = {variant.label: self.calls_of(workload, variant) for variant in variants}
        series, rows = {variant.label: [] for variant in variants}, {}
        runs = min(self.runs, workload.most_runs)
        for number in range(runs):
            at = number % len(variants)  # each variant is the first in equally many rounds
            for variant in variants[at:] + variants[:at]:
                self.progress.detail(f"round {number + 1} of {runs}, {variant.label}")
                result = self.once(workload, variant, number + 1, calls[variant.label])
                rows[variant.label] = result["rows"] / (1 if variant.calls else result["calls"])
                series[variant.label].append(figures.per_unit(result, max(1, self.units(workload, result, variant))))
        self.check_rows(workload, rows)
        for label, results in series.items():
            self.series[(workload.title, label)] = results

    def get(self, title, label):
        return self.series.get((title, label))
