/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-gateways.c: several threads write to a real HBase through two gateways, of which one
 * is disturbed at any time: replies are cut at random bytes, connections are lost, answers are
 * delayed. Puts use the other gateway; an increment is done once or, if that cannot be known, at
 * most once. A change with a condition is done once, and that is always known: no other writer
 * changes its row.
 *
 * KVSQL_TEST_HBASE_URL is the output of tests/live/hbase; without it the tests are skipped.
 */
#include "config.h"

#include "daemon/stores/stores.h"
#include "tests/harness/assert.h"
#include "tests/harness/live-gateway.h"
#include "tests/harness/relay.h"
#include "tests/size.h"
#include "tests/harness/check-and-apply.h"

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
  guint n_changed;
  guint n_refused;
} Writer;

static KvsqlCall
call_soon (void)
{
  return (KvsqlCall){ .deadline_us = g_get_monotonic_time () + DEADLINE_US };
}

static void
print_fact (const KvsqlFact *fact, gpointer data)
{
  if (fact->kind == KVSQL_FACT_TEXT)
    g_test_message ("%s, %s: %s", fact->item ?: "store", fact->name, fact->text);
  else
    g_test_message ("%s, %s: %" G_GINT64_FORMAT, fact->item ?: "store", fact->name, fact->number);
}

/* A failure is printed together with the store's state of the two gateways. */
static void
assert_written (const Writer *self, const GError *error)
{
  if (error != NULL)
    kvsql_store_report (self->store, print_fact, NULL);
  g_assert_no_error (error);
}

/* Nothing was done, and the same request may be repeated: each gateway failed, one after the other,
 * although one of them was good at any moment. Clears @error. */
static gboolean
is_refused (Writer *self, const KvsqlCall *call, GError **error)
{
  if (!g_error_matches (*error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE)
      || g_get_monotonic_time () >= call->deadline_us)
    return FALSE;
  g_clear_error (error);
  self->n_refused++;
  return TRUE;
}

static void
put_next (Writer *self)
{
  g_autofree gchar *row = g_strdup_printf ("put-%u-%05u", self->number, self->n_put);
  const KvsqlMutation put
      = { KVSQL_MUTATION_PUT, TABLE, kvsql_slice_from_text (row), S ("f"), S ("q"), S ("v"), 1 };
  const KvsqlCall call = call_soon ();
  g_autoptr (GError) error = NULL;

  do
    ignore_result (kvsql_store_apply (self->store, &put, 1, &call, &error));
  while (is_refused (self, &call, &error));
  assert_written (self, error);
  self->n_put++;
}

static KvsqlSlice
counter_row (const Writer *self, gchar **owned)
{
  *owned = g_strdup_printf ("counter-%u", self->number);
  return kvsql_slice_from_text (*owned);
}

/* No other writer uses this counter: its value is the counted sum, and possibly the unknown
 * part. */
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
  if (is_refused (self, &call, &error))
    return;
  if (!g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME))
    assert_written (self, error);
  self->n_unknown++;
}

/* Inserts, changes and deletes its row in turn; the condition is the value before. A "false" would
 * be wrong: a repetition by the gateway or a lost answer would have turned a "true" into it. */
static void
change_next (Writer *self)
{
  g_autofree gchar *row = g_strdup_printf ("changed-%u", self->number);
  g_autofree gchar *old = g_strdup_printf ("%u", self->n_changed);
  g_autofree gchar *new = g_strdup_printf ("%u", self->n_changed + 1);
  const gint64 mark = 10 * ((gint64)self->n_changed + 1);
  KvsqlMutation mutation
      = { KVSQL_MUTATION_PUT,          TABLE, kvsql_slice_from_text (row), S ("f"), S ("q"),
          kvsql_slice_from_text (new), mark };
  KvsqlCheck check = { KVSQL_CHECK_EQUAL,           TABLE, mutation.row, S ("f"), S ("q"),
                       kvsql_slice_from_text (old), mark };
  const KvsqlCall call = call_soon ();
  g_autoptr (GError) error = NULL;
  gboolean is_applied;

  if (self->n_changed % 3 == 0)
    {
      check.kind = KVSQL_CHECK_ABSENT;
      check.value = KVSQL_SLICE_EMPTY;
    }
  if (self->n_changed % 3 == 2)
    {
      mutation.kind = self->number % 2 == 0 ? KVSQL_MUTATION_DELETE : KVSQL_MUTATION_DELETE_ROW;
      mutation.value = KVSQL_SLICE_EMPTY;
      mutation.timestamp = mark - 1;
      if (mutation.kind == KVSQL_MUTATION_DELETE_ROW)
        mutation.family = mutation.qualifier = KVSQL_SLICE_EMPTY;
    }
  do
    ignore_result (check_and_apply (self->store, &check, &mutation, 1, &call, &is_applied, &error));
  while (is_refused (self, &call, &error));
  assert_written (self, error);
  g_assert_true (is_applied);
  self->n_changed++;
}

static gpointer
write_all (gpointer data)
{
  Writer *self = data;

  for (guint i = 0; i < self->n_rounds; i++)
    {
      put_next (self);
      count_next (self);
      change_next (self);
    }
  g_atomic_int_inc (self->is_over);
  return NULL;
}

/* ---- state afterwards */

static void
assert_puts (Writer *self)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlSlice *keys = kvsql_arena_array (arena, KvsqlSlice, self->n_put);
  g_autoptr (GError) error = NULL;
  KvsqlRows rows;

  for (guint i = 0; i < self->n_put; i++)
    keys[i] = kvsql_slice_from_text (kvsql_arena_printf (arena, "put-%u-%05u", self->number, i));
  assert_done (kvsql_store_multi_get (self->store, TABLE, keys, self->n_put, NULL, 0, NULL, arena,
                                      &rows, &error),
               error);
  for (guint i = 0; i < rows.n_rows; i++)
    g_assert_cmpuint (rows.rows[i].n_cells, ==, 1);
}

static void
assert_counter (Writer *self)
{
  g_autofree gchar *owned = NULL;
  g_autoptr (GError) error = NULL;
  gint64 value;

  assert_done (kvsql_store_increment (self->store, TABLE, counter_row (self, &owned), S ("f"),
                                      S ("n"), 0, NULL, &value, &error),
               error);
  assert_value (self, value);
}

/* ---- the two gateways */

static void
make_table (KvsqlStore *store)
{
  const KvsqlSlice family = S ("f");
  const KvsqlTableSpec spec = { .name = TABLE, .families = &family, .n_families = 1 };
  g_autoptr (GError) error = NULL;

  ignore_result (kvsql_store_drop_table (store, TABLE, NULL, NULL));
  assert_done (kvsql_store_ensure_table (store, &spec, NULL, NULL, &error), error);
}

/* One gateway is always good; the other one is stopped, delayed, or cuts replies, in turn. */
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
      /* The duration is random, too. */
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
  guint n_unknown = 0, n_refused = 0;
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
      n_refused += writers[i].n_refused;
    }
  g_test_message ("%u increments of unknown outcome, %u refused, %u replies cut", n_unknown,
                  n_refused, relay_get_n_cuts (ways[0]) + relay_get_n_cuts (ways[1]));
  kvsql_store_close (store);
  for (guint i = 0; i < N_THREADS; i++)
    {
      writers[i].store = quiet;
      assert_puts (&writers[i]);
      assert_counter (&writers[i]);
    }
  ignore_result (kvsql_store_drop_table (quiet, TABLE, NULL, NULL));
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
