/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-search.c: see the header.
 *
 * Sets of inputs are bits of a number in the dynamic programming. Each pair of disjoint connected
 * sets that an edge connects is met once, after all pairs of their subsets.
 */
#include "config.h"

#include "core/plan/join-search.h"

#include "core/base/interrupt.h"

typedef struct
{
  guint32 left, right;
} Edge;

typedef struct
{
  const KvsqlJoinSearch *search;
  guint32 near[KVSQL_JOIN_MOST_EXACT]; /* by input: the others that an edge of the two connects */
  Edge *edges;                         /* with more inputs */
  guint n_edges;
  KvsqlPartialJoin **best; /* by set; NULL: it was not joined yet */
  KvsqlJoinPair pair;
} Exact;

static KvsqlPartialJoin *
new_partial (const KvsqlJoinSearch *self, const KvsqlPartialJoin *from)
{
  return kvsql_arena_copy (self->arena, from, sizeof *from);
}

/* ---- edges */

static guint32
bits_of (const KvsqlInputSet *set)
{
  return (guint32)set->bits[0];
}

static gboolean
is_one (guint32 set)
{
  return set != 0 && (set & (set - 1)) == 0;
}

static void
add_edge (Exact *self, guint32 left, guint32 right)
{
  if (is_one (left) && is_one (right))
    {
      self->near[__builtin_ctz (left)] |= right;
      self->near[__builtin_ctz (right)] |= left;
      return;
    }
  for (guint i = 0; i < self->n_edges; i++)
    if (self->edges[i].left == left && self->edges[i].right == right)
      return;
  *KVSQL_ARENA_ADD (self->search->arena, self->edges, self->n_edges) = (Edge){ left, right };
}

/* Of an inner join of three and more, each may be joined last. */
static void
add_edges_of (Exact *self, const KvsqlJoinOperator *one)
{
  guint32 left = bits_of (&one->needed_left), right = bits_of (&one->needed_right),
          all = left | right;

  add_edge (self, left, right);
  if (one->kind != KVSQL_JOIN_TREE_INNER || kvsql_attribute_set_is_empty (&one->used))
    return;
  for (guint32 rest = all; rest != 0; rest &= rest - 1)
    add_edge (self, rest & -rest, all & ~(rest & -rest));
}

static guint32
get_near (const Exact *self, guint32 set)
{
  guint32 near = 0;

  for (; set != 0; set &= set - 1)
    near |= self->near[__builtin_ctz (set)];
  return near;
}

static gboolean
is_edge_between (const Exact *self, guint32 a, guint32 b)
{
  if ((get_near (self, a) & b) != 0)
    return TRUE;
  for (guint i = 0; i < self->n_edges; i++)
    {
      const Edge *edge = &self->edges[i];

      if (((edge->left & ~a) == 0 && (edge->right & ~b) == 0)
          || ((edge->left & ~b) == 0 && (edge->right & ~a) == 0))
        return TRUE;
    }
  return FALSE;
}

/* For each side of an edge that @set can reach, outside of @excluded, its first input. */
static guint32
neighbours (const Exact *self, guint32 set, guint32 excluded)
{
  guint32 found = get_near (self, set) & ~(excluded | set);

  excluded |= set;
  for (guint i = 0; i < self->n_edges; i++)
    {
      const Edge *edge = &self->edges[i];

      if ((edge->left & ~set) == 0 && (edge->right & excluded) == 0)
        found |= edge->right & -edge->right;
      if ((edge->right & ~set) == 0 && (edge->left & excluded) == 0)
        found |= edge->left & -edge->left;
    }
  return found;
}

/* ---- pairs */

static void
meet (Exact *self, guint32 a, guint32 b)
{
  const KvsqlJoinSearch *search = self->search;
  const KvsqlPartialJoin *x = self->best[a], *y = self->best[b];
  KvsqlPartialJoin **best = &self->best[a | b], found = { .inputs = x->inputs };

  kvsql_attribute_set_add_all (&found.inputs, &y->inputs);
  if (!kvsql_join_graph_match (search->graph, &x->inputs, &y->inputs, &self->pair)
      || !search->make (x, y, &self->pair, *best == NULL ? -1 : (*best)->rows, search->data,
                        &found))
    return;
  if (*best == NULL)
    *best = new_partial (search, &found);
  else if (found.cost < (*best)->cost) /* no larger set refers to it yet */
    **best = found;
}

/* Joins @a with each connected set that extends @b, without inputs of @excluded. */
static void
extend_second (Exact *self, guint32 a, guint32 b, guint32 excluded)
{
  guint32 near = neighbours (self, b, excluded | a);

  for (guint32 part = near & -near; part != 0 && kvsql_interrupt_tick ();
       part = (part - near) & near)
    if (self->best[b | part] != NULL && is_edge_between (self, a, b | part))
      meet (self, a, b | part);
  for (guint32 part = near & -near; part != 0 && kvsql_interrupt_tick ();
       part = (part - near) & near)
    extend_second (self, a, b | part, excluded | near);
}

/* Joins @a with each connected set whose inputs come after the first one of @a. */
static void
join_with_all (Exact *self, guint32 a)
{
  guint32 first = a & -a, excluded = a | (first - 1), near = neighbours (self, a, excluded);

  for (guint i = self->search->graph->n_inputs; i-- > 0;)
    {
      guint32 b = (guint32)1 << i;

      if ((near & b) == 0 || !kvsql_interrupt_tick ())
        continue;
      if (is_edge_between (self, a, b))
        meet (self, a, b);
      extend_second (self, a, b, excluded | (near & (b - 1)));
    }
}

static void
extend_first (Exact *self, guint32 a, guint32 excluded)
{
  guint32 near = neighbours (self, a, excluded);

  for (guint32 part = near & -near; part != 0 && kvsql_interrupt_tick ();
       part = (part - near) & near)
    if (self->best[a | part] != NULL)
      join_with_all (self, a | part);
  for (guint32 part = near & -near; part != 0 && kvsql_interrupt_tick ();
       part = (part - near) & near)
    extend_first (self, a | part, excluded | near);
}

static const KvsqlPartialJoin *
search_exactly (const KvsqlJoinSearch *search)
{
  guint n = search->graph->n_inputs;
  Exact self = { .search = search };

  self.pair.operators = kvsql_arena_array (search->arena, guint, search->graph->n_operators);
  self.best = kvsql_arena_array (search->arena, KvsqlPartialJoin *, (gsize)1 << n);
  for (guint i = 0; i < search->graph->n_operators && kvsql_interrupt_tick (); i++)
    add_edges_of (&self, &search->graph->operators[i]);
  for (guint i = 0; i < n; i++)
    self.best[(gsize)1 << i] = &search->inputs[i];
  for (guint i = n; i-- > 0;)
    {
      join_with_all (&self, (guint32)1 << i);
      extend_first (&self, (guint32)1 << i, ((guint32)1 << i) - 1);
    }
  return self.best[((gsize)1 << n) - 1];
}

/* ---- the smallest result first */

typedef struct
{
  const KvsqlJoinSearch *search;
  const KvsqlPartialJoin **joined; /* by number of one of its inputs; NULL: it is a part of another
                                      one */
  guint *place;                    /* by input: where it is in @joined */
  KvsqlPartialJoin **pairs;        /* by both places, of those that were looked at; NULL */
  gboolean *is_known;              /* whether a pair was */
  KvsqlJoinPair pair;
} Greedy;

static KvsqlPartialJoin **
find_pair (const Greedy *self, guint a, guint b, gboolean **out_is_known)
{
  gsize at = (gsize)MIN (a, b) * self->search->graph->n_inputs + MAX (a, b);

  *out_is_known = &self->is_known[at];
  return &self->pairs[at];
}

/* What the pair gives, if it may be joined. */
static const KvsqlPartialJoin *
look_at_pair (Greedy *self, guint a, guint b)
{
  const KvsqlJoinSearch *search = self->search;
  const KvsqlPartialJoin *x = self->joined[MIN (a, b)], *y = self->joined[MAX (a, b)];
  KvsqlPartialJoin found = { .inputs = x->inputs };
  gboolean *is_known;
  KvsqlPartialJoin **pair = find_pair (self, a, b, &is_known);

  if (*is_known)
    return *pair;
  *is_known = TRUE;
  *pair = NULL;
  kvsql_attribute_set_add_all (&found.inputs, &y->inputs);
  if (kvsql_join_graph_match (search->graph, &x->inputs, &y->inputs, &self->pair)
      && search->make (x, y, &self->pair, -1, search->data, &found))
    *pair = new_partial (search, &found);
  return *pair;
}

static gboolean
is_better (const KvsqlPartialJoin *a, const KvsqlPartialJoin *b)
{
  return b == NULL || a->rows < b->rows || (a->rows == b->rows && a->cost < b->cost);
}

/* Where all inputs of @set are; G_MAXUINT: in several places. */
static guint
place_of (const Greedy *self, const KvsqlInputSet *set)
{
  gint first = kvsql_attribute_set_next (set, -1);
  guint place = self->place[first];

  return kvsql_attribute_set_contains (&self->joined[place]->inputs, set) ? place : G_MAXUINT;
}

/* The places of the two sides of an operator that is not applied yet. Of an inner join of three and
 * more, two have to be joined so far that it connects two places. */
static gboolean
find_places (const Greedy *self, const KvsqlJoinOperator *one, guint *out_a, guint *out_b)
{
  KvsqlInputSet rest = one->needed_left;

  *out_a = place_of (self, &one->needed_left);
  *out_b = place_of (self, &one->needed_right);
  if (*out_a != G_MAXUINT && *out_b != G_MAXUINT)
    return *out_a != *out_b;
  if (one->kind != KVSQL_JOIN_TREE_INNER)
    return FALSE;
  kvsql_attribute_set_add_all (&rest, &one->needed_right);
  *out_a = self->place[kvsql_attribute_set_next (&rest, -1)];
  kvsql_attribute_set_remove_all (&rest, &self->joined[*out_a]->inputs);
  *out_b = kvsql_attribute_set_is_empty (&rest) ? G_MAXUINT : place_of (self, &rest);
  return *out_b != G_MAXUINT;
}

static const KvsqlPartialJoin *
find_smallest (Greedy *self, guint *out_a, guint *out_b)
{
  const KvsqlJoinGraph *graph = self->search->graph;
  const KvsqlPartialJoin *best = NULL;

  for (guint i = 0; i < graph->n_operators && kvsql_interrupt_tick (); i++)
    {
      const KvsqlPartialJoin *found;
      guint a, b;

      if (!find_places (self, &graph->operators[i], &a, &b))
        continue;
      found = look_at_pair (self, a, b);
      if (found != NULL && is_better (found, best))
        {
          best = found;
          *out_a = a;
          *out_b = b;
        }
    }
  return best;
}

static void
replace_pair (Greedy *self, const KvsqlPartialJoin *by, guint a, guint b)
{
  guint n = self->search->graph->n_inputs;

  self->joined[a] = by;
  self->joined[b] = NULL;
  for (guint i = 0; i < n; i++)
    {
      gboolean *is_known;

      if (self->place[i] == b)
        self->place[i] = a;
      (void)find_pair (self, a, i, &is_known);
      *is_known = FALSE;
    }
}

const KvsqlPartialJoin *
kvsql_join_search_greedy (const KvsqlJoinSearch *search)
{
  guint n = search->graph->n_inputs, a = 0, b = 0;
  Greedy self = { .search = search };
  const KvsqlPartialJoin *found;

  self.joined = kvsql_arena_array (search->arena, const KvsqlPartialJoin *, n);
  self.place = kvsql_arena_array (search->arena, guint, n);
  self.pairs = kvsql_arena_array (search->arena, KvsqlPartialJoin *, (gsize)n * n);
  self.is_known = kvsql_arena_array (search->arena, gboolean, (gsize)n * n);
  self.pair.operators = kvsql_arena_array (search->arena, guint, search->graph->n_operators);
  for (guint i = 0; i < n; i++)
    {
      self.joined[i] = &search->inputs[i];
      self.place[i] = i;
    }
  for (guint i = 1; i < n; i++)
    {
      found = find_smallest (&self, &a, &b);
      if (found == NULL || !kvsql_interrupt_tick ())
        return NULL;
      replace_pair (&self, found, a, b);
    }
  return self.joined[a];
}

/* ---- as it was written */

static const KvsqlPartialJoin *
search_nothing (const KvsqlJoinSearch *search)
{
  const KvsqlJoinGraph *graph = search->graph;
  const KvsqlPartialJoin **joined
      = kvsql_arena_array (search->arena, const KvsqlPartialJoin *, graph->n_inputs);
  KvsqlJoinPair pair;

  pair.operators = kvsql_arena_array (search->arena, guint, graph->n_operators);
  for (guint i = 0; i < graph->n_inputs; i++)
    joined[i] = &search->inputs[i];
  for (guint i = 0; i < graph->n_steps && kvsql_interrupt_tick (); i++)
    {
      guint a = (guint)kvsql_attribute_set_next (&graph->steps[i].left, -1);
      const KvsqlPartialJoin *x = joined[a],
                             *y = joined[kvsql_attribute_set_next (&graph->steps[i].right, -1)];
      KvsqlPartialJoin found = { .inputs = x->inputs };

      kvsql_attribute_set_add_all (&found.inputs, &y->inputs);
      if (!kvsql_join_graph_match (graph, &x->inputs, &y->inputs, &pair)
          || !search->make (x, y, &pair, -1, search->data, &found))
        return NULL;
      a = (guint)kvsql_attribute_set_next (&found.inputs, -1);
      joined[a] = new_partial (search, &found);
    }
  return joined[0];
}

const KvsqlPartialJoin *
kvsql_join_search_run (const KvsqlJoinSearch *self)
{
  const KvsqlPartialJoin *best = self->graph->n_inputs <= KVSQL_JOIN_MOST_EXACT
                                     ? search_exactly (self)
                                     : kvsql_join_search_greedy (self);

  return best != NULL ? best : search_nothing (self);
}
