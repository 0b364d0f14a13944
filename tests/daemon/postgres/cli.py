#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""pgcli: each step of cli-client.py gives with kvsqld what it gives with PostgreSQL.

pgcli is PyPI's: tests/thorough runs it, and ./check does not.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

support.use_packages("pgcli", ["pgspecial"], ["pgcli"])
import compared  # noqa: E402 pylint: disable=wrong-import-position

DIFFERS = {
    "create": [['\nits tuples are in table "account", with the row key ordered{id}: SHOW CREATE account_pkey', None, None, "CREATE TABLE"]],
    "drop": [["", None, None, "DROP VIEW"],
             ["\nthe definitions are gone; the tables and what they hold are kept", None, None, "DROP TABLE"]],
    # a view's definition is shown as it was written
    "\\d+ rich": [[None, [["id", "integer", "", "plain", None], ["sum", "numeric(10,2)", "", "main", None]],
                   ["Column", "Type", "Modifiers", "Storage", "Description"],
                   "View definition:\n SELECT id, sum FROM account WHERE sum > 10; \n"]],
    "\\dn": [[None, [["public", "test"]], ["Name", "Owner"], "SELECT 1"]],
}

if __name__ == "__main__":
    sys.exit(compared.run("/postgres/pgcli/", lambda port: [sys.executable, HERE / "cli-client.py", str(port)], DIFFERS))
