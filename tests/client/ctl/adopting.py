# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the tests of kvsqlctl adopt have in common: runs of kvsqlctl, and folders of texts that are compared.

With KVSQL_UPDATE_GOLDEN=1 the texts are written.
"""

import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position
from support import equal  # noqa: E402 pylint: disable=wrong-import-position

SECONDS = 60
UPDATES = bool(os.environ.get("KVSQL_UPDATE_GOLDEN"))


def run(*arguments, status=0, text="", uri=None, folder=None):
    """Returns stdout, or stderr of a call that fails."""
    environment = dict(os.environ, KVSQL_URI=uri or "kvsql+unix:///nowhere", LC_ALL="C.UTF-8")
    done = subprocess.run([str(support.TOP_BUILD / "kvsqlctl"), *arguments], env=environment, input=text, cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=False)
    equal((done.returncode, done.stderr if done.returncode != status else ""), (status, ""))
    return done.stdout if status == 0 else done.stderr


class Texts:
    """A folder next to this file. kvsqlctl runs in it."""

    def __init__(self, name):
        self.folder = support.TOP_SOURCE / "tests" / "client" / "ctl" / name

    def run(self, *arguments, **how):
        return run(*arguments, folder=self.folder, **how)

    def compare(self, name, actual):
        path = self.folder / name
        if UPDATES:
            path.write_text(actual)
        equal(actual, path.read_text())
