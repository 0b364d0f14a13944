/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-join.c: see the header.
 *
 * Below a node of FROM, relations have consecutive numbers. So the scope of a condition is a part
 * of the array of relations.
 */
#include "config.h"

#include "core/plan/bind-join.h"

#include "core/plan/bind-semi.h"
#include "core/plan/bind-subquery.h"
#include "core/plan/find-relation.h"
#include "core/plan/group.h"

typedef struct
{
  const KvsqlSelect *select;
  KvsqlBinder *binder;
  KvsqlBoundFrom *from;
  KvsqlSelectPlan *const *queries;
  KvsqlBoundSemi *raised; /* conditions of a subquery that are about the statement around it */
} Binding;

/* What a node of FROM gives to the conditions above it. */
typedef struct
{
  KvsqlJoinTree *tree;
  guint first, n; /* relations */
  KvsqlBinderColumn *columns;
  guint n_columns;
} Scope;

static gboolean bind_join (Binding *self, const KvsqlJoin *join, Scope *out, GError **error);

/* ---- relations */

static gboolean
is_same_name (const KvsqlBinderRelation *a, const KvsqlBinderRelation *b)
{
  KvsqlName name
      = { .text = kvsql_binder_relation_name (a),
          .is_quoted = a->alias->text != NULL ? a->alias->is_quoted : a->relation->is_quoted };

  return kvsql_name_means (&name, kvsql_binder_relation_name (b),
                           b->alias->text != NULL ? b->alias->is_quoted : b->relation->is_quoted);
}

static gboolean
reject_same_names (const KvsqlSelect *select, const KvsqlBinderRelation *relations, guint n,
                   GError **error)
{
  const KvsqlSource *last = kvsql_select_get_source (select, n - 1);
  KvsqlSpan span = last->alias.text != NULL ? last->alias.span : last->relation.span;

  for (guint i = 0; i + 1 < n; i++)
    if (kvsql_select_get_source (select, i)->scope == last->scope
        && is_same_name (&relations[i], &relations[n - 1]))
      return kvsql_error_set (error, KVSQL_ERROR_INVALID, span, "FROM has \"%s\" twice",
                              kvsql_binder_relation_name (&relations[i]))
             || kvsql_error_hint (error, "Give one of them an alias: FROM %s AS x.",
                                  relations[n - 1].relation->name);
  return TRUE;
}

static gboolean
too_wide (KvsqlSpan span, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_LIMIT, span,
                          "the relations of FROM have more than %d attributes together",
                          KVSQL_MAX_ATTRIBUTES);
}

/* @query: nullable */
static gboolean
find_relation (Binding *self, guint i, const KvsqlCatalog *catalog, const KvsqlSelectPlan *query,
               guint first, GError **error)
{
  const KvsqlSource *source = kvsql_select_get_source (self->select, i);
  KvsqlBoundFrom *from = self->from;

  from->relations[i] = (KvsqlBinderRelation){ NULL, &source->alias, first };
  from->entries[i]
      = query != NULL ? NULL : kvsql_plan_find_relation (catalog, &source->relation, error);
  if (query == NULL && from->entries[i] == NULL)
    return FALSE;
  from->relations[i].relation = query != NULL ? query->relation : from->entries[i]->relation;
  return TRUE;
}

static gboolean
find_relations (const KvsqlCatalog *catalog, KvsqlSelectPlan *const *queries, Binding *self,
                GError **error)
{
  KvsqlBoundFrom *from = self->from;
  KvsqlArena *arena = self->binder->arena;
  guint n_columns = 0;

  from->n_relations = self->select->n_joined + 1;
  from->entries = kvsql_arena_array (arena, const KvsqlCatalogEntry *, from->n_relations);
  from->relations = kvsql_arena_array (arena, KvsqlBinderRelation, from->n_relations);
  for (guint i = 0; i < from->n_relations; i++)
    {
      const KvsqlSource *source = kvsql_select_get_source (self->select, i);

      if (!find_relation (self, i, catalog, queries[i], n_columns, error))
        return FALSE;
      n_columns += from->relations[i].relation->n_attributes;
      if (n_columns > KVSQL_MAX_ATTRIBUTES)
        return too_wide (source->relation.span, error);
      if (!reject_same_names (self->select, from->relations, i + 1, error))
        return FALSE;
      from->n_visible += source->scope == 0;
    }
  return TRUE;
}

/* A relation with the attributes of all relations, under qualified names, and room for merged
 * columns. */
static KvsqlRelation *
make_relation (const KvsqlBoundFrom *from, KvsqlArena *arena)
{
  KvsqlRelation *self = kvsql_arena_new0 (arena, KvsqlRelation);
  g_autoptr (GString) names = g_string_new (NULL);

  self->attributes = kvsql_arena_array (arena, KvsqlAttribute, KVSQL_MAX_ATTRIBUTES);
  for (guint i = 0; i < from->n_relations; i++)
    {
      const KvsqlBinderRelation *one = &from->relations[i];
      const gchar *name = kvsql_binder_relation_name (one);

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", name);
      for (guint a = 0; a < one->relation->n_attributes; a++)
        {
          KvsqlAttribute *attribute = &self->attributes[self->n_attributes++];

          *attribute = one->relation->attributes[a];
          attribute->name = kvsql_arena_printf (arena, "%s.%s", name, attribute->name);
        }
    }
  self->name = kvsql_arena_strdup (arena, names->str);
  return self;
}

/* ---- columns */

static void
add_column (Scope *scope, const KvsqlBinderColumn *column, KvsqlArena *arena)
{
  *KVSQL_ARENA_ADD (arena, scope->columns, scope->n_columns) = *column;
}

static void
bind_leaf (Binding *self, guint number, Scope *out)
{
  const KvsqlBinderRelation *one = &self->from->relations[number];
  KvsqlArena *arena = self->binder->arena;

  *out = (Scope){ .tree = kvsql_arena_new0 (arena, KvsqlJoinTree), .first = number, .n = 1 };
  out->tree->kind = KVSQL_JOIN_TREE_LEAF;
  out->tree->leaf = number;
  for (guint a = 0; a < one->relation->n_attributes; a++)
    {
      const KvsqlAttribute *attribute = &one->relation->attributes[a];
      const KvsqlBinderColumn column
          = { attribute->name, attribute->is_quoted, one->first + a, number };

      kvsql_attribute_set_add (&out->tree->columns, one->first + a);
      if (!attribute->is_hidden)
        add_column (out, &column, arena);
    }
}

/* The column of a side that @name means; the number of columns that it may mean in *out_n. */
static const KvsqlBinderColumn *
find_column (const Scope *scope, const KvsqlName *name, guint *out_n)
{
  KvsqlNameChoice choice = { 0 };

  for (guint i = 0; i < scope->n_columns; i++)
    kvsql_name_choice_offer (
        &choice, kvsql_name_match (name, scope->columns[i].name, scope->columns[i].is_quoted), i);
  *out_n = choice.n;
  return choice.n == 1 ? &scope->columns[choice.index] : NULL;
}

static const KvsqlBinderColumn *
find_merged (const Scope *scope, const KvsqlName *name, KvsqlSpan span, const gchar *side,
             const gchar *clause, GError **error)
{
  guint n;
  const KvsqlBinderColumn *column = find_column (scope, name, &n);

  if (column != NULL)
    return column;
  if (n == 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, span,
                       "the %s side of the join has no attribute \"%s\"", side, name->text);
      kvsql_error_sqlstate (error, "42703");
      kvsql_error_hint (error, "USING takes names that both sides have. For others write ON.");
      return NULL;
    }
  kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                   "attribute \"%s\" of %s is ambiguous: the %s side of the join has it more than "
                   "once",
                   name->text, clause, side);
  kvsql_error_hint (error, "Write ON, with qualified names.");
  return NULL;
}

/* ---- USING and NATURAL */

/* The name of a column as an expression. */
static KvsqlAstExpr *
name_of (Binding *self, const KvsqlBinderColumn *column, KvsqlSpan span)
{
  KvsqlAstExpr *expr = kvsql_arena_new0 (self->binder->arena, KvsqlAstExpr);

  expr->kind = KVSQL_AST_NAME;
  expr->span = span;
  expr->name = (KvsqlName){ .span = span, .text = column->name, .is_quoted = column->is_quoted };
  expr->column = column->attribute + 1;
  return expr;
}

static KvsqlAstExpr *
pair_of (Binding *self, KvsqlAstKind kind, const KvsqlBinderColumn *left,
         const KvsqlBinderColumn *right, KvsqlSpan span)
{
  KvsqlAstExpr *expr = kvsql_arena_new0 (self->binder->arena, KvsqlAstExpr);

  expr->kind = kind;
  expr->op = kind == KVSQL_AST_BINARY ? KVSQL_OP_EQ : KVSQL_OP_NONE;
  expr->span = expr->op_span = span;
  expr->children = kvsql_arena_array (self->binder->arena, KvsqlAstExpr *, 2);
  expr->children[0] = name_of (self, left, span);
  expr->children[1] = name_of (self, right, span);
  expr->n_children = 2;
  return expr;
}

/* A column that the join computes: the first of the two values that is not NULL. */
static gboolean
add_computed (Binding *self, KvsqlJoinTree *tree, const KvsqlBinderColumn *left,
              const KvsqlBinderColumn *right, KvsqlSpan span, guint *out, GError **error)
{
  KvsqlRelation *relation = self->from->relation;
  KvsqlAstExpr *ast = pair_of (self, KVSQL_AST_FUNCTION, left, right, span);
  KvsqlArena *arena = self->binder->arena;
  KvsqlMergedColumn *merged;
  KvsqlExpr *expr;

  if (relation->n_attributes == KVSQL_MAX_ATTRIBUTES)
    return too_wide (span, error);
  ast->name = (KvsqlName){ .span = span, .text = "coalesce" };
  expr = kvsql_expr_bind (self->binder, ast, error);
  if (expr == NULL)
    return FALSE;
  *out = relation->n_attributes++;
  relation->attributes[*out] = (KvsqlAttribute){ .name = left->name, .type = expr->type };
  merged = KVSQL_ARENA_ADD (arena, tree->merged, tree->n_merged);
  *merged = (KvsqlMergedColumn){ *out, expr };
  kvsql_attribute_set_add (&tree->columns, *out);
  return TRUE;
}

/* Adds the equality, and the merged column to @out. */
static gboolean
merge (Binding *self, const KvsqlJoin *join, const KvsqlBinderColumn *left,
       const KvsqlBinderColumn *right, KvsqlSpan span, Scope *out, GError **error)
{
  const KvsqlAttribute *attributes = self->from->relation->attributes;
  KvsqlType left_type = attributes[left->attribute].type,
            right_type = attributes[right->attribute].type;
  KvsqlBinderColumn column = *left;
  KvsqlPredicate *equal;

  column.relation = KVSQL_MERGED_COLUMN;
  equal = kvsql_bind_predicate (self->binder, pair_of (self, KVSQL_AST_BINARY, left, right, span),
                                error);
  if (equal == NULL)
    return kvsql_error_hint (error,
                             "Both sides need types that can be compared: \"%s\" is %s on "
                             "the left and %s on the right.",
                             left->name, kvsql_type_get_name (left_type),
                             kvsql_type_get_name (right_type));
  kvsql_join_tree_add (out->tree, equal, self->binder->arena);
  if (join->kind == KVSQL_JOIN_FULL || left_type != right_type)
    {
      if (!add_computed (self, out->tree, left, right, span, &column.attribute, error))
        return FALSE;
    }
  else if (join->kind == KVSQL_JOIN_RIGHT)
    column.attribute = right->attribute;
  add_column (out, &column, self->binder->arena);
  return TRUE;
}

/* Whether the column was merged: it is one of the first @n columns of @out. */
static gboolean
is_merged (const Scope *out, guint n, const KvsqlBinderColumn *column)
{
  const KvsqlName name = { .text = column->name, .is_quoted = column->is_quoted };

  for (guint i = 0; i < n; i++)
    if (kvsql_name_match (&name, out->columns[i].name, out->columns[i].is_quoted)
        != KVSQL_NAME_DIFFERS)
      return TRUE;
  return FALSE;
}

static gboolean
bind_using (Binding *self, const KvsqlJoin *join, const Scope *left, const Scope *right, Scope *out,
            GError **error)
{
  for (guint i = 0; i < join->n_names; i++)
    {
      const KvsqlName *name = &join->names[i];
      const KvsqlBinderColumn *a, *b;

      a = find_merged (left, name, name->span, "left", "USING", error);
      b = a == NULL ? NULL : find_merged (right, name, name->span, "right", "USING", error);
      if (b == NULL)
        return FALSE;
      if (is_merged (out, out->n_columns, a))
        return kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span, "USING has \"%s\" twice",
                                name->text)
               || kvsql_error_hint (error, "Leave one of them out.");
      if (!merge (self, join, a, b, name->span, out, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
bind_natural (Binding *self, const KvsqlJoin *join, const Scope *left, const Scope *right,
              Scope *out, GError **error)
{
  for (guint i = 0; i < left->n_columns; i++)
    {
      const KvsqlName name
          = { .text = left->columns[i].name, .is_quoted = left->columns[i].is_quoted };
      const KvsqlBinderColumn *a, *b;
      guint n;

      (void)find_column (right, &name, &n);
      if (n == 0)
        continue;
      a = find_merged (left, &name, join->span, "left", "NATURAL JOIN", error);
      b = a == NULL ? NULL : find_merged (right, &name, join->span, "right", "NATURAL JOIN", error);
      if (b == NULL || !merge (self, join, a, b, join->span, out, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- joins */

static gboolean
bind_on (Binding *self, const KvsqlJoin *join, const Scope *left, const Scope *right, Scope *out,
         GError **error)
{
  KvsqlBinder binder = *self->binder;
  Scope scope = { 0 };
  KvsqlPredicate *predicate;

  for (guint i = 0; i < left->n_columns; i++)
    add_column (&scope, &left->columns[i], binder.arena);
  for (guint i = 0; i < right->n_columns; i++)
    add_column (&scope, &right->columns[i], binder.arena);
  binder.relations = self->from->relations + left->first;
  binder.n_relations = left->n + right->n;
  binder.columns = scope.columns;
  binder.n_columns = scope.n_columns;
  binder.clause = "ON";
  if (!kvsql_group_reject_aggregates (join->on, "ON", error))
    return FALSE;
  predicate = kvsql_bind_predicate (&binder, join->on, error);
  if (predicate == NULL)
    return FALSE;
  kvsql_join_tree_add (out->tree, predicate, binder.arena);
  return binder.outer == NULL
         || kvsql_semi_raise (out->tree, left->tree, right->tree, self->raised, binder.arena);
}

/* ---- semi and anti joins */

static KvsqlBinder
binder_of (const Binding *self, const Scope *scope, const KvsqlBinder *outer)
{
  KvsqlBinder binder = *self->binder;

  binder.relations = binder.all_relations = self->from->relations + scope->first;
  binder.n_relations = binder.n_all_relations = scope->n;
  binder.columns = scope->columns;
  binder.n_columns = scope->n_columns;
  binder.outer = outer;
  return binder;
}

/* All relations of the FROM whose first relation is the leftmost below @join. */
static void
set_all_relations (const Binding *self, const KvsqlJoin *join, KvsqlBinder *binder)
{
  guint first, n = 1;

  while (join->left != NULL)
    join = join->left;
  first = join->source;
  while (first + n < self->from->n_relations
         && kvsql_select_get_source (self->select, first + n)->scope
                == kvsql_select_get_source (self->select, first)->scope)
    n++;
  binder->all_relations = self->from->relations + first;
  binder->n_all_relations = n;
}

/* Names of the subquery are looked for in its FROM, then in @left. */
static gboolean
bind_semi (Binding *self, const KvsqlJoin *join, const Scope *left, Scope *out, GError **error)
{
  const KvsqlBinder *whole = self->binder;
  const KvsqlBinder outer = binder_of (self, left, whole->outer);
  KvsqlBoundSemi raised = { 0 }, *above = self->raised; /* those of @left go on waiting */
  KvsqlBinder own = *whole, inner;
  Scope right;
  gboolean ok;

  *out = *left;
  out->tree = kvsql_arena_new0 (whole->arena, KvsqlJoinTree);
  own.outer = &outer;
  set_all_relations (self, join->right, &own);
  self->binder = &own;
  self->raised = &raised;
  ok = bind_join (self, join->right, &right, error);
  self->binder = (KvsqlBinder *)whole;
  self->raised = above;
  if (!ok)
    return FALSE;
  inner = binder_of (self, &right, &outer);
  if (!kvsql_semi_bind (&inner, join, left->tree, right.tree, &raised, out->tree, error))
    return FALSE;
  for (guint i = 0; i < raised.n; i++)
    *KVSQL_ARENA_ADD (whole->arena, above->conditions, above->n) = raised.conditions[i];
  return TRUE;
}

/* A row without a partner has NULL in these columns. */
static void
allow_null (Binding *self, const KvsqlJoinTree *side)
{
  for (gint c = kvsql_attribute_set_next (&side->columns, -1); c >= 0;
       c = kvsql_attribute_set_next (&side->columns, c))
    self->from->relation->attributes[c].is_not_null = FALSE;
}

/* The query of @join, a relation, if it is lateral; else NULL. */
static const KvsqlSubquery *
get_lateral (const Binding *self, const KvsqlJoin *join)
{
  return join->left == NULL && self->queries[join->source] != NULL
             ? self->queries[join->source]->lateral
             : NULL;
}

static void
add_column_of (guint column, gpointer set)
{
  kvsql_attribute_set_add (set, column);
}

static gboolean
fail_lateral (const Binding *self, const KvsqlJoin *join, const gchar *hint, GError **error)
{
  const KvsqlSource *source = kvsql_select_get_source (self->select, join->source);

  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, source->relation.span,
                   "\"%s\" uses attributes of a relation that is not joined before it",
                   source->relation.text);
  kvsql_error_sqlstate (error, "42P10");
  return kvsql_error_hint (error, "%s", hint);
}

/* A lateral query is the right side of a join whose left side has all that it uses. */
static gboolean
check_lateral (const Binding *self, const KvsqlJoin *join, const Scope *left, GError **error)
{
  const KvsqlSubquery *query = get_lateral (self, join->right);
  KvsqlAttributeSet used = { 0 };

  if (get_lateral (self, join->left) != NULL)
    return fail_lateral (self, join->left, "Write it after them: a JOIN b ON … , LATERAL (…).",
                         error);
  if (query == NULL)
    return TRUE;
  for (guint i = 0; i < query->n_arguments; i++)
    kvsql_expr_foreach_column (query->arguments[i], add_column_of, &used);
  if (!kvsql_attribute_set_contains (&left->tree->columns, &used))
    return fail_lateral (self, join->right, "Write it after them: a JOIN b ON … , LATERAL (…).",
                         error);
  return (join->kind != KVSQL_JOIN_RIGHT && join->kind != KVSQL_JOIN_FULL)
         || fail_lateral (self, join->right, "It can be joined by JOIN or LEFT JOIN.", error);
}

static void
set_tree (Binding *self, const KvsqlJoin *join, KvsqlJoinTree *left, KvsqlJoinTree *right,
          KvsqlJoinTree *out)
{
  static const KvsqlJoinTreeKind kinds[] = {
    [KVSQL_JOIN_INNER] = KVSQL_JOIN_TREE_INNER,
    [KVSQL_JOIN_LEFT] = KVSQL_JOIN_TREE_LEFT,
    [KVSQL_JOIN_RIGHT] = KVSQL_JOIN_TREE_LEFT,
    [KVSQL_JOIN_FULL] = KVSQL_JOIN_TREE_FULL,
  };

  out->kind = kinds[join->kind];
  if (get_lateral (self, join->right) != NULL)
    out->kind
        = join->kind == KVSQL_JOIN_LEFT ? KVSQL_JOIN_TREE_LEFT_LATERAL : KVSQL_JOIN_TREE_LATERAL;
  out->children = kvsql_arena_array (self->binder->arena, KvsqlJoinTree *, 2);
  out->n_children = 2;
  out->children[0] = join->kind == KVSQL_JOIN_RIGHT ? right : left;
  out->children[1] = join->kind == KVSQL_JOIN_RIGHT ? left : right;
  kvsql_attribute_set_add_all (&out->columns, &left->columns);
  kvsql_attribute_set_add_all (&out->columns, &right->columns);
  if (join->kind == KVSQL_JOIN_LEFT || join->kind == KVSQL_JOIN_FULL)
    allow_null (self, right);
  if (join->kind == KVSQL_JOIN_RIGHT || join->kind == KVSQL_JOIN_FULL)
    allow_null (self, left);
}

static gboolean
bind_join (Binding *self, const KvsqlJoin *join, Scope *out, GError **error)
{
  KvsqlArena *arena = self->binder->arena;
  Scope left, right;
  guint n_merged, n_raised = self->raised->n;

  if (join->left == NULL)
    {
      bind_leaf (self, join->source, out);
      return TRUE;
    }
  if (!bind_join (self, join->left, &left, error))
    return FALSE;
  if (join->subquery != NULL)
    return bind_semi (self, join, &left, out, error);
  if (!bind_join (self, join->right, &right, error) || !check_lateral (self, join, &left, error))
    return FALSE;
  *out = (Scope){ .tree = kvsql_arena_new0 (arena, KvsqlJoinTree),
                  .first = left.first,
                  .n = left.n + right.n };
  if ((join->is_natural && !bind_natural (self, join, &left, &right, out, error))
      || !bind_using (self, join, &left, &right, out, error)
      || (join->on != NULL && !bind_on (self, join, &left, &right, out, error)))
    return FALSE;
  n_merged = out->n_columns;
  for (guint i = 0; i < left.n_columns; i++)
    if (!is_merged (out, n_merged, &left.columns[i]))
      add_column (out, &left.columns[i], arena);
  for (guint i = 0; i < right.n_columns; i++)
    if (!is_merged (out, n_merged, &right.columns[i]))
      add_column (out, &right.columns[i], arena);
  set_tree (self, join, left.tree, right.tree, out->tree);
  return out->tree->kind == KVSQL_JOIN_TREE_INNER || out->tree->kind == KVSQL_JOIN_TREE_LATERAL
         || self->raised->n == n_raised || kvsql_semi_reject_outer (join->span, error);
}

gboolean
kvsql_from_bind_left (const KvsqlCatalog *catalog, const KvsqlSelect *select, guint n,
                      KvsqlSelectPlan *const *queries, KvsqlBinder *binder, GError **error)
{
  KvsqlBoundFrom *from = kvsql_arena_new0 (binder->arena, KvsqlBoundFrom);
  KvsqlSelect *left = kvsql_arena_copy (binder->arena, select, sizeof *select);
  Binding self = { .select = left, .binder = binder, .from = from, .queries = queries };
  Scope all = { 0 };

  left->n_joined = n - 1;
  if (!find_relations (catalog, queries, &self, error))
    return FALSE;
  from->relation = make_relation (from, binder->arena);
  binder->relation = from->relation;
  binder->relations = binder->all_relations = from->relations;
  binder->n_relations = binder->n_all_relations = from->n_visible;
  for (guint i = 0; i < n; i++)
    {
      Scope leaf;

      bind_leaf (&self, i, &leaf);
      for (guint c = 0; c < leaf.n_columns; c++)
        add_column (&all, &leaf.columns[c], binder->arena);
    }
  binder->columns = all.columns;
  binder->n_columns = all.n_columns;
  return TRUE;
}

gboolean
kvsql_from_bind (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                 KvsqlSelectPlan *const *queries, KvsqlBinder *binder, KvsqlBoundFrom *out,
                 GError **error)
{
  KvsqlBoundSemi raised = { 0 };
  Binding self
      = { .select = select, .binder = binder, .from = out, .queries = queries, .raised = &raised };
  Scope scope;

  *out = (KvsqlBoundFrom){ 0 };
  if (!find_relations (catalog, queries, &self, error))
    return FALSE;
  out->relation = make_relation (out, binder->arena);
  binder->relation = out->relation;
  binder->relations = binder->all_relations = out->relations;
  binder->n_relations = binder->n_all_relations = out->n_visible;
  if (!bind_join (&self, select->join, &scope, error))
    return FALSE;
  binder->columns = scope.columns;
  binder->n_columns = scope.n_columns;
  out->tree = scope.tree;
  return TRUE;
}
