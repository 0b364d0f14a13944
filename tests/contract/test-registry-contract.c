/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-registry-contract.c: the contract of registry.h as tests, run on every kind of registry.
 */
#include "config.h"

#include <pthread.h>
#include <string.h>

#include "tests/contract/registry-probe.h"

#define N_THREADS 8
#define N_ROUNDS 50
#define N_COUNTERS 4
#define N_COUNTS 10

typedef struct
{
  gchar *url;
  Probe a;
  Probe b;
} Fixture;

static void
set_up (Fixture *self, gconstpointer scheme)
{
  self->url = probe_new_place (scheme);
  if (self->url == NULL)
    return;
  probe_open (&self->a, self->url);
  probe_open (&self->b, self->url);
}

static void
tear_down (Fixture *self, gconstpointer scheme)
{
  if (self->url == NULL)
    return;
  probe_close (&self->a);
  probe_close (&self->b);
  probe_remove_place (self->url);
  g_free (self->url);
}

static gboolean
commit_by (Probe *probe, gint64 expected, const KvsqlDefinitionChange *changes, guint n,
           const KvsqldAuthor *author, GError **error)
{
  KvsqlCall call = probe_call (10000);

  return probe->registry->klass->commit (probe->registry, expected, changes, n, author, &call, NULL,
                                         error);
}

static gboolean
commit (Probe *probe, gint64 expected, const KvsqlDefinitionChange *changes, guint n,
        gint64 *out_epoch, GError **error)
{
  KvsqlCall call = probe_call (10000);

  return probe->registry->klass->commit (probe->registry, expected, changes, n, NULL, &call,
                                         out_epoch, error);
}

static void
assert_text (const KvsqldSnapshot *snapshot, KvsqlDefinitionKind kind, const gchar *name,
             const gchar *text)
{
  const KvsqldEntry *entry = probe_find (snapshot, kind, name);

  g_assert_nonnull (entry);
  g_assert_cmpstr (entry->text, ==, text);
}

static void
test_empty (Fixture *self, gconstpointer scheme)
{
  g_autoptr (KvsqldSnapshot) snapshot = NULL;

  if (self->url == NULL)
    return;
  snapshot = probe_load (&self->a);
  g_assert_cmpint (snapshot->epoch, ==, 0);
  g_assert_cmpuint (snapshot->n_entries, ==, 0);
  g_assert_null (self->a.registry->klass->describe_last_error (self->a.registry));
}

static void
test_commit_then_load (Fixture *self, gconstpointer scheme)
{
  const KvsqlDefinitionChange changes[] = {
    { KVSQL_DEFINITION_RELATION, "user", "CREATE RELATION user (\n\tid INT KEY\n)" },
    { KVSQL_DEFINITION_SCHEMA, "user", "" },
    { KVSQL_DEFINITION_SCHEMA, "by_name", "\n\nwith \"quotes\", \\ and \ttab\n" },
  };
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  gint64 epoch = -1;

  if (self->url == NULL)
    return;
  g_assert_true (commit (&self->a, 0, changes, G_N_ELEMENTS (changes), &epoch, &error));
  g_assert_no_error (error);
  g_assert_cmpint (epoch, ==, 1);

  snapshot = probe_load (&self->b);
  g_assert_cmpint (snapshot->epoch, ==, 1);
  g_assert_cmpuint (snapshot->n_entries, ==, G_N_ELEMENTS (changes));
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    assert_text (snapshot, changes[i].kind, changes[i].name, changes[i].text);
}

static void
test_versions (Fixture *self, gconstpointer scheme)
{
  g_autoptr (KvsqldSnapshot) before = NULL;
  g_autoptr (KvsqldSnapshot) after = NULL;
  const KvsqldEntry *old, *new;

  if (self->url == NULL)
    return;
  probe_define (&self->a, "kept", "1");
  probe_define (&self->a, "changed", "1");
  before = probe_load (&self->a);
  probe_define (&self->a, "changed", "2");
  after = probe_load (&self->b);

  old = probe_find (before, KVSQL_DEFINITION_SCHEMA, "kept");
  new = probe_find (after, KVSQL_DEFINITION_SCHEMA, "kept");
  g_assert_cmpint (old->version, ==, new->version);
  old = probe_find (before, KVSQL_DEFINITION_SCHEMA, "changed");
  new = probe_find (after, KVSQL_DEFINITION_SCHEMA, "changed");
  g_assert_cmpint (old->version, <, new->version);
  g_assert_cmpstr (new->text, ==, "2");
}

static void
test_removal (Fixture *self, gconstpointer scheme)
{
  const KvsqlDefinitionChange removal[] = { { KVSQL_DEFINITION_SCHEMA, "b", NULL },
                                            { KVSQL_DEFINITION_SCHEMA, "never-there", NULL },
                                            { KVSQL_DEFINITION_SCHEMA, "c", "3" } };
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  if (self->url == NULL)
    return;
  probe_define (&self->a, "a", "1");
  probe_define (&self->a, "b", "2");
  g_assert_true (commit (&self->a, 2, removal, G_N_ELEMENTS (removal), NULL, &error));
  g_assert_no_error (error);

  snapshot = probe_load (&self->b);
  g_assert_cmpint (snapshot->epoch, ==, 3);
  g_assert_cmpuint (snapshot->n_entries, ==, 2);
  assert_text (snapshot, KVSQL_DEFINITION_SCHEMA, "a", "1");
  assert_text (snapshot, KVSQL_DEFINITION_SCHEMA, "c", "3");
}

static void
test_conflict (Fixture *self, gconstpointer scheme)
{
  const KvsqlDefinitionChange changes[]
      = { { KVSQL_DEFINITION_SCHEMA, "mine", "b" }, { KVSQL_DEFINITION_SCHEMA, "other", "b" } };
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  if (self->url == NULL)
    return;
  probe_define (&self->a, "mine", "a");
  g_assert_false (commit (&self->b, 0, changes, G_N_ELEMENTS (changes), NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_CONFLICT);

  snapshot = probe_load (&self->b);
  g_assert_cmpint (snapshot->epoch, ==, 1);
  g_assert_cmpuint (snapshot->n_entries, ==, 1);
  assert_text (snapshot, KVSQL_DEFINITION_SCHEMA, "mine", "a");
}

typedef struct
{
  Probe *probe;
  guint number;
  pthread_barrier_t *barrier;
  gint *n_winners; /* per round */
} Racer;

static gpointer
race (gpointer data)
{
  Racer *self = data;

  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autofree gchar *text = g_strdup_printf ("round %u by %u", round, self->number);
      KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, "prize", text };
      g_autoptr (GError) error = NULL;
      gint64 epoch = -1;

      pthread_barrier_wait (self->barrier);
      if (commit (self->probe, round, &change, 1, &epoch, &error))
        {
          g_assert_cmpint (epoch, ==, round + 1);
          g_atomic_int_inc (&self->n_winners[round]);
        }
      else
        g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_CONFLICT);
      pthread_barrier_wait (self->barrier);
    }
  return NULL;
}

static void
test_race (Fixture *self, gconstpointer scheme)
{
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  gint n_winners[N_ROUNDS] = { 0 };
  GThread *threads[N_THREADS];
  Racer racers[N_THREADS];
  pthread_barrier_t barrier;

  if (self->url == NULL)
    return;
  pthread_barrier_init (&barrier, NULL, N_THREADS);
  for (guint i = 0; i < N_THREADS; i++)
    {
      racers[i] = (Racer){ i % 2 == 0 ? &self->a : &self->b, i, &barrier, n_winners };
      threads[i] = g_thread_new ("racer", race, &racers[i]);
    }
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  pthread_barrier_destroy (&barrier);

  for (guint round = 0; round < N_ROUNDS; round++)
    g_assert_cmpint (n_winners[round], ==, 1);
  snapshot = probe_load (&self->a);
  g_assert_cmpint (snapshot->epoch, ==, N_ROUNDS);
}

static gboolean
is_connected (Probe *probe)
{
  return probe->state == KVSQLD_REGISTRY_CONNECTED;
}

static gboolean
has_seen_change (Probe *probe)
{
  return probe->n_changes > 0;
}

static void
test_watch (Fixture *self, gconstpointer scheme)
{
  gint64 worst_us = 0;

  if (self->url == NULL)
    return;
  if (strcmp (scheme, "local") != 0) /* a local registry's directory exists from the start */
    g_assert_true (probe_run_until (&self->b, is_connected, 10000));
  for (guint round = 0; round < 20; round++)
    {
      gint64 start_us;

      self->b.n_changes = 0;
      probe_define (&self->a, "x", "1");
      start_us = g_get_monotonic_time ();
      g_assert_true (probe_run_until (&self->b, has_seen_change, 20000));
      worst_us = MAX (worst_us, g_get_monotonic_time () - start_us);
    }
  g_test_message ("slowest of 20 changes seen after %.1f ms", (gdouble)worst_us / 1000);
}

/* A change between open() and the first read must be reported. */
static void
test_watch_from_the_start (Fixture *self, gconstpointer scheme)
{
  Probe late;
  g_autoptr (KvsqldSnapshot) snapshot = NULL;

  if (self->url == NULL)
    return;
  probe_define (&self->a, "x", "1");
  probe_open (&late, self->url);
  probe_define (&self->a, "x", "2");
  g_assert_true (probe_run_until (&late, has_seen_change, 20000));
  snapshot = probe_load (&late);
  assert_text (snapshot, KVSQL_DEFINITION_SCHEMA, "x", "2");
  probe_close (&late);
}

static void
test_odd_names (Fixture *self, gconstpointer scheme)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (KvsqlDefinitionChange));
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  static const gchar *const others[]
      = { ".",      "..",     "...",        "a/b",        "%2F",    "zookeeper",
          "A b\nc", "größe",  "表",         "\xc2\x85",   "\u2028", "\ufdd0",
          "\ufffe", "\ue000", "\U0001F600", "\U00010000", "epoch",  "#x" };

  if (self->url == NULL)
    return;
  for (gchar c = 1; c > 0 && c < 127; c++)
    if (c != '.')
      g_ptr_array_add (names, g_strdup_printf ("%c", c));
  g_ptr_array_add (names, g_strdup ("\x7f"));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_ptr_array_add (names, g_strdup (others[i]));
  for (guint i = 0; i < names->len; i++)
    {
      KvsqlDefinitionChange change
          = { KVSQL_DEFINITION_RELATION, names->pdata[i], names->pdata[i] };

      g_array_append_val (changes, change);
    }
  g_assert_true (commit (&self->a, 0, (const KvsqlDefinitionChange *)changes->data, changes->len,
                         NULL, &error));
  g_assert_no_error (error);

  snapshot = probe_load (&self->b);
  g_assert_cmpuint (snapshot->n_entries, ==, names->len);
  for (guint i = 0; i < names->len; i++)
    assert_text (snapshot, KVSQL_DEFINITION_RELATION, names->pdata[i], names->pdata[i]);
}

static void
test_bad_changes (Fixture *self, gconstpointer scheme)
{
  g_autofree gchar *long_name = g_strnfill (5000, 'n');
  g_autofree gchar *huge_text = g_strnfill (20 << 20, 't');
  const struct
  {
    KvsqlDefinitionChange change;
    gint code;
  } cases[] = {
    { { KVSQL_DEFINITION_SCHEMA, "", "x" }, KVSQL_ERROR_INVALID },
    { { KVSQL_DEFINITION_SCHEMA, "\xff", "x" }, KVSQL_ERROR_INVALID },
    { { KVSQL_DEFINITION_SCHEMA, "x", "\xff" }, KVSQL_ERROR_INVALID },
    { { KVSQL_DEFINITION_SCHEMA, long_name, "x" }, KVSQL_ERROR_LIMIT },
    { { KVSQL_DEFINITION_SCHEMA, "x", huge_text }, KVSQL_ERROR_LIMIT },
  };
  const KvsqlDefinitionChange twice[]
      = { { KVSQL_DEFINITION_SCHEMA, "x", "1" }, { KVSQL_DEFINITION_SCHEMA, "x", "2" } };
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  if (self->url == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) case_error = NULL;

      g_assert_false (commit (&self->a, 0, &cases[i].change, 1, NULL, &case_error));
      g_assert_error (case_error, KVSQL_ERROR, cases[i].code);
    }
  g_assert_false (commit (&self->a, 0, twice, 2, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
  snapshot = probe_load (&self->a);
  g_assert_cmpint (snapshot->epoch, ==, 0);
}

static void
test_many_entries (Fixture *self, gconstpointer scheme)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (KvsqlDefinitionChange));
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  gint64 start_us;

  if (self->url == NULL)
    return;
  for (guint i = 0; i < 500; i++)
    g_ptr_array_add (names, g_strdup_printf ("schema_%03u", i));
  for (guint i = 0; i < names->len; i++)
    {
      KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, names->pdata[i], names->pdata[i] };

      g_array_append_val (changes, change);
    }
  g_assert_true (commit (&self->a, 0, (const KvsqlDefinitionChange *)changes->data, changes->len,
                         NULL, &error));
  g_assert_no_error (error);

  start_us = g_get_monotonic_time ();
  snapshot = probe_load (&self->b);
  g_test_message ("500 entries loaded in %.1f ms",
                  (gdouble)(g_get_monotonic_time () - start_us) / 1000);
  g_assert_cmpuint (snapshot->n_entries, ==, 500);
  for (guint i = 0; i < names->len; i++)
    assert_text (snapshot, KVSQL_DEFINITION_SCHEMA, names->pdata[i], names->pdata[i]);
}

static void
test_big_text (Fixture *self, gconstpointer scheme)
{
  g_autofree gchar *text = g_strnfill (900000, 'x');
  g_autoptr (KvsqldSnapshot) snapshot = NULL;

  if (self->url == NULL)
    return;
  for (guint i = 0; i < 900000; i += 77)
    text[i] = '\n';
  probe_define (&self->a, "big", text);
  snapshot = probe_load (&self->b);
  assert_text (snapshot, KVSQL_DEFINITION_SCHEMA, "big", text);
}

/* While a writer always changes two entries together, a reader never sees only one of the
 * changes. */
static gpointer
write_pairs (gpointer data)
{
  for (guint i = 0; i < 100; i++)
    {
      g_autofree gchar *text = g_strdup_printf ("%u", i);
      const KvsqlDefinitionChange pair[] = { { KVSQL_DEFINITION_RELATION, "pair", text },
                                             { KVSQL_DEFINITION_SCHEMA, "pair", text } };
      g_autoptr (GError) error = NULL;

      commit (data, i, pair, G_N_ELEMENTS (pair), NULL, &error);
      g_assert_no_error (error);
    }
  return NULL;
}

static void
test_whole_snapshots (Fixture *self, gconstpointer scheme)
{
  gint64 epoch = 0;
  GThread *writer;

  if (self->url == NULL)
    return;
  writer = g_thread_new ("writer", write_pairs, &self->a);
  while (epoch < 100)
    {
      g_autoptr (KvsqldSnapshot) snapshot = probe_load (&self->b);
      g_autofree gchar *text = g_strdup_printf ("%" G_GINT64_FORMAT, snapshot->epoch - 1);

      g_assert_cmpint (snapshot->epoch, >=, epoch);
      epoch = snapshot->epoch;
      if (epoch == 0)
        continue;
      assert_text (snapshot, KVSQL_DEFINITION_RELATION, "pair", text);
      assert_text (snapshot, KVSQL_DEFINITION_SCHEMA, "pair", text);
    }
  g_thread_join (writer);
}

static gpointer
fetch_secret (gpointer data)
{
  Probe *probe = data;
  KvsqlCall call = probe_call (10000);
  g_autoptr (GError) error = NULL;
  GBytes *secret = probe->registry->klass->get_secret (probe->registry, &call, &error);

  g_assert_no_error (error);
  return secret;
}

static void
test_secret (Fixture *self, gconstpointer scheme)
{
  GThread *threads[N_THREADS];
  g_autoptr (GBytes) first = NULL;

  if (self->url == NULL)
    return;
  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("secret", fetch_secret, i % 2 == 0 ? &self->a : &self->b);
  for (guint i = 0; i < N_THREADS; i++)
    {
      g_autoptr (GBytes) secret = g_thread_join (threads[i]);

      g_assert_cmpuint (g_bytes_get_size (secret), ==, 32);
      if (first == NULL)
        first = g_bytes_ref (secret);
      g_assert_true (g_bytes_equal (first, secret));
    }
}

/* ---- the history ---- */

static const KvsqldAuthor ada
    = { .by = "user ada", .daemon = "host-1", .statement = "DEFINE\n  it", .at_ms = 1234567890123 };

static GPtrArray *
list_history (Probe *probe, const gchar *name)
{
  KvsqlCall call = probe_call (10000);
  g_autoptr (GError) error = NULL;
  GPtrArray *records = probe->registry->klass->list_history (probe->registry, name, &call, &error);

  g_assert_no_error (error);
  g_assert_nonnull (records);
  return records;
}

static void
assert_record (const GPtrArray *records, guint i, KvsqlDefinitionKind kind, const gchar *name,
               gint64 epoch, const gchar *text)
{
  const KvsqlDefinitionRecord *record = records->pdata[i];

  g_assert_cmpuint (i, <, records->len);
  g_assert_cmpint (record->kind, ==, kind);
  g_assert_cmpstr (record->name, ==, name);
  g_assert_cmpint (record->epoch, ==, epoch);
  g_assert_cmpstr (record->text, ==, text);
}

static void
test_history (Fixture *self, gconstpointer scheme)
{
  const KvsqlDefinitionChange first[] = { { KVSQL_DEFINITION_RELATION, "a.b %", "\tone\n\ntwo\n" },
                                          { KVSQL_DEFINITION_SCHEMA, "a.b %", "" },
                                          { KVSQL_DEFINITION_BACKFILL, "a.b %", "note" } };
  const KvsqlDefinitionChange second[] = { { KVSQL_DEFINITION_RELATION, "größe", "three" },
                                           { KVSQL_DEFINITION_RELATION, "never there", NULL },
                                           { KVSQL_DEFINITION_RELATION, "a.b %", NULL } };
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GPtrArray) some = NULL;
  const KvsqlDefinitionRecord *record;
  g_autoptr (GError) error = NULL;

  if (self->url == NULL)
    return;
  none = list_history (&self->a, NULL);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_true (commit_by (&self->a, 0, first, G_N_ELEMENTS (first), &ada, &error));
  g_assert_no_error (error);
  g_assert_true (commit_by (&self->b, 1, second, G_N_ELEMENTS (second), &ada, &error));
  g_assert_no_error (error);

  all = list_history (&self->b, NULL);
  g_assert_cmpuint (all->len, ==, 4);
  assert_record (all, 0, KVSQL_DEFINITION_RELATION, "a.b %", 1, "\tone\n\ntwo\n");
  assert_record (all, 1, KVSQL_DEFINITION_SCHEMA, "a.b %", 1, "");
  assert_record (all, 2, KVSQL_DEFINITION_RELATION, "a.b %", 2, NULL);
  assert_record (all, 3, KVSQL_DEFINITION_RELATION, "größe", 2, "three");
  record = all->pdata[0];
  g_assert_cmpstr (record->by, ==, ada.by);
  g_assert_cmpstr (record->daemon, ==, ada.daemon);
  g_assert_cmpstr (record->statement, ==, ada.statement);
  g_assert_cmpint (record->at_ms, ==, ada.at_ms);
  some = list_history (&self->a, "größe");
  g_assert_cmpuint (some->len, ==, 1);
  assert_record (some, 0, KVSQL_DEFINITION_RELATION, "größe", 2, "three");
}

/* Definitions of a daemon without history are the first record of the history. */
static void
test_history_begins (Fixture *self, gconstpointer scheme)
{
  const KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, "old", "2" };
  g_autoptr (GPtrArray) records = NULL;
  const KvsqlDefinitionRecord *record;
  g_autoptr (GError) error = NULL;

  if (self->url == NULL)
    return;
  probe_define (&self->a, "old", "1");
  probe_define (&self->a, "other", "1");
  g_assert_true (commit_by (&self->a, 2, &change, 1, &ada, &error));
  g_assert_no_error (error);
  records = list_history (&self->b, NULL);
  g_assert_cmpuint (records->len, ==, 2);
  assert_record (records, 0, KVSQL_DEFINITION_SCHEMA, "old", 2, "1");
  assert_record (records, 1, KVSQL_DEFINITION_SCHEMA, "old", 3, "2");
  record = records->pdata[0];
  g_assert_cmpint (record->at_ms, ==, 0);
  g_assert_cmpstr (record->statement, ==, "");
}

/* A commit that loses a race, or is rejected, leaves no record. */
static void
test_history_conflict (Fixture *self, gconstpointer scheme)
{
  const KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, "x", "2" };
  const KvsqlDefinitionChange bad = { KVSQL_DEFINITION_SCHEMA, "x", "\xff" };
  g_autoptr (GPtrArray) records = NULL;

  if (self->url == NULL)
    return;
  probe_define (&self->a, "x", "1");
  g_assert_false (commit_by (&self->b, 0, &change, 1, &ada, NULL));
  g_assert_false (commit_by (&self->b, 1, &bad, 1, &ada, NULL));
  records = list_history (&self->a, NULL);
  g_assert_cmpuint (records->len, ==, 0);
}

static void
test_history_bound (Fixture *self, gconstpointer scheme)
{
  const KvsqlDefinitionChange other = { KVSQL_DEFINITION_SCHEMA, "rare", "1" };
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (GPtrArray) rare = NULL;
  g_autoptr (GError) error = NULL;

  if (self->url == NULL)
    return;
  g_assert_true (commit_by (&self->a, 0, &other, 1, &ada, NULL));
  for (guint i = 1; i <= KVSQL_HISTORY_PER_NAME + 5; i++)
    {
      g_autofree gchar *text = g_strdup_printf ("%u", i);
      KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, "busy", i % 10 == 0 ? NULL : text };

      g_assert_true (commit_by (&self->a, i, &change, 1, &ada, &error));
      g_assert_no_error (error);
    }
  records = list_history (&self->b, "busy");
  g_assert_cmpuint (records->len, ==, KVSQL_HISTORY_PER_NAME);
  assert_record (records, 0, KVSQL_DEFINITION_SCHEMA, "busy", 7, "6");
  assert_record (records, KVSQL_HISTORY_PER_NAME - 1, KVSQL_DEFINITION_SCHEMA, "busy",
                 KVSQL_HISTORY_PER_NAME + 6, "105");
  rare = list_history (&self->b, "rare");
  g_assert_cmpuint (rare->len, ==, 1);
}

static void
test_history_long_statement (Fixture *self, gconstpointer scheme)
{
  g_autofree gchar *statement = g_strnfill (100000, 'x');
  KvsqldAuthor author = { .by = "a\nb", .daemon = "", .statement = statement };
  const KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, "x", "1" };
  g_autoptr (GPtrArray) records = NULL;
  const KvsqlDefinitionRecord *record;
  g_autoptr (GError) error = NULL;

  if (self->url == NULL)
    return;
  memcpy (statement + KVSQLD_STATEMENT_MAX_BYTES - 5, "äöü", strlen ("äöü"));
  g_assert_true (commit_by (&self->a, 0, &change, 1, &author, &error));
  g_assert_no_error (error);
  records = list_history (&self->b, "x");
  record = records->pdata[0];
  g_assert_cmpuint (strlen (record->statement), <=, KVSQLD_STATEMENT_MAX_BYTES);
  g_assert_cmpuint (strlen (record->statement), >, KVSQLD_STATEMENT_MAX_BYTES - 8);
  g_assert_true (g_utf8_validate (record->statement, -1, NULL));
  g_assert_true (g_str_has_suffix (record->statement, "…"));
  g_assert_cmpstr (record->by, ==, "a b");
}

/* ---- the common clock ---- */

static void
read_clock (Probe *probe, KvsqldClockReading *out)
{
  KvsqlCall call = probe_call (10000);
  g_autoptr (GError) error = NULL;

  probe->registry->klass->read_clock (probe->registry, out, &call, &error);
  g_assert_no_error (error);
}

static gboolean
write_clock (Probe *probe, const KvsqldClockReading *reading, const gchar *text)
{
  KvsqlCall call = probe_call (10000);
  g_autoptr (GError) error = NULL;
  gboolean is_written;

  probe->registry->klass->write_clock (probe->registry, reading, text, &is_written, &call, &error);
  g_assert_no_error (error);
  return is_written;
}

static void
test_clock (Fixture *self, gconstpointer scheme)
{
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  KvsqldClockReading a, b;
  gint64 now_ms = g_get_real_time () / 1000;

  if (self->url == NULL)
    return;
  read_clock (&self->a, &a);
  g_assert_cmpstr (a.text, ==, "");
  /* The server runs on this machine, so both use the same clock. */
  g_assert_cmpint (ABS (a.server_ms - now_ms), <, 60000);

  g_assert_true (write_clock (&self->a, &a, "one 1"));
  g_assert_false (write_clock (&self->a, &a, "two 2"));
  read_clock (&self->b, &b);
  g_assert_cmpstr (b.text, ==, "one 1");
  g_assert_cmpint (b.term, ==, a.term);
  g_assert_cmpint (b.server_ms, >=, a.server_ms);
  g_assert_true (write_clock (&self->b, &b, "three 3"));
  g_assert_false (write_clock (&self->b, &b, "four 4"));
  do
    read_clock (&self->a, &b);
  while (b.server_ms == a.server_ms);
  g_assert_cmpstr (b.text, ==, "three 3");

  snapshot = probe_load (&self->a);
  g_assert_cmpint (snapshot->epoch, ==, 0);
}

static gint64
read_slots (Probe *probe, gchar **out_text)
{
  KvsqlCall call = probe_call (10000);
  g_autoptr (GError) error = NULL;
  gint64 version;

  probe->registry->klass->read_slots (probe->registry, out_text, &version, &call, &error);
  g_assert_no_error (error);
  return version;
}

static gboolean
write_slots (Probe *probe, gint64 version, const gchar *text)
{
  KvsqlCall call = probe_call (10000);
  g_autoptr (GError) error = NULL;
  gboolean is_written;

  probe->registry->klass->write_slots (probe->registry, version, text, &is_written, &call, &error);
  g_assert_no_error (error);
  return is_written;
}

/* Of two daemons that have read the same value, one can write. */
static void
test_slots (Fixture *self, gconstpointer scheme)
{
  g_autofree gchar *nothing = NULL;
  g_autofree gchar *one = NULL;
  g_autofree gchar *three = NULL;
  gint64 a, b;

  if (self->url == NULL)
    return;
  a = read_slots (&self->a, &nothing);
  g_assert_cmpstr (nothing, ==, "");
  g_assert_true (write_slots (&self->a, a, "one\n1\n"));
  g_assert_false (write_slots (&self->b, a, "two\n2\n"));
  b = read_slots (&self->b, &one);
  g_assert_cmpstr (one, ==, "one\n1\n");
  g_assert_true (write_slots (&self->b, b, ""));
  g_assert_false (write_slots (&self->a, b, "four"));
  read_slots (&self->a, &three);
  g_assert_cmpstr (three, ==, "");
}

/* Each thread adds 1, as often as necessary. */
static gpointer
count_on_clock (gpointer data)
{
  Probe *probe = data;

  for (guint i = 0; i < N_COUNTS; i++)
    {
      gboolean is_written = FALSE;

      while (!is_written)
        {
          g_autofree gchar *text = NULL;
          KvsqldClockReading reading;

          read_clock (probe, &reading);
          text = g_strdup_printf ("%d", atoi (reading.text) + 1);
          is_written = write_clock (probe, &reading, text);
        }
    }
  return NULL;
}

static void
test_clock_race (Fixture *self, gconstpointer scheme)
{
  GThread *threads[N_COUNTERS];
  KvsqldClockReading reading;

  if (self->url == NULL)
    return;
  for (guint i = 0; i < N_COUNTERS; i++)
    threads[i] = g_thread_new ("clock", count_on_clock, i % 2 == 0 ? &self->a : &self->b);
  for (guint i = 0; i < N_COUNTERS; i++)
    g_thread_join (threads[i]);
  read_clock (&self->b, &reading);
  g_assert_cmpint (atoi (reading.text), ==, N_COUNTS * N_COUNTERS);
}

static void
test_clock_cancelled (Fixture *self, gconstpointer scheme)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  KvsqlCall call = { .cancellable = cancellable };
  g_autoptr (GError) error = NULL;
  KvsqldClockReading reading;

  if (self->url == NULL)
    return;
  g_cancellable_cancel (cancellable);
  g_assert_false (self->a.registry->klass->read_clock (self->a.registry, &reading, &call, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
}

static void
test_cancelled (Fixture *self, gconstpointer scheme)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  KvsqlCall call = { .cancellable = cancellable };
  KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, "x", "1" };
  g_autoptr (GError) load_error = NULL;
  g_autoptr (KvsqldSnapshot) snapshot = NULL;

  if (self->url == NULL)
    return;
  g_cancellable_cancel (cancellable);
  g_assert_null (self->a.registry->klass->load (self->a.registry, &call, &load_error));
  g_assert_error (load_error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_assert_false (
      self->a.registry->klass->commit (self->a.registry, 0, &change, 1, NULL, &call, NULL, NULL));
  snapshot = probe_load (&self->b);
  g_assert_cmpint (snapshot->epoch, ==, 0);
}

static void
test_close_is_silent (Fixture *self, gconstpointer scheme)
{
  guint n_reports;

  if (self->url == NULL)
    return;
  probe_define (&self->a, "x", "1"); /* a report to b is pending */
  probe_close (&self->b);
  n_reports = self->b.n_reports;
  probe_define (&self->a, "x", "2");
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (self->b.n_reports, ==, n_reports);
}

static gboolean
change_protocol (Probe *probe, gint64 expected, guint number, gboolean is_announced, GError **error)
{
  const KvsqldWriteProtocol protocol = { .number = number, .is_announced = is_announced };
  KvsqlCall call = probe_call (10000);

  return probe->registry->klass->change_protocol (probe->registry, expected, &protocol, &call,
                                                  error);
}

static void
assert_protocol (Probe *probe, gint64 epoch, guint number, gboolean is_announced)
{
  g_autoptr (KvsqldSnapshot) snapshot = probe_load (probe);

  g_assert_cmpint (snapshot->epoch, ==, epoch);
  g_assert_cmpuint (snapshot->protocol.number, ==, number);
  g_assert_cmpint (snapshot->protocol.is_announced, ==, is_announced);
}

/* A change of the write protocol is an epoch of its own, and later commits keep the protocol. */
static void
test_protocol (Fixture *self, gconstpointer scheme)
{
  const KvsqlDefinitionChange change = { KVSQL_DEFINITION_RELATION, "r", "1" };
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  if (self->url == NULL)
    return;
  self->a.registry->first_protocol = self->b.registry->first_protocol = KVSQLD_WRITE_PROTOCOL;
  g_assert_true (commit (&self->a, 0, &change, 1, NULL, &error));
  assert_protocol (&self->b, 1, KVSQLD_WRITE_PROTOCOL, FALSE);
  g_assert_true (probe_run_until (&self->b, has_seen_change, 10000));
  self->b.n_changes = 0;

  g_assert_true (change_protocol (&self->a, 1, 7, TRUE, &error));
  assert_protocol (&self->b, 2, 7, TRUE);
  g_assert_true (probe_run_until (&self->b, has_seen_change, 10000));
  g_assert_false (change_protocol (&self->b, 1, 8, FALSE, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_CONFLICT);
  g_clear_error (&error);
  g_assert_true (change_protocol (&self->b, 2, 7, FALSE, &error));
  g_assert_cmpint (probe_define (&self->a, "s", "2"), ==, 4);
  assert_protocol (&self->b, 4, 7, FALSE);
  snapshot = probe_load (&self->b);
  assert_text (snapshot, KVSQL_DEFINITION_RELATION, "r", "1");
  g_assert_cmpuint (snapshot->n_entries, ==, 2);
}

int
main (int argc, char **argv)
{
  static const gchar *const schemes[] = { "local", "zookeeper" };
  static const struct
  {
    const gchar *name;
    void (*run) (Fixture *self, gconstpointer scheme);
  } tests[] = {
    { "starts-empty", test_empty },
    { "commit-then-load", test_commit_then_load },
    { "version-moves-with-its-entry", test_versions },
    { "removal", test_removal },
    { "stale-epoch-conflicts", test_conflict },
    { "race-has-one-winner", test_race },
    { "watch-sees-another-commit", test_watch },
    { "watch-misses-nothing-at-start", test_watch_from_the_start },
    { "odd-names", test_odd_names },
    { "bad-changes-are-refused", test_bad_changes },
    { "many-entries", test_many_entries },
    { "big-text", test_big_text },
    { "snapshots-are-whole", test_whole_snapshots },
    { "one-secret", test_secret },
    { "clock-compare-and-set", test_clock },
    { "clock-changed-by-many", test_clock_race },
    { "slots-compare-and-set", test_slots },
    { "write-protocol", test_protocol },
    { "history", test_history },
    { "history-begins-with-existing-entries", test_history_begins },
    { "history-without-failures", test_history_conflict },
    { "history-is-bounded", test_history_bound },
    { "history-of-a-long-statement", test_history_long_statement },
    { "clock-cancelled", test_clock_cancelled },
    { "cancelled", test_cancelled },
    { "close-is-silent", test_close_is_silent },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint t = 0; t < G_N_ELEMENTS (tests); t++)
      {
        g_autofree gchar *path
            = g_strdup_printf ("/registry/contract/%s/%s", schemes[s], tests[t].name);

        g_test_add (path, Fixture, schemes[s], set_up, tests[t].run, tear_down);
      }
  return g_test_run ();
}
