/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * differences.h: the intended differences from SQLite, each with a reason.
 *
 * A key file; each group is a difference:
 *
 *   [a-name]
 *   reason=why
 *   files=index/random/slt_*     patterns of files, separated by ;
 *   sql=CROSS JOIN                a regular expression that the statement matches
 *   error=syntax error            one that the error's message matches; absent: the result differs
 *   from=100, to=200              only in these lines; absent: everywhere
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _SltDifferences SltDifferences;

SltDifferences *slt_differences_load (const gchar *path, GError **error);
void slt_differences_free (SltDifferences *self);

/* The name of a matching difference; NULL: none. @message: of the error; NULL: the result differs.
 */
const gchar *slt_differences_find (const SltDifferences *self, const gchar *file, guint line,
                                   const gchar *sql, const gchar *message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SltDifferences, slt_differences_free)

G_END_DECLS
