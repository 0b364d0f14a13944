/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * product.c: breadth-first search over pairs of positions.
 *
 * A pair is visited only if both positions can read a common symbol. Each position has one set of
 * symbols and the same successors for all of them, so the choice of the symbol does not matter:
 * each path of pairs is a path for some bytes, and the first path that is found is a shortest one.
 */
#include "config.h"

#include "core/layout/automata/product.h"

#include "core/base/account.h"
#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/interrupt.h"

#define NO_PARENT G_MAXUINT32

/* Part of the identity of a pair: the two paths already differ in the way of the goal. */
#define FLAG_DIFFERENT 1
/* Not part of the identity. */
#define FLAG_FIRST_PARITY 2
#define FLAG_SECOND_PARITY 4

typedef struct
{
  guint32 first;
  guint32 second;
  guint32 parent;
  guint32 flags;
} Pair;

typedef struct
{
  const KvsqlPositions *a;
  const KvsqlPositions *b;
  KvsqlProductGoal goal;
  KvsqlProductBudget *budget;
  GArray *pairs;  /* in the order found */
  guint32 *table; /* open addressing: index + 1 of a pair */
  gsize n_slots;  /* a power of two */
  guint32 found;  /* the accepting pair */
  gsize charged;  /* bytes */
} Search;

static void charge (Search *self, gsize bytes);

static void
search_clear (Search *self)
{
  g_array_unref (self->pairs);
  g_free (self->table);
  charge (self, 0);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

/* ---- the set of pairs */

static gsize
pair_slot (const Search *self, const Pair *pair)
{
  guint64 key = ((guint64)pair->first << 34) ^ ((guint64)pair->second << 1)
                ^ (pair->flags & FLAG_DIFFERENT);

  return kvsql_hash (kvsql_hash_seed, &key, sizeof key) & (self->n_slots - 1);
}

static gboolean
pair_equal (const Pair *a, const Pair *b)
{
  return a->first == b->first && a->second == b->second
         && (a->flags & FLAG_DIFFERENT) == (b->flags & FLAG_DIFFERENT);
}

/* The slot of an equal pair, or the free slot for a new one. */
static guint32 *
find_slot (const Search *self, const Pair *pair)
{
  gsize slot = pair_slot (self, pair);

  while (self->table[slot] != 0
         && !pair_equal (&g_array_index (self->pairs, Pair, self->table[slot] - 1), pair))
    slot = (slot + 1) & (self->n_slots - 1);
  return &self->table[slot];
}

/* Charges the table and the capacity for pairs to the statement's account. */
static void
charge (Search *self, gsize bytes)
{
  KvsqlAccount *account = kvsql_account_get_current ();

  kvsql_account_add (account, (gssize)bytes - (gssize)self->charged);
  if (bytes > self->charged)
    kvsql_interrupt_check_soon ();
  self->charged = bytes;
}

static void
grow_table (Search *self)
{
  g_free (self->table);
  self->n_slots *= 2;
  charge (self, self->n_slots * (sizeof *self->table + sizeof (Pair) / 2));
  self->table = g_new0 (guint32, self->n_slots);
  for (guint i = 0; i < self->pairs->len; i++)
    *find_slot (self, &g_array_index (self->pairs, Pair, i)) = i + 1;
}

static void
add_pair (Search *self, const Pair *pair)
{
  guint32 *slot = find_slot (self, pair);

  if (*slot != 0)
    return;
  g_array_append_val (self->pairs, *pair);
  *slot = self->pairs->len;
  if (self->pairs->len * 2 > self->n_slots)
    grow_table (self);
}

/* ---- the search */

/* Updates the flags of a pair by the marks of the next symbol and the marks passed before it.
 * FALSE: the pair cannot lead to the goal. */
static gboolean
compare_marks (const Search *self, Pair *pair, gboolean is_end)
{
  gboolean is_equal = is_end
                      || self->a->positions[pair->first].node->mark
                             == self->b->positions[pair->second].node->mark;

  switch (self->goal)
    {
    case KVSQL_PRODUCT_ANY:
      return TRUE;
    case KVSQL_PRODUCT_IDENTICAL:
      return pair->first == pair->second;
    case KVSQL_PRODUCT_MARKS:
      if (!is_equal)
        pair->flags |= FLAG_DIFFERENT;
      return TRUE;
    case KVSQL_PRODUCT_PARITY:
      if (((pair->flags & FLAG_FIRST_PARITY) != 0) != ((pair->flags & FLAG_SECOND_PARITY) != 0))
        pair->flags ^= FLAG_DIFFERENT;
      return is_equal;
    }
  g_return_val_if_reached (FALSE);
}

static gboolean
is_goal (const Search *self, const Pair *pair)
{
  return self->goal == KVSQL_PRODUCT_ANY || self->goal == KVSQL_PRODUCT_IDENTICAL
         || (pair->flags & FLAG_DIFFERENT) != 0;
}

static void
offer (Search *self, guint32 parent, guint32 flags, KvsqlTransition first, KvsqlTransition second)
{
  gboolean is_first_end = first.target == self->a->n;
  gboolean is_second_end = second.target == self->b->n;
  Pair pair = { first.target, second.target, parent, flags };

  if (is_first_end != is_second_end)
    return;
  if (!is_first_end
      && !kvsql_position_meets (&self->a->positions[first.target],
                                &self->b->positions[second.target]))
    return;
  pair.flags |= (first.parity ? FLAG_FIRST_PARITY : 0) | (second.parity ? FLAG_SECOND_PARITY : 0);
  if (!compare_marks (self, &pair, is_first_end))
    return;
  if (!is_first_end)
    add_pair (self, &pair);
  else if (is_goal (self, &pair))
    {
      g_array_append_val (self->pairs, pair);
      self->found = self->pairs->len - 1;
    }
}

/* Two readings of a length at the same place read the same number, so they leave their values
 * together. A difference after that would also occur with a tiny value, so this pair need not be
 * visited. */
static gboolean
read_same_length (const NfaNode *first, const NfaNode *second)
{
  return first->role == NFA_ROLE_LOOP_LENGTH && second->role == NFA_ROLE_LOOP_LENGTH
         && first->n_length_bytes == second->n_length_bytes;
}

static gboolean
is_over (const Search *self)
{
  return self->found != NO_PARENT || self->budget->n_steps == 0 || !kvsql_interrupt_tick ();
}

static void
expand (Search *self, guint32 index)
{
  Pair pair = g_array_index (self->pairs, Pair, index);
  const KvsqlPosition *first = &self->a->positions[pair.first];
  const KvsqlPosition *second = &self->b->positions[pair.second];
  guint32 flags = pair.flags & FLAG_DIFFERENT;
  /* If both halves are equal, (i, j) and (j, i) are the same. */
  gboolean is_symmetric = self->a == self->b && pair.first == pair.second && flags == 0;

  g_assert (pair.first < self->a->n && pair.second < self->b->n); /* not acceptance: is_over() */

  if (read_same_length (first->node, second->node))
    return;
  for (guint32 i = 0; i < first->n_transitions && !is_over (self); i++)
    for (guint32 j = is_symmetric ? i : 0; j < second->n_transitions && !is_over (self); j++)
      {
        self->budget->n_steps--;
        offer (self, index, flags, first->transitions[i], second->transitions[j]);
        if (self->goal == KVSQL_PRODUCT_IDENTICAL)
          break;
      }
}

static void
begin (Search *self)
{
  gboolean is_symmetric = self->a == self->b;

  for (guint32 i = 0; i < self->a->n_first && !is_over (self); i++)
    for (guint32 j = is_symmetric ? i : 0; j < self->b->n_first && !is_over (self); j++)
      {
        self->budget->n_steps--;
        offer (self, NO_PARENT, 0, self->a->first[i], self->b->first[j]);
      }
}

static KvsqlProductPath *
copy_path (const Search *self, KvsqlArena *arena)
{
  KvsqlProductPath *path = kvsql_arena_new0 (arena, KvsqlProductPath);
  KvsqlTransition *first, *second;
  guint32 at = self->found;

  g_assert (g_array_index (self->pairs, Pair, at).first == self->a->n);
  g_assert (g_array_index (self->pairs, Pair, at).second == self->b->n);

  for (guint32 i = at; i != NO_PARENT; i = g_array_index (self->pairs, Pair, i).parent)
    path->n++;
  path->first = first = kvsql_arena_array (arena, KvsqlTransition, path->n);
  path->second = second = kvsql_arena_array (arena, KvsqlTransition, path->n);
  for (guint i = path->n; i > 0; i--)
    {
      const Pair *pair = &g_array_index (self->pairs, Pair, at);

      first[i - 1] = (KvsqlTransition){ pair->first, (pair->flags & FLAG_FIRST_PARITY) != 0 };
      second[i - 1] = (KvsqlTransition){ pair->second, (pair->flags & FLAG_SECOND_PARITY) != 0 };
      at = pair->parent;
    }
  return path;
}

gboolean
kvsql_product_search (KvsqlArena *arena, const KvsqlPositions *a, const KvsqlPositions *b,
                      KvsqlProductGoal goal, KvsqlProductBudget *budget,
                      KvsqlProductPath **out_path, GError **error)
{
  g_assert (goal != KVSQL_PRODUCT_IDENTICAL || a == b);
  g_auto (Search) search = { .a = a,
                             .b = b,
                             .goal = goal,
                             .budget = budget,
                             .pairs = g_array_new (FALSE, FALSE, sizeof (Pair)),
                             .table = g_new0 (guint32, 1024),
                             .n_slots = 1024,
                             .found = NO_PARENT };

  begin (&search);
  for (guint i = 0;
       i < search.pairs->len && !is_over (&search) && search.pairs->len <= budget->n_pairs; i++)
    expand (&search, i);
  if (!kvsql_interrupt_poll (error))
    return FALSE;
  if (search.found == NO_PARENT && (budget->n_steps == 0 || search.pairs->len > budget->n_pairs))
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "the layout is too complex to be checked");
  budget->n_pairs -= MIN (budget->n_pairs, search.pairs->len);
  *out_path = search.found != NO_PARENT ? copy_path (&search, arena) : NULL;
  return TRUE;
}
