/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-write-each.c: tuples that share a cell. Random statements give the same tuples as in a
 * relation with a cell for each tuple, and clients that write the same cells lose nothing: of one
 * daemon on each store, and of two on one HBase.
 */
#include "config.h"

#include "tests/harness/service-fixture.h"
#include "tests/size.h"

#define N_CLIENTS 4
#define N_TAGS 12
#define N_ATTEMPTS 5

static const gchar *const layouts[] = {
  "VALUE each(','){tag:'=':null('-'){text{n}}}",
  "VALUE 'v1':each(2){size{tag}:ordered{n}}:'.'",
  "VALUE each{suffix('|'){tag}:ordered{n}}",
};

static const gchar *const stores[] = { "memory:", "rows", "rocksdb" };

typedef struct
{
  const gchar *store;
  const gchar *layout;
} Case;

static void
define (ServiceFixture *fixture, const gchar *layout)
{
  g_autofree gchar *shared = g_strdup_printf (
      "DEFINE PRIMARY SCHEMA shared_id FOR shared { TABLE 'shared', ROW text{id}, FAMILY 'f', %s }",
      layout);

  service_fixture_script (
      fixture,
      "DEFINE RELATION shared { id INT KEY, tag STRING KEY, n INT } WITH (writes = plain)");
  service_fixture_script (fixture, shared);
}

/* ---- random statements */

/* $ is the relation. */
static gchar *
random_statement (GRand *random)
{
  gint id = g_rand_int_range (random, 0, 3), tag = g_rand_int_range (random, 0, 8);
  gint other = g_rand_int_range (random, 0, 8), n = g_rand_int_range (random, -3, 4);

  switch (g_rand_int_range (random, 0, 11))
    {
    case 0:
      return g_strdup_printf ("DELETE FROM $ WHERE id = %d AND tag = 't%d'", id, tag);
    case 1:
      return g_strdup_printf ("DELETE FROM $ WHERE n = %d", n);
    case 2:
      return g_strdup_printf ("UPDATE $ SET n = n + %d WHERE id = %d", n, id);
    case 3:
      return g_strdup_printf ("UPDATE $ SET n = NULL WHERE tag = 't%d'", tag);
    case 4:
      return g_strdup_printf ("UPDATE $ SET tag = 'u' || tag WHERE id = %d AND tag = 't%d'", id,
                              tag);
    case 5:
      return g_strdup_printf ("UPDATE $ SET id = %d, tag = 'v%d' WHERE id = %d AND tag = 't%d'",
                              (id + 1) % 3, other, id, tag);
    case 6:
      return g_strdup_printf ("INSERT INTO $ VALUES (%d, 't%d', %d) ON CONFLICT DO UPDATE SET n = "
                              "$.n + excluded.n",
                              id, tag, n);
    case 7:
      return g_strdup_printf ("INSERT INTO $ VALUES (%d, 't%d', %d), (%d, 't%d', 0) ON CONFLICT DO "
                              "NOTHING",
                              id, tag, n, id, other);
    case 8:
      return g_strdup_printf ("DELETE FROM $ WHERE tag LIKE 'v%%' OR tag LIKE 'uu%%'");
    case 9:
      return g_strdup_printf ("INSERT INTO $ SELECT id, tag || 'x', n FROM $ WHERE id = %d AND "
                              "length (tag) < 4",
                              id);
    default:
      return g_strdup_printf ("INSERT INTO $ VALUES (%d, 't%d', %d), (%d, 't%d', NULL)", id, tag, n,
                              id, other);
    }
}

static gchar *
with_relation (const gchar *statement, const gchar *relation)
{
  g_auto (GStrv) parts = g_strsplit (statement, "$", -1);

  return g_strjoinv (relation, parts);
}

/* The number of tuples, or the error. */
static gchar *
outcome (ServiceFixture *fixture, const gchar *statement, const gchar *relation)
{
  g_autofree gchar *sql = with_relation (statement, relation);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page
      = kvsqld_service_query (fixture->service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);
  GString *text = g_string_new (NULL);

  if (page == NULL)
    g_string_append_printf (text, "error %d", error->code);
  else
    service_fixture_append_page (page, text);
  return g_string_free (text, FALSE);
}

static void
test_random (gconstpointer data)
{
  const Case *test = data;
  guint32 seed = g_test_rand_int ();
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  guint n = test_size (400, 100);
  ServiceFixture fixture;

  g_test_message ("seed %u", seed);
  service_fixture_open (&fixture, test->store);
  define (&fixture, test->layout);
  service_fixture_script (&fixture,
                          "DEFINE RELATION single { id INT KEY, tag STRING KEY, n INT };"
                          "DEFINE PRIMARY SCHEMA single_id FOR single { TABLE 'single', ROW "
                          "text{id}:'/':tag, FAMILY 'f', VALUE ordered{n} }");
  for (guint i = 0; i < n; i++)
    {
      g_autofree gchar *statement = random_statement (random);
      g_autofree gchar *shared = outcome (&fixture, statement, "shared");
      g_autofree gchar *single = outcome (&fixture, statement, "single");
      g_autofree gchar *expected
          = service_fixture_run (&fixture, "SELECT * FROM single ORDER BY id, tag");
      g_autofree gchar *got
          = service_fixture_run (&fixture, "SELECT * FROM shared ORDER BY id, tag");

      if (!g_str_equal (shared, single) || !g_str_equal (got, expected))
        g_error ("statement %u, %s: %s, not %s\n%s\nnot\n%s", i, statement, shared, single, got,
                 expected);
    }
  /* nothing is left of empty lists */
  service_fixture_script (&fixture, "DELETE FROM shared");
  service_fixture_script (&fixture,
                          "DEFINE RELATION raw { row BYTES KEY, v BYTES };"
                          "DEFINE PRIMARY SCHEMA raw_row FOR raw { TABLE 'shared', ROW row, "
                          "FAMILY 'f', VALUE v } WITH (role = read)");
  service_fixture_assert (&fixture, "SELECT count (*) FROM raw", "0");
  service_fixture_close (&fixture);
}

/* ---- values that would end earlier */

static void
test_separator (void)
{
  ServiceFixture fixture;

  service_fixture_open (&fixture, "memory:");
  service_fixture_script (
      &fixture, "DEFINE RELATION tag { id INT KEY, name STRING KEY } WITH (writes = plain);"
                "DEFINE PRIMARY SCHEMA tags FOR tag { TABLE 'tag', ROW text{id}, FAMILY 'f', "
                "VALUE each('::'){name} };"
                "INSERT INTO tag VALUES (1, ':a'), (1, 'b:c'), (1, 'd')");
  service_fixture_assert_fails (&fixture, "INSERT INTO tag VALUES (1, 'x:')", KVSQL_ERROR_VALUE,
                                "attribute \"name\" is written with \"::\" at byte 1, which ends "
                                "it in schema \"tags\"");
  service_fixture_assert (&fixture, "SELECT name FROM tag ORDER BY name", ":a\nb:c\nd");
  service_fixture_close (&fixture);
}

/* ---- a key that a tuple has already */

/* Another daemon might be moving the tuple. Without another one nothing is waited for. */
static void
test_occupied (gconstpointer store)
{
  ServiceFixture fixture;
  gint64 took_us = G_MAXINT64;

  service_fixture_open (&fixture, store);
  define (&fixture, layouts[0]);
  service_fixture_script (&fixture, "INSERT INTO shared VALUES (1, 'a', 0), (1, 'b', 0)");
  /* a busy machine may take as long, but not each time */
  for (guint i = 0; i < N_ATTEMPTS && took_us >= 4 * G_USEC_PER_SEC; i++)
    {
      gint64 began_us = g_get_monotonic_time ();

      service_fixture_assert_fails (&fixture, "UPDATE shared SET tag = 'b' WHERE tag = 'a'",
                                    KVSQL_ERROR_DUPLICATE_KEY,
                                    "relation \"shared\" has a tuple with the key id = 1, tag = "
                                    "'b' already");
      took_us = g_get_monotonic_time () - began_us;
    }
  g_assert_cmpint (took_us, <, 4 * G_USEC_PER_SEC);
  service_fixture_close (&fixture);
}

/* ---- clients that write the same cells */

typedef struct
{
  ServiceFixture *fixture;
  guint number;
} Client;

/* On a busy machine the outcome of a request to HBase may be unknown. */
static gint n_unknown;

static void
execute (ServiceFixture *fixture, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page
      = kvsqld_service_query (fixture->service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);

  if (g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME))
    g_atomic_int_inc (&n_unknown);
  else
    g_assert_no_error (error);
}

/* Inserts tags, deletes every other one, moves each third one to the other list, and counts. */
static gpointer
run_client (gpointer data)
{
  const Client *self = data;

  for (guint i = 0; i < N_TAGS; i++)
    {
      g_autofree gchar *insert
          = g_strdup_printf ("INSERT INTO shared VALUES (1, '%u-%u', %u)", self->number, i, i);
      g_autofree gchar *more
          = i % 3 == 0 ? g_strdup_printf ("UPDATE shared SET id = 2 WHERE id = 1 AND tag = '%u-%u'",
                                          self->number, i)
            : i % 3 == 1 ? g_strdup_printf ("DELETE FROM shared WHERE id = 1 AND tag = '%u-%u'",
                                            self->number, i)
                         : g_strdup ("UPDATE shared SET n = n + 1 WHERE id = 1 AND tag = 'all'");

      execute (self->fixture, insert);
      execute (self->fixture, more);
    }
  return NULL;
}

static void
run_clients (ServiceFixture *fixtures, guint n_fixtures)
{
  Client clients[N_CLIENTS];
  GThread *threads[N_CLIENTS];

  n_unknown = 0;
  service_fixture_assert (fixtures, "INSERT INTO shared VALUES (1, 'all', 0)", "1 affected");
  for (guint i = 0; i < N_CLIENTS; i++)
    {
      clients[i] = (Client){ &fixtures[i % n_fixtures], i };
      threads[i] = g_thread_new ("client", run_client, &clients[i]);
    }
  for (guint i = 0; i < N_CLIENTS; i++)
    g_thread_join (threads[i]);
  if (n_unknown > 0)
    {
      g_test_message ("the outcome of %d statements is unknown", n_unknown);
      return;
    }
  service_fixture_assert (fixtures, "SELECT id, count (*) FROM shared GROUP BY id ORDER BY id",
                          "1|17\n2|16");
  service_fixture_assert (fixtures, "SELECT n FROM shared WHERE tag = 'all'", "16");
}

static void
test_clients (gconstpointer store)
{
  ServiceFixture fixture;

  service_fixture_open (&fixture, store);
  define (&fixture, layouts[0]);
  run_clients (&fixture, 1);
  service_fixture_close (&fixture);
}

static void
test_hbase (void)
{
  ServiceFixture pair[2];

  if (g_getenv ("KVSQL_TEST_HBASE_URL") == NULL)
    {
      g_test_skip ("KVSQL_TEST_HBASE_URL is not set");
      return;
    }
  service_fixture_open (&pair[0], "hbase");
  define (&pair[0], layouts[1]);
  service_fixture_open_another (&pair[1], &pair[0]);
  run_clients (pair, G_N_ELEMENTS (pair));
  service_fixture_close (&pair[1]);
  service_fixture_close (&pair[0]);
}

int
main (int argc, char **argv)
{
  static Case cases[G_N_ELEMENTS (stores) * G_N_ELEMENTS (layouts)];
  guint n = 0;

  g_test_init (&argc, &argv, NULL);
  for (guint s = 0; s < G_N_ELEMENTS (stores); s++)
    {
      g_autofree gchar *path = g_strdup_printf ("/write-each/clients/%u", s);
      g_autofree gchar *occupied = g_strdup_printf ("/write-each/occupied/%u", s);

      for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
        {
          g_autofree gchar *name = g_strdup_printf ("/write-each/random/%u/%u", s, i);

          cases[n] = (Case){ stores[s], layouts[i] };
          g_test_add_data_func (name, &cases[n++], test_random);
        }
      g_test_add_data_func (path, stores[s], test_clients);
      g_test_add_data_func (occupied, stores[s], test_occupied);
    }
  g_test_add_func ("/write-each/separator", test_separator);
  g_test_add_func ("/write-each/two-daemons-on-hbase", test_hbase);
  return g_test_run ();
}
