/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * arena.h: memory that lives and dies together.
 *
 * A statement's AST, bound tree and plan come from one arena, so that no error
 * path can leak a node. A batch of results has another, reset for each batch.
 *
 * Threads: an arena belongs to one thread at a time. Memory is aligned to 16 bytes
 * and not zeroed unless the call says so. Allocation never fails (it aborts, as g_malloc).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KvsqlArena KvsqlArena;

KvsqlArena *kvsql_arena_new (void);
void kvsql_arena_free (KvsqlArena *self);  /* accepts NULL */
void kvsql_arena_reset (KvsqlArena *self); /* everything is gone; the largest block is kept */
/* What @other holds lives in @self from now on, and is paid for as it was. Frees @other. */
void kvsql_arena_adopt (KvsqlArena *self, KvsqlArena *other);
gsize kvsql_arena_get_size (const KvsqlArena *self); /* bytes handed out since the last reset */

gpointer kvsql_arena_alloc (KvsqlArena *self, gsize size);
gpointer kvsql_arena_alloc0 (KvsqlArena *self, gsize size);
gpointer kvsql_arena_copy (KvsqlArena *self, gconstpointer data, gsize size);
gchar *kvsql_arena_strdup (KvsqlArena *self, const gchar *text); /* NULL gives NULL */
gchar *kvsql_arena_strndup (KvsqlArena *self, const gchar *text, gsize size);
gchar *kvsql_arena_printf (KvsqlArena *self, const gchar *format, ...) G_GNUC_PRINTF (2, 3);

#define kvsql_arena_new0(arena, type) ((type *)kvsql_arena_alloc0 ((arena), sizeof (type)))
#define kvsql_arena_array(arena, type, n)                                                          \
  ((type *)kvsql_arena_alloc0 ((arena), sizeof (type) * (gsize)(n)))

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlArena, kvsql_arena_free)

G_END_DECLS
