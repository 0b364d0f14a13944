/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * history.h: the records of changes: as text, and how many of them are kept.
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
 * "text" is missing where the definition was removed.
 */
#pragma once

#include "daemon/registry/registry.h"

G_BEGIN_DECLS

/* Relations and schemas have a history; how far a schema is filled has none. */
gboolean _kvsqld_history_wants (KvsqldEntryKind kind);

/* @epoch: of the commit. (transfer full) */
KvsqldRecord *_kvsqld_record_new (const KvsqldChange *change, const KvsqldAuthor *author,
                                  gint64 epoch);
/* What a definition was at @epoch, before there was a history of it. (transfer full) */
KvsqldRecord *_kvsqld_record_new_first (KvsqldEntryKind kind, const gchar *name, const gchar *text,
                                        gint64 epoch);
/* At most how much a record's text has beside that of the definition. */
gsize _kvsqld_record_frame_bytes (const KvsqldAuthor *author);

gchar *_kvsqld_record_print (const KvsqldRecord *self);
/* Fills in what _kvsqld_record_print() had of @self. FALSE: that is no record. */
gboolean _kvsqld_record_parse (KvsqldRecord *self, const gchar *text);

/* By epoch, kind and name; for g_ptr_array_sort(). */
gint _kvsqld_record_compare (gconstpointer a, gconstpointer b);

/* @records: (element-type KvsqldRecord) sorted. (element-type KvsqldRecord) (transfer container):
 * those that are too many. */
GPtrArray *_kvsqld_history_find_surplus (const GPtrArray *records);
/* Whether any is of that kind and name. */
gboolean _kvsqld_history_has (const GPtrArray *records, KvsqldEntryKind kind, const gchar *name);

/* Lines as a block: each behind a tab. */
void _kvsqld_block_print (GString *out, const gchar *text);
/* The block that begins at @line (NULL: there is none); @line moves behind it. */
gchar *_kvsqld_block_parse (gchar ***line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldRecord, kvsqld_record_free)

G_END_DECLS
