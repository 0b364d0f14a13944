/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * version.c: kvsqlctl version.
 */
#include "config.h"

#include "client/ctl/usage.h"

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  if (argc != 0)
    return kvsqlctl_usage_error (&kvsqlctl_version, "unexpected argument \"%s\"", argv[0]);
  puts (PACKAGE_STRING);
  return KVSQLCTL_DONE;
}

const KvsqlctlCommand kvsqlctl_version = { .name = "version",
                                           .arguments = "",
                                           .summary = "Show the version of kvsqlctl",
                                           .description = "kvsqlctl status shows that of kvsqld.",
                                           .run = run };
