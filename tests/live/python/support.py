# SPDX-License-Identifier: LGPL-2.1-or-later
"""support.py: what the tests in other languages share: a kvsqld of their own, generated code, TAP.

Packages such as `thrift` are the stock ones from PyPI, in virtual environments in the cache folder.
They are fetched only if KVSQL_TEST_INSTALL is set (./check sets it); without it the tests skip.
"""

import atexit
import fcntl
import importlib.util
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import traceback

TOP_SOURCE = pathlib.Path(os.environ.get("top_srcdir", pathlib.Path(__file__).resolve().parents[3])).resolve()
TOP_BUILD = pathlib.Path(os.environ.get("top_builddir", TOP_SOURCE / "_build")).resolve()
CACHE = pathlib.Path(os.environ.get("KVSQL_CACHE") or pathlib.Path.home() / ".cache" / "kvsql").resolve()


# ---- TAP

class Skip(Exception):
    """Raised by a test, or before the first test, to skip it on this machine."""


def skip_all(reason):
    print(f"1..0 # SKIP {reason}", flush=True)
    sys.exit(0)


def run(tests):
    """Runs (name, function) pairs; each fails by raising."""
    print(f"1..{len(tests)}", flush=True)
    failed = 0
    for number, (name, test) in enumerate(tests, 1):
        try:
            test()
            print(f"ok {number} {name}", flush=True)
        except Skip as reason:
            print(f"ok {number} {name} # SKIP {reason}", flush=True)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            for line in traceback.format_exc().splitlines():
                print("#", line)
            print(f"not ok {number} {name}", flush=True)
    return 1 if failed else 0


def equal(actual, expected):
    if actual != expected:
        raise AssertionError(f"got {actual!r}, expected {expected!r}")


def size(whole, small):
    """The size of a test: @small in builds that are too slow for all of it, as with sanitizers (KVSQL_TEST_SIZE=small)."""
    return small if os.environ.get("KVSQL_TEST_SIZE") == "small" else whole


def seed():
    """The seed of random tests: the same at every `make check`; KVSQL_TEST_SEED sets another one."""
    number = int(os.environ.get("KVSQL_TEST_SEED") or random.randrange(1 << 30))
    print(f"# KVSQL_TEST_SEED={number}", flush=True)
    return number


def temporary_folder(name):
    folder = tempfile.mkdtemp(prefix=f"kvsql-{name}-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return pathlib.Path(folder)


# ---- packages of PyPI

def use_thrift():
    use_packages("thrift", ["thrift"], ["thrift"])


def use_packages(name, modules, packages):
    """Makes `import` of the modules possible, by running this program again in a virtual environment if necessary."""
    if all(importlib.util.find_spec(module) for module in modules):
        return
    python = CACHE / f"python-{name}" / "bin" / "python"
    complete = CACHE / f"python-{name}" / "complete"
    if os.environ.get("KVSQL_TEST_PYTHON") == str(python):
        skip_all(f"{', '.join(modules)} do not load in {python.parent.parent}")
    if not complete.exists():
        if not os.environ.get("KVSQL_TEST_INSTALL"):
            skip_all(f"Python packages are not installed: {', '.join(packages)}; ./check fetches them")
        install(python, complete, packages)
    os.environ["KVSQL_TEST_PYTHON"] = str(python)
    sys.stdout.flush()
    os.execv(python, [str(python)] + sys.argv)


def program_of_package(name, program, package):
    """The path of a program that a package has, in a virtual environment of its own."""
    folder = CACHE / f"python-{name}"
    complete = folder / "complete"
    if not complete.exists():
        if not os.environ.get("KVSQL_TEST_INSTALL"):
            skip_all(f"the Python package is not installed: {package}; ./check fetches it")
        install(folder / "bin" / "python", complete, [package])
    return folder / "bin" / program


def install(python, complete, packages):
    """Programs that start together wait for one of them."""
    folder = complete.parent
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{folder.name}.lock").open("w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if complete.exists():
            return
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True, stdout=sys.stderr)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages],
                       check=True, stdout=sys.stderr, stdin=subprocess.DEVNULL)
        complete.touch()


def generate(idl, language="py"):
    """Runs the Thrift compiler on an IDL file and makes the result importable."""
    compiler = shutil.which("thrift")
    if compiler is None:
        skip_all("the Thrift compiler is not installed")
    folder = temporary_folder("gen")
    subprocess.run([compiler, "-nowarn", "--gen", language, "-out", str(folder), str(idl)], check=True, stdout=sys.stderr)
    if language == "py":
        sys.path.insert(0, str(folder))
    return folder


# ---- a kvsqld for the test

COSTS = "request=3 range=17.25 get=11.5 get_byte=0.0025 cell=1.125 byte=0.0015 put=150 remove=200 unit_us=0.15"


def write_costs(folder, store):
    """Makes a registry in which costs of that kind of store are measured already, for a Daemon in the folder."""
    (folder / "registry").mkdir()
    (folder / "registry" / "definitions").write_text(f"kvsql-definitions 1\nepoch 1\ncosts {store} 1\n\t{COSTS}\nend 1\n")


class Daemon:
    """A kvsqld in a temporary folder, on a free port and a UNIX socket; it ends with the program.

    @program: another kvsqld than the one that was built; @is_earlier: it is of an earlier build; @folder: one that the caller
    looks after.
    """

    def __init__(self, store="memory:", registry=None, options=(), configuration="", wrapper=(), program=None,
                 is_earlier=False, folder=None):  # pylint: disable=too-many-arguments
        auth = "" if is_earlier else "?auth=none"
        program = program or TOP_BUILD / "kvsqld"
        if not pathlib.Path(program).exists():
            raise Skip("kvsqld is not built")
        self.folder = folder or temporary_folder("daemon")
        configuration_file = self.folder / "kvsqld.conf"
        configuration_file.write_text(configuration)
        self.socket_path = str(self.folder / "kvsqld.sock")
        self.log = self.folder / "log"
        command = [*wrapper, str(program), f"--config={configuration_file}", f"--store={store}",
                   f"--registry={registry or f'local://{self.folder}/registry'}",
                   f"--listen=tcp://127.0.0.1:0{auth}", f"--listen=unix://{self.socket_path}", *options]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
        atexit.register(self.stop)
        self.port = self.read_port()

    def read_port(self):
        """kvsqld prints "listening on ADDRESS" for each address once it serves."""
        port = None
        for _ in range(2):
            line = self.process.stdout.readline().decode()
            if not line.startswith("listening on "):
                self.process.kill()
                raise RuntimeError(f"kvsqld did not start:\n{self.log.read_text()}")
            if "tcp://" in line:
                port = int(line.rsplit(":", 1)[1])
        return port

    def stop(self):
        """Returns the exit status of a regular stop."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(40)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.stdout.close()
        return self.process.wait()


def address_of(uri):
    """("host", port) or a socket's path, of a URI of kvsqld."""
    kind, rest = uri.split("://", 1)
    if kind.endswith("unix"):
        return rest
    host, port = rest.split("?")[0].rsplit(":", 1)
    return host.strip("[]"), int(port)


def server_addresses():
    """The addresses to test: of the kvsqld in KVSQL_TEST_URI, or of one started here."""
    uri = os.environ.get("KVSQL_TEST_URI")
    if uri:
        return [address_of(uri)]
    daemon = Daemon()
    return [("127.0.0.1", daemon.port), daemon.socket_path]
