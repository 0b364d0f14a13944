/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-proof.c: layouts that are known to be recoverable or not, and thousands of random layouts,
 * which are compared with an oracle that tries all readings.
 */
#include "config.h"

#include "core/base/error.h"
#include "core/layout/automata/dfa.h"
#include "core/layout/automata/proof.h"
#include "tests/layout/automata/oracle.h"
#include "tests/size.h"

#define DATE "[0-9]{4}-[01][0-9]-[0-3][0-9]"

/* ---- known layouts */

/* A layout as letters, part by part:
 *   'x  the constant x
 *   .n  n arbitrary bytes
 *   *   anything
 *   /x  anything without x, then x
 *   ~x  anything, then x
 *   #n  n bytes of length, then that many bytes
 *   D   a date by regexp */
typedef struct
{
  KvsqlNfa *nfa;
  const gchar *at;
  guint attribute;
} Reader;

static KvsqlNfaFragment
read_part (Reader *self)
{
  gchar kind = *self->at++;
  KvsqlSlice text = kvsql_slice (self->at, 1);
  KvsqlNfaFragment fragment;

  if (kind == '*')
    return kvsql_nfa_mark (self->nfa, kvsql_nfa_any (self->nfa), self->attribute++);
  if (kind == 'D')
    {
      g_assert_true (kvsql_nfa_regexp (self->nfa, KVSQL_SLICE_LITERAL (DATE), &fragment, NULL));
      return kvsql_nfa_mark (self->nfa, fragment, self->attribute++);
    }
  self->at++;
  switch (kind)
    {
    case '\'':
      return kvsql_nfa_literal (self->nfa, text);
    case '.':
      fragment = kvsql_nfa_any_bytes (self->nfa, g_ascii_digit_value (text.data[0]));
      return kvsql_nfa_mark (self->nfa, fragment, self->attribute++);
    case '#':
      return kvsql_nfa_length_prefixed (self->nfa, g_ascii_digit_value (text.data[0]),
                                        self->attribute++, G_MAXUINT64);
    case '/':
      fragment
          = kvsql_nfa_mark (self->nfa, kvsql_nfa_any_without (self->nfa, text), self->attribute++);
      return kvsql_nfa_sequence (self->nfa, fragment, kvsql_nfa_literal (self->nfa, text));
    case '~':
      fragment = kvsql_nfa_mark (self->nfa, kvsql_nfa_any (self->nfa), self->attribute++);
      return kvsql_nfa_sequence (self->nfa, fragment, kvsql_nfa_literal (self->nfa, text));
    }
  g_assert_not_reached ();
}

static KvsqlNfaFragment
read_layout (KvsqlNfa *nfa, const gchar *letters)
{
  Reader reader = { nfa, letters, 0 };
  KvsqlNfaFragment fragment = kvsql_nfa_literal (nfa, KVSQL_SLICE_EMPTY);

  while (*reader.at != '\0')
    fragment = kvsql_nfa_sequence (nfa, fragment, read_part (&reader));
  return fragment;
}

static KvsqlProofAmbiguity *
ambiguity_of (KvsqlArena *arena, const KvsqlNfa *nfa, KvsqlNfaFragment fragment)
{
  g_autoptr (GError) error = NULL;
  KvsqlProofAmbiguity *result = NULL;

  g_assert_true (kvsql_proof_ambiguity (arena, nfa, fragment, &result, &error));
  g_assert_no_error (error);
  return result;
}

static const struct
{
  const gchar *layout;
  gboolean is_ambiguous;
  const gchar *bytes; /* the shortest example, if it is the only one */
} known[] = {
  { "~-*", TRUE, "--" }, /* suffix('-'){k1}:k2, k1 with any bytes */
  { "/-*", FALSE },      /* the same, k1 without - */
  { "~-.4", FALSE },     /* before a tail of four bytes, k1 may contain any bytes */
  { "~-.4.2", FALSE },
  { "~-.4*", TRUE },
  { "**", TRUE },
  { "*.3", FALSE },
  { "#1*", FALSE }, /* size{k2}:k1 */
  { "#1#1#1", FALSE },
  { "*#1", TRUE },
  { "#2*", FALSE },
  { "#4#2*", FALSE },
  { "#8#8", FALSE },
  { "*#2", TRUE },
  { "#1'-#2*", FALSE },
  { "'-*'-", FALSE },
  { "*'-*", TRUE, "--" },
  /* a row of apdata: service - dev - path date - indicator - type - target */
  { "/-/-/-D'-/-/-*", FALSE },
  { "/-/-~-D'-/-/-*", TRUE }, /* if the path may contain -, the date could end too early */
  { "/-/-~-D'-*", TRUE },
  { "/-/-~-D", FALSE }, /* but not if the date is at the end of the row */
  { "/-/-~-D'-.2.2", FALSE },
  { "~-/-/-D", FALSE }, /* all parts except one can be read from the end */
  { "~-~-D", TRUE },
};

static void
test_known (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      KvsqlNfa *nfa = kvsql_nfa_new (arena);
      KvsqlProofAmbiguity *ambiguity
          = ambiguity_of (arena, nfa, read_layout (nfa, known[i].layout));

      g_test_message ("%s", known[i].layout);
      g_assert_true ((ambiguity != NULL) == known[i].is_ambiguous);
      g_assert_true (ambiguity == NULL || ambiguity->is_certain);
      if (known[i].bytes != NULL)
        g_assert_true (
            kvsql_slice_equal (ambiguity->example.bytes, kvsql_slice_from_text (known[i].bytes)));
    }
}

static void
assert_value (const KvsqlProofValue *value, const gchar *text)
{
  g_assert_true (value->is_present);
  g_assert_true (kvsql_slice_equal (value->bytes, kvsql_slice_from_text (text)));
}

static void
test_colliding_tuples (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlProofAmbiguity *ambiguity = ambiguity_of (arena, nfa, read_layout (nfa, "'r~-*"));

  g_assert_true (kvsql_slice_equal (ambiguity->example.bytes, KVSQL_SLICE_LITERAL ("r--")));
  g_assert_cmpuint (ambiguity->n_attributes, ==, 2);
  g_assert_cmpuint (ambiguity->attributes[0], ==, 0);
  g_assert_cmpuint (ambiguity->attributes[1], ==, 1);
  if (ambiguity->first[0].bytes.size > 0)
    {
      KvsqlProofValue *first = ambiguity->first;

      ambiguity->first = ambiguity->second;
      ambiguity->second = first;
    }
  assert_value (&ambiguity->first[0], "");
  assert_value (&ambiguity->first[1], "-");
  assert_value (&ambiguity->second[0], "-");
  assert_value (&ambiguity->second[1], "");
}

static void
test_null_or_empty (void)
{
  static const struct
  {
    const gchar *null_text;
    gboolean is_ambiguous;
    gsize size;
  } cases[] = { { "", TRUE, 0 }, { "NULL", TRUE, 4 }, { "\\N", TRUE, 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      KvsqlNfa *nfa = kvsql_nfa_new (arena);
      KvsqlNfaFragment null = kvsql_nfa_literal (nfa, kvsql_slice_from_text (cases[i].null_text));
      KvsqlNfaFragment value = kvsql_nfa_mark (nfa, kvsql_nfa_any (nfa), 5);
      KvsqlProofAmbiguity *ambiguity
          = ambiguity_of (arena, nfa, kvsql_nfa_alternative (nfa, null, value));

      g_assert_nonnull (ambiguity);
      g_assert_cmpuint (ambiguity->example.bytes.size, ==, cases[i].size);
      g_assert_cmpuint (ambiguity->attributes[0], ==, 5);
      g_assert_true (ambiguity->first[0].is_present != ambiguity->second[0].is_present);
    }
}

/* 40 attributes in a line of text, each of which may be NULL: the proof makes a search for each of
 * them. */
static void
test_wide (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlSlice comma = KVSQL_SLICE_LITERAL (",");
  KvsqlNfaFragment line = kvsql_nfa_literal (nfa, KVSQL_SLICE_EMPTY);

  for (guint i = 0; i < 40; i++)
    {
      KvsqlByteSet digits = kvsql_byte_set_range ('0', '9');
      KvsqlNfaFragment number
          = kvsql_nfa_repeat (nfa, kvsql_nfa_byte_set (nfa, &digits), 0, KVSQL_NFA_UNLIMITED);
      KvsqlNfaFragment null = kvsql_nfa_literal (nfa, KVSQL_SLICE_LITERAL ("\\N"));

      line = kvsql_nfa_sequence (
          nfa, line, kvsql_nfa_alternative (nfa, null, kvsql_nfa_mark (nfa, number, i)));
      line = kvsql_nfa_sequence (nfa, line, kvsql_nfa_literal (nfa, comma));
    }
  g_assert_null (ambiguity_of (arena, nfa, line));
}

static void
test_many_sizes (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlNfaFragment all = kvsql_nfa_literal (nfa, KVSQL_SLICE_EMPTY);

  for (guint i = 0; i < 30; i++)
    all = kvsql_nfa_sequence (nfa, all, kvsql_nfa_length_prefixed (nfa, 1, i, G_MAXUINT64));
  g_assert_null (ambiguity_of (arena, nfa, all));
}

static void
test_mark_twice (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlNfaFragment first = kvsql_nfa_mark (nfa, kvsql_nfa_any_bytes (nfa, 1), 3);
  KvsqlNfaFragment second = kvsql_nfa_mark (nfa, kvsql_nfa_any_bytes (nfa, 1), 3);
  KvsqlProofAmbiguity *ambiguity;
  g_autoptr (GError) error = NULL;

  g_assert_false (kvsql_proof_ambiguity (arena, nfa, kvsql_nfa_sequence (nfa, first, second),
                                         &ambiguity, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INTERNAL);
}

static void
test_too_complex (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlNfaFragment first = kvsql_nfa_any (nfa);
  KvsqlNfaFragment second = kvsql_nfa_any_bytes (nfa, 3000);
  KvsqlNfaFragment hay = kvsql_nfa_sequence (nfa, first, second);
  KvsqlNfaFragment third = kvsql_nfa_literal (nfa, KVSQL_SLICE_LITERAL ("a"));
  KvsqlNfaFragment other = kvsql_nfa_any (nfa);
  KvsqlProofExample *example;
  g_autoptr (GError) error = NULL;

  /* There are no common bytes (an x at the end, an a in its place), but more than a million pairs
   * have to be visited to find that out. */
  hay = kvsql_nfa_sequence (nfa, hay, kvsql_nfa_literal (nfa, KVSQL_SLICE_LITERAL ("x")));
  other = kvsql_nfa_sequence (nfa, other, kvsql_nfa_any_bytes (nfa, 3000));
  other = kvsql_nfa_sequence (nfa, other, third);
  g_assert_false (kvsql_proof_intersection (arena, nfa, hay, other, &example, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
}

/* ---- cell keys of two schemas */

/* Fields are separated by a blank. */
static KvsqlNfaFragment
read_address (KvsqlNfa *nfa, const gchar *text)
{
  g_auto (GStrv) fields = g_strsplit (text, " ", -1);
  KvsqlNfaFragment address = read_layout (nfa, fields[0] != NULL ? fields[0] : "");

  for (guint i = 1; fields[0] != NULL && fields[i] != NULL; i++)
    {
      KvsqlNfaFragment field = read_layout (nfa, fields[i]);

      address = kvsql_nfa_sequence (nfa, address, kvsql_nfa_end_of_field (nfa));
      address = kvsql_nfa_sequence (nfa, address, field);
    }
  return address;
}

static const struct
{
  const gchar *first;
  const gchar *second;
  gboolean has_common;
  gboolean is_certain;
  const gchar *row; /* of the example */
} addresses[] = {
  { "'t /-* 'f", "'t #1* 'f", TRUE, TRUE, NULL },
  { "'t * 'f", "'u * 'f", FALSE, TRUE, NULL }, /* two tables */
  { "'t * 'f", "'t * 'g", FALSE, TRUE, NULL }, /* two families */
  { "'t * 'f", "'t* 'f", FALSE, TRUE, NULL },  /* not as many fields */
  { "'t 'n* 'f", "'t 'r* 'f", FALSE, TRUE, NULL },
  { "'t *'n 'f", "'t 'r* 'f", TRUE, TRUE, "rn" },
  { "'t .4 'f", "'t D 'f", FALSE, TRUE, NULL }, /* a date has ten bytes */
  { "'t D* 'f", "'t 'x* 'f", FALSE, TRUE, NULL },
  { "'t #2 'f", "'t #2 'f", TRUE, TRUE, NULL },
  { "'t #2'x 'f", "'t #2'y 'f", FALSE, TRUE,
    NULL }, /* both read the same length, so both end at the same place */
  { "'t 'x#2'x 'f", "'t 'x#2'y 'f", FALSE, TRUE, NULL },
  { "'t #2 'f", "'t 'x* 'f", TRUE, FALSE, NULL }, /* a value of 0x78nn bytes is possible */
};

static void
test_cell_keys (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      KvsqlNfa *nfa = kvsql_nfa_new (arena);
      KvsqlNfaFragment first = read_address (nfa, addresses[i].first);
      KvsqlNfaFragment second = read_address (nfa, addresses[i].second);
      KvsqlProofExample *example;
      gboolean is_certain;
      g_autoptr (GError) error = NULL;

      g_test_message ("%s | %s", addresses[i].first, addresses[i].second);
      g_assert_true (
          kvsql_proof_intersection (arena, nfa, first, second, &example, &is_certain, &error));
      g_assert_no_error (error);
      g_assert_true ((example != NULL) == addresses[i].has_common);
      g_assert_true (is_certain == addresses[i].is_certain);
      if (example == NULL)
        continue;
      g_assert_cmpuint (example->n_fields, ==, 3);
      g_assert_true (kvsql_slice_equal (example->fields[0], KVSQL_SLICE_LITERAL ("t")));
      g_assert_true (kvsql_slice_equal (example->fields[2], KVSQL_SLICE_LITERAL ("f")));
      if (addresses[i].row != NULL)
        g_assert_true (
            kvsql_slice_equal (example->fields[1], kvsql_slice_from_text (addresses[i].row)));
    }
}

/* A maximum length of values can make a result certain. */
static void
test_max_length (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlNfaFragment bounded = kvsql_nfa_length_prefixed (nfa, 2, 0, 0x77ff);
  KvsqlNfaFragment constant = read_layout (nfa, "'x*");
  KvsqlProofExample *example;
  gboolean is_certain;

  g_assert_true (
      kvsql_proof_intersection (arena, nfa, bounded, constant, &example, &is_certain, NULL));
  g_assert_null (example);
  g_assert_true (is_certain);
}

/* ---- shortest and prefix */

static const struct
{
  const gchar *layout;
  gsize shortest;
  const gchar *prefix;
} beginnings[] = {
  { "'a'b*", 2, "ab" }, { "'a'b", 2, "ab" },  { "/-*", 1, "" },
  { "'r#2", 3, "r" },   { "'r#1'x", 3, "r" }, { "'a.0'b", 2, "ab" },
  { "D'x", 11, "" },    { "", 0, "" },        { "'a'b 'c", 3, "ab" },
};

static void
test_beginnings (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (beginnings); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      KvsqlNfa *nfa = kvsql_nfa_new (arena);
      KvsqlNfaFragment fragment = read_address (nfa, beginnings[i].layout);
      KvsqlProofExample *example;
      KvsqlSlice prefix;
      gboolean accepts;

      g_test_message ("%s", beginnings[i].layout);
      g_assert_true (kvsql_proof_shortest (arena, nfa, fragment, &example, NULL));
      g_assert_cmpuint (example->bytes.size, ==, beginnings[i].shortest);
      g_assert_true (
          kvsql_proof_accepts (nfa, fragment, example->fields, example->n_fields, &accepts, NULL));
      g_assert_true (accepts);
      g_assert_true (kvsql_proof_common_prefix (arena, nfa, fragment, &prefix, NULL));
      g_assert_true (kvsql_slice_equal (prefix, kvsql_slice_from_text (beginnings[i].prefix)));
    }
}

static void
test_nothing (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlByteSet none = KVSQL_BYTE_SET_EMPTY;
  KvsqlNfaFragment fragment = kvsql_nfa_byte_set (nfa, &none);
  KvsqlProofExample *example;
  KvsqlSlice prefix;

  g_assert_true (kvsql_proof_shortest (arena, nfa, fragment, &example, NULL));
  g_assert_null (example);
  g_assert_true (kvsql_proof_common_prefix (arena, nfa, fragment, &prefix, NULL));
  g_assert_cmpuint (prefix.size, ==, 0);
  g_assert_null (ambiguity_of (arena, nfa, fragment));
}

/* ---- random layouts against the oracle */

#define LONGEST 5

/* All strings of up to LONGEST letters out of a, -, 01: the shorter ones first. */
typedef struct
{
  guint8 bytes[LONGEST];
  guint size;
  guint number;
} Words;

static gboolean
next_word (Words *self, KvsqlSlice *out_word)
{
  static const guint8 letters[] = { 'a', '-', 1 };
  guint n_words = 1;

  for (guint i = 0; i < self->size; i++)
    n_words *= G_N_ELEMENTS (letters);
  if (self->number == n_words)
    {
      self->size++;
      self->number = 0;
    }
  if (self->size > LONGEST)
    return FALSE;
  for (guint i = 0, rest = self->number; i < self->size; i++, rest /= G_N_ELEMENTS (letters))
    self->bytes[i] = letters[rest % G_N_ELEMENTS (letters)];
  self->number++;
  *out_word = kvsql_slice (self->bytes, self->size);
  return TRUE;
}

static Reading
reading_of (const KvsqlProofAmbiguity *ambiguity, const KvsqlProofValue *values)
{
  Reading reading = { 0 };

  for (guint i = 0; i < ambiguity->n_attributes; i++)
    reading.values[ambiguity->attributes[i]] = (Value){ values[i].is_present, values[i].bytes };
  return reading;
}

/* The oracle reads the example in both ways too, and the readings differ. */
static void
check_example (const Layout *layout, const KvsqlProofAmbiguity *ambiguity)
{
  Reading first = reading_of (ambiguity, ambiguity->first);
  Reading second = reading_of (ambiguity, ambiguity->second);

  g_assert_true (ambiguity->is_certain);
  g_assert_true (oracle_has_reading (layout, ambiguity->example.bytes, &first));
  g_assert_true (oracle_has_reading (layout, ambiguity->example.bytes, &second));
  g_assert_false (oracle_reading_equal (layout, &first, &second));
}

static gboolean
check_ambiguity (const Layout *layout)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlProofAmbiguity *ambiguity = ambiguity_of (arena, nfa, oracle_build (nfa, layout));
  Words words = { 0 };
  KvsqlSlice word;

  if (ambiguity != NULL)
    check_example (layout, ambiguity);
  while (next_word (&words, &word))
    {
      if (ambiguity != NULL && word.size >= ambiguity->example.bytes.size)
        break;
      g_assert_false (oracle_is_ambiguous (layout, word)); /* no shorter example was missed */
    }
  return ambiguity != NULL;
}

static void
test_random_ambiguity (void)
{
  const guint32 seed = 2016;
  const guint n_rounds = g_test_slow () ? 100000 : test_size (5000, 1000);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  guint n_ambiguous = 0;

  for (guint i = 0; i < n_rounds; i++)
    {
      Layout layout = oracle_random_layout (rand);
      g_autofree gchar *description = oracle_describe (&layout);

      g_test_message ("%s", description);
      n_ambiguous += check_ambiguity (&layout);
    }
  g_test_message ("seed %u: %u layouts, %u of them ambiguous", seed, n_rounds, n_ambiguous);
  g_assert_cmpuint (n_ambiguous, >, n_rounds / 10);
  g_assert_cmpuint (n_ambiguous, <, n_rounds * 9 / 10);
}

/* The table of a layout, the simulation of its automaton, and the oracle agree. With counted
 * lengths, a table may need too many states. */
static void
check_acceptance (const Layout *layout)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlNfaFragment fragment = oracle_build (nfa, layout);
  g_autoptr (GError) error = NULL;
  KvsqlDfa *dfa = kvsql_dfa_new (arena, nfa, fragment, "layout", &error);
  Words words = { 0 };
  KvsqlSlice word;

  if (dfa == NULL)
    g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  while (next_word (&words, &word))
    {
      gboolean expected = oracle_accepts (layout, word);
      gboolean found;

      if (dfa != NULL)
        g_assert_true (kvsql_dfa_matches (dfa, word) == expected);
      if (word.size > 2)
        continue;
      g_assert_true (kvsql_proof_accepts (nfa, fragment, &word, 1, &found, NULL));
      g_assert_true (found == expected);
    }
}

static gboolean
check_intersection (const Layout *first, const Layout *second)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlNfaFragment a = oracle_build (nfa, first);
  KvsqlNfaFragment b = oracle_build (nfa, second);
  KvsqlProofExample *example, *shortest;
  gboolean is_certain;
  KvsqlSlice prefix, word;
  Words words = { 0 };

  g_assert_true (kvsql_proof_intersection (arena, nfa, a, b, &example, &is_certain, NULL));
  g_assert_true (kvsql_proof_shortest (arena, nfa, a, &shortest, NULL));
  g_assert_true (kvsql_proof_common_prefix (arena, nfa, a, &prefix, NULL));
  g_assert_true (is_certain);
  g_assert_true (oracle_accepts (first, shortest->bytes));
  if (example != NULL)
    g_assert_true (oracle_accepts (first, example->bytes)
                   && oracle_accepts (second, example->bytes));
  while (next_word (&words, &word))
    {
      if (!oracle_accepts (first, word))
        continue;
      g_assert_cmpuint (word.size, >=, shortest->bytes.size);
      g_assert_true (kvsql_slice_has_prefix (word, prefix));
      if (example == NULL || word.size < example->bytes.size)
        g_assert_false (oracle_accepts (second, word));
    }
  return example != NULL;
}

static void
test_random_intersection (void)
{
  const guint32 seed = 2014;
  const guint n_rounds = g_test_slow () ? 20000 : test_size (1000, 200);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  guint n_common = 0;

  for (guint i = 0; i < n_rounds; i++)
    {
      Layout first = oracle_random_layout (rand);
      Layout second = oracle_random_layout (rand);
      g_autofree gchar *first_text = oracle_describe (&first);
      g_autofree gchar *second_text = oracle_describe (&second);

      g_test_message ("%s | %s", first_text, second_text);
      if (i % 4 == 0)
        check_acceptance (&first);
      n_common += check_intersection (&first, &second);
    }
  g_test_message ("seed %u: %u pairs, %u of them with common bytes", seed, n_rounds, n_common);
  g_assert_cmpuint (n_common, >, n_rounds / 10);
  g_assert_cmpuint (n_common, <, n_rounds * 9 / 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/proof/known-layouts", test_known);
  g_test_add_func ("/layout/proof/colliding-tuples", test_colliding_tuples);
  g_test_add_func ("/layout/proof/null-or-empty", test_null_or_empty);
  g_test_add_func ("/layout/proof/wide-line", test_wide);
  g_test_add_func ("/layout/proof/many-sizes", test_many_sizes);
  g_test_add_func ("/layout/proof/mark-twice/is-an-error", test_mark_twice);
  g_test_add_func ("/layout/proof/too-complex/is-an-error", test_too_complex);
  g_test_add_func ("/layout/proof/cell-keys", test_cell_keys);
  g_test_add_func ("/layout/proof/cell-keys/maximum-length", test_max_length);
  g_test_add_func ("/layout/proof/shortest-and-prefix", test_beginnings);
  g_test_add_func ("/layout/proof/nothing-accepted", test_nothing);
  g_test_add_func ("/layout/proof/random/ambiguity", test_random_ambiguity);
  g_test_add_func ("/layout/proof/random/intersection", test_random_intersection);
  return g_test_run ();
}
