/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuple-key.c: see tuple-key.h.
 */
#include "config.h"

#include "core/scan/tuple-key.h"

#include "core/schema/relation.h"

#include <math.h>

void
kvsql_tuple_append_key (const KvsqlRelation *relation, const KvsqlValue *tuple, KvsqlBuffer *out)
{
  for (guint a = 0; a < relation->n_attributes; a++)
    {
      const KvsqlValue *value = &tuple[a];
      guint8 *at;

      if (!relation->attributes[a].is_key)
        continue;
      switch (relation->attributes[a].type)
        {
        case KVSQL_TYPE_BOOLEAN:
          kvsql_buffer_append_byte (out, value->boolean != FALSE);
          break;
        case KVSQL_TYPE_INT:
        case KVSQL_TYPE_BIGINT:
        case KVSQL_TYPE_DATE:
        case KVSQL_TYPE_TIMESTAMP:
        case KVSQL_TYPE_TIME:
          kvsql_put_be64 (kvsql_buffer_extend (out, 8), (guint64)value->integer);
          break;
        case KVSQL_TYPE_FLOAT:
        case KVSQL_TYPE_DOUBLE:
          {
            gdouble real = value->real == 0 ? 0.0 : isnan (value->real) ? NAN : value->real;
            guint64 bits;
            memcpy (&bits, &real, 8);
            kvsql_put_be64 (kvsql_buffer_extend (out, 8), bits);
            break;
          }
        default:
          at = kvsql_buffer_extend (out, 4 + value->bytes.size);
          kvsql_put_be32 (at, (guint32)value->bytes.size);
          kvsql_copy_bytes (at + 4, value->bytes.data, value->bytes.size);
          break;
        }
    }
}

KvsqlSlice
kvsql_tuple_make_key (const KvsqlRelation *relation, const KvsqlValue *tuple, KvsqlArena *arena)
{
  KvsqlBuffer buffer = { 0 };

  kvsql_tuple_append_key (relation, tuple, &buffer);
  return kvsql_buffer_move (&buffer, arena);
}

gchar *
kvsql_tuple_print_key (const KvsqlRelation *relation, const KvsqlValue *tuple)
{
  GString *out = g_string_new (NULL);

  for (guint a = 0; a < relation->n_attributes; a++)
    if (relation->attributes[a].is_key)
      {
        g_string_append_printf (out, "%s%s = ", out->len > 0 ? ", " : "",
                                relation->attributes[a].name);
        kvsql_value_append_literal (&tuple[a], out);
      }
  return g_string_free (out, FALSE);
}

gboolean
kvsql_tuple_has_same_key (const KvsqlRelation *relation, const KvsqlValue *a, const KvsqlValue *b)
{
  for (guint i = 0; i < relation->n_attributes; i++)
    if (relation->attributes[i].is_key && !kvsql_value_equal (&a[i], &b[i]))
      return FALSE;
  return TRUE;
}

gboolean
kvsql_tuple_fail_duplicate (const KvsqlRelation *relation, const KvsqlValue *tuple, KvsqlSpan span,
                            GError **error)
{
  g_autofree gchar *key = kvsql_tuple_print_key (relation, tuple);

  return kvsql_error_set (error, KVSQL_ERROR_DUPLICATE_KEY, span,
                          "relation \"%s\" has a tuple with the key %s already", relation->name,
                          key);
}
