/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * split.h: many statements in one text.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gsize start;         /* of the statement, blanks and comments before it passed over */
  gsize end;           /* behind its last character, ';' not included */
  gsize next;          /* where to look for the next one */
  gboolean is_closed;  /* a ';' ended it */
  gboolean is_in_text; /* it stops inside quotes or a comment */
} KvsqlctlPiece;

/**
 * kvsqlctl_split:
 * @from: where to begin, such as `next` of the piece before
 *
 * Knows '…', "…", `…`, -- and block comments. Returns: %FALSE if only blanks and comments are left,
 * with out->is_in_text set if a block comment is open
 */
gboolean kvsqlctl_split (const gchar *text, gsize size, gsize from, KvsqlctlPiece *out);

/* Whether the statement begins with @word, comments passed over; case is disregarded. */
gboolean kvsqlctl_begins_with (const gchar *text, gsize size, const gchar *word);

G_END_DECLS
