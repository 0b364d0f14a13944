/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * object-number.c: see object-number.h.
 */
#include "config.h"

#include "core/catalog/object-number.h"

/* Below it are PostgreSQL's own objects. */
#define FIRST_NUMBER 16384

/* FNV-1a: the same on every machine. */
static guint32
add_text (guint32 hash, const gchar *text)
{
  for (; *text != '\0'; text++)
    hash = (hash ^ (guint8)*text) * 16777619U;
  return hash;
}

guint32
kvsql_object_number (const gchar *kind, const gchar *name)
{
  const guint32 hash = add_text (add_text (2166136261U, kind), name);

  return FIRST_NUMBER + hash % (G_MAXINT32 - 2 * FIRST_NUMBER);
}

guint32
kvsql_object_number_after (guint32 number)
{
  return number < G_MAXINT32 - FIRST_NUMBER ? number + 1 : FIRST_NUMBER;
}
