/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * suggest.h: finds the known word that was probably meant.
 *
 * Threads: pure functions.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The one of @candidates (of gchar*) with the smallest edit distance to @word, but at most a third
 * of its letters. Returns: (nullable) (transfer none) */
const gchar *kvsqlctl_suggest (const gchar *word, const GPtrArray *candidates);

/* `; did you mean "NAME"?` for the nearest candidate, else "". Free it. */
gchar *kvsqlctl_suggest_text (const gchar *word, const GPtrArray *candidates);

G_END_DECLS
