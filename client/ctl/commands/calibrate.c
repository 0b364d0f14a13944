/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * calibrate.c: kvsqlctl calibrate: measures what the operations of a store cost.
 */
#include "config.h"

#include "client/ctl/execute.h"
#include "client/ctl/usage.h"

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  if (argc > 0)
    return kvsqlctl_usage_error (&kvsqlctl_calibrate, "too many arguments; expected none");
  return kvsqlctl_execute_text (ctl, "CALIBRATE");
}

const KvsqlctlCommand kvsqlctl_calibrate = {
  .name = "calibrate",
  .arguments = "",
  .summary = "Measure what reads and writes of the store cost",
  .description
  = "kvsqld makes a table of its own in the store, reads it in many ways, and drops it. The\n"
    "registry keeps the costs: plans are chosen by them, and EXPLAIN shows milliseconds. Best run\n"
    "when the store has little to do.",
  .needs_connection = TRUE,
  .run = run
};
