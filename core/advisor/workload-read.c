/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * workload-read.c: reads a workload file.
 *
 * The file is cut at every ';', as any script (kvsql_sql_split ()). A piece is a directive, or a
 * statement. So the '{' of a GROUP is at the beginning of a piece that goes on with the first
 * statement of the group, and its '}' at the beginning of a piece that has nothing else.
 */
#include "config.h"

#include "core/advisor/join-split.h"
#include "core/advisor/workload-private.h"
#include "core/base/interrupt.h"
#include "core/catalog/schema.h"
#include "core/sql/parser.h"

/* Without COSTS, the store is taken to be RocksDB. */
#define ROCKSDB_REQUEST_COST 10

#define MAX_STATEMENTS 10000

/* ---- definitions */

static gboolean
add_relation (KvsqlWorkload *self, const KvsqlAstStatement *ast, KvsqlSlice text, GError **error)
{
  const KvsqlName *name = &ast->define_relation.name;
  KvsqlWorkloadRelation *relation;

  if (kvsql_workload_find_relation (self, name, NULL) != G_MAXUINT)
    return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, name->span,
                            "relation \"%s\" is defined twice", name->text);
  relation = KVSQL_ARENA_ADD (self->arena, self->relations, self->n_relations);
  *relation = (KvsqlWorkloadRelation){ 0 };
  relation->definition = kvsql_arena_strndup (self->arena, (const gchar *)text.data, text.size);
  relation->relation = kvsql_relation_new (&ast->define_relation, error);
  if (relation->relation == NULL)
    return FALSE;
  relation->attributes
      = kvsql_arena_array (self->arena, KvsqlWorkloadAttribute, relation->relation->n_attributes);
  return TRUE;
}

static gboolean
read_definition (KvsqlWorkloadReader *self, KvsqlSlice text, GError **error)
{
  KvsqlAstStatement *ast = kvsql_parser_parse (text, self->workload->arena, error);

  if (ast == NULL)
    return FALSE;
  if (ast->kind == KVSQL_STATEMENT_DEFINE_SCHEMA)
    return kvsql_workload_add_schema (self->workload, ast, text, error);
  if (ast->kind != KVSQL_STATEMENT_DEFINE_RELATION)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, ast->span,
                            "a workload defines relations and schemas only");
  return add_relation (self->workload, ast, text, error);
}

/* ---- statements */

static gboolean
is_number (const KvsqlToken *token)
{
  return token->kind == KVSQL_TOKEN_INTEGER || token->kind == KVSQL_TOKEN_DECIMAL
         || token->kind == KVSQL_TOKEN_REAL;
}

/* Whether FRESH, SLO, WEIGHT or RATE of the statement is the next token, and not an attribute with
 * such a name: FRESH is at the end of an INSERT, the others have a number. */
static gboolean
is_tail (const KvsqlWorkloadReader *self, gboolean is_insert)
{
  KvsqlWorkloadReader ahead = *self;

  if (kvsql_workload_is_word (self, "FRESH"))
    return is_insert && kvsql_workload_advance (&ahead, NULL)
           && (ahead.token.kind == KVSQL_TOKEN_END || is_tail (&ahead, FALSE));
  if (!kvsql_workload_is_word (self, "WEIGHT") && !kvsql_workload_is_word (self, "RATE")
      && !kvsql_workload_is_word (self, "SLO"))
    return FALSE;
  if (!kvsql_workload_advance (&ahead, NULL))
    return kvsql_workload_is_word (self, "SLO"); /* 20ms is not a token */
  return is_number (&ahead.token)
         || (ahead.token.kind == KVSQL_TOKEN_WORD
             && ahead.token.keyword != KVSQL_KEYWORD_LIMIT /* ORDER BY rate LIMIT 3 */
             && ahead.token.keyword != KVSQL_KEYWORD_OFFSET && kvsql_workload_advance (&ahead, NULL)
             && is_number (&ahead.token));
}

/* Finds the end of the statement without its tail. */
static gboolean
find_end (const KvsqlWorkloadReader *self, gsize *out_end, GError **error)
{
  gboolean is_insert = kvsql_workload_is_word (self, "INSERT");
  KvsqlWorkloadReader at = *self;

  while (at.token.kind != KVSQL_TOKEN_END)
    {
      if (!kvsql_workload_advance (&at, error) || !kvsql_interrupt_tick ())
        return FALSE;
      if (is_tail (&at, is_insert))
        {
          *out_end = (gsize)at.token.span.offset;
          return TRUE;
        }
    }
  *out_end = at.lexer.size;
  return TRUE;
}

/* FRESH SLO 20ms WEIGHT 2 */
static gboolean
read_tail (KvsqlWorkloadReader *self, gsize end, KvsqlWorkloadStatement *statement, GError **error)
{
  gboolean is_fresh = FALSE, has_weights = FALSE;

  self->lexer.offset = end;
  if (!kvsql_workload_advance (self, error))
    return FALSE;
  while (self->token.kind != KVSQL_TOKEN_END)
    {
      if (!statement->is_fresh && !kvsql_workload_accept_word (self, "FRESH", &is_fresh, error))
        return FALSE;
      if (is_fresh)
        statement->is_fresh = TRUE;
      else if (!has_weights && kvsql_workload_is_rate (self))
        {
          has_weights = TRUE;
          if (!kvsql_workload_read_weights (self, &statement->weight, error))
            return FALSE;
        }
      else if (statement->slo > 0 || !kvsql_workload_is_word (self, "SLO"))
        return kvsql_workload_fail (self, "the end of the statement", error);
      else if (!kvsql_workload_read_slo (self, statement, error))
        return FALSE;
      is_fresh = FALSE;
    }
  return TRUE;
}

static gboolean
read_shape (KvsqlWorkload *self, KvsqlWorkloadStatement *statement, GError **error)
{
  const KvsqlName *name = kvsql_shape_find_relation (statement->ast, error);
  KvsqlWorkloadRelation *relation;
  KvsqlAttributeSet used;

  statement->relation = name != NULL ? kvsql_workload_find_relation (self, name, error) : G_MAXUINT;
  if (statement->relation == G_MAXUINT)
    return FALSE;
  relation = &self->relations[statement->relation];
  if (!kvsql_shape_make (statement->ast, relation->relation, self->arena, &statement->shape, error))
    return FALSE;
  used = kvsql_shape_get_needed (&statement->shape);
  kvsql_attribute_set_add_all (&used, &statement->shape.assigned);
  kvsql_attribute_set_add_all (&relation->used, &used);
  return TRUE;
}

/* The position of an error in a statement, in the file. */
static gboolean
move_error (GError **error, gsize start)
{
  KvsqlSpan span = error != NULL ? kvsql_error_get_span (*error) : KVSQL_SPAN_NONE;

  span.offset += span.offset >= 0 ? (gint32)start : 0;
  return kvsql_error_move (error, span);
}

/* Its parts depend on STATS, which may follow. */
static gboolean
add_join (KvsqlWorkload *self, KvsqlAstStatement *ast, KvsqlWorkloadStatement *whole,
          GError **error)
{
  guint n_joins = self->n_joins;

  if (whole->slo > 0)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, whole->slo_span,
                            "the advisor does not take an SLO of a join yet")
           || kvsql_error_hint (error, "Leave SLO out.");
  whole->join = n_joins;
  whole->shape = (KvsqlShape){ .kind = KVSQL_STATEMENT_SELECT };
  *KVSQL_ARENA_ADD (self->arena, self->joins, self->n_joins) = (KvsqlWorkloadJoin){ *whole, ast };
  return TRUE;
}

static gboolean
is_join (const KvsqlAstStatement *ast)
{
  return ast->kind == KVSQL_STATEMENT_SELECT && ast->select.set == NULL && ast->select.n_joined > 0;
}

static gboolean
read_statement (KvsqlWorkloadReader *self, guint number, GError **error)
{
  KvsqlWorkload *workload = self->workload;
  gsize start = (gsize)self->token.span.offset, end;
  KvsqlWorkloadStatement statement = { .number = number, .join = KVSQL_NO_JOIN, .repeats = 1 };
  KvsqlAstStatement *ast;
  KvsqlSlice text;

  statement.weight = self->is_in_group ? self->weight : 1;
  if (!find_end (self, &end, error) || !read_tail (self, end, &statement, error))
    return FALSE;
  while (end > start && g_ascii_isspace (self->lexer.text[end - 1]))
    end--;
  text = kvsql_slice (self->lexer.text + start, end - start);
  statement.span = (KvsqlSpan){ (gint32)start, (gint32)text.size };
  statement.text = kvsql_arena_strndup (workload->arena, (const gchar *)text.data, text.size);
  statement.ast = ast = kvsql_parser_parse (text, workload->arena, error);
  if (ast == NULL)
    return move_error (error, start);
  if (is_join (ast))
    return add_join (workload, ast, &statement, error);
  if (!read_shape (workload, &statement, error))
    return move_error (error, start);
  statement.first = workload->n_statements;
  statement.total = statement.weight;
  if (statement.weight > 0)
    *KVSQL_ARENA_ADD (workload->arena, workload->statements, workload->n_statements) = statement;
  return TRUE;
}

/* ---- directives */

/* GROUP name WEIGHT … {, or RATE in place of WEIGHT */
static gboolean
read_group (KvsqlWorkloadReader *self, GError **error)
{
  KvsqlName name;

  if (self->is_in_group)
    return kvsql_workload_fail (self, "\"}\" before the next group", error);
  self->is_in_group = TRUE;
  return kvsql_workload_expect_word (self, "GROUP", error)
         && kvsql_workload_expect_name (self, &name, error)
         && (kvsql_workload_is_rate (self) || kvsql_workload_fail (self, "WEIGHT", error))
         && kvsql_workload_read_weights (self, &self->weight, error)
         && kvsql_workload_expect_symbol (self, '{', error);
}

/* WORKLOAD, MIX, STATS, COSTS */
static gboolean
read_directive (KvsqlWorkloadReader *self, gboolean *out_was_one, GError **error)
{
  KvsqlName name = { .text = NULL };
  gboolean is_workload, is_mix, is_stats, is_costs;

  if (!kvsql_workload_accept_word (self, "WORKLOAD", &is_workload, error)
      || !kvsql_workload_accept_word (self, "MIX", &is_mix, error)
      || !kvsql_workload_accept_word (self, "STATS", &is_stats, error)
      || !kvsql_workload_accept_word (self, "COSTS", &is_costs, error))
    return FALSE;
  *out_was_one = is_workload || is_mix || is_stats || is_costs;
  if ((is_workload && !kvsql_workload_expect_name (self, &name, error))
      || (is_mix && !kvsql_workload_read_mixes (self, error))
      || (is_stats && !kvsql_workload_read_stats (self, error))
      || (is_costs && !kvsql_workload_read_costs (self, error)))
    return FALSE;
  if (is_workload)
    self->workload->name = name.text;
  return TRUE;
}

static gboolean
read_piece (KvsqlWorkloadReader *self, guint *n_statements, GError **error)
{
  gsize start = (gsize)self->token.span.offset;
  gboolean was_directive, is_end = FALSE;

  if (kvsql_workload_is_word (self, "DEFINE"))
    {
      KvsqlSlice text = kvsql_slice (self->lexer.text + start, self->lexer.size - start);
      return read_definition (self, text, error) || move_error (error, start);
    }
  if (!read_directive (self, &was_directive, error))
    return FALSE;
  if (!was_directive && kvsql_workload_is_word (self, "GROUP") && !read_group (self, error))
    return FALSE;
  if (!was_directive && self->is_in_group
      && !kvsql_workload_accept_symbol (self, '}', &is_end, error))
    return FALSE;
  if (is_end)
    self->is_in_group = FALSE;
  if (!was_directive && !is_end)
    return read_statement (self, ++*n_statements, error);
  return self->token.kind == KVSQL_TOKEN_END || kvsql_workload_fail (self, "\";\"", error);
}

/* ---- the file */

static gboolean
read_file (KvsqlWorkloadReader *self, KvsqlSlice text, GError **error)
{
  gboolean is_complete;
  guint n_statements = 0;
  gsize offset = 0;
  KvsqlSlice piece;

  while (kvsql_sql_split (text, &offset, &piece, &is_complete))
    {
      self->lexer = (KvsqlLexer){ .text = text.data };
      self->lexer.offset = (gsize)(piece.data - text.data);
      self->lexer.size = self->lexer.offset + piece.size;
      if (!kvsql_workload_advance (self, error) || !read_piece (self, &n_statements, error)
          || !kvsql_interrupt_check (error))
        return FALSE;
      if (n_statements > MAX_STATEMENTS)
        return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                                "a workload has at most %u statements", MAX_STATEMENTS);
    }
  if (self->is_in_group)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, KVSQL_SPAN_NONE,
                            "the last group has no \"}\"");
  if (self->wanted != NULL && self->n_mixes == 0)
    return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE,
                            "mix \"%s\" does not exist", self->wanted)
           || kvsql_error_hint (error, "The workload has no MIX.");
  return TRUE;
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  const KvsqlWorkloadStatement *left = a, *right = b;

  if (left->number != right->number)
    return left->number < right->number ? -1 : 1;
  return left->first < right->first ? -1 : left->first > right->first;
}

/* The parts of joins are put where the joins are. */
static gboolean
split_joins (KvsqlWorkload *self, GError **error)
{
  for (guint i = 0; i < self->n_joins; i++)
    if (!kvsql_join_split (self, i, error))
      return move_error (error, (gsize)self->joins[i].whole.span.offset);
  if (self->n_statements == 0)
    return TRUE;
  for (guint i = 0; i < self->n_statements; i++)
    self->statements[i].first = i;
  qsort (self->statements, self->n_statements, sizeof *self->statements, compare_numbers);
  for (guint i = 0; i < self->n_statements; i++)
    {
      self->statements[i].first = i;
      self->statements[i].total = self->statements[i].weight;
    }
  return TRUE;
}

static gboolean
check (const KvsqlWorkload *self, GError **error)
{
  if (self->n_statements == 0)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "the workload has no statements")
           || kvsql_error_hint (error, "Each weight is that of a mix; see --mix.");
  return TRUE;
}

KvsqlWorkload *
kvsql_workload_read (KvsqlSlice text, const gchar *mix, GError **error)
{
  g_autoptr (KvsqlWorkload) self = g_new0 (KvsqlWorkload, 1);
  KvsqlWorkloadReader reader = { .workload = self, .wanted = mix };

  self->arena = kvsql_arena_new ();
  self->costs = KVSQL_USUAL_STORE_COSTS (ROCKSDB_REQUEST_COST);
  if (text.size > G_MAXINT32 || !g_utf8_validate_len ((const gchar *)text.data, text.size, NULL))
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "the workload is not a text in UTF-8");
      return NULL;
    }
  if (!read_file (&reader, text, error) || !split_joins (self, error) || !check (self, error))
    return NULL;
  return g_steal_pointer (&self);
}
