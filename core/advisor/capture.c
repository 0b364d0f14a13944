/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * capture.c: see capture.h.
 *
 * Whether the advisor takes a statement, the advisor says: each is read alone, in a workload of its
 * relation, and is planned as an advice would.
 */
#include "config.h"

#include "core/advisor/capture.h"

#include "core/advisor/planner.h"
#include "core/advisor/workload.h"
#include "core/sql/lexer.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"

#include <math.h>

typedef struct
{
  gchar *text;
  gdouble n_calls, n_rows;
  gboolean is_whole;
} Statement;

typedef struct
{
  gchar *name; /* printed */
  gchar *definition;
  gchar *reason;
  gchar *stats;
  GStrv schemas; /* nullable */
} Relation;

struct _KvsqlCapture
{
  GPtrArray *statements; /* Statement */
  GHashTable *by_text;
  GPtrArray *relations; /* Relation */
  GPtrArray *names;     /* of these, and a NULL */
  gchar *costs;         /* nullable */
};

static void
statement_free (gpointer data)
{
  Statement *self = data;

  g_free (self->text);
  g_free (self);
}

static void
relation_free (gpointer data)
{
  Relation *self = data;

  g_free (self->name);
  g_free (self->definition);
  g_free (self->reason);
  g_free (self->stats);
  g_strfreev (self->schemas);
  g_free (self);
}

KvsqlCapture *
kvsql_capture_new (void)
{
  KvsqlCapture *self = g_new0 (KvsqlCapture, 1);

  self->statements = g_ptr_array_new_with_free_func (statement_free);
  self->by_text = g_hash_table_new (g_str_hash, g_str_equal);
  self->relations = g_ptr_array_new_with_free_func (relation_free);
  self->names = g_ptr_array_new ();
  return self;
}

void
kvsql_capture_free (KvsqlCapture *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->statements);
  g_hash_table_unref (self->by_text);
  g_ptr_array_unref (self->relations);
  g_ptr_array_unref (self->names);
  g_free (self->costs);
  g_free (self);
}

void
kvsql_capture_add (KvsqlCapture *self, const KvsqlCapturedStatement *from)
{
  Statement *statement = g_hash_table_lookup (self->by_text, from->text);

  if (statement == NULL)
    {
      statement = g_new0 (Statement, 1);
      statement->text = g_strdup (from->text);
      statement->is_whole = from->is_whole;
      g_ptr_array_add (self->statements, statement);
      g_hash_table_insert (self->by_text, statement->text, statement);
    }
  statement->n_calls += from->n_calls;
  statement->n_rows += from->n_rows;
}

/* ---- relations */

static gchar *
print_name (const KvsqlName *name)
{
  GString *text = g_string_new (NULL);

  kvsql_print_name (name, text);
  return g_string_free (text, FALSE);
}

static gboolean
add_name (const KvsqlName *name, GPtrArray *out, GError **error)
{
  if (name->is_store_table)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                            "a table of the store has no schemas");
  g_ptr_array_add (out, print_name (name));
  return TRUE;
}

/* The names of the relations of a statement, printed; NULL with the reason. (transfer full) */
static GPtrArray *
list_names (const Statement *statement, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const KvsqlAstStatement *ast;
  const KvsqlName *name;

  if (!statement->is_whole)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "its text is longer than the daemon remembers");
      return NULL;
    }
  ast = kvsql_parser_parse (kvsql_slice_from_text (statement->text), arena, error);
  name = ast != NULL ? kvsql_shape_find_relation (ast, error) : NULL;
  if (name == NULL || !add_name (name, names, error))
    return NULL;
  for (guint i = 0; ast->kind == KVSQL_STATEMENT_SELECT && i < ast->select.n_joined; i++)
    if (ast->select.joined[i].query == NULL
        && !add_name (&ast->select.joined[i].relation, names, error))
      return NULL;
  return g_steal_pointer (&names);
}

static Relation *
find_relation (const KvsqlCapture *self, const gchar *name)
{
  for (guint i = 0; i < self->relations->len; i++)
    {
      Relation *relation = self->relations->pdata[i];

      if (g_str_equal (relation->name, name))
        return relation;
    }
  return NULL;
}

static Relation *
add_relation (KvsqlCapture *self, const gchar *name)
{
  Relation *relation = find_relation (self, name);

  if (relation != NULL)
    return relation;
  relation = g_new0 (Relation, 1);
  relation->name = g_strdup (name);
  g_ptr_array_add (self->relations, relation);
  return relation;
}

const gchar *const *
kvsql_capture_list_relations (KvsqlCapture *self)
{
  for (guint i = 0; i < self->statements->len; i++)
    {
      g_autoptr (GPtrArray) names = list_names (self->statements->pdata[i], NULL);

      for (guint n = 0; names != NULL && n < names->len; n++)
        add_relation (self, names->pdata[n]);
    }
  g_ptr_array_set_size (self->names, 0);
  for (guint i = 0; i < self->relations->len; i++)
    g_ptr_array_add (self->names, ((Relation *)self->relations->pdata[i])->name);
  g_ptr_array_add (self->names, NULL);
  return (const gchar *const *)self->names->pdata;
}

/* Four digits, and never an exponent. */
static void
append_number (gdouble number, GString *out)
{
  gboolean is_whole = number >= 1000 || floor (number) == number;
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, g_ascii_formatd (text, sizeof text,
                                         is_whole      ? "%.0f"
                                         : number >= 1 ? "%.4g"
                                                       : "%.9f",
                                         number));
}

static gchar *
make_stats (const gchar *name, gdouble rows, const KvsqlCapturedAttribute *attributes, guint n)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "STATS %s { ROWS ", name);
  append_number (rows, out);
  for (guint i = 0; i < n; i++)
    {
      /* the name as it is, also if it is ROWS */
      const KvsqlName attribute = { .text = attributes[i].name, .is_quoted = TRUE };

      if (attributes[i].distinct <= 0 && attributes[i].bytes <= 0)
        continue;
      g_string_append (out, ", ");
      kvsql_print_name (&attribute, out);
      if (attributes[i].distinct > 0)
        {
          g_string_append (out, " DISTINCT ");
          append_number (attributes[i].distinct, out);
        }
      if (attributes[i].bytes > 0)
        {
          g_string_append (out, " BYTES ");
          append_number (attributes[i].bytes, out);
        }
    }
  g_string_append (out, " };");
  return g_string_free (out, FALSE);
}

void
kvsql_capture_set_relation (KvsqlCapture *self, const gchar *name, const gchar *definition,
                            const gchar *reason, gdouble rows,
                            const KvsqlCapturedAttribute *attributes, guint n_attributes,
                            const gchar *const *schemas)
{
  Relation *relation = add_relation (self, name);

  g_free (relation->definition);
  g_free (relation->reason);
  g_free (relation->stats);
  g_strfreev (relation->schemas);
  relation->definition = g_strdup (definition);
  relation->reason = g_strdup (reason);
  relation->schemas = g_strdupv ((gchar **)schemas);
  relation->stats = rows > 0 ? make_stats (name, rows, attributes, n_attributes) : NULL;
}

/* ---- statements */

/* The advisor looks at the number after LIMIT, which the shape no longer has: so many rows as the
 * statement gives. */
static void
set_limit (KvsqlAstExpr *limit, gdouble rows)
{
  if (limit != NULL && limit->kind == KVSQL_AST_PARAMETER)
    *limit = (KvsqlAstExpr){ .kind = KVSQL_AST_LITERAL,
                             .value = { .type = KVSQL_TYPE_BIGINT,
                                        .integer = (gint64)MAX (ceil (rows), 1) } };
}

/* The statement for the file; NULL: it cannot be parsed. */
static gchar *
make_text (const Statement *statement)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlAstStatement *ast
      = kvsql_parser_parse (kvsql_slice_from_text (statement->text), arena, NULL);
  gdouble rows = statement->n_rows / MAX (statement->n_calls, 1);
  GString *out;

  if (ast == NULL)
    return NULL;
  if (ast->kind == KVSQL_STATEMENT_SELECT)
    set_limit (ast->select.limit, rows);
  else if (ast->kind == KVSQL_STATEMENT_UPDATE)
    set_limit (ast->update.limit, rows);
  else if (ast->kind == KVSQL_STATEMENT_DELETE)
    set_limit (ast->delete_.limit, rows);
  out = g_string_new (NULL);
  kvsql_print_statement (ast, out);
  return g_string_free (out, FALSE);
}

/* How often it runs: an INSERT counts for each of its rows. */
static gdouble
get_weight (const Statement *statement)
{
  return g_str_has_prefix (statement->text, "INSERT") ? MAX (statement->n_calls, statement->n_rows)
                                                      : statement->n_calls;
}

static gchar *
make_entry (const Statement *statement, gdouble seconds)
{
  g_autofree gchar *text = make_text (statement);
  GString *out = g_string_new (text);

  g_string_append (out, seconds > 0 ? " RATE " : " WEIGHT ");
  append_number (get_weight (statement) / (seconds > 0 ? seconds : 1), out);
  g_string_append (out, seconds > 0 ? "/s;" : ";");
  return g_string_free (out, FALSE);
}

/* Whether the end of the statement is not taken for a weight. */
static gboolean
is_read_whole (const KvsqlWorkload *workload, const gchar *entry, GError **error)
{
  const KvsqlWorkloadStatement *read
      = workload->n_joins > 0 ? &workload->joins[0].whole : &workload->statements[0];

  return ((workload->n_joins > 0 || workload->n_statements == 1)
          && g_str_has_prefix (entry, read->text))
         || kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                             "its end would be read as a weight");
}

/* Whether an advice for the statement alone is possible. @definitions: of its relations */
static gboolean
is_advised (const gchar *definitions, const gchar *entry, GError **error)
{
  g_autofree gchar *text = g_strconcat (definitions, entry, "\n", NULL);
  g_autoptr (KvsqlWorkload) workload
      = kvsql_workload_read (kvsql_slice_from_text (text), NULL, error);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  if (workload == NULL || !is_read_whole (workload, entry, error))
    return FALSE;
  workload->planned
      = kvsql_arena_array (workload->arena, KvsqlPlannedCosts, workload->n_statements);
  for (guint i = 0; i < workload->n_relations; i++)
    {
      KvsqlDesigns designs = { 0 };

      if (!kvsql_designs_make (workload, i, arena, &designs, error))
        return FALSE;
      designs.n = 1;
      if (!kvsql_planner_cost (workload, i, &designs, error))
        return FALSE;
    }
  return TRUE;
}

/* Appends the definitions of the relations, each once. */
static gboolean
append_definitions (const KvsqlCapture *self, const GPtrArray *names, GString *out, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < names->len; i++)
    {
      Relation *relation = find_relation (self, names->pdata[i]);

      if (relation == NULL || relation->definition == NULL)
        return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE, "%s",
                                relation != NULL && relation->reason != NULL
                                    ? relation->reason
                                    : "its relation is not known");
      if (g_hash_table_add (seen, relation))
        g_string_append_printf (out, "%s;\n", relation->definition);
    }
  return TRUE;
}

/* The entry of a statement that can be advised on; NULL with the reason. */
static gchar *
find_entry (const KvsqlCapture *self, const Statement *statement, gdouble seconds, GError **error)
{
  g_autoptr (GPtrArray) names = list_names (statement, error);
  g_autoptr (GString) definitions = g_string_new (NULL);
  g_autofree gchar *entry = NULL;

  if (names == NULL || !append_definitions (self, names, definitions, error))
    return NULL;
  entry = make_entry (statement, seconds);
  return is_advised (definitions->str, entry, error) ? g_steal_pointer (&entry) : NULL;
}

/* In a comment, each line begins with dashes. */
static void
append_comment (const Statement *statement, gdouble seconds, const GError *error, GString *out)
{
  g_auto (GStrv) lines = g_strsplit_set (statement->text, "\r\n", -1);
  g_autofree gchar *text = g_strjoinv ("\n--   ", lines);

  g_string_append_printf (out, "-- left out (%s, ", error->message);
  append_number (statement->n_calls / (seconds > 0 ? seconds : 1), out);
  g_string_append_printf (out, " %s):\n--   %s\n", seconds > 0 ? "a second" : "calls", text);
}

static void
append_relation (const Relation *relation, GString *out)
{
  g_string_append_printf (out, "%s;\n", relation->definition);
  if (relation->stats != NULL)
    g_string_append_printf (out, "%s\n", relation->stats);
  else
    g_string_append_printf (out, "-- no STATS: %s\n",
                            relation->reason != NULL ? relation->reason : "it has no rows");
  for (guint i = 0; relation->schemas != NULL && relation->schemas[i] != NULL; i++)
    g_string_append_printf (out, "%s;\n", relation->schemas[i]);
}

void
kvsql_capture_set_costs (KvsqlCapture *self, const gchar *costs)
{
  g_free (self->costs);
  self->costs = g_strdup (costs);
}

static void
append_costs (const KvsqlCapture *self, GString *out)
{
  if (self->costs != NULL)
    g_string_append_printf (out, "COSTS '%s';\n", self->costs);
}

gchar *
kvsql_capture_print_relations (const KvsqlCapture *self)
{
  GString *out = g_string_new (NULL);

  append_costs (self, out);
  for (guint i = 0; i < self->relations->len; i++)
    if (((const Relation *)self->relations->pdata[i])->definition != NULL)
      append_relation (self->relations->pdata[i], out);
  return g_string_free (out, FALSE);
}

gboolean
kvsql_capture_is_named (const gchar *workload, const gchar *relation)
{
  KvsqlLexer lexer = { .text = (const guint8 *)workload, .size = strlen (workload) };

  for (;;)
    {
      KvsqlToken token = kvsql_lexer_next (&lexer, NULL);
      g_autofree gchar *word = NULL;

      if (token.kind == KVSQL_TOKEN_END)
        return FALSE;
      if (token.kind == KVSQL_TOKEN_ERROR)
        return TRUE; /* the reader of the workload says what is wrong */
      word = g_strndup (workload + token.span.offset, (gsize)token.span.length);
      if (g_ascii_strcasecmp (word, relation) == 0
          || (strlen (word) > 2 && strlen (word) - 2 == strlen (relation)
              && g_ascii_strncasecmp (word + 1, relation, strlen (relation)) == 0))
        return TRUE;
    }
}

gchar *
kvsql_capture_print (KvsqlCapture *self, const gchar *name, gdouble seconds, guint *out_n_advised)
{
  g_autoptr (GString) entries = g_string_new (NULL), comments = g_string_new (NULL);
  g_autoptr (GHashTable) used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GString *out = g_string_new (NULL);
  const KvsqlName workload = { .text = name };
  guint n_advised = 0;

  for (guint i = 0; i < self->statements->len; i++)
    {
      const Statement *statement = self->statements->pdata[i];
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) names = NULL;
      g_autofree gchar *entry = NULL;

      if (statement->n_calls <= 0)
        continue; /* only further pages */
      entry = find_entry (self, statement, seconds, &error);
      if (entry == NULL)
        {
          append_comment (statement, seconds, error, comments);
          continue;
        }
      n_advised++;
      names = list_names (statement, NULL);
      for (guint n = 0; n < names->len; n++)
        g_hash_table_add (used, g_strdup (names->pdata[n]));
      g_string_append_printf (entries, "%s\n", entry);
    }
  g_string_append (out, "WORKLOAD ");
  kvsql_print_name (&workload, out);
  g_string_append (out, ";\n\n");
  append_costs (self, out);
  for (guint i = 0; i < self->relations->len; i++)
    {
      const Relation *relation = self->relations->pdata[i];

      if (!g_hash_table_contains (used, relation->name))
        continue;
      append_relation (relation, out);
    }
  g_string_append_printf (out, "\n%s", entries->str);
  if (comments->len > 0)
    g_string_append_printf (out, "\n%s", comments->str);
  if (out_n_advised != NULL)
    *out_n_advised = n_advised;
  return g_string_free (out, FALSE);
}
