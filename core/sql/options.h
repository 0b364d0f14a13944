/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * options.h: WITH (name = value, …) of a definition.
 */
#pragma once

#include "core/sql/ast-definition.h"

G_BEGIN_DECLS

/* NULL: there is none. Names compare without regard to case. */
const KvsqlOption *kvsql_options_find (const KvsqlOptions *self, const gchar *name);
/* Whether the value is this word, in any case. */
gboolean kvsql_option_is_word (const KvsqlOption *self, const gchar *word);

/* Replaces an option, or adds it. New items are made in @arena, because the old ones may be shared.
 */
void kvsql_options_set (KvsqlOptions *self, const KvsqlOption *option, KvsqlArena *arena);
void kvsql_options_remove (KvsqlOptions *self, const gchar *name, KvsqlArena *arena);

/* name = word. @name and @word are borrowed. */
KvsqlOption kvsql_option_word (const gchar *name, const gchar *word);

/* KVSQL_ERROR_DEFINITION: option "x" needs @wanted. Returns: FALSE */
gboolean kvsql_option_fail (const KvsqlOption *self, const gchar *wanted, GError **error);

G_END_DECLS
