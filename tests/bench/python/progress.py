# SPDX-License-Identifier: LGPL-2.1-or-later
"""progress.py: the current step and the remaining time, on standard error: one changing line on a terminal, otherwise a line per step."""

import sys
import time


class Progress:
    """@plan: (step, estimated seconds), in order. The actual times of steps correct the estimate of the rest."""

    def __init__(self, plan):
        self.plan = dict(plan)
        self.began = time.monotonic()
        self.step_began, self.step, self.planned = self.began, None, 0
        self.thought = self.took = 0.0
        self.is_terminal = sys.stderr.isatty()

    def left(self):
        """The remaining seconds. A step that was skipped does not change the estimate of the others."""
        pace = min(4.0, max(0.5, (self.took + 10) / (self.thought + 10)))
        current = max(0.0, self.planned * pace - (time.monotonic() - self.step_began)) if self.step else 0.0
        return current + pace * sum(self.plan.values())

    def begin(self, step):
        self.finish()
        self.step, self.step_began = step, time.monotonic()
        self.planned = self.plan.pop(step, 0)
        self.say(step, line=not self.is_terminal)

    def finish(self):
        if self.step:
            self.thought += self.planned
            self.took += time.monotonic() - self.step_began
        self.step = None

    def detail(self, text):
        if self.is_terminal and self.step:
            self.say(f"{self.step}: {text}", line=False)

    def say(self, text, line):
        passed, left = (int(seconds) for seconds in (time.monotonic() - self.began, self.left()))
        text = f"[{passed // 60}:{passed % 60:02}, about {left // 60}:{left % 60:02} left] {text}"
        if line:
            print(text, file=sys.stderr, flush=True)
        else:
            print(f"\r\033[K{text[:150]}", end="", file=sys.stderr, flush=True)

    def note(self, text):
        """Prints a line that stays."""
        self.clear()
        print(text, file=sys.stderr, flush=True)

    def clear(self):
        if self.is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
