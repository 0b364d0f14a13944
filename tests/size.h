/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * size.h: the size of tests.
 *
 * Code with sanitizers is several times slower. `make check` of such a build sets
 * KVSQL_TEST_SIZE=small, for tests that find more only by being larger.
 */
#pragma once

#include <glib.h>

/**
 * test_size:
 * @whole: the usual size
 * @small: the size if @whole would take too long
 */
static inline guint
test_size (guint whole, guint small)
{
  return g_strcmp0 (g_getenv ("KVSQL_TEST_SIZE"), "small") == 0 ? small : whole;
}
