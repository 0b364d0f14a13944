/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * proof.c: chooses the searches for a question, and interprets the path that they find.
 */
#include "config.h"

#include "core/layout/automata/proof.h"
#include "core/base/interrupt.h"

#include "core/base/error.h"
#include "core/layout/automata/marks.h"
#include "core/layout/automata/product.h"

/* One side of a path, with the data to read its values. */
typedef struct
{
  const KvsqlNfa *nfa;
  KvsqlNfaFragment fragment;
  const KvsqlPositions *positions;
  guint32 tracked;
} Side;

static KvsqlProductBudget
full_budget (void)
{
  return (KvsqlProductBudget){ KVSQL_PROOF_MAX_PAIRS, KVSQL_PROOF_MAX_STEPS };
}

/* ---- examples */

/* A byte that both read: preferably a letter or digit, else a printable byte. */
static guint8
choose_byte (const KvsqlByteSet *a, const KvsqlByteSet *b)
{
  static const guint8 ranges[][2]
      = { { 'a', 'z' }, { '0', '9' }, { 'A', 'Z' }, { '!', '~' }, { 0, 255 } };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    for (guint byte = ranges[i][0]; byte <= ranges[i][1]; byte++)
      if (kvsql_byte_set_contains (a, byte) && kvsql_byte_set_contains (b, byte))
        return byte;
  g_return_val_if_reached (0);
}

static const NfaNode *
path_node (const KvsqlPositions *positions, KvsqlTransition transition)
{
  return positions->positions[transition.target].node;
}

static void
fill_example (KvsqlProofExample *example, KvsqlArena *arena, const KvsqlProductPath *path,
              const KvsqlPositions *a, const KvsqlPositions *b)
{
  guint8 *bytes = kvsql_arena_alloc (arena, path->n);
  KvsqlByteSet *choices = kvsql_arena_array (arena, KvsqlByteSet, path->n);
  gsize size = 0;

  g_assert (path->n > 0); /* the last step leads to acceptance and reads nothing */

  example->n_fields = 1;
  for (guint i = 0; i + 1 < path->n; i++)
    example->n_fields += path_node (a, path->first[i])->kind == NFA_NODE_FIELD_END;
  example->fields = kvsql_arena_array (arena, KvsqlSlice, example->n_fields);
  example->fields[0].data = bytes;
  for (guint i = 0, field = 0; i + 1 < path->n; i++)
    {
      const NfaNode *node = path_node (a, path->first[i]);

      if (node->kind == NFA_NODE_FIELD_END)
        {
          example->fields[++field].data = bytes + size;
          continue;
        }
      bytes[size] = choose_byte (&node->set, &path_node (b, path->second[i])->set);
      for (guint j = 0; j < G_N_ELEMENTS (choices->words); j++)
        choices[size].words[j] = node->set.words[j] & path_node (b, path->second[i])->set.words[j];
      size++;
      example->fields[field].size++;
    }
  g_assert (size + example->n_fields == path->n); /* each other step is a byte or ends a field */
  example->bytes = kvsql_slice (bytes, size);
  example->choices = choices;
}

static KvsqlProofExample *
new_example (KvsqlArena *arena, const KvsqlProductPath *path, const KvsqlPositions *a,
             const KvsqlPositions *b)
{
  KvsqlProofExample *example = kvsql_arena_new0 (arena, KvsqlProofExample);

  fill_example (example, arena, path, a, b);
  return example;
}

/* ---- values of one reading */

static KvsqlProofValue *
find_value (const KvsqlProofAmbiguity *result, KvsqlProofValue *values, guint32 mark)
{
  for (guint i = 0; i < result->n_attributes; i++)
    if (result->attributes[i] == mark)
      return &values[i];
  g_return_val_if_reached (NULL);
}

/* Records the attributes whose values begin just before symbol @i; they are present, at least with
 * empty values. */
static void
note_beginnings (const Side *side, const KvsqlTransition *transitions, guint i, guint8 *at,
                 const KvsqlProofAmbiguity *result, KvsqlProofValue *values)
{
  const KvsqlPositions *positions = side->positions;
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 from = i == 0 ? side->fragment.start : path_node (positions, transitions[i - 1])->out[0];
  guint32 to = transitions[i].target == positions->n
                   ? side->fragment.end
                   : positions->positions[transitions[i].target].node_index;

  kvsql_marks_collect (side->nfa, side->fragment, from, to, side->tracked, transitions[i].parity,
                       marks);
  for (guint j = 0; j < marks->len; j++)
    {
      KvsqlProofValue *value = find_value (result, values, g_array_index (marks, guint32, j));

      value->is_present = TRUE;
      value->bytes = kvsql_slice (at, 0);
    }
}

static KvsqlProofValue *
read_values (KvsqlArena *arena, const Side *side, const KvsqlTransition *transitions, guint n,
             const KvsqlProofAmbiguity *result)
{
  KvsqlProofValue *values = kvsql_arena_array (arena, KvsqlProofValue, result->n_attributes);
  guint8 *at = (guint8 *)result->example.bytes.data;

  for (guint i = 0; i < n && kvsql_interrupt_spend (32); i++)
    {
      const NfaNode *node;

      note_beginnings (side, transitions, i, at, result, values);
      if (i + 1 == n)
        break;
      node = path_node (side->positions, transitions[i]);
      if (node->kind == NFA_NODE_FIELD_END)
        continue;
      if (node->mark != KVSQL_NFA_NO_MARK)
        {
          KvsqlProofValue *value = find_value (result, values, node->mark);

          if (value->bytes.size == 0)
            value->bytes.data = at;
          value->bytes.size++;
        }
      at++;
    }
  return values;
}

/* ---- ambiguity */

static gboolean
check_marks (const KvsqlNfa *nfa, KvsqlNfaFragment fragment, const GArray *marks, GError **error)
{
  for (guint i = 0; i < marks->len && kvsql_interrupt_tick (); i++)
    if (kvsql_marks_repeats (nfa, fragment, g_array_index (marks, guint32, i)))
      return kvsql_error_set (error, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE,
                              "attribute %u is placed twice in one automaton",
                              g_array_index (marks, guint32, i));
  return kvsql_interrupt_poll (error);
}

/* A path through a value with a loop may be impossible in reality. */
static gboolean
is_certain_path (const KvsqlPositions *a, const KvsqlPositions *b, const KvsqlProductPath *path)
{
  for (guint i = 0; i + 1 < path->n; i++)
    if (nfa_node_is_loop (path_node (a, path->first[i]))
        || nfa_node_is_loop (path_node (b, path->second[i])))
      return FALSE;
  return TRUE;
}

static KvsqlProofAmbiguity *
new_ambiguity (KvsqlArena *arena, const Side *side, const KvsqlProductPath *path,
               const GArray *marks)
{
  KvsqlProofAmbiguity *result = kvsql_arena_new0 (arena, KvsqlProofAmbiguity);

  fill_example (&result->example, arena, path, side->positions, side->positions);
  result->is_certain = is_certain_path (side->positions, side->positions, path);
  result->n_attributes = marks->len;
  result->attributes = kvsql_arena_copy (arena, marks->data, marks->len * sizeof (guint32));
  result->first = read_values (arena, side, path->first, path->n, result);
  result->second = read_values (arena, side, path->second, path->n, result);
  return result;
}

static gboolean
is_better (const KvsqlProofAmbiguity *a, const KvsqlProofAmbiguity *b)
{
  if (b == NULL || a->is_certain != b->is_certain)
    return b == NULL || a->is_certain;
  return a->example.bytes.size < b->example.bytes.size;
}

/* One search. Stores its result in *@best if it is better. */
static gboolean
search_ambiguity (KvsqlArena *arena, Side *side, NfaMode mode, const GArray *marks,
                  KvsqlProductBudget *budget, KvsqlProofAmbiguity **best, GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlProductGoal goal
      = side->tracked == KVSQL_NFA_NO_MARK ? KVSQL_PRODUCT_MARKS : KVSQL_PRODUCT_PARITY;
  KvsqlProductPath *path;
  KvsqlProofAmbiguity *found;

  side->positions
      = kvsql_positions_new (scratch, side->nfa, side->fragment, side->tracked, mode, error);
  if (side->positions == NULL
      || !kvsql_product_search (scratch, side->positions, side->positions, goal, budget, &path,
                                error))
    return FALSE;
  if (path == NULL)
    return TRUE;
  found = new_ambiguity (arena, side, path, marks);
  if (is_better (found, *best))
    *best = found;
  return TRUE;
}

/* Searches for a byte with different marks, and for each attribute that can be empty or absent, for
 * a reading with an empty value and one without. */
static gboolean
search_all_goals (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment fragment, NfaMode mode,
                  const GArray *marks, KvsqlProofAmbiguity **out_ambiguity, GError **error)
{
  KvsqlProductBudget budget = full_budget ();
  Side side = { .nfa = nfa, .fragment = fragment, .tracked = KVSQL_NFA_NO_MARK };
  KvsqlProofAmbiguity *best = NULL;

  if (!search_ambiguity (arena, &side, mode, marks, &budget, &best, error))
    return FALSE;
  for (guint i = 0; i < marks->len && kvsql_interrupt_tick (); i++)
    {
      side.tracked = g_array_index (marks, guint32, i);
      if (kvsql_marks_is_elusive (nfa, fragment, side.tracked)
          && !search_ambiguity (arena, &side, mode, marks, &budget, &best, error))
        return FALSE;
    }
  *out_ambiguity = best;
  return kvsql_interrupt_poll (error);
}

/* Whether there are values that no mode counts down. */
static gboolean
has_long_values (const KvsqlNfa *nfa, KvsqlNfaFragment fragment)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlPositions *positions = kvsql_positions_new (scratch, nfa, fragment, KVSQL_NFA_NO_MARK,
                                                   NFA_MODE_COUNT_AND_LOOP_LONG, NULL);

  return positions == NULL || positions->has_loops;
}

/* The modes that accept too little, the cheaper one first. If a search is too complex, the result
 * stays as it is. */
static const NfaMode refining_modes[] = { NFA_MODE_TINY, NFA_MODE_COUNT };

static KvsqlProofAmbiguity *
refine_ambiguity (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment fragment,
                  const GArray *marks, KvsqlProofAmbiguity *uncertain)
{
  for (guint i = 0; i < G_N_ELEMENTS (refining_modes); i++)
    {
      KvsqlProofAmbiguity *found;

      if (!search_all_goals (arena, nfa, fragment, refining_modes[i], marks, &found, NULL))
        return uncertain;
      g_assert (found == NULL || found->is_certain); /* these modes have no loops */
      if (found != NULL)
        return found;
    }
  return has_long_values (nfa, fragment) ? uncertain : NULL;
}

gboolean
kvsql_proof_ambiguity (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment fragment,
                       KvsqlProofAmbiguity **out_ambiguity, GError **error)
{
  KvsqlProofAmbiguity *found;
  g_autoptr (GArray) marks = NULL;

  if (!kvsql_nfa_check (nfa, error))
    return FALSE;
  marks = kvsql_marks_list (nfa, fragment);
  if (!check_marks (nfa, fragment, marks, error)
      || !search_all_goals (arena, nfa, fragment, NFA_MODE_LOOP, marks, &found, error))
    return FALSE;
  if (found != NULL && !found->is_certain)
    found = refine_ambiguity (arena, nfa, fragment, marks, found);
  *out_ambiguity = found;
  return kvsql_interrupt_poll (error);
}

/* ---- common bytes */

static gboolean
search_common (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment a, KvsqlNfaFragment b,
               NfaMode mode, KvsqlProofExample **out_example, gboolean *out_is_certain,
               GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlProductBudget budget = full_budget ();
  KvsqlPositions *first = kvsql_positions_new (scratch, nfa, a, KVSQL_NFA_NO_MARK, mode, error);
  KvsqlPositions *second
      = first == NULL ? NULL
                      : kvsql_positions_new (scratch, nfa, b, KVSQL_NFA_NO_MARK, mode, error);
  KvsqlProductPath *path;

  if (second == NULL
      || !kvsql_product_search (scratch, first, second, KVSQL_PRODUCT_ANY, &budget, &path, error))
    return FALSE;
  *out_example = path != NULL ? new_example (arena, path, first, second) : NULL;
  *out_is_certain = path == NULL || is_certain_path (first, second, path);
  return TRUE;
}

/* As refine_ambiguity(): changes both outputs if the result is better. */
static void
refine_common (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment a, KvsqlNfaFragment b,
               KvsqlProofExample **example, gboolean *is_certain)
{
  for (guint i = 0; i < G_N_ELEMENTS (refining_modes); i++)
    {
      KvsqlProofExample *found;
      gboolean always;

      if (!search_common (arena, nfa, a, b, refining_modes[i], &found, &always, NULL))
        return;
      g_assert (always); /* these modes have no loops */
      if (found != NULL)
        {
          *example = found;
          *is_certain = TRUE;
          return;
        }
    }
  if (has_long_values (nfa, a) || has_long_values (nfa, b))
    return;
  *example = NULL;
  *is_certain = TRUE;
}

gboolean
kvsql_proof_intersection (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment a,
                          KvsqlNfaFragment b, KvsqlProofExample **out_example,
                          gboolean *out_is_certain, GError **error)
{
  KvsqlProofExample *example;
  gboolean is_certain;

  if (!search_common (arena, nfa, a, b, NFA_MODE_LOOP, &example, &is_certain, error))
    return FALSE;
  if (!is_certain)
    refine_common (arena, nfa, a, b, &example, &is_certain);
  *out_example = example;
  if (out_is_certain != NULL)
    *out_is_certain = is_certain;
  return kvsql_interrupt_poll (error);
}

/* Tiny values are sufficient: with an empty value instead of a longer one, the bytes are also
 * accepted, and shorter. */
gboolean
kvsql_proof_shortest (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment fragment,
                      KvsqlProofExample **out_example, GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlProductBudget budget = full_budget ();
  KvsqlPositions *positions
      = kvsql_positions_new (scratch, nfa, fragment, KVSQL_NFA_NO_MARK, NFA_MODE_TINY, error);
  KvsqlProductPath *path;

  if (positions == NULL
      || !kvsql_product_search (scratch, positions, positions, KVSQL_PRODUCT_IDENTICAL, &budget,
                                &path, error))
    return FALSE;
  *out_example = path != NULL ? new_example (arena, path, positions, positions) : NULL;
  return TRUE;
}

/* ---- simulation */

/* The set of positions that may come next, after some bytes were read. */
typedef struct
{
  const KvsqlPositions *positions;
  GArray *now;
  GArray *next;
  guint32 *stamps; /* by position: the step in which it was last added */
  guint32 n_steps;
} Simulation;

static void
simulation_clear (Simulation *self)
{
  g_array_unref (self->now);
  g_array_unref (self->next);
  g_free (self->stamps);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Simulation, simulation_clear)

static void
simulation_add (Simulation *self, const KvsqlTransition *transitions, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      guint32 target = transitions[i].target;

      if (self->stamps[target] == self->n_steps)
        continue;
      self->stamps[target] = self->n_steps;
      g_array_append_val (self->next, target);
    }
}

static void
simulation_swap (Simulation *self)
{
  GArray *now = self->now;

  self->now = self->next;
  self->next = now;
  g_array_set_size (self->next, 0);
  self->n_steps++;
}

static Simulation
simulation_new (const KvsqlPositions *positions)
{
  Simulation self = { .positions = positions,
                      .now = g_array_new (FALSE, FALSE, sizeof (guint32)),
                      .next = g_array_new (FALSE, FALSE, sizeof (guint32)),
                      .stamps = g_new0 (guint32, positions->n + (gsize)1),
                      .n_steps = 1 };

  simulation_add (&self, positions->first, positions->n_first);
  simulation_swap (&self);
  return self;
}

static gboolean
simulation_is_accepting (const Simulation *self)
{
  return self->stamps[self->positions->n] == self->n_steps - 1;
}

/* @byte is 0 to 255, or -1 for the end of a field. */
static void
simulation_read (Simulation *self, gint byte)
{
  for (guint i = 0; i < self->now->len && kvsql_interrupt_tick (); i++)
    {
      guint32 index = g_array_index (self->now, guint32, i);
      const KvsqlPosition *position = &self->positions->positions[index];

      if (index == self->positions->n || (position->node->kind == NFA_NODE_FIELD_END) != (byte < 0)
          || (byte >= 0 && !kvsql_byte_set_contains (&position->node->set, byte)))
        continue;
      simulation_add (self, position->transitions, position->n_transitions);
    }
  simulation_swap (self);
}

/* The only symbol that may come next; -1 if there are several, or the end of a field, or
 * acceptance. */
static gint
simulation_only_byte (const Simulation *self)
{
  KvsqlByteSet all = KVSQL_BYTE_SET_EMPTY;
  gint only = -1;

  if (simulation_is_accepting (self))
    return -1;
  for (guint i = 0; i < self->now->len; i++)
    {
      const NfaNode *node = self->positions->positions[g_array_index (self->now, guint32, i)].node;

      if (node->kind == NFA_NODE_FIELD_END)
        return -1;
      for (guint j = 0; j < G_N_ELEMENTS (all.words); j++)
        all.words[j] |= node->set.words[j];
    }
  for (guint byte = 0; byte < 256; byte++)
    {
      if (!kvsql_byte_set_contains (&all, byte))
        continue;
      if (only >= 0)
        return -1;
      only = byte;
    }
  return only;
}

/* Ends at the latest at the end of the shortest accepted bytes. */
gboolean
kvsql_proof_common_prefix (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment fragment,
                           KvsqlSlice *out_prefix, GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlPositions *positions
      = kvsql_positions_new (scratch, nfa, fragment, KVSQL_NFA_NO_MARK, NFA_MODE_LOOP, error);
  KvsqlBuffer prefix = { 0 };

  if (positions == NULL)
    return FALSE;
  g_auto (Simulation) simulation = simulation_new (positions);
  for (gint byte; (byte = simulation_only_byte (&simulation)) >= 0 && kvsql_interrupt_spend (8);)
    {
      kvsql_buffer_append_byte (&prefix, byte);
      simulation_read (&simulation, byte);
    }
  *out_prefix = kvsql_buffer_move (&prefix, arena);
  return kvsql_interrupt_poll (error);
}

gboolean
kvsql_proof_accepts (const KvsqlNfa *nfa, KvsqlNfaFragment fragment, const KvsqlSlice *fields,
                     guint n_fields, gboolean *out_accepts, GError **error)
{
  g_assert (n_fields > 0);
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlPositions *positions = kvsql_positions_new (scratch, nfa, fragment, KVSQL_NFA_NO_MARK,
                                                   NFA_MODE_COUNT_AND_LOOP_LONG, error);

  if (positions == NULL)
    return FALSE;
  g_auto (Simulation) simulation = simulation_new (positions);
  for (guint i = 0; i < n_fields; i++)
    {
      if (i > 0)
        simulation_read (&simulation, -1);
      for (gsize j = 0; j < fields[i].size; j++)
        simulation_read (&simulation, fields[i].data[j]);
    }
  *out_accepts = simulation_is_accepting (&simulation);
  return kvsql_interrupt_poll (error);
}
