# SPDX-License-Identifier: LGPL-2.1-or-later
"""admin.py: an administrator of an HBase that tests/live/hbase has started."""

import pathlib
import subprocess
import sys

LIVE = pathlib.Path(__file__).resolve().parents[1]


class Admin:
    """An administrator of the HBase in a folder: see live/Admin.java."""

    def __init__(self, folder):
        self.process = subprocess.Popen([sys.executable, str(LIVE / "hbase"), "admin", str(folder)], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def ask(self, words):
        """The answer to a command: "ok …" or "! MESSAGE"."""
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def must(self, words):
        answer = self.ask(words)
        assert answer.startswith("ok"), f"{words}: {answer}"

    def stop(self):
        self.process.kill()
        self.process.wait()
