#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Clients in Java and Go, built from kvsql.thrift and the stock libraries of Thrift, in all four wire formats.

  tests/live/stock/run.py java|go

Maven and Go fetch the libraries in the version of the Thrift compiler, so this is not a part of ./check. tests/thorough runs it.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent / "python"))
import certificates  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position

FORMATS = [(framing, protocol) for framing in ("framed", "unframed") for protocol in ("binary", "compact")]
LOG_IN = support.TOP_SOURCE / "docs" / "examples" / "LogIn.java"
SECONDS = 1800  # a Go library is built with it


def version():
    """The version of the Thrift compiler. The library needs the same version."""
    said = subprocess.run(["thrift", "--version"], check=True, capture_output=True, text=True).stdout
    return re.search(r"\d+\.\d+\.\d+", said).group(0)


def run(command, **more):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=SECONDS, check=False, **more)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def build_java(generated):
    jars = support.CACHE / f"thrift-java-{version()}"
    if not (jars / "complete").exists():
        run(["mvn", "-q", "-B", "-f", str(HERE / "thrift-jars.xml"), "dependency:copy-dependencies",
             f"-DoutputDirectory={jars}", f"-Dthrift.version={version()}"])
        (jars / "complete").touch()
    classes = generated / "classes"
    path = f"{classes}:{jars}/*"
    run(["javac", "-nowarn", "-Xlint:none", "-d", str(classes), "-cp", path, str(HERE / "Client.java"), str(LOG_IN),
         *map(str, generated.rglob("*.java"))])
    return ["java", "-cp", path, "Client"]


def build_go(generated):
    shutil.copy(HERE / "client.go", generated)
    shutil.rmtree(generated / "kvsqlrpc" / "sql-remote")  # a program of its own
    go = {**os.environ, "GOFLAGS": "-mod=mod"}
    run(["go", "mod", "init", "kvsql.test/client"], cwd=generated, env=go)
    run(["go", "get", f"github.com/apache/thrift@v{version()}"], cwd=generated, env=go)
    run(["go", "build", "-o", "client", "."], cwd=generated, env=go)
    return [str(generated / "client")]


# Tools, the generator, the build command. Java has no javax.annotation since version 11.
LANGUAGES = {"java": (("javac", "mvn"), "java:generated_annotations=suppress", build_java), "go": (("go",), "go", build_go)}


def play(program, port, framing, protocol):
    said = run([*program, "127.0.0.1", str(port), framing, protocol])
    print("".join(f"# {framing} {protocol}: {line}\n" for line in said.splitlines()), end="")
    assert said.splitlines()[-1].startswith("1.."), "the program ended early"


def log_in(program):
    """The example of docs/security.md."""
    folder = support.temporary_folder("log-in")
    authority = certificates.Authority(folder)
    certificate, key = authority.sign("server", names="DNS:localhost")
    daemon = support.Daemon(options=["--listen=tcp://127.0.0.1:0?auth=scram&tls=required"],
                            configuration=f"[kvsqld]\ntls_certificate = {certificate}\ntls_key = {key}\n")
    port = daemon.process.stdout.readline().decode().strip().rsplit(":", 1)[1]
    run([str(support.TOP_BUILD / "kvsqlctl"), "-c", f"unix://{daemon.socket_path}", "exec", "CREATE USER ann PASSWORD 'p,=é'"])

    def call(host, password):
        return run([*program[:-1], "LogIn", host, port, str(authority.certificate), "ann"], env={**os.environ, "KVSQL_PASSWORD": password})

    support.equal(call("localhost", "p,=é"), "[1]\n")
    for host, password, reason in (("localhost", "wrong", "password authentication failed"),
                                   ("127.0.0.1", "p,=é", "No subject alternative names matching IP address 127.0.0.1")):
        try:
            call(host, password)
        except AssertionError as error:
            assert reason in str(error), error
        else:
            raise AssertionError("it logged in")


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in LANGUAGES:
        print(__doc__, file=sys.stderr)
        return 2
    language = sys.argv[1]
    tools, generator, build = LANGUAGES[language]
    missing = [tool for tool in (*tools, "thrift") if shutil.which(tool) is None]
    if missing:
        support.skip_all(f"{', '.join(missing)} is not installed")
    program = build(support.generate(support.TOP_SOURCE / "idl" / "kvsql.thrift", generator))
    daemon = support.Daemon()
    return support.run([(f"/stock/{language}/{framing}/{protocol}",
                         lambda f=framing, p=protocol: play(program, daemon.port, f, p)) for framing, protocol in FORMATS]
                       + [("/stock/java/log-in-over-tls", lambda: log_in(program))] * (language == "java"))


if __name__ == "__main__":
    sys.exit(main())
