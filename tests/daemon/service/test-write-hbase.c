/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-write-hbase.c: two daemons on one HBase, with many clients each: a task is claimed
 * once, sums are correct, no tuple is lost while it moves to another row, and a unique KEY is
 * inserted once.
 *
 * On a busy machine HBase's Thrift server repeats requests, and the outcome of a plain write may be
 * unknown. Such a statement may count or not.
 */
#include "config.h"

#include "tests/harness/service-fixture.h"

#include <stdio.h>
#include <string.h>

#define N_SERVICES 2
#define N_THREADS 6
#define N_TASKS 30
#define N_ADDED 15

static const gchar relation[] = "DEFINE RELATION task { id BIGINT KEY, state STRING NOT NULL, "
                                "owner STRING, n BIGINT };"
                                "CREATE TABLE seat (id BIGINT PRIMARY KEY, owner TEXT);"
                                "CREATE INDEX by_owner ON seat (owner)";
/* one cell; a cell for each attribute; the state in the row key */
static const gchar *const layouts[] = {
  ("DEFINE PRIMARY SCHEMA tasks FOR task { TABLE 'tasks', ROW id, FAMILY 'f', "
   "VALUE size{state}:ordered{owner}:ordered{n} };"
   "DEFINE SCHEMA by_state FOR task { TABLE 'by_state', ROW size{state}:id, FAMILY 'f' }"),
  ("DEFINE PRIMARY SCHEMA tasks FOR task { TABLE 'tasks', ROW id, FAMILY 'f', "
   "QUALIFIER attr_name[id], VALUE attr_value[id] };"
   "DEFINE SCHEMA by_state FOR task { TABLE 'by_state', ROW size{state}:id, FAMILY 'f' }"),
  ("DEFINE PRIMARY SCHEMA tasks FOR task { TABLE 'tasks', ROW size{state}:id, FAMILY 'f', "
   "VALUE ordered{owner}:ordered{n} }"),
};

typedef struct
{
  ServiceFixture services[N_SERVICES];
} Pair;

typedef struct
{
  ServiceFixture *fixture;
  GString *rows;
} Worker;

/* The statements of all workers that may have been done or not. */
static gint n_unknown;

static void
setup (Pair *pair, gconstpointer layout)
{
  n_unknown = 0;
  service_fixture_open (&pair->services[0], "hbase");
  service_fixture_script (&pair->services[0], relation);
  service_fixture_script (&pair->services[0], layout);
  /* one registry, because without it both could use the same timestamp */
  service_fixture_open_another (&pair->services[1], &pair->services[0]);
  for (guint i = 0; i < N_TASKS; i++)
    {
      g_autofree gchar *sql = g_strdup_printf ("INSERT INTO task VALUES (%u, 'new', NULL, 0)", i);
      service_fixture_assert (&pair->services[i % N_SERVICES], sql, "1 affected");
    }
}

static void
teardown (Pair *pair, gconstpointer layout)
{
  service_fixture_close (&pair->services[1]);
  service_fixture_close (&pair->services[0]);
}

/* The rows of all threads. (transfer full) */
static GString *
run_workers (Pair *pair, GThreadFunc what)
{
  GString *rows = g_string_new (NULL);
  GThread *threads[N_THREADS];
  Worker workers[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    {
      workers[i] = (Worker){ &pair->services[i % N_SERVICES], g_string_new (NULL) };
      threads[i] = g_thread_new ("worker", what, &workers[i]);
    }
  for (guint i = 0; i < N_THREADS; i++)
    {
      g_thread_join (threads[i]);
      if (workers[i].rows->len > 0)
        g_string_append_printf (rows, "%s%s", rows->len > 0 ? "\n" : "", workers[i].rows->str);
      g_string_free (workers[i].rows, TRUE);
    }
  return rows;
}

static gint64
query (Worker *self, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      self->fixture->service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);

  if (g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME))
    {
      g_atomic_int_inc (&n_unknown);
      return 1;
    }
  g_assert_no_error (error);
  service_fixture_append_page (page, self->rows);
  return page->affected;
}

static gpointer
claim (gpointer data)
{
  while (query (data, "UPDATE task SET state = 'taken', owner = 'me' WHERE state = 'new' ORDER BY "
                      "id LIMIT 1 RETURNING id")
         > 0)
    ;
  return NULL;
}

/* Takes each seat that no other worker has taken. */
static gpointer
take_seats (gpointer data)
{
  Worker *self = data;

  for (guint i = 0; i < N_TASKS; i++)
    {
      g_autofree gchar *sql
          = g_strdup_printf ("INSERT INTO seat VALUES (%u, '%p') RETURNING id, owner", i, data);
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
          self->fixture->service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);

      if (page != NULL)
        service_fixture_append_page (page, self->rows);
      else if (g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME))
        g_atomic_int_inc (&n_unknown);
      else
        g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DUPLICATE_KEY);
    }
  return NULL;
}

/* @n, or as many less as have an unknown outcome. */
static void
assert_between (gint64 found, gint64 n)
{
  g_assert_cmpint (found, <=, n);
  g_assert_cmpint (found, >=, n - g_atomic_int_get (&n_unknown));
}

/* Every seat is given to one worker, and is still that one's in each schema. */
static void
test_seats (Pair *pair, gconstpointer layout)
{
  g_autoptr (GString) taken = run_workers (pair, take_seats);
  g_auto (GStrv) rows = g_strsplit (taken->str, "\n", -1);
  guint n = g_strv_length (rows);

  assert_between (n, N_TASKS);
  for (guint i = 0; i < n; i++)
    {
      const gchar *id = rows[i];
      gchar *owner = strchr (rows[i], '|');
      g_autofree gchar *sql = NULL;

      *owner++ = '\0';
      sql = g_strdup_printf ("SELECT owner FROM seat WHERE id = %s", id);
      service_fixture_assert (&pair->services[i % N_SERVICES], sql, owner);
      g_free (sql);
      sql = g_strdup_printf ("SELECT count(*) FROM seat USING SCHEMA by_owner WHERE id = %s AND "
                             "owner = '%s'",
                             id, owner);
      service_fixture_assert (&pair->services[i % N_SERVICES], sql, "1");
    }
  service_fixture_assert (&pair->services[0], "VERIFY SCHEMA by_owner", "");
}

static void
test_claims (Pair *pair, gconstpointer layout)
{
  g_autoptr (GString) claimed = run_workers (pair, claim);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_auto (GStrv) ids = g_strsplit (claimed->str, "\n", -1);

  for (guint i = 0; ids[i] != NULL; i++)
    if (!g_hash_table_add (seen, ids[i]))
      g_error ("%s was given to two", ids[i]);
  assert_between (g_hash_table_size (seen), N_TASKS);
  for (guint i = 0; i < N_SERVICES; i++)
    {
      g_autofree gchar *all = service_fixture_run (&pair->services[i], "SELECT id FROM task");
      g_auto (GStrv) rows = g_strsplit (all, "\n", -1);
      g_assert_cmpuint (g_strv_length (rows), ==, N_TASKS);
      service_fixture_assert (&pair->services[i], "SELECT id FROM task WHERE state = 'new'", "");
    }
}

static gpointer
add (gpointer data)
{
  for (guint i = 0; i < N_ADDED; i++)
    {
      g_assert_cmpint (query (data, "UPDATE task SET n = n + 2 WHERE id = 1"), ==, 1);
      g_assert_cmpint (query (data, "UPDATE task SET n = n * 1 + 1 WHERE id = 2"), ==, 1);
      g_assert_cmpint (query (data, "INSERT INTO task VALUES (777, 'new', 'x', 1) ON CONFLICT DO "
                                    "UPDATE SET n = task.n + excluded.n"),
                       ==, 1);
    }
  return NULL;
}

static void
test_sums (Pair *pair, gconstpointer layout)
{
  const gint64 n = N_THREADS * N_ADDED;
  g_autoptr (GString) unused = run_workers (pair, add);

  for (guint i = 0; i < N_SERVICES; i++)
    {
      g_autofree gchar *rows = service_fixture_run (
          &pair->services[i], "SELECT id, n FROM task WHERE n > 0 ORDER BY id");
      gint64 one, two, three;

      g_assert_cmpint (
          sscanf (rows, "1|%" G_GINT64_FORMAT "\n2|%" G_GINT64_FORMAT "\n777|%" G_GINT64_FORMAT,
                  &one, &two, &three),
          ==, 3);
      assert_between (one / 2, n);
      assert_between (two, n);
      assert_between (three, n);
    }
  /* a later write replaces what the store has added */
  service_fixture_assert (&pair->services[1], "UPDATE task SET n = -1 WHERE id = 1", "1 affected");
  service_fixture_assert (&pair->services[0], "SELECT n FROM task WHERE id = 1", "-1");
}

static void
test_skip (void)
{
  g_test_skip ("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md");
}

int
main (int argc, char **argv)
{
  static const gchar *const names[] = { "one-cell", "many-cells", "moving-rows" };

  g_test_init (&argc, &argv, NULL);
  if (g_getenv ("KVSQL_TEST_HBASE_URL") == NULL)
    {
      g_test_add_func ("/daemon/service-write/hbase", test_skip);
      return g_test_run ();
    }
  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    {
      g_autofree gchar *claims
          = g_strdup_printf ("/daemon/service-write/hbase/%s/claims", names[i]);
      g_autofree gchar *sums = g_strdup_printf ("/daemon/service-write/hbase/%s/sums", names[i]);
      g_test_add (claims, Pair, layouts[i], setup, test_claims, teardown);
      g_test_add (sums, Pair, layouts[i], setup, test_sums, teardown);
    }
  g_test_add ("/daemon/service-write/hbase/seats", Pair, layouts[0], setup, test_seats, teardown);
  return g_test_run ();
}
