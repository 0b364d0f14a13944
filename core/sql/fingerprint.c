/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fingerprint.c: hashes the AST.
 *
 * The nodes are hashed in their order, each with its kind and its number of children, so that no
 * two trees give the same sequence. Each statement is hashed, so a step is a multiplication and an
 * XOR (FNV-1a), and leaves are hashed in the loop of their parent.
 */
#include "config.h"

#include "core/sql/fingerprint.h"

#include "core/base/hash.h"

/* In the word of a node: its children. */
#define NAME_AND_CONSTANT (1 << 16)
#define FNV_PRIME G_GUINT64_CONSTANT (0x100000001b3)

typedef struct
{
  guint64 hash;
  guint n_nodes;
} Walk;

static void add_select (Walk *self, const KvsqlSelect *select);

static inline guint64
mix (guint64 hash, guint64 word)
{
  hash = (hash ^ word) * FNV_PRIME;
  return hash ^ hash >> 32;
}

/* Most names are short, so they are hashed byte by byte. */
static inline guint64
mix_bytes (guint64 hash, const gchar *text)
{
  for (const guint8 *at = (const guint8 *)text; *at != 0; at++)
    hash = (hash ^ *at) * FNV_PRIME;
  return (hash ^ 256) * FNV_PRIME;
}

static inline guint64
mix_name (guint64 hash, const KvsqlName *name)
{
  if (name->text == NULL)
    return mix (hash, 1 << 10);
  hash ^= (guint64)name->is_quoted << 8 | (guint64)name->is_double_quoted << 9;
  return mix_bytes (hash, name->text);
}

static inline void
add (Walk *self, guint64 word)
{
  self->hash = mix (self->hash, word);
}

static inline void
add_name (Walk *self, const KvsqlName *name)
{
  self->hash = mix_name (self->hash, name);
}

static void
add_names (Walk *self, const KvsqlName *names, guint n)
{
  add (self, n);
  for (guint i = 0; i < n; i++)
    add_name (self, &names[i]);
}

/* ---- expressions */

G_STATIC_ASSERT (KVSQL_AST_LITERAL == 0 && KVSQL_AST_PARAMETER == 1);

static inline gboolean
is_constant (const KvsqlAstExpr *expr)
{
  return expr->kind <= KVSQL_AST_PARAMETER;
}

gboolean
kvsql_shape_is_ordinal (const KvsqlAstExpr *expr)
{
  return expr->kind == KVSQL_AST_LITERAL && expr->value.type == KVSQL_TYPE_BIGINT;
}

guint
kvsql_shape_list_length (const KvsqlAstExpr *in)
{
  guint n = in->n_children - 1, length = 1;

  if (in->subquery != NULL)
    return 0;
  for (guint i = 1; i <= n; i++)
    if (!is_constant (in->children[i]))
      return 0;
  while (length < n && length < KVSQL_MAX_SHAPE_LIST)
    length *= 2;
  return length;
}

static void
add_window (Walk *self, const KvsqlAstWindow *window)
{
  add_name (self, &window->name);
  add_name (self, &window->base);
  add (self, window->n_partition);
  add (self, (guint64)window->has_copied_order | (guint64)window->has_frame << 1
                 | (guint64)window->mode << 8 | (guint64)window->start << 16
                 | (guint64)window->end << 24 | (guint64)window->exclusion << 32);
}

/* What only some kinds have. */
static void
add_details (Walk *self, const KvsqlAstExpr *expr)
{
  add (self, (guint64)expr->is_negated | (guint64)expr->is_star << 1
                 | (guint64)expr->is_distinct << 2 | (guint64)expr->has_operand << 3
                 | (guint64)expr->has_else << 4 | (guint64)expr->is_caseless << 5
                 | (guint64)expr->is_symmetric << 6 | (guint64)expr->is_all << 7
                 | (guint64)expr->is_within_group << 8 | (guint64)expr->has_filter << 9
                 | (guint64)expr->has_over << 10 | (guint64)expr->grouping << 16
                 | (guint64)(expr->subquery != NULL) << 24 | (guint64)expr->n_order << 32);
  if (expr->name.text != NULL)
    add_name (self, &expr->name);
  if (expr->cast_type.text != NULL)
    add_name (self, &expr->cast_type);
  if (expr->kind == KVSQL_AST_IS_TRUTH)
    add (self, kvsql_value_is_null (&expr->value) ? 2 : (guint64)expr->value.boolean);
  for (guint i = 0; i < expr->n_order; i++)
    add (self, (guint64)expr->order[i].is_descending | (guint64)expr->order[i].nulls << 1);
  if (expr->window != NULL)
    add_window (self, expr->window);
}

static void add_expr (Walk *self, const KvsqlAstExpr *expr);

static inline gboolean
is_plain_name (const KvsqlAstExpr *expr)
{
  return expr->kind == KVSQL_AST_NAME && expr->qualifier.text == NULL && !expr->name.is_quoted
         && !expr->name.is_double_quoted;
}

/* A comparison, AND, OR, arithmetic: most of the nodes of most statements. A name
 * compared with a constant is one word and the name. */
static void
add_binary (Walk *self, const KvsqlAstExpr *expr)
{
  const KvsqlAstExpr *left = expr->children[0], *right = expr->children[1];
  guint64 word = (guint64)expr->kind | (guint64)expr->op << 8;

  if (self->n_nodes++ >= KVSQL_MAX_SHAPE_NODES)
    return;
  if (is_constant (right) && is_plain_name (left))
    {
      self->hash = mix_bytes (mix (self->hash, word | NAME_AND_CONSTANT), left->name.text);
      return;
    }
  self->hash = mix (self->hash, word);
  if (left->kind == KVSQL_AST_BINARY && left->subquery == NULL)
    add_binary (self, left);
  else
    add_expr (self, left);
  if (right->kind == KVSQL_AST_BINARY && right->subquery == NULL)
    add_binary (self, right);
  else
    add_expr (self, right);
}

G_GNUC_NO_INLINE static void
add_inner (Walk *self, const KvsqlAstExpr *expr)
{
  guint n_children = expr->n_children;
  guint length = expr->kind == KVSQL_AST_IN ? kvsql_shape_list_length (expr) : 0;

  n_children = length > 0 ? 1 : n_children;
  add (self, (guint64)expr->kind | (guint64)expr->op << 8 | (guint64)length << 16
                 | (guint64)n_children << 32);
  add_details (self, expr);
  for (guint i = 0; i < n_children; i++)
    add_expr (self, expr->children[i]);
  if (expr->subquery != NULL)
    add_select (self, expr->subquery);
}

static void
add_expr (Walk *self, const KvsqlAstExpr *expr)
{
  if (expr == NULL)
    add (self, G_MAXUINT64);
  else if (is_constant (expr))
    add (self, KVSQL_AST_PARAMETER);
  else if (expr->kind == KVSQL_AST_NAME)
    {
      if (expr->qualifier.text != NULL)
        add_name (self, &expr->qualifier);
      add (self, KVSQL_AST_NAME);
      add_name (self, &expr->name);
    }
  else if (expr->kind == KVSQL_AST_BINARY && expr->subquery == NULL)
    add_binary (self, expr);
  else if (self->n_nodes++ < KVSQL_MAX_SHAPE_NODES)
    add_inner (self, expr);
}

static void
add_exprs (Walk *self, KvsqlAstExpr *const *exprs, guint n)
{
  for (guint i = 0; i < n; i++)
    add_expr (self, exprs[i]);
}

/* ORDER BY 1 and ORDER BY 2 are two shapes. */
static void
add_ordinal (Walk *self, const KvsqlAstExpr *expr)
{
  if (kvsql_shape_is_ordinal (expr))
    add (self, (guint64)expr->value.integer << 8);
  else
    add_expr (self, expr);
}

static void
add_ordinals (Walk *self, KvsqlAstExpr *const *exprs, guint n)
{
  for (guint i = 0; i < n; i++)
    add_ordinal (self, exprs[i]);
}

/* ---- queries */

static void
add_items (Walk *self, const KvsqlSelectItem *items, guint n)
{
  add (self, n);
  for (guint i = 0; i < n; i++)
    {
      add_expr (self, items[i].expr);
      if (items[i].star_of.text != NULL)
        add_name (self, &items[i].star_of);
      if (items[i].alias.text != NULL)
        add_name (self, &items[i].alias);
    }
}

static void
add_order (Walk *self, const KvsqlOrderItem *items, guint n, gboolean may_be_ordinals)
{
  for (guint i = 0; i < n; i++)
    {
      add (self, (guint64)items[i].is_descending | (guint64)items[i].nulls << 1);
      if (may_be_ordinals)
        add_ordinal (self, items[i].expr);
      else
        add_expr (self, items[i].expr);
    }
}

static void
add_source (Walk *self, const KvsqlSource *source)
{
  add (self, (guint64)source->is_lateral | (guint64)(source->query != NULL) << 1
                 | (guint64)source->relation.is_store_table << 2
                 | (guint64)(source->alias.text != NULL) << 3
                 | (guint64)(source->using_schema.text != NULL) << 4
                 | (guint64)source->n_columns << 32);
  add_name (self, &source->relation);
  for (guint i = 0; i < source->n_columns; i++)
    add_name (self, &source->columns[i]);
  if (source->alias.text != NULL)
    add_name (self, &source->alias);
  if (source->using_schema.text != NULL)
    add_name (self, &source->using_schema);
  if (source->query != NULL)
    add_select (self, source->query);
}

static void
add_join (Walk *self, const KvsqlJoin *join)
{
  if (join == NULL)
    return;
  if (join->left == NULL)
    {
      add (self, join->source);
      return;
    }
  add (self, G_MAXUINT32 + 1 + (guint64)join->kind + ((guint64)join->is_comma << 8)
                 + ((guint64)join->is_natural << 9) + ((guint64)(join->on != NULL) << 10));
  add_join (self, join->left);
  add_join (self, join->right);
  if (join->on != NULL)
    add_expr (self, join->on);
  add_names (self, join->names, join->n_names);
}

static void
add_sources (Walk *self, const KvsqlSelect *select)
{
  for (guint i = 0; i < select->n_joined; i++)
    add_source (self, &select->joined[i]);
  add_join (self, select->join);
}

static void
add_set (Walk *self, const KvsqlSetOperation *set)
{
  add (self, (guint64)set->kind | (guint64)set->is_all << 8 | (guint64)set->n_operands << 16);
  for (guint i = 0; i < set->n_operands; i++)
    add_select (self, set->operands[i]);
}

/* Of the rows of VALUES the first one counts. */
static void
add_rows (Walk *self, KvsqlAstExpr **const *rows, guint n_rows, guint n_values)
{
  add (self, n_values);
  if (n_rows > 0)
    add_exprs (self, rows[0], n_values);
}

static void
add_function (Walk *self, const KvsqlTableFunction *function)
{
  add_name (self, &function->name);
  add (self, function->has_ordinality ? 1 : 0);
}

/* What few queries have. */
static void
add_rare (Walk *self, const KvsqlSelect *select)
{
  if (select->set != NULL)
    add_set (self, select->set);
  if (select->function != NULL)
    add_function (self, select->function);
  if (select->rows != NULL)
    add_rows (self, select->rows, select->n_rows, select->n_values);
  if (select->working_of != NULL)
    add_name (self, &select->working_of->recursive_name);
  if (select->recursive_name.text != NULL)
    add_name (self, &select->recursive_name);
  add (self, (guint64)select->n_distinct_on | (guint64)select->n_group_by << 32);
  add (self, (guint64)select->n_windows | (guint64)select->is_group_distinct << 32);
  add_ordinals (self, select->distinct_on, select->n_distinct_on);
}

static void
add_select (Walk *self, const KvsqlSelect *select)
{
  gboolean is_rare = select->set != NULL || select->rows != NULL || select->working_of != NULL
                     || select->recursive_name.text != NULL || select->n_distinct_on > 0
                     || select->n_group_by > 0 || select->n_windows > 0;

  if (self->n_nodes++ >= KVSQL_MAX_SHAPE_NODES)
    return;
  add (self, (guint64)is_rare | (guint64)select->is_distinct << 1
                 | (guint64)select->is_verified << 2 | (guint64)(select->where != NULL) << 3
                 | (guint64)(select->having != NULL) << 4 | (guint64)(select->limit != NULL) << 5
                 | (guint64)(select->offset != NULL) << 6
                 | (guint64)(select->from.relation.text != NULL) << 7
                 | (guint64)select->n_joined << 8 | (guint64)select->n_order_by << 32);
  if (is_rare)
    add_rare (self, select);
  add_items (self, select->items, select->n_items);
  if (select->from.relation.text != NULL)
    {
      add_source (self, &select->from);
      add_sources (self, select);
    }
  if (select->where != NULL)
    add_expr (self, select->where);
  add_ordinals (self, select->group_by, select->n_group_by);
  if (select->having != NULL)
    add_expr (self, select->having);
  add_exprs (self, select->windows, select->n_windows);
  add_order (self, select->order_by, select->n_order_by, TRUE);
  if (select->limit != NULL)
    add_expr (self, select->limit);
  if (select->offset != NULL)
    add_expr (self, select->offset);
}

/* ---- writes */

static void
add_assignments (Walk *self, const KvsqlAssignment *assignments, guint n)
{
  add (self, n);
  for (guint i = 0; i < n; i++)
    {
      add_name (self, &assignments[i].name);
      add_expr (self, assignments[i].expr);
    }
}

static void
add_insert (Walk *self, const KvsqlInsert *insert)
{
  add_name (self, &insert->relation);
  add_names (self, insert->attributes, insert->n_attributes);
  add (self, (guint64)insert->on_conflict | (guint64)(insert->select != NULL) << 8);
  if (insert->select != NULL)
    add_select (self, insert->select);
  else
    add_rows (self, insert->rows, insert->n_rows, insert->n_values);
  if (insert->on_conflict != KVSQL_CONFLICT_REPLACE)
    {
      add_names (self, insert->conflict_attributes, insert->n_conflict_attributes);
      add_assignments (self, insert->assignments, insert->n_assignments);
      add_expr (self, insert->conflict_where);
    }
  add_expr (self, insert->using_timestamp);
  add_items (self, insert->returning, insert->n_returning);
}

/* Of UPDATE and DELETE. */
static void
add_target (Walk *self, const KvsqlName *relation, const KvsqlName *alias, const KvsqlSelect *from)
{
  add_name (self, relation);
  add_name (self, alias);
  add (self, from == NULL ? 0 : from->n_joined + 1);
  if (from != NULL)
    add_sources (self, from);
}

static void
add_update (Walk *self, const KvsqlUpdate *update)
{
  add_target (self, &update->relation, &update->alias, update->from);
  add_assignments (self, update->assignments, update->n_assignments);
  add_expr (self, update->where);
  add (self, update->n_order_by);
  add_order (self, update->order_by, update->n_order_by, FALSE);
  add_expr (self, update->limit);
  add_expr (self, update->using_timestamp);
  add_items (self, update->returning, update->n_returning);
}

static void
add_delete (Walk *self, const KvsqlDelete *delete)
{
  add_target (self, &delete->relation, &delete->alias, delete->from);
  add (self, delete->is_truncate ? 1 : 0);
  add_expr (self, delete->where);
  add (self, delete->n_order_by);
  add_order (self, delete->order_by, delete->n_order_by, FALSE);
  add_expr (self, delete->limit);
  add_expr (self, delete->using_timestamp);
  add_items (self, delete->returning, delete->n_returning);
}

guint64
kvsql_statement_fingerprint (const KvsqlAstStatement *statement, guint64 seed,
                             gboolean *out_is_whole)
{
  Walk walk = { .hash = seed ^ statement->kind };

  switch (statement->kind)
    {
    case KVSQL_STATEMENT_SELECT:
      add_select (&walk, &statement->select);
      break;
    case KVSQL_STATEMENT_INSERT:
      add_insert (&walk, &statement->insert);
      break;
    case KVSQL_STATEMENT_UPDATE:
      add_update (&walk, &statement->update);
      break;
    case KVSQL_STATEMENT_DELETE:
      add_delete (&walk, &statement->delete_);
      break;
    default:
      return 0;
    }
  if (out_is_whole != NULL)
    *out_is_whole = walk.n_nodes <= KVSQL_MAX_SHAPE_NODES;
  walk.hash = kvsql_hash_fold (walk.hash ^ seed, KVSQL_HASH_FIXED_SEED);
  return walk.hash != 0 ? walk.hash : 1;
}
