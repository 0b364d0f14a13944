/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * daemon.h: the process, from the command line to the end of the last request.
 *
 * Connects configuration, store, registry, service and server, and reacts to signals.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Exit statuses of kvsqld; kvsqld(8) lists them. */
#define KVSQLD_EXIT_OK 0
#define KVSQLD_EXIT_FAILED 1
#define KVSQLD_EXIT_USAGE 2

/**
 * kvsqld_daemon_main:
 *
 * All of main(): reads options and configuration, serves until SIGTERM or SIGINT, then waits for
 * running requests. Runs the default main context of the calling thread.
 *
 * Returns: the exit status of the process
 */
gint kvsqld_daemon_main (gint argc, gchar **argv);

G_END_DECLS
