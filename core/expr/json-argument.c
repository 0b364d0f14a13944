/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * json-argument.c: paths, values as JSON, and results.
 */
#include "config.h"

#include "core/expr/json-argument.h"

#include "core/base/collection.h"
#include "core/base/interrupt.h"

#include <math.h>

/* ---- paths */

void
kvsql_json_path_read (const KvsqlValue *list, KvsqlArena *arena, KvsqlJsonPath *out)
{
  KvsqlValue *values;

  kvsql_list_split (list->type, list->bytes, arena, &values, &out->n);
  out->steps = kvsql_arena_array (arena, KvsqlSlice, out->n + 1);
  out->is_null = kvsql_arena_array (arena, gboolean, out->n + 1);
  for (guint i = 0; i < out->n && kvsql_interrupt_tick (); i++)
    {
      out->is_null[i] = kvsql_value_is_null (&values[i]);
      if (values[i].type == KVSQL_TYPE_STRING)
        out->steps[i] = values[i].bytes;
      else if (!out->is_null[i])
        {
          g_autofree gchar *text = kvsql_value_to_text (&values[i]);
          out->steps[i] = kvsql_slice_dup (arena, kvsql_slice_from_text (text));
        }
    }
}

gboolean
kvsql_json_path_index (KvsqlSlice step, gint64 *out)
{
  KvsqlValue value = { 0 };

  if (step.size == 0 || g_ascii_isspace ((gchar)step.data[step.size - 1])
      || !kvsql_value_parse_scalar (KVSQL_TYPE_INT, step, NULL, &value, NULL))
    return FALSE;
  *out = value.integer;
  return TRUE;
}

/* ---- values */

static void
append_list (const KvsqlValue *list, KvsqlArena *arena, GString *out)
{
  KvsqlValue *values;
  guint n;

  kvsql_list_split (list->type, list->bytes, arena, &values, &n);
  g_string_append_c (out, '[');
  for (guint i = 0; i < n && kvsql_interrupt_tick (); i++)
    {
      g_string_append (out, i > 0 ? "," : "");
      kvsql_json_append_value (&values[i], out);
    }
  g_string_append_c (out, ']');
}

static void
append_map (const KvsqlValue *map, KvsqlArena *arena, GString *out)
{
  KvsqlMapEntry *entries;
  guint n;

  kvsql_map_split (map->type, map->bytes, arena, &entries, &n);
  g_string_append_c (out, '{');
  for (guint i = 0; i < n && kvsql_interrupt_tick (); i++)
    {
      g_string_append (out, i > 0 ? "," : "");
      kvsql_json_append_string (entries[i].key, out);
      g_string_append_c (out, ':');
      kvsql_json_append_value (&entries[i].value, out);
    }
  g_string_append_c (out, '}');
}

static void
append_collection (const KvsqlValue *value, GString *out)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  if (kvsql_type_is_list (value->type))
    append_list (value, arena, out);
  else
    append_map (value, arena, out);
}

/* 2024-02-29T12:00:00.5: without the zone, and without zeros at the end of the fraction. */
static void
append_time (gint64 ms, GString *out)
{
  g_string_append_c (out, '"');
  kvsql_time_append_text (ms, out);
  g_string_truncate (out, out->len - strlen ("Z"));
  while (out->str[out->len - 1] == '0' && ms % 1000 != 0)
    g_string_truncate (out, out->len - 1);
  if (ms % 1000 == 0)
    g_string_truncate (out, out->len - strlen (".000"));
  g_string_append_c (out, '"');
}

/* PostgreSQL writes bytes as \x and digits. */
static void
append_bytes (KvsqlSlice bytes, GString *out)
{
  g_autofree gchar *hex = kvsql_hex (bytes);

  g_string_append_printf (out, "\"\\\\x%s\"", hex);
}

void
kvsql_json_append_value (const KvsqlValue *value, GString *out)
{
  g_autoptr (GString) text = NULL;

  if (kvsql_value_is_null (value))
    {
      g_string_append (out, "null");
      return;
    }
  if (kvsql_type_is_collection (value->type))
    {
      append_collection (value, out);
      return;
    }
  switch (value->type)
    {
    case KVSQL_TYPE_BOOLEAN:
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_BIGINT:
    case KVSQL_TYPE_DECIMAL:
    case KVSQL_TYPE_JSON:
    case KVSQL_TYPE_JSONB:
      kvsql_value_append_text (value, out);
      break;
    case KVSQL_TYPE_BYTES:
      append_bytes (value->bytes, out);
      break;
    case KVSQL_TYPE_TIMESTAMP:
      append_time (value->integer, out);
      break;
    default:
      if (kvsql_type_get_class (value->type) == KVSQL_CLASS_REAL && isfinite (value->real))
        {
          kvsql_value_append_text (value, out);
          break;
        }
      text = g_string_new (NULL);
      kvsql_value_append_text (value, text);
      kvsql_json_append_string (kvsql_slice (text->str, text->len), out);
      break;
    }
}

/* ---- results */

gboolean
kvsql_json_set_text (const KvsqlFunctionCall *call, const GString *text, KvsqlValue *out,
                     GError **error)
{
  KvsqlSlice slice = kvsql_slice (text->str, text->len);

  if (!kvsql_interrupt_poll (error))
    return FALSE;
  if (call->type != KVSQL_TYPE_JSONB)
    {
      if (!kvsql_function_set_text (call, slice, out, error))
        return FALSE;
      out->type = call->type;
      return TRUE;
    }
  out->type = KVSQL_TYPE_JSONB;
  return kvsql_jsonb_parse (slice, call->arena, &out->bytes, error);
}

gboolean
kvsql_json_set_tree (const KvsqlFunctionCall *call, const KvsqlJson *tree, KvsqlValue *out,
                     GError **error)
{
  KvsqlValue value = { .type = KVSQL_TYPE_JSONB };

  if (!kvsql_jsonb_write (tree, call->arena, &value.bytes, error))
    return FALSE;
  *out = value;
  return TRUE;
}
