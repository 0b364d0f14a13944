/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lines-text.c: see lines-text.h.
 */
#include "config.h"

#include "core/infer/lines-text.h"

#include "core/infer/text-value.h"

#define MAX_NAME_BYTES 60

/* ---- names */

static const gchar *
dup_bytes (KvsqlArena *arena, KvsqlSlice bytes)
{
  return kvsql_arena_strndup (arena, (const gchar *)bytes.data, bytes.size);
}

static gboolean
is_usable (KvsqlSlice bytes)
{
  return bytes.size <= MAX_NAME_BYTES && kvsql_infer_is_text (bytes);
}

/* The place of the only attribute; -1: there are several. */
static gint
find_only_attribute (const KvsqlInferLayout *layout)
{
  gint found = -1;

  for (guint i = 0; i < layout->n; i++)
    if (layout->pieces[i].kind == KVSQL_INFER_ATTRIBUTE)
      {
        if (found >= 0)
          return -1;
        found = (gint)i;
      }
  return found;
}

static guint
read_number (KvsqlSlice bytes)
{
  guint number = 0;

  for (gsize i = 0; i < bytes.size; i++)
    number = number << 8 | bytes.data[i];
  return number;
}

/* NULL: the line has no attribute, or its layout has names for several. */
static const gchar *
stem_of (const KvsqlInferLine *line, KvsqlArena *arena)
{
  const KvsqlInferFamily *family = line->family;

  if (line->kind == KVSQL_INFER_LINE_MARKER
      || (line->kind == KVSQL_INFER_LINE_LAYOUT && find_only_attribute (line->layout) < 0))
    return NULL;
  if (line->kind == KVSQL_INFER_LINE_MAP)
    return kvsql_infer_is_name (family->family) ? dup_bytes (arena, family->family) : "m";
  if (family->is_phoenix)
    return kvsql_arena_printf (arena, "c%u", kvsql_infer_phoenix_number (line->qualifier));
  if (is_usable (line->qualifier))
    return dup_bytes (arena, line->qualifier);
  if (line->qualifier.size > 0 && line->qualifier.size <= sizeof (guint32))
    return kvsql_arena_printf (arena, "c%u", read_number (line->qualifier));
  return kvsql_infer_is_name (family->family) ? dup_bytes (arena, family->family) : "c";
}

/* Names are equal if they differ only in the case of letters. */
static const gchar *
lower (KvsqlArena *arena, const gchar *name)
{
  g_autofree gchar *text = g_ascii_strdown (name, -1);

  return kvsql_arena_strdup (arena, text);
}

/* With the family before it, if several lines have the stem. */
static const gchar *
full_stem (const KvsqlInferLine *line, const gchar *stem, GHashTable *several, KvsqlArena *arena)
{
  if (!g_hash_table_contains (several, lower (arena, stem))
      || !kvsql_infer_is_name (line->family->family))
    return stem;
  return kvsql_arena_printf (arena, "%s_%s", dup_bytes (arena, line->family->family), stem);
}

/* The stem, or the stem and a number. */
static const gchar *
take_name (KvsqlInferNames *names, const gchar *stem)
{
  const gchar *name = stem;

  for (guint i = 2; !g_hash_table_add (names->used, (gpointer)lower (names->arena, name)); i++)
    name = kvsql_arena_printf (names->arena, "%s%u", stem, i);
  return name;
}

GPtrArray *
kvsql_infer_take_line_names (const KvsqlInferLines *lines, KvsqlInferNames *names)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) several = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < lines->n; i++)
    {
      const gchar *stem = stem_of (&lines->lines[i], names->arena);

      g_ptr_array_add (out, (gpointer)stem);
      if (stem != NULL && !g_hash_table_add (known, (gpointer)lower (names->arena, stem)))
        g_hash_table_add (several, (gpointer)lower (names->arena, stem));
    }
  for (guint i = 0; i < lines->n; i++)
    if (out->pdata[i] != NULL)
      {
        const gchar *stem = full_stem (&lines->lines[i], out->pdata[i], several, names->arena);

        out->pdata[i] = (gpointer)take_name (names, stem);
      }
  return out;
}

/* ---- lines */

typedef struct
{
  KvsqlInferNames *names;
  GArray *attributes;
  GString *out;
} Writer;

static void
add_attribute (const Writer *self, const gchar *name, KvsqlType type, const gchar *remark)
{
  const KvsqlInferAttribute attribute = { name, type, remark };

  g_array_append_val (self->attributes, attribute);
}

static void
append_column (const Writer *self, const KvsqlInferLine *line, const gchar *name)
{
  const gchar *remark = line->type.remark;
  g_autofree gchar *inner = g_strdup_printf ("`%s`", name);

  g_string_append (self->out, line->has_empty ? "null(''){" : "");
  kvsql_infer_append_encoded (line->encoding, inner, self->out);
  g_string_append (self->out, line->has_empty ? "}" : "");
  if (line->has_empty && remark == NULL)
    remark = "a value of no bytes is NULL";
  add_attribute (self, name, line->type.type, remark);
}

static void
append_value (const Writer *self, const KvsqlInferLine *line, const gchar *name)
{
  KvsqlInferLayout layout = *line->layout;
  gint only = find_only_attribute (line->layout);

  if (only >= 0)
    {
      KvsqlInferPiece *piece = &layout.pieces[only];
      gboolean is_quoted = g_str_has_suffix (piece->inner_before, "`");

      piece->name = is_quoted ? name : kvsql_arena_printf (self->names->arena, "`%s`", name);
      add_attribute (self, name, piece->type, piece->remark);
    }
  kvsql_infer_append_layout (&layout, self->names, self->attributes, self->out);
}

static void
append_map (const Writer *self, const KvsqlInferLine *line, const gchar *name)
{
  g_autofree gchar *value = g_strdup_printf ("map_value(`%s`)", name);

  g_string_append_printf (
      self->out, line->has_no_empty ? "regexp('.+'){map_key(`%s`)} = " : "map_key(`%s`) = ", name);
  kvsql_infer_append_encoded (line->encoding, value, self->out);
  add_attribute (self, name, (KvsqlType)(KVSQL_TYPE_MAP + line->type.type - 1), line->type.remark);
}

static void
append_line (const Writer *self, const KvsqlInferLine *line, const gchar *name)
{
  KvsqlArena *arena = self->names->arena;

  g_string_append (self->out, kvsql_infer_literal (arena, line->family->family));
  if (line->qualifier.size > 0)
    g_string_append_printf (self->out, ":%s", kvsql_infer_literal (arena, line->qualifier));
  if (line->kind == KVSQL_INFER_LINE_MAP)
    {
      g_string_append_c (self->out, ':');
      append_map (self, line, name);
      return;
    }
  g_string_append (self->out, " = ");
  if (line->kind == KVSQL_INFER_LINE_COLUMN)
    append_column (self, line, name);
  else if (line->kind == KVSQL_INFER_LINE_LAYOUT)
    append_value (self, line, name);
  else
    g_string_append (self->out, kvsql_infer_literal (arena, line->value));
}

void
kvsql_infer_append_lines (const KvsqlInferLines *lines, const GPtrArray *of_lines,
                          KvsqlInferNames *names, GArray *attributes, GString *out)
{
  const Writer self = { names, attributes, out };

  g_string_append (out, "CELLS { ");
  for (guint i = 0; i < lines->n; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      append_line (&self, &lines->lines[i], of_lines->pdata[i]);
    }
  if (lines->n_other_columns > 0)
    {
      const gchar *rest = kvsql_infer_take_name (names, "rest");

      g_string_append_printf (out, ", OTHERS = %s", rest);
      add_attribute (&self, rest, (KvsqlType)(KVSQL_TYPE_MAP + KVSQL_TYPE_BYTES - 1), NULL);
    }
  g_string_append (out, " }");
}
