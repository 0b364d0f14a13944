/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * main.c: main(), which tests cannot link.
 */
#include "config.h"

#include "daemon/daemon.h"

int
main (int argc, char **argv)
{
  return kvsqld_daemon_main (argc, argv);
}
