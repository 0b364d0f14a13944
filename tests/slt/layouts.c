/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * layouts.c: see the header. Every layout can hold NULL in attributes that are not KEY.
 */
#include "config.h"

#include "tests/slt/layouts.h"

/* The elements for the attributes of each kind. */
typedef struct
{
  const gchar *integer, *real, *text; /* printf formats with one %s */
} Form;

#define SAME_FOR_ALL(format)                                                                       \
  {                                                                                                \
    format, format, format                                                                         \
  }

static const Form bare = { "%s", "%s", "size(2){%s}" };
static const Form ordered = SAME_FOR_ALL ("ordered{%s}");
static const Form descending = SAME_FOR_ALL ("desc{ordered{%s}}");
static const Form fixed_key
    = { "text(20){%s}", "fixed(24, ' '){text{%s}}", "fixed(40, x'00'){%s}" };
static const Form sized = SAME_FOR_ALL ("size(2){null(x'00'){text{%s}}}");
static const Form ended = SAME_FOR_ALL ("suffix(x'00'){text{%s}}");
static const Form ended_or_null
    = { "suffix('|'){null('~'){text{%s}}}", "suffix('|'){null('~'){text{%s}}}",
        "suffix('|'){null('~'){hex{%s}}}" };
static const Form hexadecimal = SAME_FOR_ALL ("hex{ordered{%s}}:' '");
static const Form base64 = SAME_FOR_ALL ("suffix(' '){base64{ordered{%s}}}");

typedef struct
{
  const gchar *name;
  const Form *key;
  const gchar *prefix; /* nullable: precedes the key; %s: the key's attributes */
  const Form *value;   /* NULL: one cell for each attribute */
  gint first[2];       /* these attributes, which are not KEY, precede the key (from 1; 0: none) */
  gboolean first_descends[2];
  gboolean is_index; /* holds no other attribute */
} SltLayout;

static const SltLayout layouts[] = {
  { .name = "ordered", .key = &ordered, .value = &ordered },
  { .name = "desc", .key = &descending, .value = &descending },
  { .name = "fixed", .key = &fixed_key, .value = &sized },
  { .name = "suffix", .key = &ended, .value = &ended_or_null },
  { .name = "cells", .key = &ended, .value = NULL },
  { .name = "salted", .prefix = "salt(4){%s}", .key = &ordered, .value = NULL },
  { .name = "hashed", .prefix = "hash(4){%s}", .key = &bare, .value = &ordered },
  { .name = "fetched", .key = &ordered, .first = { 1, 0 }, .is_index = TRUE },
  { .name = "covering",
    .key = &ordered,
    .value = &ordered,
    .first = { 2, 1 },
    .first_descends = { FALSE, TRUE } },
  { .name = "hex", .key = &hexadecimal, .value = &base64 },
};

void
slt_schema_free (SltSchema *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->sql);
  g_free (self);
}

const gchar **
slt_layouts_list (void)
{
  const gchar **names = g_new0 (const gchar *, G_N_ELEMENTS (layouts) + 1);

  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    names[i] = layouts[i].name;
  return names;
}

/* ---- writing layouts */

static void
append_element (GString *out, const Form *form, const SltColumn *column)
{
  const gchar *format = column->type == KVSQL_TYPE_STRING   ? form->text
                        : column->type == KVSQL_TYPE_DOUBLE ? form->real
                                                            : form->integer;
  g_auto (GStrv) halves = g_strsplit (format, "%s", 2);

  if (out->len > 0)
    g_string_append_c (out, ':');
  g_string_append_printf (out, "%s%s%s", halves[0], column->name, halves[1]);
}

/* The names of the KEY attributes, or of all attributes in the row. */
static gchar *
join_names (const GPtrArray *columns)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < columns->len; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", ((SltColumn *)columns->pdata[i])->name);
  return g_string_free (out, FALSE);
}

static GPtrArray *
pick_columns (const SltTable *table, gboolean is_key)
{
  GPtrArray *picked = g_ptr_array_new ();

  for (guint i = 0; i < table->columns->len; i++)
    if (((SltColumn *)table->columns->pdata[i])->is_key == is_key)
      g_ptr_array_add (picked, table->columns->pdata[i]);
  return picked;
}

/* TABLE and the beginning of ROW. */
static GString *
begin_schema (const SltTable *table, const gchar *name, gboolean is_primary, gboolean is_shared)
{
  GString *sql = g_string_new (NULL);

  g_string_append_printf (sql, "DEFINE %sSCHEMA %s FOR %s { ", is_primary ? "PRIMARY " : "", name,
                          table->name);
  if (is_shared)
    g_string_append_printf (sql, "TABLE 'slt', ROW '%s/':", name);
  else
    g_string_append_printf (sql, "TABLE '%s', ROW ", name);
  return sql;
}

static SltSchema *
end_schema (gchar *name, GString *sql)
{
  SltSchema *self = g_new0 (SltSchema, 1);

  self->name = name;
  self->sql = g_string_free (sql, FALSE);
  return self;
}

/* One cell for each attribute, and a marker for tuples of NULLs. */
static void
append_cells (GString *sql, const GPtrArray *in_row)
{
  g_autofree gchar *names = join_names (in_row);

  g_string_append_printf (sql,
                          ", FAMILY 'f', QUALIFIER attr_name[%s], VALUE attr_value[%s] } "
                          "WITH (marker = x'00')",
                          names, names);
}

static void
append_value (GString *sql, const SltTable *table, const SltLayout *layout, const GPtrArray *in_row)
{
  g_autoptr (GString) value = g_string_new (NULL);

  for (guint i = 0; i < table->columns->len && !layout->is_index; i++)
    if (!g_ptr_array_find ((GPtrArray *)in_row, table->columns->pdata[i], NULL))
      append_element (value, layout->value, table->columns->pdata[i]);
  g_string_append_printf (sql, ", FAMILY 'f', QUALIFIER '', VALUE %s }",
                          value->len > 0 ? value->str : "''");
}

/* NULL: the table has too few attributes for it. */
static SltSchema *
define_layout (const SltTable *table, const SltLayout *layout, gboolean is_shared)
{
  g_autoptr (GPtrArray) keys = pick_columns (table, TRUE), others = pick_columns (table, FALSE),
                        in_row = g_ptr_array_new ();
  g_autoptr (GString) row = g_string_new (NULL);
  gchar *name = g_strdup_printf ("%s_%s", table->name, layout->name);
  GString *sql = begin_schema (table, name, FALSE, is_shared);

  if (layout->prefix != NULL)
    {
      g_autofree gchar *names = join_names (keys);
      g_auto (GStrv) halves = g_strsplit (layout->prefix, "%s", 2);
      g_string_append_printf (row, "%s%s%s", halves[0], names, halves[1]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (layout->first); i++)
    if (layout->first[i] > 0 && (guint)layout->first[i] <= others->len)
      {
        SltColumn *column = others->pdata[layout->first[i] - 1];
        append_element (row, layout->first_descends[i] ? &descending : &ordered, column);
        g_ptr_array_add (in_row, column);
      }
  for (guint i = 0; i < keys->len; i++)
    {
      append_element (row, layout->key, keys->pdata[i]);
      g_ptr_array_add (in_row, keys->pdata[i]);
    }
  g_string_append (sql, row->str);
  if (layout->value == NULL && !layout->is_index)
    append_cells (sql, in_row);
  else
    append_value (sql, table, layout, in_row);
  return end_schema (name, sql);
}

static SltSchema *
define_given (const SltTable *table, gboolean is_shared)
{
  g_autoptr (GPtrArray) keys = pick_columns (table, TRUE);
  g_autoptr (GString) row = g_string_new (NULL);
  gchar *name = g_strdup_printf ("%s_given", table->name);
  GString *sql = begin_schema (table, name, TRUE, is_shared);

  for (guint i = 0; i < keys->len; i++)
    append_element (row, &bare, keys->pdata[i]);
  g_string_append (sql, row->str);
  if (keys->len < table->columns->len)
    append_cells (sql, keys);
  else
    g_string_append (sql, ", FAMILY 'f' }");
  return end_schema (name, sql);
}

GPtrArray *
slt_layouts_define (const SltTable *table, const gchar *const *only, gboolean is_shared)
{
  GPtrArray *schemas = g_ptr_array_new_with_free_func ((GDestroyNotify)slt_schema_free);
  gboolean is_key_only = TRUE;

  g_ptr_array_add (schemas, define_given (table, is_shared));
  for (guint i = 0; i < table->columns->len; i++)
    is_key_only = is_key_only && ((SltColumn *)table->columns->pdata[i])->is_key;
  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    if ((only == NULL || g_strv_contains (only, layouts[i].name))
        && (!is_key_only || (layouts[i].value != NULL && layouts[i].first[0] == 0)))
      g_ptr_array_add (schemas, define_layout (table, &layouts[i], is_shared));
  return schemas;
}

SltSchema *
slt_layouts_define_index (const SltTable *table, const SltIndex *index, gboolean is_shared)
{
  gchar *name = g_strdup_printf ("%s_%s", table->name, index->name);
  GString *sql = begin_schema (table, name, FALSE, is_shared);
  g_autoptr (GString) row = g_string_new (NULL);

  for (guint i = 0; index->columns[i] != NULL; i++)
    {
      const SltColumn *column = slt_table_find (table, index->columns[i]);
      if (column != NULL)
        append_element (row, index->is_descending[i] ? &descending : &ordered, column);
    }
  for (guint i = 0; i < table->columns->len; i++)
    {
      const SltColumn *column = table->columns->pdata[i];
      if (column->is_key && !g_strv_contains ((const gchar *const *)index->columns, column->name))
        append_element (row, &ordered, column);
    }
  g_string_append_printf (sql, "%s, FAMILY 'f', QUALIFIER '', VALUE '' }", row->str);
  return end_schema (name, sql);
}
