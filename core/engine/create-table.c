/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * create-table.c: CREATE TABLE: a relation and its primary schema.
 *
 * A row is a tuple. Its key is the PRIMARY KEY. Each other column has a cell with its name, so that
 * columns can be added and dropped, and an empty cell says that the tuple exists.
 */
#include "config.h"

#include "core/engine/created-schema.h"
#include "core/schema/relation-options.h"
#include "core/sql/printer.h"

#define MARKER "x'00'"
#define HIDDEN_KEY "kvsql_rowid"

/* ---- PRIMARY KEY (…) */

static gboolean
find_column (const KvsqlDefineRelation *relation, const KvsqlName *name, guint *out, GError **error)
{
  KvsqlNameChoice choice = kvsql_definition_choose (relation, name);

  *out = choice.index;
  return kvsql_name_choice_is_made (&choice)
         || kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span,
                             "table \"%s\" has no column \"%s\"", relation->name.text, name->text)
         || kvsql_error_sqlstate (error, "42703");
}

/* A table without a PRIMARY KEY has a number of each tuple, which * does not show. Returns: its
 * index */
static guint
add_hidden_key (KvsqlDefineRelation *relation, KvsqlArena *arena)
{
  const KvsqlOption hidden = kvsql_option_word ("hidden_key", HIDDEN_KEY);
  const KvsqlOption replace = kvsql_option_word ("insert", "replace");
  guint n = relation->n_attributes;
  KvsqlAttributeDefinition *all = kvsql_arena_array (arena, KvsqlAttributeDefinition, n + 1);
  KvsqlAttributeDefinition *key = &all[n];

  if (n > 0)
    memcpy (all, relation->attributes, n * sizeof *all);
  relation->attributes = all;
  relation->n_attributes++;
  *key = (KvsqlAttributeDefinition){ .span = relation->name.span,
                                     .name = { .text = HIDDEN_KEY, .span = relation->name.span },
                                     .type_name = { .text = "BIGSERIAL" },
                                     .is_key = TRUE };
  key->type_name.span = relation->name.span;
  kvsql_options_set (&relation->options, &hidden, arena);
  /* numbers are new, so nothing has to be read before a tuple is written */
  if (kvsql_options_find (&relation->options, replace.name.text) == NULL)
    kvsql_options_set (&relation->options, &replace, arena);
  return n;
}

/* The relation's definition, with KEY at the columns that PRIMARY KEY (…) lists. @out_order: these
 * columns, in their order; else those that are KEY themselves */
static gboolean
mark_key (const KvsqlCreateTable *self, KvsqlArena *arena, KvsqlDefineRelation *out,
          guint **out_order, guint *out_n, GError **error)
{
  KvsqlAttributeDefinition *columns = kvsql_arena_copy (
      arena, self->relation.attributes, self->relation.n_attributes * sizeof *columns);
  guint *order
      = kvsql_arena_array (arena, guint, MAX (self->relation.n_attributes, self->n_key) + 1);
  guint n = 0;

  *out = self->relation;
  out->attributes = columns;
  for (guint i = 0; i < out->n_attributes; i++)
    if (columns[i].is_key)
      order[n++] = i;
  if (n > 0 && self->n_key > 0)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->key[0].span,
                            "column \"%s\" is PRIMARY KEY already", columns[order[0]].name.text);
  for (guint i = 0; i < self->n_key; i++)
    {
      if (!find_column (out, &self->key[i], &order[i], error))
        return FALSE;
      if (columns[order[i]].is_key)
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->key[i].span,
                                "column \"%s\" is in the PRIMARY KEY twice", self->key[i].text);
      columns[order[i]].is_key = TRUE;
    }
  *out_order = order;
  *out_n = n + self->n_key;
  if (*out_n > 0)
    return TRUE;
  order[0] = add_hidden_key (out, arena);
  *out_n = 1;
  return kvsql_relation_check_size (out, error);
}

/* As in PostgreSQL, an INSERT does not replace. */
static void
make_unique (KvsqlOptions *options, KvsqlArena *arena)
{
  const KvsqlOption insert = kvsql_option_word ("insert", "unique");

  if (kvsql_options_find (options, insert.name.text) == NULL
      && kvsql_relation_options_get_mode (options) != KVSQL_WRITES_BLIND)
    kvsql_options_set (options, &insert, arena);
}

/* ---- the schema */

static void
append_cells (const KvsqlRelation *relation, const guint *order, guint n, GString *out)
{
  g_autoptr (GString) key = g_string_new (NULL);

  if (n == relation->n_attributes)
    return;
  for (guint i = 0; i < n; i++)
    {
      g_string_append (key, i > 0 ? ", " : "");
      kvsql_append_attribute_name (&relation->attributes[order[i]], key);
    }
  g_string_append_printf (out, ", QUALIFIER attr_name[%s], VALUE attr_value[%s]", key->str,
                          key->str);
}

/* (transfer full): the text of DEFINE PRIMARY SCHEMA */
static gchar *
write_schema (const KvsqlRelation *relation, const guint *order, guint n, const gchar *schema,
              const gchar *table, const gchar **out_row)
{
  GString *out = g_string_new ("DEFINE PRIMARY SCHEMA ");
  g_autoptr (GString) row = g_string_new (NULL);
  const KvsqlName schema_name = { .text = schema };
  const KvsqlName relation_name = { .text = relation->name, .is_quoted = relation->is_quoted };

  for (guint i = 0; i < n; i++)
    kvsql_append_ordered (&relation->attributes[order[i]], FALSE, row);
  kvsql_print_name (&schema_name, out);
  g_string_append (out, " FOR ");
  kvsql_print_name (&relation_name, out);
  g_string_append_printf (out, " { TABLE '%s', ROW %s, FAMILY 'f'", table, row->str);
  append_cells (relation, order, n, out);
  g_string_append (out, n < relation->n_attributes ? " } WITH (marker = " MARKER ")" : " }");
  *out_row = kvsql_arena_strdup (relation->arena, row->str);
  return g_string_free (out, FALSE);
}

static gboolean
add_primary (KvsqlDecision *self, KvsqlRelation *relation, const guint *order, guint n,
             KvsqlSpan span, GError **error)
{
  const KvsqlCatalogEntry entry = { .relation = relation };
  g_autofree gchar *folded = kvsql_name_fold (relation->name, relation->is_quoted);
  g_autofree gchar *stem = g_strconcat (folded, "_pkey", NULL);
  g_autofree gchar *name = kvsql_unused_schema_name (self->execution->catalog, stem);
  g_autofree gchar *table = kvsql_unused_table_name (self->execution, folded, error);
  g_autofree gchar *text = NULL;
  const gchar *row;

  if (table == NULL)
    return FALSE;
  text = write_schema (relation, order, n, name, table, &row);
  if (!kvsql_decision_add_created_schema (self, &entry, text, TRUE, span, error))
    return FALSE;
  kvsql_result_page_note (self->page,
                          "its tuples are in table \"%s\", with the row key %s: SHOW CREATE %s",
                          table, row, name);
  return TRUE;
}

/* Parameters of PostgreSQL's storage, which programs give to CREATE TABLE, and which have no
 * meaning here. */
static gboolean
is_storage_parameter (const gchar *name)
{
  static const gchar *const names[] = { "fillfactor",
                                        "toast_tuple_target",
                                        "parallel_workers",
                                        "vacuum_truncate",
                                        "vacuum_index_cleanup",
                                        "user_catalog_table",
                                        "oids",
                                        "log_autovacuum_min_duration",
                                        NULL };
  g_autofree gchar *lower = g_ascii_strdown (name, -1);

  return g_strv_contains (names, lower) || g_str_has_prefix (lower, "autovacuum_");
}

static void
drop_storage_parameters (KvsqlDecision *self, KvsqlOptions *options)
{
  const KvsqlOptions given = *options;
  const gchar *dropped = NULL; /* the first one */

  options->items = kvsql_arena_array (self->execution->binder.arena, KvsqlOption, given.n + 1);
  options->n = 0;
  for (guint i = 0; i < given.n; i++)
    if (is_storage_parameter (given.items[i].name.text))
      dropped = dropped != NULL ? dropped : given.items[i].name.text;
    else
      options->items[options->n++] = given.items[i];
  if (dropped != NULL)
    kvsql_result_page_note (self->page, "storage parameters, such as \"%s\", have no effect here",
                            dropped);
}

gboolean
kvsql_decide_create_table (KvsqlDecision *self, const KvsqlCreateTable *create, GError **error)
{
  KvsqlArena *arena = self->execution->binder.arena;
  g_autoptr (KvsqlRelation) relation = NULL;
  KvsqlDefineRelation definition;
  guint *order, n;

  if (!kvsql_relation_check_size (&create->relation, error)
      || !mark_key (create, arena, &definition, &order, &n, error))
    return FALSE;
  drop_storage_parameters (self, &definition.options);
  make_unique (&definition.options, arena);
  return kvsql_decision_add_relation (self, &definition, &relation, error)
         && (relation == NULL
             || add_primary (self, relation, order, n, create->relation.name.span, error));
}
