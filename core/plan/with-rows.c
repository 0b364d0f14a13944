/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * with-rows.c: see the header.
 *
 * A recursive query first runs its non-recursive term. Then it runs its recursive term with the
 * rows of the last step in place of its own name, until a step gives no row.
 */
#include "config.h"

#include "core/plan/with-rows.h"

#include "core/base/hash.h"
#include "core/base/interrupt.h"
#include "core/expr/function.h"
#include "core/plan/group.h"
#include "core/sql/copy.h"
#include "core/sql/visit.h"

#define MAX_STEPS 100000

/* ---- which queries */

static void
look_at_expr (KvsqlAstExpr *expr, gpointer data)
{
  const KvsqlFunction *functions[KVSQL_FUNCTION_MAX_OVERLOADS];
  g_autofree gchar *name = NULL;
  guint n;

  if (expr->kind != KVSQL_AST_FUNCTION)
    return;
  name = g_ascii_strdown (expr->name.text, -1);
  n = kvsql_function_find (name, functions, G_N_ELEMENTS (functions));
  for (guint i = 0; i < MIN (n, G_N_ELEMENTS (functions)); i++)
    if (functions[i]->is_volatile)
      *(gboolean *)data = TRUE;
}

static gboolean
is_volatile (const KvsqlSelect *query)
{
  gboolean found = FALSE;
  const KvsqlAstVisitor visitor = { .expr = look_at_expr, .data = &found };

  kvsql_select_visit ((KvsqlSelect *)query, &visitor);
  return found;
}

gboolean
kvsql_with_needs_rows (const KvsqlSelect *query, gboolean is_inside)
{
  if (query->recursive_name.text != NULL)
    return TRUE;
  return (query->n_uses > 1 || (query->n_uses == 1 && is_inside))
         && (query->is_materialized || is_volatile (query));
}

/* ---- rows as a SELECT */

static KvsqlAstExpr *
new_name (guint column, KvsqlArena *arena)
{
  KvsqlAstExpr *name = kvsql_arena_new0 (arena, KvsqlAstExpr);

  name->kind = KVSQL_AST_NAME;
  name->span = KVSQL_SPAN_NONE;
  name->name = (KvsqlName){ .span = KVSQL_SPAN_NONE,
                            .text = kvsql_arena_printf (arena, "column%u", column + 1) };
  return name;
}

static KvsqlAstExpr *
new_cast (KvsqlAstExpr *value, KvsqlOutputType type, KvsqlArena *arena)
{
  return kvsql_type_is_collection (type.type) || type.type == KVSQL_TYPE_NULL
             ? value
             : kvsql_subquery_make_cast (value, type, arena);
}

static KvsqlAstExpr *
new_null (KvsqlArena *arena)
{
  return kvsql_subquery_make_literal (&KVSQL_VALUE_NULL, KVSQL_SPAN_NONE, arena);
}

/* VALUES (…), … */
static KvsqlSelect *
new_values (const KvsqlColumns *columns, KvsqlAstExpr *const *values, guint n_rows,
            KvsqlArena *arena)
{
  KvsqlSelect *self = kvsql_arena_new0 (arena, KvsqlSelect);

  self->n_rows = n_rows;
  self->n_values = columns->n;
  self->rows = kvsql_arena_array (arena, KvsqlAstExpr **, n_rows);
  for (guint i = 0; i < n_rows; i++)
    self->rows[i] = (KvsqlAstExpr **)values + (gsize)i * columns->n;
  return self;
}

/* The columns, of @n_rows rows of @values, one row after the other. The values live as long as
 * @arena. */
static KvsqlSelect *
select_rows (const KvsqlColumns *columns, KvsqlAstExpr *const *values, guint n_rows,
             KvsqlArena *arena)
{
  KvsqlSelect *self = kvsql_arena_new0 (arena, KvsqlSelect);

  self->n_items = columns->n;
  self->items = kvsql_arena_array (arena, KvsqlSelectItem, columns->n);
  for (guint i = 0; i < columns->n; i++)
    self->items[i] = (KvsqlSelectItem){
      .span = KVSQL_SPAN_NONE,
      .expr
      = new_cast (n_rows == 0 ? new_null (arena) : new_name (i, arena), columns->types[i], arena),
      .alias = { .span = KVSQL_SPAN_NONE, .text = columns->names[i], .is_quoted = TRUE }
    };
  if (n_rows == 0)
    {
      const KvsqlValue no = { .type = KVSQL_TYPE_BOOLEAN, .boolean = FALSE };

      self->where = kvsql_subquery_make_literal (&no, KVSQL_SPAN_NONE, arena);
      return self;
    }
  self->from.relation = (KvsqlName){ .span = KVSQL_SPAN_NONE, .text = "rows", .is_quoted = TRUE };
  self->from.query = new_values (columns, values, n_rows, arena);
  return self;
}

/* ---- recursive queries */

typedef struct
{
  const KvsqlSubqueryRunner *runner;
  const KvsqlSelect *query;
  const KvsqlSelect *written; /* what the references to it say */
  KvsqlColumns columns;
  GPtrArray *values; /* of all rows so far */
  GHashTable *known; /* nullable: of UNION: the rows, so that each is given once */
  guint64 most_rows;
} Recursion;

typedef struct
{
  const KvsqlSelect *query;
  KvsqlSelect *rows;
} Replacement;

static void
replace_itself (KvsqlSource *source, gpointer data)
{
  const Replacement *self = data;

  if (source->query != NULL && source->query->working_of == self->query)
    source->query = self->rows;
}

static KvsqlSelect *
new_union (KvsqlSelect *first, KvsqlSelect *second, KvsqlArena *arena)
{
  KvsqlSelect *self = kvsql_arena_new0 (arena, KvsqlSelect);

  self->set = kvsql_arena_new0 (arena, KvsqlSetOperation);
  self->set->kind = KVSQL_SET_UNION;
  self->set->is_all = TRUE;
  self->set->span = KVSQL_SPAN_NONE;
  self->set->operands = kvsql_arena_array (arena, KvsqlSelect *, 2);
  self->set->operands[0] = first;
  self->set->operands[1] = second;
  self->set->n_operands = 2;
  return self;
}

static const KvsqlSelect *
get_recursive_term (const Recursion *self)
{
  return self->query->set->operands[self->query->set->n_operands - 1];
}

/* The recursive term over the rows from number @first on. UNION with no rows converts it. */
static KvsqlSelect *
make_step (const Recursion *self, guint first, KvsqlArena *arena)
{
  KvsqlAstExpr *const *values
      = (KvsqlAstExpr *const *)self->values->pdata + (gsize)first * self->columns.n;
  guint n = self->values->len / self->columns.n - first;
  Replacement replacement = {
    self->written,
    select_rows (&self->columns,
                 kvsql_arena_copy (arena, values, (gsize)n * self->columns.n * sizeof *values), n,
                 arena)
  };
  const KvsqlAstVisitor visitor = { .source = replace_itself, .data = &replacement };
  KvsqlSelect *term = kvsql_select_copy (get_recursive_term (self), arena);

  kvsql_select_visit (term, &visitor);
  return new_union (select_rows (&self->columns, NULL, 0, arena), term, arena);
}

/* The operands before the last one. */
static KvsqlSelect *
make_first (const Recursion *self)
{
  KvsqlArena *arena = self->runner->arena;
  KvsqlSelect *first = kvsql_arena_copy (arena, self->query, sizeof *self->query);

  first->recursive_name.text = NULL;
  if (first->set->n_operands == 2)
    return first->set->operands[0];
  first->set = kvsql_arena_copy (arena, first->set, sizeof *first->set);
  first->set->n_operands--;
  return first;
}

static gboolean
reject_aggregate (const KvsqlSelect *term, GError **error)
{
  const KvsqlAstExpr *found
      = term->having == NULL ? NULL : kvsql_group_find_aggregate (term->having);

  for (guint i = 0; i < term->n_items && found == NULL; i++)
    found = kvsql_group_find_aggregate (term->items[i].expr);
  if (found == NULL)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, found->span,
                   "aggregate functions are not allowed in a recursive query's recursive term");
  return kvsql_error_sqlstate (error, "42P19");
}

/* The recursive term must not change the types of the other one. */
static gboolean
check_types (const Recursion *self, GError **error)
{
  const gchar *name = self->query->recursive_name.text;
  KvsqlColumns both;

  if (!self->runner->describe (make_step (self, 0, self->runner->arena), &both, self->runner->data,
                               error))
    return FALSE;
  for (guint i = 0; i < self->columns.n; i++)
    if (both.types[i].type != self->columns.types[i].type)
      {
        kvsql_error_set (error, KVSQL_ERROR_TYPE, self->query->recursive_name.span,
                         "recursive query \"%s\" column %u has type %s in non-recursive term but "
                         "type %s overall",
                         name, i + 1, kvsql_type_get_name (self->columns.types[i].type),
                         kvsql_type_get_name (both.types[i].type));
        return kvsql_error_hint (error, "Cast the output of the non-recursive term to the correct "
                                        "type.");
      }
  return TRUE;
}

static gboolean
fail_endless (const Recursion *self, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, self->query->recursive_name.span,
                   "recursive query \"%s\" has not ended after %d steps",
                   self->query->recursive_name.text, MAX_STEPS);
  return kvsql_error_hint (error, "Its recursive term needs a condition that becomes false, or "
                                  "write UNION, which ends when no row is new.");
}

static gboolean
iterate (Recursion *self, GError **error)
{
  guint first = 0;

  for (guint step = 0; self->values->len > (gsize)first * self->columns.n; step++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      KvsqlSelect *select;

      if (step == MAX_STEPS)
        return fail_endless (self, error);
      if (self->values->len / self->columns.n >= self->most_rows)
        return TRUE;
      select = make_step (self, first, arena);
      first = self->values->len / self->columns.n;
      if (!self->runner->run_rows (self->runner, select, self->columns.n, self->known, self->values,
                                   self->runner->data, error))
        return FALSE;
    }
  return kvsql_interrupt_poll (error);
}

static gboolean
run_recursive (Recursion *self, GError **error)
{
  const KvsqlSubqueryRunner *runner = self->runner;
  const KvsqlSelect *first = make_first (self);

  if (!reject_aggregate (get_recursive_term (self), error)
      || !runner->describe (first, &self->columns, runner->data, error)
      || !check_types (self, error)
      || !runner->run_rows (runner, first, self->columns.n, self->known, self->values, runner->data,
                            error))
    return FALSE;
  return iterate (self, error);
}

/* ---- the whole */

KvsqlSelect *
kvsql_with_rows_run (const KvsqlSubqueryRunner *runner, const KvsqlSelect *written,
                     const KvsqlSelect *query, guint64 most_rows, GError **error)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  g_autoptr (GHashTable) known = NULL;
  gboolean is_recursive = query->recursive_name.text != NULL;
  Recursion self = {
    .runner = runner, .query = query, .written = written, .values = values, .most_rows = most_rows
  };
  KvsqlAstExpr *const *copy;
  guint n_rows;

  if (is_recursive && !query->set->is_all)
    self.known = known
        = g_hash_table_new_full (kvsql_slice_hash_func, kvsql_slice_equal_func, NULL, NULL);
  if (is_recursive ? !run_recursive (&self, error)
                   : !runner->describe (query, &self.columns, runner->data, error)
                         || !runner->run_rows (runner, query, self.columns.n, NULL, values,
                                               runner->data, error))
    return NULL;
  n_rows = values->len / self.columns.n;
  copy = kvsql_arena_copy (runner->arena, values->pdata, values->len * sizeof (gpointer));
  return select_rows (&self.columns, copy, n_rows, runner->arena);
}
