# SPDX-License-Identifier: LGPL-2.1-or-later
"""clocks.py: processes whose wall clock is set by a test (libfaketime). Intervals of time do not change."""

import glob

import support

LIBRARIES = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")


class Clock:
    """@wrapper goes before the command of a process."""

    def __init__(self, seconds=0):
        self.file = support.temporary_folder("clock") / "offset"
        self.set(seconds)

    def set(self, seconds):
        self.file.write_text(f"{seconds:+d}\n")

    @property
    def wrapper(self):
        if not LIBRARIES:
            return ()
        return ("env", f"LD_PRELOAD={LIBRARIES[0]}", f"FAKETIME_TIMESTAMP_FILE={self.file}", "FAKETIME_NO_CACHE=1",
                "FAKETIME_DONT_FAKE_MONOTONIC=1")
