/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * size.h: how much of something a test does.
 *
 * Instrumented code is several times slower. What finds more only by being larger is smaller there:
 * a test program sees KVSQL_TEST_SIZE=small, from `make check` of a build with sanitizers.
 */
#pragma once

#include <glib.h>

/**
 * test_size:
 * @whole: as a rule
 * @small: where @whole would take too long
 */
static inline guint
test_size (guint whole, guint small)
{
  return g_strcmp0 (g_getenv ("KVSQL_TEST_SIZE"), "small") == 0 ? small : whole;
}
