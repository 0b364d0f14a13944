/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * blind-intent.c: see the header.
 */
#include "config.h"

#include "core/write/blind-intent.h"

#include "core/anchor/tuple-record.h"
#include "core/anchor/varint.h"

static void
make_record (const KvsqlRelation *relation, const KvsqlValue *tuple, gboolean is_delete,
             KvsqlBuffer *out)
{
  KvsqlValue values[KVSQL_MAX_ATTRIBUTES];

  for (guint i = 0; i < relation->n_attributes; i++)
    values[i] = is_delete && !relation->attributes[i].is_key ? KVSQL_VALUE_NULL : tuple[i];
  out->size = 0;
  kvsql_tuple_record_append (relation, values, out);
}

void
kvsql_blind_intent_append (const KvsqlRelation *relation, const KvsqlBlindWrite *write,
                           gsize max_bytes, guint *inout_next, KvsqlBuffer *out)
{
  const gsize end = out->size + max_bytes;
  const guint first = *inout_next;
  KvsqlBuffer record = { 0 };

  kvsql_put_be64 (kvsql_buffer_extend (out, 8), (guint64)write->timestamp);
  for (; *inout_next < write->n; (*inout_next)++)
    {
      make_record (relation, write->tuples[*inout_next], write->is_delete, &record);
      if (*inout_next > first && out->size + record.size > end)
        break;
      kvsql_buffer_append_byte (out, !write->is_delete);
      kvsql_append_sized (out, kvsql_buffer_slice (&record));
    }
  kvsql_buffer_clear (&record);
}

static gboolean
take_tuple (const KvsqlRelation *relation, KvsqlSlice *rest, KvsqlArena *arena,
            gboolean *out_is_delete, KvsqlValue *out)
{
  KvsqlSlice record;
  guint8 kind;

  if (!kvsql_take_byte (rest, &kind) || kind > 1 || !kvsql_take_sized (rest, &record))
    return FALSE;
  *out_is_delete = kind == 0;
  return kvsql_tuple_record_read (relation, record, arena, out);
}

gboolean
kvsql_blind_intent_read (const KvsqlRelation *relation, KvsqlSlice intent, KvsqlArena *arena,
                         KvsqlBlindWrite *out)
{
  const KvsqlValue **tuples = NULL;
  guint64 timestamp;

  *out = (KvsqlBlindWrite){ 0 };
  if (!kvsql_take_be64 (&intent, &timestamp))
    return FALSE;
  out->timestamp = (gint64)timestamp;
  while (intent.size > 0)
    {
      KvsqlValue *tuple = kvsql_arena_array (arena, KvsqlValue, relation->n_attributes);
      gboolean is_delete;

      if (!take_tuple (relation, &intent, arena, &is_delete, tuple)
          || (out->n > 0 && is_delete != out->is_delete))
        return FALSE;
      out->is_delete = is_delete;
      *KVSQL_ARENA_ADD (arena, tuples, out->n) = tuple;
    }
  out->tuples = tuples;
  return out->n > 0 && out->timestamp > 1;
}
