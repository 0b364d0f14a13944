#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""test-attack.py: the payloads of tests/live/attack.py against test-server --serve.

The server has the generated processor and a handler that takes anything, so that what
reaches the handler of the daemon does not hide what the wire lets through.
"""
import os
import subprocess
import sys

build = os.environ.get('top_builddir', '.')
source = os.environ.get('top_srcdir', '.')
is_sanitized = bool(os.environ.get('KVSQL_TEST_SANITIZERS', '').strip())
server = subprocess.Popen([os.path.join(build, 'tests/daemon/rpc/test-server'), '--serve'],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
try:
    port = server.stdout.readline().strip().rsplit(':', 1)[1]
    attack = subprocess.run([sys.executable, os.path.join(source, 'tests/live/attack.py'), '127.0.0.1', port,
                             '--timeout', '120' if is_sanitized else '20', '--pid', str(server.pid), '--max-rss', '1200'], check=False)
finally:
    server.stdin.close()
    status = server.wait(timeout=30)
print('# server ended with %d' % status)
sys.exit(1 if attack.returncode or status else 0)
