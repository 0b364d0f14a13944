/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * memory.h: zeroed structs that live for one statement.
 *
 * malloc() of the GNU C library reuses blocks from a cache of the thread. calloc() does not before
 * version 2.41: it searches the heap, and freed blocks stay in the cache. This is measurable in
 * short statements.
 */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* The largest block of that cache. Larger blocks may be zeroed already, as new pages are. */
#define KVSQL_SMALL_BLOCK 1024

/* As g_malloc0(), to be freed by g_free(). */
static inline gpointer
kvsql_malloc0 (gsize size)
{
  if (size == 0 || size > KVSQL_SMALL_BLOCK)
    return g_malloc0 (size); /* NULL for nothing */
  return memset (g_malloc (size), 0, size);
}

#define kvsql_new0(Type) ((Type *)kvsql_malloc0 (sizeof (Type)))

G_END_DECLS
