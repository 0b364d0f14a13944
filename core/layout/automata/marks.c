/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * marks.c: traversals of the nodes of a fragment for questions about one mark.
 */
#include "config.h"

#include "core/layout/automata/marks.h"

#include "core/base/interrupt.h"
#include "core/layout/automata/nfa.h"

typedef struct
{
  const KvsqlNfa *nfa;
  KvsqlNfaFragment fragment;
  guint8 *is_seen;
  GArray *nodes; /* reachable, and not after the end of the fragment */
} Walk;

static void
walk_clear (Walk *self)
{
  g_free (self->is_seen);
  g_array_unref (self->nodes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Walk, walk_clear)

static Walk
walk_new (const KvsqlNfa *nfa, KvsqlNfaFragment fragment)
{
  return (Walk){ .nfa = nfa,
                 .fragment = fragment,
                 .is_seen = g_new0 (guint8, nfa->n_nodes),
                 .nodes = g_array_new (FALSE, FALSE, sizeof (guint32)) };
}

static void
visit (Walk *self, guint32 index)
{
  if (index == NFA_NO_NODE || self->is_seen[index])
    return;
  self->is_seen[index] = TRUE;
  g_array_append_val (self->nodes, index);
}

static void
visit_next (Walk *self, guint32 index)
{
  if (index == self->fragment.end)
    return;
  visit (self, nfa_node (self->nfa, index)->out[0]);
  visit (self, nfa_node (self->nfa, index)->out[1]);
}

static guint32
walk_node (const Walk *self, guint i)
{
  return g_array_index (self->nodes, guint32, i);
}

static gboolean
is_enter (const NfaNode *node, guint32 mark)
{
  return node->kind == NFA_NODE_ENTER && node->mark == mark;
}

static gboolean
is_symbol (const NfaNode *node)
{
  return node->kind == NFA_NODE_BYTES || node->kind == NFA_NODE_FIELD_END;
}

static gint
compare_marks (gconstpointer a, gconstpointer b)
{
  guint32 first = *(const guint32 *)a;
  guint32 second = *(const guint32 *)b;

  return (first > second) - (first < second);
}

GArray *
kvsql_marks_list (const KvsqlNfa *nfa, KvsqlNfaFragment fragment)
{
  g_assert (nfa_has_fragment (nfa, fragment));
  g_auto (Walk) walk = walk_new (nfa, fragment);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (guint32));
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (guint32));

  visit (&walk, fragment.start);
  for (guint i = 0; i < walk.nodes->len && kvsql_interrupt_tick (); i++)
    {
      const NfaNode *node = nfa_node (nfa, walk_node (&walk, i));

      if (node->kind == NFA_NODE_ENTER)
        g_array_append_val (all, node->mark);
      visit_next (&walk, walk_node (&walk, i));
    }
  g_array_sort (all, compare_marks);
  for (guint i = 0; i < all->len; i++)
    if (i == 0 || g_array_index (all, guint32, i) != g_array_index (all, guint32, i - 1))
      g_array_append_val (marks, g_array_index (all, guint32, i));
  return marks;
}

gboolean
kvsql_marks_repeats (const KvsqlNfa *nfa, KvsqlNfaFragment fragment, guint32 mark)
{
  g_assert (nfa_has_fragment (nfa, fragment));
  g_auto (Walk) before = walk_new (nfa, fragment);
  g_auto (Walk) after = walk_new (nfa, fragment);

  visit (&before, fragment.start);
  for (guint i = 0; i < before.nodes->len && kvsql_interrupt_tick (); i++)
    {
      guint32 index = walk_node (&before, i);

      visit_next (is_enter (nfa_node (nfa, index), mark) ? &after : &before, index);
    }
  for (guint i = 0; i < after.nodes->len && kvsql_interrupt_tick (); i++)
    {
      if (is_enter (nfa_node (nfa, walk_node (&after, i)), mark))
        return TRUE;
      visit_next (&after, walk_node (&after, i));
    }
  return FALSE;
}

/* Whether a path to the end exists that does not pass @mark. */
static gboolean
is_optional (const KvsqlNfa *nfa, KvsqlNfaFragment fragment, guint32 mark)
{
  g_auto (Walk) walk = walk_new (nfa, fragment);

  visit (&walk, fragment.start);
  for (guint i = 0; i < walk.nodes->len && kvsql_interrupt_tick (); i++)
    if (!is_enter (nfa_node (nfa, walk_node (&walk, i)), mark))
      visit_next (&walk, walk_node (&walk, i));
  return walk.is_seen[fragment.end];
}

/* Whether the value may be empty: from its beginning, the end or a symbol outside of the value is
 * reachable without reading a symbol. */
static gboolean
may_be_empty (const KvsqlNfa *nfa, KvsqlNfaFragment fragment, guint32 mark)
{
  g_auto (Walk) all = walk_new (nfa, fragment);
  g_auto (Walk) inside = walk_new (nfa, fragment);

  visit (&all, fragment.start);
  for (guint i = 0; i < all.nodes->len && kvsql_interrupt_tick (); i++)
    {
      if (is_enter (nfa_node (nfa, walk_node (&all, i)), mark))
        visit_next (&inside, walk_node (&all, i));
      visit_next (&all, walk_node (&all, i));
    }
  for (guint i = 0; i < inside.nodes->len; i++)
    {
      guint32 index = walk_node (&inside, i);
      const NfaNode *node = nfa_node (nfa, index);

      if (index == fragment.end || (is_symbol (node) && node->mark != mark))
        return TRUE;
      if (!is_symbol (node))
        visit_next (&inside, index);
    }
  return FALSE;
}

gboolean
kvsql_marks_is_elusive (const KvsqlNfa *nfa, KvsqlNfaFragment fragment, guint32 mark)
{
  g_assert (nfa_has_fragment (nfa, fragment));
  return is_optional (nfa, fragment, mark) && may_be_empty (nfa, fragment, mark);
}

/* ---- marks between two symbols */

/* A node, and the parity of the tracked mark on the path to it. */
typedef struct
{
  guint32 index;
  guint32 parity;
  guint parent; /* index in the list; the index of the first is its own */
} Place;

static void
append_way (const KvsqlNfa *nfa, const GArray *places, guint last, GArray *marks)
{
  for (guint i = last; g_array_index (places, Place, i).parent != i;)
    {
      i = g_array_index (places, Place, i).parent;
      const NfaNode *node = nfa_node (nfa, g_array_index (places, Place, i).index);

      if (node->kind == NFA_NODE_ENTER)
        g_array_append_val (marks, node->mark);
    }
}

void
kvsql_marks_collect (const KvsqlNfa *nfa, KvsqlNfaFragment fragment, guint32 from, guint32 to,
                     guint32 tracked, guint parity, GArray *marks)
{
  g_autofree guint8 *is_seen = g_new0 (guint8, nfa->n_nodes * (gsize)2);

  g_assert (from < nfa->n_nodes && to < nfa->n_nodes);
  g_assert (parity <= 1);

  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Place));
  Place start = { from, 0, 0 };

  g_array_append_val (places, start);
  is_seen[from * (gsize)2] = TRUE;
  for (guint i = 0; i < places->len; i++)
    {
      Place place = g_array_index (places, Place, i);
      const NfaNode *node = nfa_node (nfa, place.index);
      Place next = { .parity = place.parity ^ is_enter (node, tracked), .parent = i };

      if (place.index == to && place.parity == parity)
        {
          append_way (nfa, places, i, marks);
          return;
        }
      if (place.index == fragment.end || is_symbol (node))
        continue;
      for (guint j = 0; j < 2; j++)
        {
          next.index = node->out[j];
          if (next.index == NFA_NO_NODE || is_seen[next.index * (gsize)2 + next.parity])
            continue;
          is_seen[next.index * (gsize)2 + next.parity] = TRUE;
          g_array_append_val (places, next);
        }
    }
  g_return_if_reached ();
}
