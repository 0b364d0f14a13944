# SPDX-License-Identifier: LGPL-2.1-or-later
"""server.py: a kvsqld with PostgreSQL's protocol."""

import support

PORT = 5433


class Server(support.Daemon):
    """.address: the path of its socket; .directory: what clients take for the host."""

    def __init__(self, configuration="", options=(), **arguments):
        folder = support.temporary_folder("postgres")
        super().__init__(configuration=configuration, folder=folder, options=[f"--postgres-listen=unix://{folder}", *options], **arguments)
        self.directory = str(folder)
        self.address = f"{folder}/.s.PGSQL.{PORT}"


class ScramServer(Server):
    """Clients log in at .postgres, a port of 127.0.0.1."""

    def __init__(self):
        super().__init__(options=["--postgres-listen=tcp://127.0.0.1:0?auth=scram"])
        self.process.stdout.readline()
        self.postgres = int(self.process.stdout.readline().decode().rsplit(":", 1)[1])
