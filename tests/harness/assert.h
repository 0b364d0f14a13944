/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * assert.h: calls that return FALSE and a GError.
 */
#pragma once

#include <glib.h>

/* The error is shown, if there is one. */
#define assert_done(call, error)                                                                   \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gboolean is_done_ = (call);                                                                    \
    g_assert_no_error (error);                                                                     \
    g_assert_true (is_done_);                                                                      \
  }                                                                                                \
  G_STMT_END

/* For a call that may fail, or whose error the test looks at. */
static inline void
ignore_result (gboolean is_done)
{
}
