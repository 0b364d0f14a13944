/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-sequences.c: several daemons of a registry give each number of a sequence once.
 */
#include "config.h"

#include <glib/gstdio.h>

#include "core/catalog/number-sequence.h"
#include "daemon/cluster/sequences.h"
#include "tests/size.h"

#define N_DAEMONS 3
#define N_THREADS 3

typedef struct
{
  gchar *folder;
  KvsqldDefinitions *definitions[N_DAEMONS];
  KvsqldSequences *sequences[N_DAEMONS];
} Fixture;

static KvsqlCall
a_minute (void)
{
  return (KvsqlCall){ .deadline_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC };
}

static void
define (Fixture *self, const KvsqlNumberSequence *sequence)
{
  g_autoptr (KvsqlCatalog) catalog = NULL;
  g_autofree gchar *text = sequence != NULL ? kvsql_number_sequence_print (sequence) : NULL;
  const KvsqlDefinitionChange change
      = { .kind = KVSQL_DEFINITION_SEQUENCE, .name = "s", .text = text };
  KvsqlCall call = a_minute ();
  g_autoptr (GError) error = NULL;

  g_assert_true (kvsqld_definitions_reload (self->definitions[0], &call, &error));
  catalog = kvsqld_definitions_get (self->definitions[0]);
  g_assert_true (
      kvsqld_definitions_commit (self->definitions[0], catalog, &change, 1, NULL, &call, &error));
  for (guint i = 0; i < N_DAEMONS; i++)
    g_assert_true (kvsqld_definitions_reload (self->definitions[i], &call, &error));
}

static void
open_fixture (Fixture *self)
{
  g_autofree gchar *url = NULL;
  g_autoptr (GError) error = NULL;

  self->folder = g_dir_make_tmp ("kvsql-sequences-XXXXXX", NULL);
  url = g_strconcat ("local://", self->folder, "/registry", NULL);
  for (guint i = 0; i < N_DAEMONS; i++)
    {
      self->definitions[i] = kvsqld_definitions_new (url, &error);
      g_assert_no_error (error);
      self->sequences[i] = kvsqld_sequences_new (self->definitions[i]);
    }
}

static void
close_fixture (Fixture *self)
{
  g_autofree gchar *removal = g_strdup_printf ("rm -rf '%s'", self->folder);

  for (guint i = 0; i < N_DAEMONS; i++)
    {
      kvsqld_sequences_free (self->sequences[i]);
      kvsqld_definitions_free (self->definitions[i]);
    }
  g_assert_cmpint (system (removal), ==, 0);
  g_free (self->folder);
}

static gint64
next (KvsqldSequences *sequences)
{
  KvsqlCall call = a_minute ();
  g_autoptr (GError) error = NULL;
  gint64 value;

  g_assert_true (kvsqld_sequences_next (sequences, 1, "s", &call, &value, &error));
  return value;
}

typedef struct
{
  KvsqldSequences *sequences;
  gint64 *values;
  guint n;
} Taker;

static gpointer
take_many (gpointer data)
{
  Taker *self = data;

  for (guint i = 0; i < self->n; i++)
    {
      self->values[i] = next (self->sequences);
      if (i > 0)
        g_assert_cmpint (self->values[i], >, self->values[i - 1]);
    }
  return NULL;
}

static void
test_unique (void)
{
  Fixture fixture = { 0 };
  KvsqlNumberSequence *sequence = kvsql_number_sequence_new ("s", 1);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_int64_hash, g_int64_equal);
  guint n = test_size (30000, 3000);
  GThread *threads[N_DAEMONS * N_THREADS];
  Taker takers[N_DAEMONS * N_THREADS];

  open_fixture (&fixture);
  define (&fixture, sequence);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      takers[i] = (Taker){ .sequences = fixture.sequences[i % N_DAEMONS],
                           .values = g_new (gint64, n),
                           .n = n };
      threads[i] = g_thread_new ("taker", take_many, &takers[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    for (guint j = 0; j < n; j++)
      g_assert_true (g_hash_table_add (seen, &takers[i].values[j]));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_free (takers[i].values);
  kvsql_number_sequence_free (sequence);
  close_fixture (&fixture);
}

/* A daemon that ends leaves a gap, and nothing else. */
static void
test_restart (void)
{
  Fixture fixture = { 0 };
  KvsqlNumberSequence *sequence = kvsql_number_sequence_new ("s", 1);
  gint64 last;

  open_fixture (&fixture);
  define (&fixture, sequence);
  last = next (fixture.sequences[0]);
  kvsqld_sequences_free (fixture.sequences[0]);
  fixture.sequences[0] = kvsqld_sequences_new (fixture.definitions[0]);
  g_assert_cmpint (next (fixture.sequences[0]), >, last);
  kvsql_number_sequence_free (sequence);
  close_fixture (&fixture);
}

/* DROP and CREATE, and setval (), end what was leased before. */
static void
test_again (void)
{
  Fixture fixture = { 0 };
  KvsqlNumberSequence *sequence = kvsql_number_sequence_new ("s", 1);
  KvsqlCall call = a_minute ();
  g_autoptr (GError) error = NULL;
  gint64 value;

  open_fixture (&fixture);
  define (&fixture, sequence);
  for (guint i = 0; i < N_DAEMONS; i++)
    g_assert_cmpint (next (fixture.sequences[i]), >, 0);
  define (&fixture, NULL);
  g_assert_false (kvsqld_sequences_next (fixture.sequences[1], 1, "s", &call, &value, &error));
  g_assert_cmpstr (kvsql_error_get_sqlstate (error), ==, "42P01");
  g_clear_error (&error);
  kvsql_number_sequence_free (sequence);
  sequence = kvsql_number_sequence_new ("s", 1);
  define (&fixture, sequence);
  g_assert_cmpint (next (fixture.sequences[2]), ==, 1);
  g_assert_true (kvsqld_sequences_set (fixture.sequences[1], 1, "s", 1000000, TRUE, &call, &error));
  for (guint i = 0; i < N_DAEMONS; i++)
    {
      g_assert_true (kvsqld_definitions_reload (fixture.definitions[i], &call, &error));
      g_assert_cmpint (next (fixture.sequences[i]), >, 1000000);
    }
  kvsql_number_sequence_free (sequence);
  close_fixture (&fixture);
}

static void
test_sessions (void)
{
  Fixture fixture = { 0 };
  KvsqlNumberSequence *sequence = kvsql_number_sequence_new ("s", 1);
  g_autoptr (GError) error = NULL;
  gint64 value, given;

  open_fixture (&fixture);
  define (&fixture, sequence);
  given = next (fixture.sequences[0]);
  g_assert_true (kvsqld_sequences_current (fixture.sequences[0], 1, "s", &value, &error));
  g_assert_cmpint (value, ==, given);
  g_assert_true (kvsqld_sequences_current (fixture.sequences[0], 1, NULL, &value, &error));
  g_assert_cmpint (value, ==, given);
  g_assert_false (kvsqld_sequences_current (fixture.sequences[0], 2, "s", &value, &error));
  g_assert_cmpstr (kvsql_error_get_sqlstate (error), ==, "55000");
  g_clear_error (&error);
  kvsqld_sequences_forget (fixture.sequences[0], 1);
  g_assert_false (kvsqld_sequences_current (fixture.sequences[0], 1, NULL, &value, &error));
  kvsql_number_sequence_free (sequence);
  close_fixture (&fixture);
}

/* The last number, in both directions, with and without CYCLE, at the bounds of the type. */
static void
test_bounds (void)
{
  static const gint64 increments[] = { 1, 7, G_MAXINT64, -1, -7, G_MININT64 };

  for (guint i = 0; i < G_N_ELEMENTS (increments); i++)
    for (guint cycles = 0; cycles < 2; cycles++)
      {
        KvsqlNumberSequence *self = kvsql_number_sequence_new ("s", increments[i]);
        gint64 bound = increments[i] > 0 ? self->maximum : self->minimum, first;
        g_autoptr (GError) error = NULL;
        g_autofree gchar *text = NULL;
        KvsqlNumberSequence *again;
        guint64 n;

        self->is_cyclic = cycles;
        self->next = increments[i] > 0 ? bound - 2 : bound + 2;
        g_assert_true (kvsql_number_sequence_take (self, 100, &first, &n, &error));
        g_assert_cmpint (first, ==, increments[i] > 0 ? bound - 2 : bound + 2);
        g_assert_cmpuint (n, ==, increments[i] == 1 || increments[i] == -1 ? 3 : 1);
        text = kvsql_number_sequence_print (self);
        again = kvsql_number_sequence_parse ("s", text, &error);
        g_assert_no_error (error);
        g_assert_cmpint (kvsql_number_sequence_take (again, 1, &first, &n, &error), ==, cycles);
        if (cycles)
          g_assert_cmpint (first, ==, self->start);
        else
          g_assert_cmpstr (kvsql_error_get_sqlstate (error), ==, "2200H");
        kvsql_number_sequence_free (again);
        kvsql_number_sequence_free (self);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/sequences/unique", test_unique);
  g_test_add_func ("/daemon/sequences/restart", test_restart);
  g_test_add_func ("/daemon/sequences/again", test_again);
  g_test_add_func ("/daemon/sequences/sessions", test_sessions);
  g_test_add_func ("/daemon/sequences/bounds", test_bounds);
  return g_test_run ();
}
