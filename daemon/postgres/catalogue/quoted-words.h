/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * quoted-words.h: words that PostgreSQL does not take for names of columns and tables everywhere,
 * so that its quote_ident () quotes them.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @word is in lower case. */
gboolean kvsqld_pg_word_is_quoted (const gchar *word);

G_END_DECLS
