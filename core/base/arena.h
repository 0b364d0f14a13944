/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * arena.h: memory that is freed together.
 *
 * The AST, the bound tree and the plan of a statement come from one arena, so that no error path
 * leaks a node. A batch of results has another arena, which is reset for each batch.
 *
 * Threads: an arena belongs to one thread at a time. Memory is aligned to 16 bytes
 * and not zeroed unless the function says so. Allocation never fails: it aborts, as g_malloc(). A
 * statement that allocates too much is interrupted at the next tick (core/base/interrupt.h).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KvsqlArena KvsqlArena;

KvsqlArena *kvsql_arena_new (void);
void kvsql_arena_free (KvsqlArena *self);  /* accepts NULL */
void kvsql_arena_reset (KvsqlArena *self); /* frees all but the largest block */
/* @self takes ownership of @other, whose memory then lives as long as that of @self. The account of
 * @other still counts it. */
void kvsql_arena_adopt (KvsqlArena *self, KvsqlArena *other);
gsize kvsql_arena_get_size (const KvsqlArena *self); /* bytes allocated since the last reset */

gpointer kvsql_arena_alloc (KvsqlArena *self, gsize size);
gpointer kvsql_arena_alloc0 (KvsqlArena *self, gsize size);
gpointer kvsql_arena_copy (KvsqlArena *self, gconstpointer data, gsize size);
gchar *kvsql_arena_strdup (KvsqlArena *self, const gchar *text); /* NULL gives NULL */
gchar *kvsql_arena_strndup (KvsqlArena *self, const gchar *text, gsize size);
gchar *kvsql_arena_printf (KvsqlArena *self, const gchar *format, ...) G_GNUC_PRINTF (2, 3);

/* Adds a zeroed element to the end of an array, and increments *@n. The array was grown by this
 * function only, from NULL. Returns: the array, which may have moved; its old memory is not freed.
 */
gpointer kvsql_arena_grow (KvsqlArena *self, gpointer array, guint *n, gsize element_size);
#define KVSQL_ARENA_ADD(arena, array, n)                                                           \
  ((array) = kvsql_arena_grow ((arena), (array), &(n), sizeof *(array)), &(array)[(n)-1])

#define kvsql_arena_new0(arena, type) ((type *)kvsql_arena_alloc0 ((arena), sizeof (type)))
#define kvsql_arena_array(arena, type, n)                                                          \
  ((type *)kvsql_arena_alloc0 ((arena), sizeof (type) * (gsize)(n)))

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlArena, kvsql_arena_free)

G_END_DECLS
