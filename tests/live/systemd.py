#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The unit of kvsqld as systemd reads it, and, where systemd runs and this is root, kvsqld as its service: with the user's
rights and all the restrictions of the unit it must start, serve, reload and stop. tests/thorough runs it.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

UNIT = support.TOP_SOURCE / "data" / "kvsqld.service.in"
NAME = f"kvsqld-test-{os.getpid()}"
SECONDS = 60
# systemd's exposure level, from 0 (nothing is exposed) to 10, for a service that opens sockets and may use IPv4 and IPv6.
MOST_EXPOSED = 2.5


def run(*command, status=0):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=SECONDS, check=False)
    if status is not None and done.returncode != status:
        raise AssertionError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def write_unit(folder, program, data, user="daemon", group="daemon"):
    """The unit with the paths of a test, without its socket, which another kvsqld may use."""
    text = UNIT.read_text().replace("@sbindir@/kvsqld", str(program))
    text = text.replace("-@localstatedir@/lib/kvsql -@runstatedir@/kvsql", str(data))
    text = re.sub("(?m)^(After=.*) kvsqld.socket$", r"\1", text)
    text = text.replace("User=kvsql", f"User={user}").replace("Group=kvsql", f"Group={group}")
    text = text.replace("Also=kvsqld.socket\n", "")
    assert "@" not in re.sub("SystemCallFilter=.*", "", text), text
    path = folder / f"{NAME}.service"
    path.write_text(text)
    return path


def test_verify():
    folder = support.temporary_folder("unit")
    said = run("systemd-analyze", "verify", "--man=no", str(write_unit(folder, support.TOP_BUILD / "kvsqld", folder)), status=None)
    complaints = [line for line in said.splitlines() if NAME in line]
    support.equal(complaints, [])


def test_exposure():
    folder = support.temporary_folder("unit")
    said = run("systemd-analyze", "security", "--offline=true", "--no-pager",
               str(write_unit(folder, support.TOP_BUILD / "kvsqld", folder)), status=None)
    found = re.search(r"Overall exposure level for .*: ([0-9.]+)", said)
    assert found, said
    print(f"# exposure {found.group(1)}")
    assert float(found.group(1)) <= MOST_EXPOSED, said


def is_active():
    return run("systemctl", "is-active", NAME, status=None).strip() == "active"


def ctl(address, *words):
    return run(support.TOP_BUILD / "kvsqlctl", words[0], f"--connect={address}", *words[1:])


def test_service():
    if not pathlib.Path("/run/systemd/system").is_dir() or os.geteuid() != 0:
        raise support.Skip("systemd does not run here, or this is not root")
    # Not below /home or /tmp, which the unit hides.
    folder = pathlib.Path("/run") / NAME
    data = pathlib.Path("/var/lib") / NAME
    socket = data / "kvsqld.sock"
    unit = None
    try:
        for each in (folder, data):
            each.mkdir()
        shutil.chown(data, "daemon", "daemon")
        shutil.copy(support.TOP_BUILD / "kvsqld", folder)
        (folder / "conf").write_text(f"[kvsqld]\nstore = rocksdb://{data}/data\nregistry = local://{data}/registry\n"
                                     f"listen = unix://{socket}\n")
        unit = write_unit(pathlib.Path("/run/systemd/system"), f"{folder}/kvsqld --config={folder}/conf", data)
        run("systemctl", "daemon-reload")
        run("systemctl", "start", NAME)  # Type=notify: it returns once kvsqld says that it serves
        assert is_active()
        address = f"kvsql+unix://{socket}"
        ctl(address, "exec", "DEFINE RELATION r (k INT KEY, v STRING); DEFINE PRIMARY SCHEMA p FOR r { TABLE 't', ROW ordered{k}, "
                             "FAMILY 'f', QUALIFIER 'v', VALUE v }; INSERT INTO r VALUES (1, 'one')")
        assert "one" in ctl(address, "exec", "SELECT v FROM r WHERE k = 1")
        run("systemctl", "reload", NAME)
        assert is_active() and "one" in ctl(address, "exec", "SELECT v FROM r WHERE k = 1")
        begun = time.monotonic()
        run("systemctl", "restart", NAME)
        print(f"# restarted in {time.monotonic() - begun:.1f} s")
        assert "one" in ctl(address, "exec", "SELECT v FROM r WHERE k = 1")
        run("systemctl", "stop", NAME)
        support.equal(run("systemctl", "show", "-p", "Result", "--value", NAME).strip(), "success")
    finally:
        run("systemctl", "stop", NAME, status=None)
        if unit is not None:
            unit.unlink()
        run("systemctl", "daemon-reload", status=None)
        for each in (folder, data):
            shutil.rmtree(each, ignore_errors=True)


if __name__ == "__main__":
    if shutil.which("systemd-analyze") is None:
        support.skip_all("systemd is not installed")
    sys.exit(support.run([("/systemd/verify", test_verify), ("/systemd/exposure", test_exposure), ("/systemd/service", test_service)]))
