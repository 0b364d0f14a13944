/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dfa.c: the subset construction over positions, with bytes grouped in classes.
 *
 * Each position leads to acceptance, so each nonempty set of positions does. State 0 is the empty
 * set, the only dead state. So "may begin" is the same as "not dead".
 */
#include "config.h"

#include "core/layout/automata/dfa.h"
#include "core/base/interrupt.h"

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/layout/automata/nfa.h"
#include "core/layout/automata/positions.h"

#define DEAD 0
#define START 1
G_STATIC_ASSERT (KVSQL_DFA_MAX_STATES < G_MAXUINT16);
#define MAX_WORK (20 * 1000 * 1000) /* members of all sets that are visited */

struct _KvsqlDfa
{
  guint8 class_of[256];
  guint n_classes;
  guint n_states;
  const guint16 *next; /* [state * n_classes + class] */
  const guint8 *is_accepting;
  gsize min_length;
  gsize max_length;
  KvsqlSlice prefix;
};

/* A sorted set of positions. If acceptance is a member, it is the last. */
typedef struct
{
  guint n;
  const guint32 *items;
} Subset;

typedef struct
{
  const KvsqlPositions *positions;
  KvsqlArena *scratch;
  GHashTable *numbers; /* Subset -> state */
  GPtrArray *subsets;  /* by state */
  GArray *next;        /* guint16 */
  GArray *members;     /* of the set under construction */
  guint32 *stamps;     /* by position: the last set to which it was added */
  guint32 n_made;
  gsize work;
} Builder;

static void
builder_clear (Builder *self)
{
  g_hash_table_unref (self->numbers);
  g_ptr_array_unref (self->subsets);
  g_array_unref (self->next);
  g_array_unref (self->members);
  g_free (self->stamps);
  kvsql_arena_free (self->scratch);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Builder, builder_clear)

/* ---- classes of bytes that no position distinguishes */

static void
split_classes (KvsqlDfa *dfa, const KvsqlByteSet *set)
{
  gint16 inside[256]; /* by class: the new class of its bytes in the set */
  gboolean has_outside[256] = { FALSE };
  guint n_old = dfa->n_classes;

  for (guint byte = 0; byte < 256; byte++)
    if (!kvsql_byte_set_contains (set, byte))
      has_outside[dfa->class_of[byte]] = TRUE;
  for (guint i = 0; i < n_old; i++)
    inside[i] = has_outside[i] ? -1 : (gint16)i;
  for (guint byte = 0; byte < 256; byte++)
    {
      guint8 class = dfa->class_of[byte];

      if (!kvsql_byte_set_contains (set, byte))
        continue;
      if (inside[class] < 0)
        inside[class] = dfa->n_classes++;
      dfa->class_of[byte] = inside[class];
    }
}

static void
find_classes (KvsqlDfa *dfa, const KvsqlPositions *positions)
{
  dfa->n_classes = 1;
  for (guint32 i = 0; i < positions->n && dfa->n_classes < 256; i++)
    {
      g_assert (positions->positions[i].node->kind == NFA_NODE_BYTES); /* see kvsql_dfa_new() */
      split_classes (dfa, &positions->positions[i].node->set);
    }
  g_assert (dfa->n_classes <= 256); /* each class has a byte */
}

/* ---- subsets */

static guint
subset_hash (gconstpointer key)
{
  const Subset *subset = key;

  return (guint)kvsql_hash (kvsql_hash_seed, subset->items, subset->n * sizeof *subset->items);
}

static gboolean
subset_equal (gconstpointer a, gconstpointer b)
{
  const Subset *first = a;
  const Subset *second = b;

  return first->n == second->n
         && (first->n == 0
             || memcmp (first->items, second->items, first->n * sizeof (guint32)) == 0);
}

static gint
compare_items (gconstpointer a, gconstpointer b)
{
  guint32 first = *(const guint32 *)a;
  guint32 second = *(const guint32 *)b;

  return (first > second) - (first < second);
}

static void
begin_subset (Builder *self)
{
  g_array_set_size (self->members, 0);
  self->n_made++;
}

static void
add_transitions (Builder *self, const KvsqlTransition *transitions, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      guint32 target = transitions[i].target;

      if (self->stamps[target] == self->n_made)
        continue;
      self->stamps[target] = self->n_made;
      g_array_append_val (self->members, target);
    }
  self->work += n;
}

/* The number of the state for the set under construction. */
static guint
finish_subset (Builder *self)
{
  Subset made = { self->members->len, NULL };
  Subset *subset;
  gpointer found;

  g_array_sort (self->members, compare_items);
  made.items = (const guint32 *)self->members->data;
  if (g_hash_table_lookup_extended (self->numbers, &made, NULL, &found))
    return GPOINTER_TO_UINT (found);
  subset = kvsql_arena_new0 (self->scratch, Subset);
  subset->n = made.n;
  subset->items = kvsql_arena_copy (self->scratch, made.items, made.n * sizeof (guint32));
  g_hash_table_insert (self->numbers, subset, GUINT_TO_POINTER (self->subsets->len));
  g_ptr_array_add (self->subsets, subset);
  return self->subsets->len - 1;
}

static void
step_subset (Builder *self, const Subset *subset, guint8 byte)
{
  begin_subset (self);
  for (guint i = 0; i < subset->n; i++)
    {
      const KvsqlPosition *position = &self->positions->positions[subset->items[i]];

      self->work++;
      if (subset->items[i] < self->positions->n
          && kvsql_byte_set_contains (&position->node->set, byte))
        add_transitions (self, position->transitions, position->n_transitions);
    }
}

static gboolean
build_states (Builder *self, const KvsqlDfa *dfa, const gchar *description, GError **error)
{
  guint8 representative[256];
  guint start;

  for (guint byte = 0; byte < 256; byte++)
    representative[dfa->class_of[byte]] = byte;
  begin_subset (self);
  start = finish_subset (self);
  g_assert (start == DEAD); /* the empty set */
  begin_subset (self);
  add_transitions (self, self->positions->first, self->positions->n_first);
  start = finish_subset (self);
  if (start == DEAD)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, KVSQL_SPAN_NONE, "%s matches nothing",
                            description);
  g_assert (start == START);
  for (guint state = 0; state < self->subsets->len; state++)
    for (guint class = 0; class < dfa->n_classes; class ++)
      {
        guint16 target;

        step_subset (self, g_ptr_array_index (self->subsets, state), representative[class]);
        target = finish_subset (self);
        g_array_append_val (self->next, target);
        if (!kvsql_interrupt_spend (1 + (gint)(self->members->len / 16))
            && !kvsql_interrupt_check (error))
          return FALSE;
        if (self->subsets->len > KVSQL_DFA_MAX_STATES || self->work > MAX_WORK)
          return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                                  "%s is too complex: it needs more than %d states", description,
                                  KVSQL_DFA_MAX_STATES);
      }
  return TRUE;
}

static void
copy_states (const Builder *builder, KvsqlArena *arena, KvsqlDfa *dfa)
{
  guint8 *is_accepting = kvsql_arena_array (arena, guint8, builder->subsets->len);

  dfa->n_states = builder->subsets->len;
  for (guint state = 0; state < dfa->n_states; state++)
    {
      const Subset *subset = g_ptr_array_index (builder->subsets, state);

      is_accepting[state] = subset->n > 0 && subset->items[subset->n - 1] == builder->positions->n;
    }
  g_assert (builder->next->len == dfa->n_states * dfa->n_classes); /* a row for each state */
  dfa->is_accepting = is_accepting;
  dfa->next = kvsql_arena_copy (arena, builder->next->data, builder->next->len * sizeof (guint16));
}

/* ---- lengths and common prefix */

static gsize
find_min_length (const KvsqlDfa *dfa)
{
  g_autofree gsize *distance = g_new0 (gsize, dfa->n_states); /* distance + 1; 0: not reached */
  g_autofree guint16 *queue = g_new (guint16, dfa->n_states);
  guint n = 0;

  g_assert (dfa->n_states > START);
  distance[START] = 1;
  queue[n++] = START;
  for (guint i = 0; i < n; i++)
    {
      if (dfa->is_accepting[queue[i]])
        return distance[queue[i]] - 1;
      for (guint class = 0; class < dfa->n_classes; class ++)
        {
          guint16 next = dfa->next[queue[i] * dfa->n_classes + class];

          if (next == DEAD || distance[next] != 0)
            continue;
          distance[next] = distance[queue[i]] + 1;
          queue[n++] = next;
        }
    }
  g_return_val_if_reached (0);
}

/* The longest path, in topological order. A loop means that there is none, since each state leads
 * to acceptance. */
static gsize
find_max_length (const KvsqlDfa *dfa)
{
  g_autofree guint *n_before = g_new0 (guint, dfa->n_states);
  g_autofree gsize *distance = g_new0 (gsize, dfa->n_states);
  g_autofree guint16 *queue = g_new (guint16, dfa->n_states);
  guint n = 0;
  gsize longest = 0;

  for (gsize i = dfa->n_classes; i < (gsize)dfa->n_states * dfa->n_classes; i++)
    n_before[dfa->next[i]]++;
  if (n_before[START] == 0)
    queue[n++] = START;
  for (guint i = 0; i < n; i++)
    {
      if (dfa->is_accepting[queue[i]])
        longest = MAX (longest, distance[queue[i]]);
      for (guint class = 0; class < dfa->n_classes; class ++)
        {
          guint16 next = dfa->next[queue[i] * dfa->n_classes + class];

          if (next == DEAD)
            continue;
          distance[next] = MAX (distance[next], distance[queue[i]] + 1);
          if (--n_before[next] == 0)
            queue[n++] = next;
        }
    }
  return n == dfa->n_states - 1 ? longest : KVSQL_DFA_UNBOUNDED;
}

/* The only byte with a transition from @state to another state than 0; or -1. */
static gint
only_byte (const KvsqlDfa *dfa, guint state)
{
  gint only = -1;

  for (guint byte = 0; byte < 256; byte++)
    {
      if (dfa->next[state * dfa->n_classes + dfa->class_of[byte]] == DEAD)
        continue;
      if (only >= 0)
        return -1;
      only = byte;
    }
  return only;
}

static KvsqlSlice
find_prefix (const KvsqlDfa *dfa, KvsqlArena *arena)
{
  guint8 *bytes = kvsql_arena_alloc (arena, dfa->min_length);
  guint state = START;
  gsize size = 0;

  for (gint byte; size < dfa->min_length && (byte = only_byte (dfa, state)) >= 0; size++)
    {
      bytes[size] = byte;
      state = dfa->next[state * dfa->n_classes + dfa->class_of[byte]];
    }
  return kvsql_slice (bytes, size);
}

/* ---- compiling */

KvsqlDfa *
kvsql_dfa_new (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment fragment,
               const gchar *description, GError **error)
{
  KvsqlDfa *self = kvsql_arena_new0 (arena, KvsqlDfa);
  KvsqlArena *scratch = kvsql_arena_new ();

  g_return_val_if_fail (description != NULL, NULL);

  g_auto (Builder) builder = { .scratch = scratch,
                               .numbers = g_hash_table_new (subset_hash, subset_equal),
                               .subsets = g_ptr_array_new (),
                               .next = g_array_new (FALSE, FALSE, sizeof (guint16)),
                               .members = g_array_new (FALSE, FALSE, sizeof (guint32)) };

  builder.positions
      = kvsql_positions_new (scratch, nfa, fragment, KVSQL_NFA_NO_MARK, NFA_MODE_COUNT, error);
  if (builder.positions == NULL)
    return NULL;
  builder.stamps = g_new0 (guint32, builder.positions->n + 1);
  find_classes (self, builder.positions);
  if (!build_states (&builder, self, description, error))
    return NULL;
  copy_states (&builder, arena, self);
  self->min_length = find_min_length (self);
  self->max_length = find_max_length (self);
  self->prefix = find_prefix (self, arena);
  return self;
}

KvsqlDfa *
kvsql_dfa_new_regexp (KvsqlArena *arena, KvsqlSlice text, GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  g_autofree gchar *readable = kvsql_readable (text);
  g_autofree gchar *description = g_strdup_printf ("regular expression \"%s\"", readable);
  KvsqlNfa *nfa = kvsql_nfa_new (scratch);
  KvsqlNfaFragment fragment;

  if (!kvsql_nfa_regexp (nfa, text, &fragment, error))
    return NULL;
  return kvsql_dfa_new (arena, nfa, fragment, description, error);
}

/* ---- matching */

static guint
step (const KvsqlDfa *self, guint state, guint8 byte)
{
  return self->next[state * self->n_classes + self->class_of[byte]];
}

static guint
run (const KvsqlDfa *self, KvsqlSlice bytes)
{
  guint state = START;

  for (gsize i = 0; i < bytes.size && state != DEAD; i++)
    state = step (self, state, bytes.data[i]);
  return state;
}

gboolean
kvsql_dfa_matches (const KvsqlDfa *self, KvsqlSlice bytes)
{
  return self->is_accepting[run (self, bytes)];
}

gboolean
kvsql_dfa_may_begin (const KvsqlDfa *self, KvsqlSlice bytes)
{
  return run (self, bytes) != DEAD;
}

gsize
kvsql_dfa_get_min_length (const KvsqlDfa *self)
{
  return self->min_length;
}

gsize
kvsql_dfa_get_max_length (const KvsqlDfa *self)
{
  return self->max_length;
}

KvsqlSlice
kvsql_dfa_get_constant_prefix (const KvsqlDfa *self)
{
  return self->prefix;
}

/* Each state is reachable and leads to acceptance. So each byte with a transition occurs in an
 * accepted string. */
guint8
kvsql_dfa_get_least_byte (const KvsqlDfa *self)
{
  for (guint byte = 0; byte < 256; byte++)
    for (guint state = START; state < self->n_states; state++)
      if (self->next[state * self->n_classes + self->class_of[byte]] != DEAD)
        return byte;
  return 255;
}

void
kvsql_dfa_scan_start (KvsqlDfaScan *scan, const KvsqlDfa *dfa, KvsqlSlice bytes)
{
  *scan = (KvsqlDfaScan){ .dfa = dfa, .bytes = bytes, .state = START };
}

gboolean
kvsql_dfa_scan_next (KvsqlDfaScan *scan, gsize *out_length)
{
  if (!scan->is_started)
    {
      scan->is_started = TRUE;
      if (scan->dfa->is_accepting[scan->state])
        {
          *out_length = 0;
          return TRUE;
        }
    }
  while (scan->state != DEAD && scan->at < scan->bytes.size)
    {
      scan->state = step (scan->dfa, scan->state, scan->bytes.data[scan->at++]);
      if (scan->dfa->is_accepting[scan->state])
        {
          *out_length = scan->at;
          return TRUE;
        }
    }
  return FALSE;
}
