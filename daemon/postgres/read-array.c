/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read-array.c: see the header.
 */
#include "config.h"

#include "daemon/postgres/read-array.h"

#include "core/base/collection.h"
#include "daemon/postgres/message.h"

#define NULL_SIZE G_MAXUINT32

static gboolean
refuse_dimensions (guint32 n, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                   "arrays of %u dimensions are not supported", n);
  return kvsql_error_hint (error, "A LIST has one.");
}

static gboolean
refuse_element (guint32 oid, guint32 expected, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_TYPE, KVSQL_SPAN_NONE,
                   "binary data has array element type %u instead of expected %u", oid, expected);
  return kvsql_error_sqlstate (error, "42804");
}

static gboolean
read_element (KvsqldPgMessage *message, KvsqlType type, KvsqldPgRead read, KvsqlArena *arena,
              KvsqlValue *out, GError **error)
{
  guint32 size = kvsqld_pg_get_int32 (message);
  KvsqlSlice bytes;

  *out = KVSQL_VALUE_NULL;
  if (size == NULL_SIZE)
    return TRUE;
  bytes = kvsqld_pg_get_bytes (message, size);
  return message->is_bad || read (bytes, type, arena, out, error);
}

gboolean
kvsqld_pg_read_array (KvsqlSlice bytes, KvsqlType element, guint32 oid, KvsqldPgRead read,
                      KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  KvsqldPgMessage message = { .at = bytes.data, .end = bytes.data + bytes.size };
  guint32 n_dimensions = kvsqld_pg_get_int32 (&message), n = 0, found;
  const KvsqlType type = KVSQL_TYPE_LIST + (KvsqlType)(element - 1);
  KvsqlValue *values;

  kvsqld_pg_get_int32 (&message); /* whether there are NULLs */
  found = kvsqld_pg_get_int32 (&message);
  if (n_dimensions > 1)
    return refuse_dimensions (n_dimensions, error);
  if (found != oid && !message.is_bad)
    return refuse_element (found, oid, error);
  if (n_dimensions == 1)
    {
      n = kvsqld_pg_get_int32 (&message);
      kvsqld_pg_get_int32 (&message); /* the index of the first one */
    }
  /* each has its size */
  message.is_bad = message.is_bad || n > (gsize)(message.end - message.at) / sizeof (guint32);
  if (!message.is_bad && !kvsql_collection_check_size (type, n, error))
    return FALSE;
  values = kvsql_arena_array (arena, KvsqlValue, message.is_bad ? 0 : n);
  for (guint i = 0; i < n && !message.is_bad; i++)
    if (!read_element (&message, element, read, arena, &values[i], error))
      return FALSE;
  if (!kvsqld_pg_message_check (&message, error))
    return FALSE;
  *out = (KvsqlValue){ .type = type, .bytes = kvsql_list_join (values, n, arena) };
  return TRUE;
}
