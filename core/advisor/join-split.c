/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-split.c: see join-split.h.
 */
#include "config.h"

#include "core/advisor/join-split.h"

#include "core/advisor/join.h"
#include "core/base/interrupt.h"
#include "core/plan/estimate.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"

#include <math.h>

/* What nothing is known of, as in the planner. */
#define ASSUMED_DISTINCT 100
#define BOUND_SHARE 0.1
#define CONDITION_SHARE (1 / 3.0)

/* How a member is read after others. */
typedef struct
{
  guint member;
  gboolean is_looked_up; /* by the edges to the members before it; else once, as a whole */
  gdouble repeats;
} Step;

typedef struct
{
  Step steps[KVSQL_ADVISOR_MAX_JOINED];
  gdouble cost;
} Order;

typedef struct
{
  KvsqlWorkload *workload;
  KvsqlJoinRead read;
  gdouble rows[KVSQL_ADVISOR_MAX_JOINED]; /* of each member, with the conditions on it */
  Order best;
} Splitter;

/* ---- texts */

static KvsqlAstExpr *
make_name (const KvsqlAttribute *attribute, KvsqlArena *arena)
{
  KvsqlAstExpr *name = kvsql_arena_new0 (arena, KvsqlAstExpr);

  name->kind = KVSQL_AST_NAME;
  name->name = (KvsqlName){ .text = attribute->name, .is_quoted = attribute->is_quoted };
  return name;
}

static void
append_items (const Splitter *self, guint member, GString *out)
{
  const KvsqlRelation *relation = kvsql_scope_get_relation (&self->read.scope, member)->relation;
  const KvsqlAttributeSet *needed = &self->read.members[member].needed;
  gint a = kvsql_attribute_set_next (needed, -1);
  const gchar *before = "SELECT ";

  if (a < 0) /* it only counts */
    needed = &relation->keys;
  for (a = -1; (a = kvsql_attribute_set_next (needed, a)) >= 0; before = ", ")
    {
      g_string_append (out, before);
      kvsql_print_expression (make_name (&relation->attributes[a], self->read.arena), out);
    }
}

static void
append_lookup (const Splitter *self, const KvsqlScopePlace *place, const gchar *before,
               GString *out)
{
  const KvsqlRelation *relation
      = kvsql_scope_get_relation (&self->read.scope, place->member)->relation;

  g_string_append (out, before);
  kvsql_print_expression (make_name (&relation->attributes[place->attribute], self->read.arena),
                          out);
  g_string_append (out, " = ?");
}

/* The side of an edge that is in the member, if the other one is among @earlier (bits). */
static const KvsqlScopePlace *
find_side (const KvsqlJoinEdge *edge, guint member, guint earlier,
           const KvsqlScopePlace **out_other)
{
  for (guint i = 0; i < 2; i++)
    if (edge->sides[i].member == member && (earlier & 1u << edge->sides[1 - i].member) != 0)
      {
        *out_other = &edge->sides[1 - i];
        return &edge->sides[i];
      }
  return NULL;
}

/* @earlier: bits: the members whose rows it is looked up for; 0: it is read once */
static gchar *
make_text (const Splitter *self, guint member, guint earlier)
{
  const KvsqlJoinMember *of = &self->read.members[member];
  const KvsqlRelation *relation = kvsql_scope_get_relation (&self->read.scope, member)->relation;
  const KvsqlName name = { .text = relation->name, .is_quoted = relation->is_quoted };
  GString *out = g_string_new (NULL);
  const gchar *before = " WHERE ";

  append_items (self, member, out);
  g_string_append (out, " FROM ");
  kvsql_print_name (&name, out);
  for (guint i = 0; i < of->n_conditions; i++, before = " AND ")
    {
      g_string_append_printf (out, "%s(", before);
      kvsql_print_expression (of->conditions[i], out);
      g_string_append_c (out, ')');
    }
  for (guint i = 0; i < self->read.n_edges; i++)
    {
      const KvsqlScopePlace *other,
          *place = find_side (&self->read.edges[i], member, earlier, &other);

      if (place == NULL)
        continue;
      append_lookup (self, place, before, out);
      before = " AND ";
    }
  return g_string_free (out, FALSE);
}

static gboolean
make_statement (const Splitter *self, guint member, guint earlier, KvsqlWorkloadStatement *out,
                GError **error)
{
  KvsqlArena *arena = self->workload->arena;
  g_autofree gchar *text = make_text (self, member, earlier);

  out->text = kvsql_arena_strdup (arena, text);
  out->relation = self->read.scope.members[member].relation;
  out->ast = kvsql_parser_parse (kvsql_slice_from_text (out->text), arena, error);
  return out->ast != NULL
         && kvsql_shape_make (out->ast, self->workload->relations[out->relation].relation, arena,
                              &out->shape, error);
}

/* ---- rows */

static gdouble
get_distinct (const Splitter *self, const KvsqlScopePlace *place)
{
  const KvsqlWorkloadRelation *relation
      = kvsql_scope_get_relation (&self->read.scope, place->member);

  if (relation->rows > 0 || relation->attributes[place->attribute].distinct > 0)
    return MAX (kvsql_workload_get_distinct (relation, place->attribute), 1);
  return ASSUMED_DISTINCT;
}

/* The rows of a member that satisfy the conditions on it. */
static gdouble
count_rows (const Splitter *self, guint member, const KvsqlShape *shape)
{
  const KvsqlWorkloadRelation *relation = kvsql_scope_get_relation (&self->read.scope, member);
  gdouble rows = relation->rows > 0 ? relation->rows : KVSQL_ASSUMED_ROWS;

  for (guint a = 0; a < relation->relation->n_attributes; a++)
    {
      const KvsqlScopePlace place = { member, a };

      if (kvsql_attribute_set_has (&shape->equal, a))
        rows /= get_distinct (self, &place);
      else if (kvsql_attribute_set_has (&shape->bounded, a))
        rows *= BOUND_SHARE;
      else if (kvsql_attribute_set_has (&shape->filtered, a))
        rows *= CONDITION_SHARE;
    }
  rows *= shape->fan_out;
  return kvsql_shape_is_by_key (shape, relation->relation) ? MIN (rows, shape->fan_out) : rows;
}

/* ---- orders */

/* The rows of a member for one row of those before it, and the number of different lookups for
 * @rows of these. */
static gdouble
count_partners (const Splitter *self, guint member, guint earlier, gdouble rows,
                gdouble *out_lookups)
{
  gdouble partners = self->rows[member];

  *out_lookups = rows;
  for (guint i = 0; i < self->read.n_edges; i++)
    {
      const KvsqlScopePlace *other,
          *place = find_side (&self->read.edges[i], member, earlier, &other);

      if (place == NULL)
        continue;
      partners /= get_distinct (self, place);
      *out_lookups = MIN (*out_lookups, get_distinct (self, other));
    }
  return partners;
}

static gboolean
has_edge (const Splitter *self, guint member, guint earlier)
{
  const KvsqlScopePlace *other;

  for (guint i = 0; i < self->read.n_edges; i++)
    if (find_side (&self->read.edges[i], member, earlier, &other) != NULL)
      return TRUE;
  return FALSE;
}

/* Adds the member to the first @n steps. Returns the rows then. */
static gdouble
add_step (const Splitter *self, Order *order, guint n, guint member, guint earlier, gdouble rows)
{
  gdouble whole = 1 + self->rows[member], lookups, partners, looked_up;

  order->steps[n] = (Step){ .member = member, .repeats = 1 };
  if (earlier == 0)
    {
      order->cost += whole;
      return self->rows[member];
    }
  partners = count_partners (self, member, earlier, rows, &lookups);
  looked_up = lookups * (1 + partners);
  if (has_edge (self, member, earlier) && looked_up <= whole)
    {
      order->steps[n].is_looked_up = TRUE;
      order->steps[n].repeats = MAX (lookups, 1);
    }
  order->cost += MIN (looked_up, whole);
  return rows * partners;
}

/* Of orders that cost the same, that of FROM. */
static void
find_best (Splitter *self, const Order *begun, guint n, guint earlier, gdouble rows)
{
  if (begun->cost >= self->best.cost)
    return;
  if (n == self->read.scope.n_members)
    self->best = *begun;
  for (guint m = 0; m < self->read.scope.n_members && kvsql_interrupt_tick (); m++)
    {
      Order order = *begun;
      gdouble next;

      if ((earlier & 1u << m) != 0 || (self->read.members[m].earlier & ~earlier) != 0)
        continue;
      next = add_step (self, &order, n, m, earlier, rows);
      find_best (self, &order, n + 1, earlier | 1u << m, next);
    }
}

/* ---- parts */

static gboolean
add_part (Splitter *self, KvsqlWorkloadJoin *join, const Step *step, guint earlier, GError **error)
{
  KvsqlWorkload *workload = self->workload;
  KvsqlWorkloadStatement part = join->whole;
  KvsqlAttributeSet used;

  if (!make_statement (self, step->member, step->is_looked_up ? earlier : 0, &part, error))
    return FALSE;
  used = kvsql_shape_get_needed (&part.shape);
  kvsql_attribute_set_add_all (&workload->relations[part.relation].used, &used);
  part.repeats = step->repeats;
  part.weight *= step->repeats;
  if (part.weight > 0)
    *KVSQL_ARENA_ADD (workload->arena, workload->statements, workload->n_statements) = part;
  return TRUE;
}

static gboolean
count_all_rows (Splitter *self, GError **error)
{
  for (guint m = 0; m < self->read.scope.n_members; m++)
    {
      KvsqlWorkloadStatement whole;

      if (!make_statement (self, m, 0, &whole, error))
        return FALSE;
      self->rows[m] = count_rows (self, m, &whole.shape);
    }
  return TRUE;
}

gboolean
kvsql_join_split (KvsqlWorkload *workload, guint number, GError **error)
{
  KvsqlWorkloadJoin *join = &workload->joins[number];
  Splitter self = { .workload = workload, .best.cost = INFINITY };
  const Order none = { .cost = 0 };
  guint earlier = 0;

  if (!kvsql_join_read (workload, join->ast, workload->arena, &self.read, error)
      || !count_all_rows (&self, error))
    return FALSE;
  find_best (&self, &none, 0, 0, 1);
  if (!kvsql_interrupt_check (error))
    return FALSE;
  for (guint i = 0; i < self.read.scope.n_members; i++)
    {
      const Step *step = &self.best.steps[i];

      if (!add_part (&self, join, step, earlier, error))
        return FALSE;
      earlier |= 1u << step->member;
    }
  return TRUE;
}
