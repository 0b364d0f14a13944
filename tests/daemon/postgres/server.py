# SPDX-License-Identifier: LGPL-2.1-or-later
"""server.py: a kvsqld with PostgreSQL's protocol."""

import support

PORT = 5433


class Server(support.Daemon):
    """.address: the path of its socket; .directory: what clients take for the host."""

    def __init__(self, configuration="", **arguments):
        folder = support.temporary_folder("postgres")
        super().__init__(configuration=configuration, folder=folder, options=[f"--postgres-listen=unix://{folder}"], **arguments)
        self.directory = str(folder)
        self.address = f"{folder}/.s.PGSQL.{PORT}"
