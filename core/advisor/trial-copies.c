/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * trial-copies.c: the definitions of the copies.
 *
 * They are those of the relation and its schemas, with other names and tables. Schemas that share a
 * table share its copy, too.
 */
#include "config.h"

#include "core/advisor/schema-text.h"
#include "core/advisor/trial-private.h"
#include "core/catalog/schema.h"
#include "core/sql/options.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"

/* An alias by which a later capture knows the statement, and leaves it out. */
#define OWN "kvsqlctl_capture"
#define COMMENT "a copy of kvsqlctl advise --verify"
/* Of a name in the name of its copy. */
#define MAX_PART 40

static const gchar sides[KVSQL_TRIAL_SIDES] = { 'a', 'b' };

/* ---- names */

/* Letters and digits, so that it needs no quotes, and a store accepts it as a table. */
static const gchar *
make_part (const gchar *name, KvsqlArena *arena)
{
  gchar *part = kvsql_arena_strndup (arena, name, MIN (strlen (name), MAX_PART));

  for (gchar *c = part; *c != '\0'; c++)
    *c = g_ascii_isalnum (*c) ? g_ascii_tolower (*c) : '_';
  return part;
}

/* @kind: so that no relation has the name of a schema */
static const gchar *
make_name (const KvsqlTrialMaker *self, guint side, gchar kind, guint number, const gchar *name)
{
  return kvsql_arena_printf (self->arena, "%s_%c_%c%u_%s", self->prefix, sides[side], kind, number,
                             make_part (name, self->arena));
}

/* "namespace:table" keeps its namespace. */
static const gchar *
find_table (const KvsqlTrialMaker *self, guint side, KvsqlSlice table)
{
  GHashTable *tables = self->tables[side];
  const gchar *from = kvsql_arena_strndup (self->arena, (const gchar *)table.data, table.size);
  const gchar *colon = strrchr (from, ':');
  gchar *to = g_hash_table_lookup (tables, from);

  if (to != NULL)
    return to;
  to = kvsql_arena_printf (self->arena, "%.*s%s", colon != NULL ? (gint)(colon + 1 - from) : 0,
                           from,
                           make_name (self, side, 't', g_hash_table_size (tables) + 1,
                                      colon != NULL ? colon + 1 : from));
  g_hash_table_insert (tables, (gpointer)from, to);
  return to;
}

static const gchar *
print_statement (const KvsqlTrialMaker *self, const KvsqlAstStatement *ast)
{
  g_autoptr (GString) text = g_string_new (NULL);

  kvsql_print_statement (ast, text);
  return kvsql_arena_strndup (self->arena, text->str, text->len);
}

/* ---- relations */

/* A DEFAULT that differs from call to call would make the two sides differ. Statements get such
 * values as parameters (trial-values.c). */
static void
drop_varying_default (KvsqlTrialMaker *self, const KvsqlRelation *relation,
                      KvsqlAttributeDefinition *attribute, guint number)
{
  if (relation->attributes[number].default_expr == NULL && attribute->identity == NULL)
    return;
  attribute->default_value = NULL;
  attribute->identity = NULL;
  *KVSQL_ARENA_ADD (self->arena, self->notes, self->n_notes) = kvsql_arena_printf (
      self->arena, "the DEFAULT of %s.%s is left out: statements give a value", relation->name,
      attribute->name.text);
}

static const gchar *
define_relation (KvsqlTrialMaker *self, guint index, guint side, GError **error)
{
  const KvsqlWorkloadRelation *relation = &self->workload->relations[index];
  KvsqlAstStatement *ast
      = kvsql_parser_parse (kvsql_slice_from_text (relation->definition), self->arena, error);
  KvsqlDefineRelation *define;

  if (ast == NULL)
    return NULL;
  define = &ast->define_relation;
  define->name
      = (KvsqlName){ .span = KVSQL_SPAN_NONE, .text = self->trial->relations[index].copies[side] };
  define->if_not_exists = FALSE;
  define->comment
      = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (COMMENT) };
  for (guint i = 0; i < define->n_attributes; i++)
    drop_varying_default (self, relation->relation, &define->attributes[i], i);
  return print_statement (self, ast);
}

static void
add_attributes (KvsqlTrialMaker *self, const KvsqlRelation *relation, KvsqlTrialRelation *out)
{
  g_autoptr (GString) read = g_string_new ("SELECT ");
  const KvsqlName name = { .text = relation->name, .is_quoted = relation->is_quoted };

  out->n_attributes = relation->n_attributes;
  out->attributes = kvsql_arena_array (self->arena, KvsqlTrialAttribute, out->n_attributes);
  for (guint i = 0; i < relation->n_attributes; i++)
    {
      const KvsqlAttribute *from = &relation->attributes[i];
      const KvsqlName attribute = { .text = from->name, .is_quoted = from->is_quoted };
      g_autoptr (GString) sql = g_string_new (NULL);

      kvsql_print_name (&attribute, sql);
      out->attributes[i]
          = (KvsqlTrialAttribute){ .name = kvsql_arena_strdup (self->arena, from->name),
                                   .sql = kvsql_arena_strdup (self->arena, sql->str),
                                   .type = kvsql_type_get_name (from->type),
                                   .is_key = from->is_key,
                                   .is_double
                                   = kvsql_type_get_class (from->type) == KVSQL_CLASS_REAL };
      g_string_append_printf (read, "%s%s", i > 0 ? ", " : "", sql->str);
    }
  g_string_append (read, " FROM ");
  kvsql_print_name (&name, read);
  g_string_append (read, " AS " OWN);
  out->read = kvsql_arena_strdup (self->arena, read->str);
}

/* INSERT … ON CONFLICT (k) DO UPDATE SET a = excluded.a, … */
static const gchar *
make_replace (const KvsqlTrialMaker *self, const KvsqlTrialRelation *relation, guint side)
{
  g_autoptr (GString) names = g_string_new (NULL), values = g_string_new (NULL);
  g_autoptr (GString) keys = g_string_new (NULL), sets = g_string_new (NULL);

  for (guint i = 0; i < relation->n_attributes; i++)
    {
      const KvsqlTrialAttribute *attribute = &relation->attributes[i];

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", attribute->sql);
      g_string_append_printf (values, "%s$%u", i > 0 ? ", " : "", i + 1);
      if (attribute->is_key)
        g_string_append_printf (keys, "%s%s", keys->len > 0 ? ", " : "", attribute->sql);
      else
        g_string_append_printf (sets, "%s%s = excluded.%s", sets->len > 0 ? ", " : " SET ",
                                attribute->sql, attribute->sql);
    }
  return kvsql_arena_printf (self->arena,
                             "INSERT INTO %s (%s) VALUES (%s) ON CONFLICT (%s) DO %s%s",
                             relation->copies[side], names->str, values->str, keys->str,
                             sets->len > 0 ? "UPDATE" : "NOTHING", sets->str);
}

/* ---- schemas */

static gboolean
check_schema (const KvsqlWorkloadSchema *given, GError **error)
{
  const KvsqlSchema *schema = given->schema;
  const gchar *reason = NULL;

  if (!schema->has_constant_table)
    reason = "its tables depend on the tuple";
  else if (schema->options.role == KVSQL_ROLE_READ)
    reason = "it is only read (role = read): another program writes its table";
  return reason == NULL
         || kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                             "schema \"%s\" cannot be copied: %s", schema->name, reason);
}

static void
set_table (const KvsqlTrialMaker *self, guint side, KvsqlSlice table, KvsqlDefineSchema *define)
{
  KvsqlLayoutNode *node = kvsql_arena_new0 (self->arena, KvsqlLayoutNode);

  node->kind = KVSQL_LAYOUT_CONSTANT;
  node->span = KVSQL_SPAN_NONE;
  node->constant = kvsql_slice_from_text (find_table (self, side, table));
  define->fields[KVSQL_FIELD_TABLE]
      = (KvsqlLayoutSequence){ .span = KVSQL_SPAN_NONE, .nodes = node, .n_nodes = 1 };
}

/* @definition: of a schema of today, or of the advice */
static gboolean
add_schema (KvsqlTrialMaker *self, guint index, guint side, const gchar *definition, guint *n,
            GError **error)
{
  KvsqlTrialRelation *out = &self->trial->relations[index];
  g_autoptr (KvsqlSchema) schema
      = kvsql_design_prove (definition, self->workload->relations[index].relation, error);
  KvsqlAstStatement *ast
      = kvsql_parser_parse_definition (kvsql_slice_from_text (definition), self->arena, error);
  KvsqlDefineSchema *define;
  guint n_schemas = *n - 1;

  if (schema == NULL || ast == NULL)
    return FALSE;
  define = &ast->define_schema;
  define->if_not_exists = FALSE;
  define->name
      = (KvsqlName){ .span = KVSQL_SPAN_NONE,
                     .text = make_name (self, side, 's', self->n_schemas[side]++, schema->name) };
  define->relation = (KvsqlName){ .span = KVSQL_SPAN_NONE, .text = out->copies[side] };
  set_table (self, side, schema->table, define);
  kvsql_options_remove (&define->options, "create_tables", self->arena);
  *KVSQL_ARENA_ADD (self->arena, out->schemas[side], n_schemas) = define->name.text;
  *KVSQL_ARENA_ADD (self->arena, out->definitions[side], *n) = print_statement (self, ast);
  return TRUE;
}

/* @primaries: only the primary, or only the others */
static gboolean
add_today (KvsqlTrialMaker *self, guint index, gboolean primaries, guint *n, GError **error)
{
  for (guint i = 0; i < self->workload->n_schemas; i++)
    {
      const KvsqlWorkloadSchema *given = &self->workload->schemas[i];

      if (given->relation != index || (given->schema->is_primary != FALSE) != primaries)
        continue;
      if (!check_schema (given, error) || !add_schema (self, index, 0, given->text, n, error))
        return FALSE;
    }
  return TRUE;
}

/* The advice has the primary first. */
static gboolean
add_advised (KvsqlTrialMaker *self, guint index, guint *n, GError **error)
{
  const KvsqlAdvice *advice = self->advice;

  for (guint i = 0; i < advice->n_schemas; i++)
    {
      const KvsqlAdvisedSchema *schema = &advice->schemas[i];
      g_autofree gchar *definition = NULL;

      if (schema->design->relation != index)
        continue;
      definition = schema->design->given != NULL ? g_strdup (schema->design->given->text)
                                                 : kvsql_advice_define (advice, schema, error);
      if (definition == NULL || !add_schema (self, index, 1, definition, n, error))
        return FALSE;
    }
  return TRUE;
}

/* A workload may define more relations than its statements name. */
static gboolean
is_used (const KvsqlWorkload *workload, guint relation)
{
  for (guint i = 0; i < workload->n_statements; i++)
    if (workload->statements[i].relation == relation)
      return TRUE;
  return FALSE;
}

static gboolean
has_primary (const KvsqlTrialMaker *self, guint index, GError **error)
{
  for (guint i = 0; i < self->workload->n_schemas; i++)
    if (self->workload->schemas[i].relation == index
        && self->workload->schemas[i].schema->is_primary)
      return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                          "relation \"%s\" has no primary schema, so there are no tuples to copy",
                          self->workload->relations[index].relation->name);
}

/* NULL ends both lists. */
static void
end_lists (KvsqlTrialMaker *self, KvsqlTrialRelation *relation, guint side, guint n)
{
  guint n_schemas = n - 1;

  *KVSQL_ARENA_ADD (self->arena, relation->definitions[side], n) = NULL;
  *KVSQL_ARENA_ADD (self->arena, relation->schemas[side], n_schemas) = NULL;
}

static gboolean
make_side (KvsqlTrialMaker *self, guint index, guint side, GError **error)
{
  KvsqlTrialRelation *out = &self->trial->relations[index];
  const guint n_notes = self->n_notes;
  guint n = 0;
  const gchar *definition;

  out->copies[side] = make_name (self, side, 'r', index, out->name);
  out->is_unique = self->workload->relations[index].relation->is_unique;
  out->replace[side] = make_replace (self, out, side);
  definition = define_relation (self, index, side, error);
  if (definition == NULL)
    return FALSE;
  if (side > 0)
    self->n_notes = n_notes; /* they are those of the other side */
  *KVSQL_ARENA_ADD (self->arena, out->definitions[side], n) = definition;
  if (side == 0
          ? !add_today (self, index, TRUE, &n, error) || !add_today (self, index, FALSE, &n, error)
          : !add_advised (self, index, &n, error))
    return FALSE;
  end_lists (self, out, side, n);
  return TRUE;
}

gboolean
kvsql_trial_make_copies (KvsqlTrialMaker *self, GError **error)
{
  const KvsqlWorkload *workload = self->workload;
  KvsqlTrial *trial = self->trial;

  trial->n_relations = workload->n_relations;
  trial->relations = kvsql_arena_array (self->arena, KvsqlTrialRelation, trial->n_relations);
  for (guint i = 0; i < workload->n_relations; i++)
    {
      const KvsqlRelation *relation = workload->relations[i].relation;

      trial->relations[i].name = kvsql_arena_strdup (self->arena, relation->name);
      trial->relations[i].is_used = is_used (workload, i);
      add_attributes (self, relation, &trial->relations[i]);
      if (trial->relations[i].is_used && !has_primary (self, i, error))
        return FALSE;
      for (guint side = 0; trial->relations[i].is_used && side < KVSQL_TRIAL_SIDES; side++)
        if (!make_side (self, i, side, error))
          return FALSE;
    }
  return TRUE;
}
