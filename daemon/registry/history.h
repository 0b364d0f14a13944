/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * history.h: the records of changes: their text, and how many are kept.
 *
 * A record's text:
 *
 *     at 1764000000000
 *     by user ada
 *     daemon host-4711
 *     statement
 *     <TAB>ALTER RELATION …
 *     text
 *     <TAB>DEFINE RELATION …
 *
 * "text" is missing if the definition was removed.
 */
#pragma once

#include "daemon/registry/registry.h"

G_BEGIN_DECLS

/* Relations and schemas have a history. The progress of filling a schema has none. */
gboolean _kvsqld_history_wants (KvsqlDefinitionKind kind);

/* @epoch: of the commit. (transfer full) */
KvsqlDefinitionRecord *_kvsqld_record_new (const KvsqlDefinitionChange *change,
                                           const KvsqldAuthor *author, gint64 epoch);
/* The text of a definition at @epoch, before it had a history. (transfer full) */
KvsqlDefinitionRecord *_kvsqld_record_new_first (KvsqlDefinitionKind kind, const gchar *name,
                                                 const gchar *text, gint64 epoch);
/* Upper bound of a record's text without that of the definition. */
gsize _kvsqld_record_frame_bytes (const KvsqldAuthor *author);

gchar *_kvsqld_record_print (const KvsqlDefinitionRecord *self);
/* Fills in the fields that _kvsqld_record_print() prints. FALSE: not the text of a record. */
gboolean _kvsqld_record_parse (KvsqlDefinitionRecord *self, const gchar *text);

/* By epoch, kind and name; for g_ptr_array_sort(). */
gint _kvsqld_record_compare (gconstpointer a, gconstpointer b);

/* @records: (element-type KvsqlDefinitionRecord) sorted. (element-type KvsqlDefinitionRecord)
 * (transfer container): the records over the limits. */
GPtrArray *_kvsqld_history_find_surplus (const GPtrArray *records);
/* Whether there is a record of that kind and name. */
gboolean _kvsqld_history_has (const GPtrArray *records, KvsqlDefinitionKind kind,
                              const gchar *name);

/* Prints lines as a block: each line after a tab. */
void _kvsqld_block_print (GString *out, const gchar *text);
/* Reads the block that begins at @line (NULL: there is none). Moves @line after it. */
gchar *_kvsqld_block_parse (gchar ***line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlDefinitionRecord, kvsql_definition_record_free)

G_END_DECLS
