/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-hbase-gateways.c: several threads write to a real HBase through two ways to it, of which one
 * or the other is broken all the time: replies are cut at random bytes, connections lost, answers
 * held back. Puts find the other way; an increment is done once or, if nobody can know, at most
 * once.
 *
 * KVSQL_TEST_HBASE_URL is what tests/live/hbase printed; without it the tests are skipped.
 */
#include "config.h"

#include "daemon/stores/stores.h"
#include "tests/daemon/live-gateway.h"
#include "tests/daemon/relay.h"
#include "tests/size.h"

#define S(text) KVSQL_SLICE_LITERAL (text)
#define TABLE S ("kvsql-gateways")
#define N_THREADS 4
#define DEADLINE_US (20 * G_USEC_PER_SEC)
#define LARGEST_CUT 3000

typedef struct
{
  KvsqlStore *store;
  guint number;
  guint n_rounds;
  gint *is_over; /* atomic */
  guint n_put;
  guint n_counted;
  guint n_unknown;
} Writer;

static KvsqlCall
call_soon (void)
{
  return (KvsqlCall){ .deadline_us = g_get_monotonic_time () + DEADLINE_US };
}

static void
put_next (Writer *self)
{
  g_autofree gchar *row = g_strdup_printf ("put-%u-%05u", self->number, self->n_put);
  const KvsqlMutation put
      = { KVSQL_MUTATION_PUT, TABLE, kvsql_slice_from_text (row), S ("f"), S ("q"), S ("v"), 1 };
  const KvsqlCall call = call_soon ();
  g_autoptr (GError) error = NULL;

  kvsql_store_apply (self->store, &put, 1, &call, &error);
  g_assert_no_error (error);
  self->n_put++;
}

static KvsqlSlice
counter_row (const Writer *self, gchar **owned)
{
  *owned = g_strdup_printf ("counter-%u", self->number);
  return kvsql_slice_from_text (*owned);
}

/* With nobody else at this counter, its value is what was counted, and perhaps what is unknown. */
static void
assert_value (const Writer *self, gint64 value)
{
  g_assert_cmpint (value, >=, self->n_counted);
  g_assert_cmpint (value, <=, self->n_counted + self->n_unknown);
}

static void
count_next (Writer *self)
{
  g_autofree gchar *owned = NULL;
  const KvsqlCall call = call_soon ();
  g_autoptr (GError) error = NULL;
  gint64 value;

  if (kvsql_store_increment (self->store, TABLE, counter_row (self, &owned), S ("f"), S ("n"), 1,
                             &call, &value, &error))
    {
      self->n_counted++;
      assert_value (self, value);
      return;
    }
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
  self->n_unknown++;
}

static gpointer
write_all (gpointer data)
{
  Writer *self = data;

  for (guint i = 0; i < self->n_rounds; i++)
    {
      put_next (self);
      count_next (self);
    }
  g_atomic_int_inc (self->is_over);
  return NULL;
}

/* ---- what is there afterwards */

static void
assert_puts (Writer *self)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlSlice *keys = kvsql_arena_array (arena, KvsqlSlice, self->n_put);
  g_autoptr (GError) error = NULL;
  KvsqlRows rows;

  for (guint i = 0; i < self->n_put; i++)
    keys[i] = kvsql_slice_from_text (kvsql_arena_printf (arena, "put-%u-%05u", self->number, i));
  kvsql_store_multi_get (self->store, TABLE, keys, self->n_put, NULL, 0, NULL, arena, &rows,
                         &error);
  g_assert_no_error (error);
  for (guint i = 0; i < rows.n_rows; i++)
    g_assert_cmpuint (rows.rows[i].n_cells, ==, 1);
}

static void
assert_counter (Writer *self)
{
  g_autofree gchar *owned = NULL;
  g_autoptr (GError) error = NULL;
  gint64 value;

  kvsql_store_increment (self->store, TABLE, counter_row (self, &owned), S ("f"), S ("n"), 0, NULL,
                         &value, &error);
  g_assert_no_error (error);
  assert_value (self, value);
}

/* ---- the two ways */

static void
make_table (KvsqlStore *store)
{
  const KvsqlSlice family = S ("f");
  const KvsqlTableSpec spec = { .name = TABLE, .families = &family, .n_families = 1 };
  g_autoptr (GError) error = NULL;

  kvsql_store_drop_table (store, TABLE, NULL, NULL);
  kvsql_store_ensure_table (store, &spec, NULL, NULL, &error);
  g_assert_no_error (error);
}

/* One way is always whole; the other one is taken away, held up, or cuts replies, in turns. */
static void
disturb (Relay *const *ways, const gint *n_over)
{
  g_autoptr (GRand) chance = g_rand_new_with_seed ((guint32)g_test_rand_int ());

  for (guint turn = 0; g_atomic_int_get (n_over) < N_THREADS; turn++)
    {
      Relay *way = ways[turn % 2];

      switch (g_rand_int_range (chance, 0, 3))
        {
        case 0:
          relay_set_mode (way, RELAY_DOWN);
          break;
        case 1:
          relay_set_mode (way, RELAY_HANG);
          break;
        default:
          relay_cut_replies (way, g_rand_int (chance), LARGEST_CUT);
          break;
        }
      /* How long it lasts is part of what is chosen by chance. */
      g_usleep ((gulong)g_rand_int_range (chance, 20, 300) * 1000);
      relay_cut_replies (way, 0, 0);
      relay_set_mode (way, RELAY_PASS);
    }
}

static void
test_writes (void)
{
  g_autofree gchar *server = live_gateway_first ();
  Relay *const ways[] = { relay_new (server), relay_new (server) };
  g_autofree gchar *pair = g_strdup_printf ("127.0.0.1:%u,127.0.0.1:%u", relay_get_port (ways[0]),
                                            relay_get_port (ways[1]));
  KvsqlStore *store = live_store_open (pair);
  KvsqlStore *quiet = live_store_open (server);
  GThread *threads[N_THREADS];
  Writer writers[N_THREADS];
  guint n_unknown = 0;
  gint n_over = 0;

  make_table (quiet);
  for (guint i = 0; i < N_THREADS; i++)
    {
      writers[i] = (Writer){
        .store = store, .number = i, .n_rounds = test_size (400, 50), .is_over = &n_over
      };
      threads[i] = g_thread_new ("writer", write_all, &writers[i]);
    }
  disturb (ways, &n_over);
  for (guint i = 0; i < N_THREADS; i++)
    {
      g_thread_join (threads[i]);
      n_unknown += writers[i].n_unknown;
    }
  g_test_message ("%u increments of unknown outcome, %u replies cut", n_unknown,
                  relay_get_n_cuts (ways[0]) + relay_get_n_cuts (ways[1]));
  kvsql_store_close (store);
  for (guint i = 0; i < N_THREADS; i++)
    {
      writers[i].store = quiet;
      assert_puts (&writers[i]);
      assert_counter (&writers[i]);
    }
  kvsql_store_drop_table (quiet, TABLE, NULL, NULL);
  kvsql_store_close (quiet);
  relay_free (ways[0]);
  relay_free (ways[1]);
}

static void
skip (void)
{
  g_test_skip ("no HBase: KVSQL_TEST_HBASE_URL is not set");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hbase/gateways/writes-through-a-broken-way",
                   g_getenv ("KVSQL_TEST_HBASE_URL") != NULL ? test_writes : skip);
  return g_test_run ();
}
