# SPDX-License-Identifier: LGPL-2.1-or-later
"""turns.py: works, each done in turn by all who take part, so that what disturbs one disturbs the others."""

import dataclasses
import time

import figures
import processes

WARM_SLOT_SECONDS = 0.2


@dataclasses.dataclass
class Party:
    """Who does a work and how. @calls: as many calls are one unit of it (a scan in parts); 0: as many as fit a turn."""
    label: str
    program: str
    command: str
    table: str
    threads: int = 1
    calls: int = 0


@dataclasses.dataclass
class Work:
    """@unit: what a time is given for: "call", "row" (that was answered or written), "table row" (a call reads the table).
    @same_rows: all give as many rows for a call, or somebody does not do the work."""
    title: str
    unit: str
    parties: list
    writes: bool = False
    most_calls: int = 20_000
    same_rows: bool = False
    most_runs: int = 1_000
    is_cold: bool = False  # nothing runs before it counts


class Turns:
    """Measures works. @programs: name → processes.Program or alike; parties whose program is not there are left out."""

    def __init__(self, store, programs, rows, options, progress):
        self.store, self.programs, self.rows = store, programs, rows
        self.runs, self.turn_seconds = options.runs, options.turn_seconds
        self.progress = progress
        self.series = {}  # (work, label) → results of the turns

    def parties(self, work):
        return [party for party in work.parties if party.program in self.programs]

    def once(self, work, party, turn, calls):
        program = self.programs[party.program]
        first = program.numbers(party.table, calls) if work.writes else 0 if party.calls else turn * calls
        return program.run(party.command, party.table, first, calls, party.threads)

    def calls_of(self, work, party):
        """Warms up, and finds out how many calls fill a turn."""
        if work.is_cold:
            return party.calls or 1
        if party.calls:
            self.once(work, party, 0, party.calls)
            return party.calls
        calls = party.threads
        while True:
            nanoseconds = self.once(work, party, 0, calls)["wall"]
            if nanoseconds >= self.turn_seconds * 1e9 / 8 or calls >= work.most_calls:
                break
            calls = min(work.most_calls, calls * 4)
        fitting = calls * self.turn_seconds * 1e9 / max(1, nanoseconds)
        return max(party.threads, min(work.most_calls, round(fitting)))

    def check_rows(self, work, rows):
        """@rows: label → of one unit of calls."""
        if work.same_rows and len(set(rows.values())) > 1:
            raise processes.Failure(f"{self.store}: {work.title}: not the same work: rows {rows}")

    def warm_up(self, works, seconds):
        """What compiles itself while it runs is given the time to, by the very work that is measured."""
        limit = time.monotonic() + seconds
        entries = [(work, party) for work in works if not work.is_cold for party in self.parties(work)]
        while time.monotonic() < limit and entries:
            for work, party in entries:
                self.progress.detail(f"{work.title}, {party.label}")
                slot = time.monotonic() + WARM_SLOT_SECONDS
                while time.monotonic() < min(slot, limit):
                    self.once(work, party, 0, party.calls or party.threads)

    def units(self, work, result, party):
        if work.unit == "table row":
            return self.rows * (1 if party.calls else result["calls"])
        return result["rows"] if work.unit == "row" else result["calls"]

    def measure(self, work):
        parties = self.parties(work)
        if not parties:
            return
        calls = {party.label: self.calls_of(work, party) for party in parties}
        series, rows = {party.label: [] for party in parties}, {}
        runs = min(self.runs, work.most_runs)
        for turn in range(runs):
            at = turn % len(parties)  # everybody comes first as often
            for party in parties[at:] + parties[:at]:
                self.progress.detail(f"turn {turn + 1} of {runs}, {party.label}")
                result = self.once(work, party, turn + 1, calls[party.label])
                rows[party.label] = result["rows"] / (1 if party.calls else result["calls"])
                series[party.label].append(figures.per_unit(result, max(1, self.units(work, result, party))))
        self.check_rows(work, rows)
        for label, results in series.items():
            self.series[(work.title, label)] = results

    def get(self, title, label):
        return self.series.get((title, label))
