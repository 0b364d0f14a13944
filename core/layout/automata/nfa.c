/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * nfa.c: Thompson's construction, for the elements of layouts.
 *
 * Nodes are numbered and live in chunks, so the address of a node does not change when others are
 * added. Node 0 belongs to no fragment: the builders return it after the automaton became too
 * large.
 */
#include "config.h"

#include "core/layout/automata/nfa-private.h"

#include "core/base/error.h"
#include "core/base/interrupt.h"
#include "core/layout/automata/regexp.h"

/* The size of the automaton for "anything except this" grows with the square of the separator's
 * size. */
#define MAX_SEPARATOR 4096

static const KvsqlByteSet all_bytes = { { ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u } };

static guint32
add_node (KvsqlNfa *self, NfaNodeKind kind)
{
  guint32 index = self->n_nodes;
  NfaNode **chunk;

  if (self->is_too_large || index >= KVSQL_NFA_MAX_NODES)
    {
      self->is_too_large = TRUE;
      return 0;
    }
  chunk = &self->chunks[index / NFA_NODES_PER_CHUNK];
  if (*chunk == NULL)
    *chunk = kvsql_arena_array (self->arena, NfaNode, NFA_NODES_PER_CHUNK);
  self->n_nodes++;
  *nfa_node (self, index)
      = (NfaNode){ .kind = kind, .mark = KVSQL_NFA_NO_MARK, .out = { NFA_NO_NODE, NFA_NO_NODE } };
  return index;
}

static guint32
add_split (KvsqlNfa *self, guint32 first, guint32 second)
{
  guint32 index = add_node (self, NFA_NODE_EPSILON);

  if (self->is_too_large)
    return 0;
  nfa_node (self, index)->out[0] = first;
  nfa_node (self, index)->out[1] = second;
  return index;
}

static guint32
add_bytes (KvsqlNfa *self, const KvsqlByteSet *set, guint32 next)
{
  guint32 index = add_node (self, NFA_NODE_BYTES);

  if (self->is_too_large)
    return 0;
  nfa_node (self, index)->set = *set;
  nfa_node (self, index)->out[0] = next;
  return index;
}

static guint32
add_byte_range (KvsqlNfa *self, guint8 first, guint8 last, guint32 next)
{
  KvsqlByteSet set = kvsql_byte_set_range (first, last);

  return add_bytes (self, &set, next);
}

/* Turns the last node of a fragment into an ordinary node. */
static void
link_to (KvsqlNfa *self, guint32 end, guint32 next)
{
  if (self->is_too_large)
    return;
  g_return_if_fail (nfa_node (self, end)->kind == NFA_NODE_EPSILON);
  g_return_if_fail (nfa_node (self, end)->out[0]
                    == NFA_NO_NODE); /* else the fragment was used twice */
  nfa_node (self, end)->out[0] = next;
}

KvsqlNfa *
kvsql_nfa_new (KvsqlArena *arena)
{
  KvsqlNfa *self = kvsql_arena_new0 (arena, KvsqlNfa);

  self->arena = arena;
  add_node (self, NFA_NODE_EPSILON);
  return self;
}

gboolean
kvsql_nfa_check (const KvsqlNfa *self, GError **error)
{
  if (self->is_too_large)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "the layout is too large to be checked: it needs more than %d states",
                            KVSQL_NFA_MAX_NODES);
  return TRUE;
}

KvsqlNfaFragment
kvsql_nfa_literal (KvsqlNfa *self, KvsqlSlice bytes)
{
  guint32 end = add_node (self, NFA_NODE_EPSILON);
  guint32 start = end;

  for (gsize i = bytes.size; i > 0 && !self->is_too_large; i--)
    start = add_byte_range (self, bytes.data[i - 1], bytes.data[i - 1], start);
  return (KvsqlNfaFragment){ start, end };
}

KvsqlNfaFragment
kvsql_nfa_byte_set (KvsqlNfa *self, const KvsqlByteSet *set)
{
  guint32 end = add_node (self, NFA_NODE_EPSILON);

  return (KvsqlNfaFragment){ add_bytes (self, set, end), end };
}

KvsqlNfaFragment
kvsql_nfa_any_bytes (KvsqlNfa *self, guint n)
{
  guint32 end = add_node (self, NFA_NODE_EPSILON);
  guint32 start = end;

  for (guint i = 0; i < n && !self->is_too_large; i++)
    start = add_bytes (self, &all_bytes, start);
  return (KvsqlNfaFragment){ start, end };
}

KvsqlNfaFragment
kvsql_nfa_any (KvsqlNfa *self)
{
  return kvsql_nfa_repeat (self, kvsql_nfa_byte_set (self, &all_bytes), 0, KVSQL_NFA_UNLIMITED);
}

KvsqlNfaFragment
kvsql_nfa_end_of_field (KvsqlNfa *self)
{
  guint32 end = add_node (self, NFA_NODE_EPSILON);
  guint32 start = add_node (self, NFA_NODE_FIELD_END);

  if (!self->is_too_large)
    nfa_node (self, start)->out[0] = end;
  return (KvsqlNfaFragment){ start, end };
}

/* ---- UTF-8 */

KvsqlNfaFragment
kvsql_nfa_utf8 (KvsqlNfa *self)
{
  /* The well-formed sequences of the Unicode standard, table 3-7. Bytes after the second are
   * 80–BF. */
  static const struct
  {
    guint8 first[2];
    guint8 second[2];
    guint n_more; /* bytes after the first */
  } rows[] = {
    { { 0x00, 0x7f }, { 0, 0 }, 0 },       { { 0xc2, 0xdf }, { 0x80, 0xbf }, 1 },
    { { 0xe0, 0xe0 }, { 0xa0, 0xbf }, 2 }, { { 0xe1, 0xec }, { 0x80, 0xbf }, 2 },
    { { 0xed, 0xed }, { 0x80, 0x9f }, 2 }, { { 0xee, 0xef }, { 0x80, 0xbf }, 2 },
    { { 0xf0, 0xf0 }, { 0x90, 0xbf }, 3 }, { { 0xf1, 0xf3 }, { 0x80, 0xbf }, 3 },
    { { 0xf4, 0xf4 }, { 0x80, 0x8f }, 3 },
  };
  guint32 end = add_node (self, NFA_NODE_EPSILON);
  guint32 last_tail = add_byte_range (self, 0x80, 0xbf, end);
  guint32 tails[] = { end, last_tail, add_byte_range (self, 0x80, 0xbf, last_tail) };
  guint32 start = NFA_NO_NODE;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      guint32 next = end;

      if (rows[i].n_more > 0)
        next = add_byte_range (self, rows[i].second[0], rows[i].second[1],
                               tails[rows[i].n_more - 1]);
      next = add_byte_range (self, rows[i].first[0], rows[i].first[1], next);
      start = start == NFA_NO_NODE ? next : add_split (self, next, start);
    }
  return kvsql_nfa_repeat (self, (KvsqlNfaFragment){ start, end }, 0, KVSQL_NFA_UNLIMITED);
}

/* ---- up to a separator */

/* The automaton of Knuth, Morris and Pratt: the next state after a match of the first @state
 * bytes. */
static guint
separator_step (KvsqlSlice separator, const guint *failure, guint state, guint8 byte)
{
  while (state > 0 && separator.data[state] != byte)
    state = failure[state - 1];
  return separator.data[state] == byte ? state + 1 : 0;
}

static guint *
separator_failure (KvsqlSlice separator)
{
  guint *failure = g_new0 (guint, separator.size);

  for (guint i = 1; i < separator.size; i++)
    failure[i] = separator_step (separator, failure, failure[i - 1], separator.data[i]);
  return failure;
}

/* Whether the separator, written after a match of @state bytes, first occurs at its own place. */
static gboolean
separator_may_follow (KvsqlSlice separator, const guint *failure, guint state)
{
  for (gsize i = 0; i < separator.size; i++)
    {
      state = separator_step (separator, failure, state, separator.data[i]);
      if (state == separator.size)
        return i + 1 == separator.size;
    }
  g_return_val_if_reached (FALSE); /* the bytes read last are the separator */
}

/* Adds the bytes that lead from @state to each other state, as one node for each target. */
static void
connect_separator_state (KvsqlNfa *self, KvsqlSlice separator, const guint *failure,
                         const guint32 *states, guint state, guint32 end)
{
  g_autofree KvsqlByteSet *sets = g_new0 (KvsqlByteSet, separator.size + 1);
  guint32 choice = separator_may_follow (separator, failure, state) ? end : NFA_NO_NODE;

  for (guint byte = 0; byte < 256; byte++)
    kvsql_byte_set_add_range (&sets[separator_step (separator, failure, state, byte)], byte, byte);
  for (guint target = 0; target <= state + 1 && target < separator.size; target++)
    {
      guint32 node;

      if (memcmp (&sets[target], &KVSQL_BYTE_SET_EMPTY, sizeof (KvsqlByteSet)) == 0)
        continue;
      node = add_bytes (self, &sets[target], states[target]);
      choice = choice == NFA_NO_NODE ? node : add_split (self, node, choice);
    }
  if (choice != NFA_NO_NODE && !self->is_too_large)
    nfa_node (self, states[state])->out[0] = choice;
}

KvsqlNfaFragment
kvsql_nfa_any_without (KvsqlNfa *self, KvsqlSlice separator)
{
  KvsqlNfaFragment result = { 0, 0 };
  g_autofree guint *failure = NULL;
  g_autofree guint32 *states = NULL;

  g_return_val_if_fail (separator.size > 0, result);

  if (separator.size > MAX_SEPARATOR)
    {
      self->is_too_large = TRUE;
      return result;
    }
  failure = separator_failure (separator);
  states = g_new (guint32, separator.size);
  for (gsize i = 0; i < separator.size; i++)
    states[i] = add_node (self, NFA_NODE_EPSILON);
  result.start = states[0];
  result.end = add_node (self, NFA_NODE_EPSILON);
  for (guint i = 0; i < separator.size && !self->is_too_large && kvsql_interrupt_spend (16); i++)
    connect_separator_state (self, separator, failure, states, i, result.end);
  return result;
}

/* ---- length-prefixed values */

/* The last byte of a length up to @longest, then the value, as nodes that count down to @end. */
static guint32
add_counted_value (KvsqlNfa *self, guint32 mark, guint longest, guint32 end)
{
  guint32 start = NFA_NO_NODE;
  guint32 rest = end;

  for (guint length = 0; length <= longest && !self->is_too_large; length++)
    {
      guint32 node;

      if (length > 0)
        {
          rest = add_bytes (self, &all_bytes, rest);
          nfa_node (self, rest)->mark = mark;
        }
      node = add_byte_range (self, length, length, rest);
      if (length > NFA_TINY_LENGTH)
        nfa_node (self, node)->role = NFA_ROLE_MEDIUM_COUNT;
      start = start == NFA_NO_NODE ? node : add_split (self, node, start);
    }
  return self->is_too_large ? 0 : start;
}

/* The last byte of a length, then the value, as one node with a loop. */
static guint32
add_looping_value (KvsqlNfa *self, NfaNodeRole role, guint32 mark, guint n_length_bytes,
                   guint8 first, guint8 last, guint32 end)
{
  guint32 leave = add_split (self, NFA_NO_NODE, end);
  guint32 body = add_bytes (self, &all_bytes, leave);
  guint32 length = add_byte_range (self, first, last, body);

  if (self->is_too_large)
    return 0;
  nfa_node (self, leave)->out[0] = body;
  nfa_node (self, body)->role = role;
  nfa_node (self, body)->mark = mark;
  nfa_node (self, length)->role = NFA_ROLE_LOOP_LENGTH;
  nfa_node (self, length)->n_length_bytes = n_length_bytes;
  return length;
}

/* A length whose first nonzero byte is @n_after bytes before its last byte, then the value. */
static guint32
add_long_value (KvsqlNfa *self, guint32 mark, guint n_length_bytes, guint n_after, guint8 at_most,
                guint32 end)
{
  guint32 start = add_looping_value (self, NFA_ROLE_LONG_LOOP, mark, n_length_bytes, 0, 255, end);

  for (guint i = 1; i < n_after; i++)
    start = add_bytes (self, &all_bytes, start);
  return add_byte_range (self, 1, at_most, start);
}

KvsqlNfaFragment
kvsql_nfa_length_prefixed (KvsqlNfa *self, guint n_length_bytes, guint32 mark, guint64 max_length)
{
  guint32 end, start;
  guint8 longest;

  g_return_val_if_fail (n_length_bytes >= 1 && n_length_bytes <= 8, ((KvsqlNfaFragment){ 0, 0 }));

  if (n_length_bytes < 8)
    max_length = MIN (max_length, (G_GUINT64_CONSTANT (1) << (8 * n_length_bytes)) - 1);
  longest = MIN (max_length, 255);
  end = add_node (self, NFA_NODE_EPSILON);
  start = add_counted_value (self, mark, longest, end);
  if (longest > NFA_TINY_LENGTH)
    start = add_split (self, start,
                       add_looping_value (self, NFA_ROLE_MEDIUM_LOOP, mark, n_length_bytes,
                                          NFA_TINY_LENGTH + 1, longest, end));
  for (guint i = 1; i < n_length_bytes; i++)
    {
      guint64 at_most = max_length >> (8 * i);

      start = add_byte_range (self, 0, 0, start);
      if (at_most > 0)
        start = add_split (
            self, add_long_value (self, mark, n_length_bytes, i, MIN (at_most, 255), end), start);
    }
  if (mark != KVSQL_NFA_NO_MARK)
    {
      guint32 enter = add_node (self, NFA_NODE_ENTER);

      nfa_node (self, enter)->mark = mark;
      nfa_node (self, enter)->out[0] = start;
      start = enter;
    }
  return (KvsqlNfaFragment){ start, end };
}

/* ---- combination */

KvsqlNfaFragment
kvsql_nfa_sequence (KvsqlNfa *self, KvsqlNfaFragment a, KvsqlNfaFragment b)
{
  g_assert (nfa_has_fragment (self, a) && nfa_has_fragment (self, b));
  link_to (self, a.end, b.start);
  return (KvsqlNfaFragment){ a.start, b.end };
}

KvsqlNfaFragment
kvsql_nfa_alternative (KvsqlNfa *self, KvsqlNfaFragment a, KvsqlNfaFragment b)
{
  guint32 start = add_split (self, a.start, b.start);
  guint32 end = add_node (self, NFA_NODE_EPSILON);

  g_assert (nfa_has_fragment (self, a) && nfa_has_fragment (self, b));

  link_to (self, a.end, end);
  link_to (self, b.end, end);
  return (KvsqlNfaFragment){ start, end };
}

/* FALSE: the node is in the list already. */
static gboolean
list_node (KvsqlNfa *self, guint32 index, GArray *nodes)
{
  NfaNode *node = nfa_node (self, index);

  if (node->list == self->n_lists)
    return FALSE;
  node->list = self->n_lists;
  node->place = nodes->len;
  g_array_append_val (nodes, index);
  return TRUE;
}

/* All nodes of @a, in the order in which they are found, with its first and last node. Takes time
 * for these nodes only, so that the time for many small fragments is not quadratic. */
static GArray *
list_nodes (KvsqlNfa *self, KvsqlNfaFragment a)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint32));

  self->n_lists++;
  list_node (self, a.start, nodes);
  for (guint i = 0; i < nodes->len; i++)
    {
      guint32 index = g_array_index (nodes, guint32, i);

      for (guint j = 0; j < 2 && index != a.end; j++)
        if (nfa_node (self, index)->out[j] != NFA_NO_NODE)
          list_node (self, nfa_node (self, index)->out[j], nodes);
    }
  return nodes;
}

/* The copy of a node of the last list; the copies are numbered from @first on in its order. */
static guint32
copy_of (const KvsqlNfa *self, guint32 index, guint32 first)
{
  const NfaNode *node = nfa_node (self, index);

  return node->list == self->n_lists ? first + node->place : 0;
}

/* @nodes: the last list, of @a. */
static KvsqlNfaFragment
copy_fragment (KvsqlNfa *self, KvsqlNfaFragment a, const GArray *nodes)
{
  guint32 first = self->n_nodes;

  for (guint i = 0; i < nodes->len; i++)
    add_node (self, NFA_NODE_EPSILON);
  if (self->is_too_large)
    return (KvsqlNfaFragment){ 0, 0 };
  for (guint i = 0; i < nodes->len; i++)
    {
      NfaNode *copy = nfa_node (self, first + i);

      *copy = *nfa_node (self, g_array_index (nodes, guint32, i));
      copy->list = 0;
      for (guint j = 0; j < 2; j++)
        if (copy->out[j] != NFA_NO_NODE)
          copy->out[j] = copy_of (self, copy->out[j], first);
    }
  return (KvsqlNfaFragment){ copy_of (self, a.start, first), copy_of (self, a.end, first) };
}

static KvsqlNfaFragment
star (KvsqlNfa *self, KvsqlNfaFragment a)
{
  guint32 end = add_node (self, NFA_NODE_EPSILON);
  guint32 start = add_split (self, a.start, end);

  link_to (self, a.end, start);
  return (KvsqlNfaFragment){ start, end };
}

static KvsqlNfaFragment
optional (KvsqlNfa *self, KvsqlNfaFragment a)
{
  return kvsql_nfa_alternative (self, a, kvsql_nfa_literal (self, KVSQL_SLICE_EMPTY));
}

/* Builds the last copy first: a{2,4} is a a (a (a)?)?, so that each copy has at most two
 * successors. */
KvsqlNfaFragment
kvsql_nfa_repeat (KvsqlNfa *self, KvsqlNfaFragment a, guint minimum, gint maximum)
{
  gboolean is_unlimited = maximum == KVSQL_NFA_UNLIMITED;
  guint n_copies = is_unlimited ? MAX (minimum, 1) : (guint)maximum;
  g_autoptr (GArray) nodes = NULL;
  KvsqlNfaFragment result = { 0, 0 };

  g_return_val_if_fail (is_unlimited || (maximum >= 0 && minimum <= (guint)maximum), result);

  if (n_copies == 0)
    return kvsql_nfa_literal (self, KVSQL_SLICE_EMPTY);
  if (self->is_too_large)
    return result;
  g_assert (nfa_has_fragment (self, a));
  g_assert (nfa_node (self, a.end)->out[0]
            == NFA_NO_NODE); /* else the copies would be linked too */
  nodes = list_nodes (self, a);
  if ((guint64)nodes->len * n_copies > KVSQL_NFA_MAX_NODES)
    self->is_too_large = TRUE;
  for (guint i = n_copies; i > 0 && !self->is_too_large; i--)
    {
      KvsqlNfaFragment copy = i == 1 ? a : copy_fragment (self, a, nodes);

      if (i == n_copies && is_unlimited && minimum == 0)
        result = star (self, copy);
      else if (i == n_copies && is_unlimited)
        {
          guint32 end = add_node (self, NFA_NODE_EPSILON);

          link_to (self, copy.end, add_split (self, copy.start, end));
          result = (KvsqlNfaFragment){ copy.start, end };
        }
      else
        {
          result = i == n_copies ? copy : kvsql_nfa_sequence (self, copy, result);
          if (i > minimum)
            result = optional (self, result);
        }
    }
  return result;
}

KvsqlNfaFragment
kvsql_nfa_mark (KvsqlNfa *self, KvsqlNfaFragment a, guint32 attribute)
{
  g_return_val_if_fail (attribute != KVSQL_NFA_NO_MARK, a);
  g_autoptr (GArray) nodes = NULL;
  guint32 enter = add_node (self, NFA_NODE_ENTER);

  if (self->is_too_large)
    return (KvsqlNfaFragment){ 0, 0 };
  nodes = list_nodes (self, a);
  for (guint i = 0; i < nodes->len; i++)
    {
      NfaNode *node = nfa_node (self, g_array_index (nodes, guint32, i));

      if (node->kind == NFA_NODE_BYTES && node->mark == KVSQL_NFA_NO_MARK)
        node->mark = attribute;
    }
  nfa_node (self, enter)->mark = attribute;
  nfa_node (self, enter)->out[0] = a.start;
  return (KvsqlNfaFragment){ enter, a.end };
}

/* ---- other bytes for the same structure */

KvsqlNfaFragment
kvsql_nfa_complement (KvsqlNfa *self, KvsqlNfaFragment a)
{
  g_autoptr (GArray) nodes = NULL;

  if (self->is_too_large)
    return a;
  nodes = list_nodes (self, a);
  for (guint i = 0; i < nodes->len; i++)
    {
      NfaNode *node = nfa_node (self, g_array_index (nodes, guint32, i));
      KvsqlByteSet turned = KVSQL_BYTE_SET_EMPTY;

      if (node->kind != NFA_NODE_BYTES)
        continue;
      for (guint byte = 0; byte < 256; byte++)
        if (kvsql_byte_set_contains (&node->set, byte))
          kvsql_byte_set_add_range (&turned, 255 - byte, 255 - byte);
      node->set = turned;
    }
  return a;
}

static void
add_digit (KvsqlByteSet *set, guint digit)
{
  guint8 shown = digit < 10 ? '0' + digit : 'a' + digit - 10;

  kvsql_byte_set_add_range (set, shown, shown);
}

/* The second digits that may follow the first digit @high, as a bit mask. */
static guint16
low_digits (const KvsqlByteSet *set, guint high)
{
  return set->words[high / 2] >> (high % 2 * 16) & 0xffff;
}

/* Replaces node @index by pairs of nodes for the first and the second digit: one pair for each
 * group of first digits with the same second digits. */
static void
spell_node (KvsqlNfa *self, guint32 index)
{
  NfaNode node = *nfa_node (self, index);
  guint32 choice = NFA_NO_NODE;
  guint done = 0;

  for (guint high = 0; high < 16 && !self->is_too_large; high++)
    {
      guint16 lows = low_digits (&node.set, high);
      KvsqlByteSet first = KVSQL_BYTE_SET_EMPTY, second = KVSQL_BYTE_SET_EMPTY;
      guint32 pair;

      if (lows == 0 || (done >> high & 1) != 0)
        continue;
      for (guint other = high; other < 16; other++)
        if (low_digits (&node.set, other) == lows)
          {
            add_digit (&first, other);
            done |= 1u << other;
          }
      for (guint low = 0; low < 16; low++)
        if ((lows >> low & 1) != 0)
          add_digit (&second, low);
      pair = add_bytes (self, &second, node.out[0]);
      nfa_node (self, pair)->mark = node.mark;
      pair = add_bytes (self, &first, pair);
      nfa_node (self, pair)->mark = node.mark;
      choice = choice == NFA_NO_NODE ? pair : add_split (self, pair, choice);
    }
  if (self->is_too_large || choice == NFA_NO_NODE)
    return;
  nfa_node (self, index)->kind = NFA_NODE_EPSILON;
  nfa_node (self, index)->mark = KVSQL_NFA_NO_MARK;
  nfa_node (self, index)->out[0] = choice;
  nfa_node (self, index)->out[1] = NFA_NO_NODE;
}

KvsqlNfaFragment
kvsql_nfa_hex (KvsqlNfa *self, KvsqlNfaFragment a)
{
  g_autoptr (GArray) nodes = NULL;

  if (self->is_too_large)
    return a;
  nodes = list_nodes (self, a);
  for (guint i = 0; i < nodes->len; i++)
    if (nfa_node (self, g_array_index (nodes, guint32, i))->kind == NFA_NODE_BYTES)
      spell_node (self, g_array_index (nodes, guint32, i));
  return a;
}

/* ---- regular expressions */

G_STATIC_ASSERT (KVSQL_REGEXP_UNLIMITED == KVSQL_NFA_UNLIMITED);

static KvsqlNfaFragment
build_regexp (KvsqlNfa *self, const KvsqlRegexp *tree)
{
  KvsqlNfaFragment result;

  switch (tree->kind)
    {
    case KVSQL_REGEXP_SET:
      return kvsql_nfa_byte_set (self, &tree->set);
    case KVSQL_REGEXP_REPEAT:
      g_assert (tree->first != NULL && tree->first->next == NULL); /* one child */
      return kvsql_nfa_repeat (self, build_regexp (self, tree->first), tree->minimum,
                               tree->maximum);
    case KVSQL_REGEXP_SEQUENCE:
      result = kvsql_nfa_literal (self, KVSQL_SLICE_EMPTY);
      for (const KvsqlRegexp *part = tree->first; part != NULL; part = part->next)
        result = kvsql_nfa_sequence (self, result, build_regexp (self, part));
      return result;
    case KVSQL_REGEXP_ALTERNATIVE:
      g_assert (tree->first != NULL);
      result = build_regexp (self, tree->first);
      for (const KvsqlRegexp *part = tree->first->next; part != NULL; part = part->next)
        result = kvsql_nfa_alternative (self, result, build_regexp (self, part));
      return result;
    }
  g_return_val_if_reached (((KvsqlNfaFragment){ 0, 0 }));
}

gboolean
kvsql_nfa_regexp (KvsqlNfa *self, KvsqlSlice text, KvsqlNfaFragment *out_fragment, GError **error)
{
  KvsqlRegexp *tree = kvsql_regexp_parse (self->arena, text, error);

  if (tree == NULL)
    return FALSE;
  *out_fragment = build_regexp (self, tree);
  return kvsql_nfa_check (self, error);
}
