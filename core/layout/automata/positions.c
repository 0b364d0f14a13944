/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * positions.c: finds the useful nodes of a fragment, and computes transitions across nodes that
 * read nothing.
 */
#include "config.h"

#include "core/layout/automata/positions.h"
#include "core/base/interrupt.h"

#include "core/base/error.h"
#include "core/layout/automata/nfa.h"

/* A transition has 31 bits for its target. */
G_STATIC_ASSERT (KVSQL_NFA_MAX_NODES < 1u << 31);

#define MAX_STEPS (2 * 1000 * 1000)

/* The state of a node during the construction. */
typedef struct
{
  guint is_reached : 1; /* reachable from the first node */
  guint is_useful : 1;  /* and the last node is reachable from it */
  guint32 position;
  guint32 first_edge; /* first of the edges to this node */
  guint32 stamp[2];   /* the last closure that visited the node, for each parity */
} NodeState;

typedef struct
{
  guint32 from;
  guint32 next_edge;
} Edge;

typedef struct
{
  const KvsqlNfa *nfa;
  KvsqlNfaFragment fragment;
  guint32 tracked;
  NfaMode mode;
  NodeState *states;
  GArray *order; /* reached nodes */
  GArray *edges;
  GArray *stack;
  GArray *transitions; /* of all positions, one after the other */
  guint32 n_closures;
} Builder;

static void
builder_clear (Builder *self)
{
  g_free (self->states);
  g_array_unref (self->order);
  g_array_unref (self->edges);
  g_array_unref (self->stack);
  g_array_unref (self->transitions);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Builder, builder_clear)

static gboolean
is_symbol (const NfaNode *node)
{
  return node->kind == NFA_NODE_BYTES || node->kind == NFA_NODE_FIELD_END;
}

/* A node that this mode excludes, or one with an empty set of bytes such as [^\x00-\xff]. */
static gboolean
is_excluded (const Builder *self, const NfaNode *node)
{
  static const KvsqlByteSet empty = KVSQL_BYTE_SET_EMPTY;

  switch ((NfaNodeRole)node->role)
    {
    case NFA_ROLE_MEDIUM_COUNT:
      return (self->mode & NFA_MODE_HAS_MEDIUM_COUNT) == 0;
    case NFA_ROLE_MEDIUM_LOOP:
      return (self->mode & NFA_MODE_HAS_MEDIUM_LOOP) == 0;
    case NFA_ROLE_LONG_LOOP:
      return (self->mode & NFA_MODE_HAS_LONG_LOOP) == 0;
    case NFA_ROLE_LOOP_LENGTH:
    case NFA_ROLE_PLAIN:
      break;
    }
  return node->kind == NFA_NODE_BYTES && memcmp (&node->set, &empty, sizeof empty) == 0;
}

static void
reach (Builder *self, guint32 index)
{
  if (self->states[index].is_reached || is_excluded (self, nfa_node (self->nfa, index)))
    return;
  self->states[index].is_reached = TRUE;
  g_array_append_val (self->order, index);
}

/* Traverses forward from the first node, and records each edge at its target. */
static void
find_reached (Builder *self)
{
  reach (self, self->fragment.start);
  for (guint i = 0; i < self->order->len && kvsql_interrupt_tick (); i++)
    {
      guint32 index = g_array_index (self->order, guint32, i);

      for (guint j = 0; j < 2 && index != self->fragment.end; j++)
        {
          guint32 next = nfa_node (self->nfa, index)->out[j];
          Edge edge = { index, NFA_NO_NODE };

          if (next == NFA_NO_NODE)
            continue;
          reach (self, next);
          edge.next_edge = self->states[next].first_edge;
          self->states[next].first_edge = self->edges->len;
          g_array_append_val (self->edges, edge);
        }
    }
}

/* Traverses backward from the last node. */
static void
find_useful (Builder *self)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (!self->states[self->fragment.end].is_reached)
    return;
  self->states[self->fragment.end].is_useful = TRUE;
  g_array_append_val (found, self->fragment.end);
  for (guint i = 0; i < found->len; i++)
    {
      guint32 index = g_array_index (found, guint32, i);

      for (guint32 e = self->states[index].first_edge; e != NFA_NO_NODE;)
        {
          const Edge *edge = &g_array_index (self->edges, Edge, e);

          if (!self->states[edge->from].is_useful)
            {
              self->states[edge->from].is_useful = TRUE;
              g_array_append_val (found, edge->from);
            }
          e = edge->next_edge;
        }
    }
}

static void
push (Builder *self, guint32 index, guint parity)
{
  NodeState *state;
  guint64 item = (guint64)index * 2 + parity;

  if (index == NFA_NO_NODE)
    return;
  state = &self->states[index];
  if (!state->is_useful || state->stamp[parity] == self->n_closures)
    return;
  state->stamp[parity] = self->n_closures;
  g_array_append_val (self->stack, item);
}

/* Appends the transitions from node @index, which itself counts as not read yet. */
static void
close_over (Builder *self, guint32 index, guint32 n_positions)
{
  self->n_closures++;
  push (self, index, 0);
  while (self->stack->len > 0 && kvsql_interrupt_tick ())
    {
      guint64 item = g_array_index (self->stack, guint64, self->stack->len - 1);
      guint32 at = item / 2;
      guint parity = item % 2;
      const NfaNode *node = nfa_node (self->nfa, at);
      KvsqlTransition transition = { .target = n_positions, .parity = parity };

      g_array_set_size (self->stack, self->stack->len - 1);
      if (at == self->fragment.end || is_symbol (node))
        {
          if (at != self->fragment.end)
            transition.target = self->states[at].position;
          g_array_append_val (self->transitions, transition);
          continue;
        }
      parity ^= node->kind == NFA_NODE_ENTER && node->mark == self->tracked;
      push (self, node->out[1], parity);
      push (self, node->out[0], parity);
    }
}

static guint32
number_positions (Builder *self, KvsqlPositions *result)
{
  guint32 n = 0;

  for (guint i = 0; i < self->order->len; i++)
    {
      guint32 index = g_array_index (self->order, guint32, i);
      const NfaNode *node = nfa_node (self->nfa, index);

      if (!self->states[index].is_useful || !is_symbol (node))
        continue;
      result->positions[n].node = node;
      result->positions[n].node_index = index;
      self->states[index].position = n++;
      if (nfa_node_is_loop (node))
        result->has_loops = TRUE;
    }
  return n;
}

static gboolean
collect_steps (Builder *self, KvsqlArena *arena, KvsqlPositions *result, GError **error)
{
  const KvsqlTransition *transitions;

  close_over (self, self->fragment.start, result->n);
  result->n_first = self->transitions->len;
  for (guint32 i = 0; i < result->n; i++)
    {
      guint before = self->transitions->len;

      close_over (self, result->positions[i].node->out[0], result->n);
      result->positions[i].n_transitions = self->transitions->len - before;
      if (!kvsql_interrupt_poll (error))
        return FALSE;
      if (self->transitions->len > MAX_STEPS)
        return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                                "the layout is too complex to be checked: more than %d steps",
                                MAX_STEPS);
    }
  transitions = kvsql_arena_copy (arena, self->transitions->data,
                                  self->transitions->len * sizeof (KvsqlTransition));
  result->first = transitions;
  transitions += result->n_first;
  for (guint32 i = 0; i < result->n; i++)
    {
      result->positions[i].transitions = transitions;
      transitions += result->positions[i].n_transitions;
    }
  g_assert (transitions == result->first + self->transitions->len); /* each has an owner */
  return TRUE;
}

KvsqlPositions *
kvsql_positions_new (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment fragment,
                     guint32 tracked, NfaMode mode, GError **error)
{
  KvsqlPositions *result = kvsql_arena_new0 (arena, KvsqlPositions);
  g_auto (Builder) builder
      = { .nfa = nfa,
          .fragment = fragment,
          .tracked = tracked,
          .mode = mode,
          .states = g_new0 (NodeState, nfa->n_nodes),
          .order = g_array_new (FALSE, FALSE, sizeof (guint32)),
          .edges = g_array_new (FALSE, FALSE, sizeof (Edge)),
          .stack = g_array_new (FALSE, FALSE, sizeof (guint64)),
          .transitions = g_array_new (FALSE, FALSE, sizeof (KvsqlTransition)) };

  if (!kvsql_nfa_check (nfa, error))
    return NULL;
  g_assert (nfa_has_fragment (nfa, fragment));
  for (guint32 i = 0; i < nfa->n_nodes; i++)
    builder.states[i].first_edge = NFA_NO_NODE;
  find_reached (&builder);
  find_useful (&builder);
  if (!kvsql_interrupt_poll (error))
    return NULL;
  result->positions = kvsql_arena_array (arena, KvsqlPosition, builder.order->len);
  result->n = number_positions (&builder, result);
  return collect_steps (&builder, arena, result, error) ? result : NULL;
}

gboolean
kvsql_position_meets (const KvsqlPosition *a, const KvsqlPosition *b)
{
  guint32 common = 0;

  if (a->node->kind != b->node->kind)
    return FALSE;
  if (a->node->kind == NFA_NODE_FIELD_END)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (a->node->set.words); i++)
    common |= a->node->set.words[i] & b->node->set.words[i];
  return common != 0;
}
