/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * split.h: splits a text into statements.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gsize start;         /* of the statement, after blanks and comments */
  gsize end;           /* after its last character, without ';' */
  gsize next;          /* where to continue */
  gboolean is_closed;  /* it ends with a ';' */
  gboolean is_in_text; /* the text ends inside quotes or a comment */
} KvsqlctlPiece;

/**
 * kvsqlctl_split:
 * @from: where to begin, such as `next` of the piece before
 *
 * Parses '…', "…", `…`, -- and block comments. Returns: %FALSE if only blanks and comments are
 * left, with out->is_in_text set if a block comment is open
 */
gboolean kvsqlctl_split (const gchar *text, gsize size, gsize from, KvsqlctlPiece *out);

/* How many lines end in the text. */
guint kvsqlctl_count_lines (const gchar *text, gsize size);

/* Whether double quotes mean text in the statement: DEFINE, ALTER, COMMENT, BACKUP, or EXPLAIN
 * before one of these. */
gboolean kvsqlctl_is_definition (const gchar *text, gsize size);
/* Finds the next word in double quotes from *@at on, outside of other quotes and comments; skips
 * bytes like x"00". The word is from *@out_start to the new *@at. Returns: %FALSE if there is
 * none. */
gboolean kvsqlctl_find_double_quoted (const gchar *text, gsize size, gsize *at, gsize *out_start);

/* Whether the statement begins with @word; skips comments, ignores case. */
gboolean kvsqlctl_begins_with (const gchar *text, gsize size, const gchar *word);

G_END_DECLS
