/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * words.h: splits a statement into words, to rewrite parts of it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A name, a number, a quoted text, or one character of anything else. */
typedef struct
{
  const gchar *text; /* in the statement */
  gsize size;
  guint depth; /* parentheses around it; a parenthesis itself counts as outside */
} SltWord;

typedef struct
{
  const gchar *sql;
  GArray *words; /* SltWord */
} SltWords;

void slt_words_init (SltWords *self, const gchar *sql);
void slt_words_clear (SltWords *self);
guint slt_words_count (const SltWords *self);
/* Whether word @i is @text, without regard to case. FALSE after the end. */
gboolean slt_words_is (const SltWords *self, guint i, const gchar *text);
/* Whether the words from @i on are those of the NULL-terminated list. */
gboolean slt_words_are (const SltWords *self, guint i, ...) G_GNUC_NULL_TERMINATED;
gboolean slt_words_is_name (const SltWords *self, guint i);
const SltWord *slt_words_get (const SltWords *self, guint i);
/* (transfer full) */
gchar *slt_words_dup (const SltWords *self, guint i);
/* The offset of word @i in the statement; after the last word, the offset of its end. */
gsize slt_words_offset (const SltWords *self, guint i);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SltWords, slt_words_clear)

G_END_DECLS
