/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-activity.c: sessions and statements in SHOW; KILL and time-outs, which also end requests to
 * the store.
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "daemon/session/statement-shape.h"
#include "tests/harness/relay.h"
#include "tests/harness/service-fixture.h"

#define N_ROWS 32768 /* many batches of a scan */
#define S(text) KVSQL_SLICE_LITERAL (text)
#define TIMEOUT_US (60 * G_TIME_SPAN_SECOND)
/* Runs until it is cancelled. */
#define ENDLESS "SELECT count(*) FROM r a, r b, r c WHERE a.v <> b.v AND b.v <> c.v"

static void
set_up (ServiceFixture *self, gconstpointer store_url)
{
  service_fixture_open (self, store_url);
  service_fixture_fill (self, N_ROWS, "v");
}

/* ---- what a session runs, in a thread of its own */

typedef struct
{
  KvsqldService *service;
  KvsqldSession *session;
  const gchar *sql;
  GError *error;
} Run;

static KvsqlResultPage *
query (KvsqldService *service, KvsqldSession *session, const gchar *sql, gint64 timeout_ms,
       GError **error)
{
  KvsqldRequest request = { .session = session, .timeout_ms = timeout_ms };

  return kvsqld_service_query (service, &request, kvsql_slice_from_text (sql), NULL, 0, error);
}

static gpointer
run (gpointer data)
{
  Run *self = data;

  kvsql_result_page_free (query (self->service, self->session, self->sql, 0, &self->error));
  return NULL;
}

/* The result of SHOW, with rows as in service_fixture_run(), as @session sees it. (transfer
 * full) */
static gchar *
show (ServiceFixture *self, KvsqldSession *session, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = query (self->service, session, sql, 0, &error);
  GString *text = g_string_new (NULL);

  g_assert_no_error (error);
  service_fixture_append_page (page, text);
  return g_string_free (text, FALSE);
}

/* The id of the statement that @session runs; waits until it runs one. */
static gint64
wait_for_statement (ServiceFixture *self, KvsqldSession *session)
{
  gint64 deadline = g_get_monotonic_time () + TIMEOUT_US;

  while (g_get_monotonic_time () < deadline)
    {
      g_autoptr (GPtrArray) infos
          = kvsqld_activity_list (kvsqld_service_get_activity (self->service));

      for (guint i = 0; i < infos->len; i++)
        {
          const KvsqldSessionInfo *info = infos->pdata[i];

          if (info->id == kvsqld_session_get_id (session) && info->n_rows_read > 0)
            return info->statement;
        }
      g_usleep (1000);
    }
  g_assert_not_reached ();
}

static KvsqldSession *
new_session (ServiceFixture *self, const gchar *name, GCancellable *connection)
{
  KvsqldSession *session
      = kvsqld_session_new (kvsqld_service_get_activity (self->service), "10.0.0.1", connection);

  kvsqld_session_set_client (session, name);
  return session;
}

static void
assert_killed (const GError *error, const gchar *message)
{
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_assert_cmpstr (error->message, ==, message);
  g_assert_cmpstr (kvsql_error_code_sqlstate (error->code), ==, "57014");
}

/* ---- tests */

static void
test_show (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (KvsqldSession) first = new_session (self, "shop", NULL);
  g_autoptr (KvsqldSession) second = new_session (self, "admin", NULL);
  g_autofree gchar *nothing = show (self, first, "SELECT v FROM r WHERE k = 1");
  g_autofree gchar *sessions = show (self, second, "SHOW SESSIONS");
  g_autofree gchar *statements = show (self, second, "show  statements -- what runs\n");
  g_auto (GStrv) rows = g_strsplit (sessions, "\n", -1);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_str_has_prefix (rows[0], "1|10.0.0.1|shop|"));
  g_assert_true (g_str_has_suffix (rows[0], "|idle|NULL|1|0"));
  g_assert_true (g_str_has_prefix (rows[1], "2|10.0.0.1|admin|"));
  g_assert_true (g_str_has_suffix (rows[1], "|running|2|0|0"));
  g_assert_true (g_str_has_prefix (statements, "3|2|"));
  g_assert_true (g_str_has_suffix (statements, "|show statements"));

  g_assert_null (query (self->service, first, "SELECT nonsense FROM r", 0, &error));
  sessions = (g_free (sessions), show (self, second, "SHOW SESSIONS"));
  g_assert_nonnull (strstr (sessions, "|idle|NULL|2|1\n"));
}

/* When KILL returns, the statement does no more work, and the session's next statement is not
 * hit. */
static void
test_kill_statement (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (KvsqldSession) victim = new_session (self, "shop", NULL);
  g_autoptr (KvsqldSession) killer = new_session (self, "admin", NULL);
  Run context = { .service = self->service, .session = victim, .sql = ENDLESS };
  GThread *thread = g_thread_new ("victim", run, &context);
  gint64 id = wait_for_statement (self, victim);
  g_autofree gchar *seen = show (self, killer, "SHOW STATEMENTS");
  g_autofree gchar *sql = g_strdup_printf ("KILL %" G_GINT64_FORMAT, id);
  g_autofree gchar *killed = show (self, killer, sql);
  g_autofree gchar *row = NULL;

  g_thread_join (thread);
  assert_killed (context.error, "killed by session 2 (admin, 10.0.0.1)");
  g_error_free (context.error);
  g_assert_nonnull (strstr (seen, "|running|"));
  g_assert_nonnull (strstr (seen, "SELECT count(*) FROM r a, r b, r c WHERE a.v <> b.v"));
  row = show (self, victim, "SELECT k, v FROM r WHERE k = 7");
  g_assert_cmpstr (row, ==, "7|v");
}

/* A KILL of a session ends its statement with that error, and the session. */
static void
test_kill_session (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (GCancellable) connection = g_cancellable_new ();
  g_autoptr (KvsqldSession) victim = new_session (self, "shop", connection);
  g_autoptr (KvsqldSession) killer = new_session (self, "admin", NULL);
  Run context = { .service = self->service, .session = victim, .sql = ENDLESS };
  GThread *thread = g_thread_new ("victim", run, &context);
  g_autofree gchar *nothing = NULL;

  wait_for_statement (self, victim);
  nothing = show (self, killer, "KILL SESSION 1");
  g_thread_join (thread);
  assert_killed (context.error, "killed by session 2 (admin, 10.0.0.1)");
  g_clear_error (&context.error);
  g_assert_true (kvsqld_session_is_ended (victim));
  /* the reply can still be sent */
  g_assert_false (g_cancellable_is_cancelled (connection));

  /* If the session is idle, its connection is closed, and a statement that it still begins is
   * cancelled. */
  nothing = (g_free (nothing), show (self, killer, "KILL SESSION 1"));
  g_assert_true (g_cancellable_is_cancelled (connection));
  g_assert_null (query (self->service, victim, "SELECT v FROM r", 0, &context.error));
  g_assert_error (context.error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_error_free (context.error);
}

static void
test_kill_unknown (ServiceFixture *self, gconstpointer data)
{
  service_fixture_assert_fails (self, "KILL 4711", KVSQL_ERROR_UNKNOWN_NAME,
                                "no statement 4711 is running");
  service_fixture_assert_fails (self, "KILL SESSION 4711", KVSQL_ERROR_UNKNOWN_NAME,
                                "there is no session 4711");
  service_fixture_assert_fails (self, "KILL 99999999999999999999", KVSQL_ERROR_VALUE,
                                "no statement has such a number");
  service_fixture_assert_fails (self, "EXPLAIN KILL 1", KVSQL_ERROR_SYNTAX,
                                "EXPLAIN cannot explain a KILL");
}

/* A statement after its deadline reads no more from the store. On a busy machine it may pass before
 * the first read, so that the test doubles it until something was read. */
static void
test_time_out (ServiceFixture *self, gconstpointer data)
{
  const KvsqlStoreUsage *usage = &self->service->store->usage;
  gint64 before = kvsql_count_get (&usage->n_rows_read), after = before;
  gint64 began_us = g_get_monotonic_time ();

  for (guint timeout_ms = 100; after == before; timeout_ms *= 2)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (query (self->service, NULL, ENDLESS, timeout_ms, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
      g_assert_cmpint (g_get_monotonic_time () - began_us, <, TIMEOUT_US);
      after = kvsql_count_get (&usage->n_rows_read);
    }
  service_fixture_assert (self, "SELECT v FROM r WHERE k = 7", "v");
  /* only that one row was counted in between */
  g_assert_cmpint (kvsql_count_get (&usage->n_rows_read) - after, <=, 1);
}

/* A scan is given up between two batches, so not all of its rows were read. */
static void
test_scan_is_cut (ServiceFixture *self, gconstpointer data)
{
  const KvsqlStoreUsage *usage = &self->service->store->usage;
  gint64 before = kvsql_count_get (&usage->n_rows_read);
  GCancellable *cancellable = g_cancellable_new ();
  KvsqldRequest request = { .cancellable = cancellable, .max_rows = 1000 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      self->service, &request, KVSQL_SLICE_LITERAL ("SELECT * FROM r"), NULL, 0, &error);

  g_assert_no_error (error);
  g_assert_nonnull (page->cursor);
  g_cancellable_cancel (cancellable);
  g_assert_null (kvsqld_service_fetch (
      self->service, &request,
      kvsql_slice (g_bytes_get_data (page->cursor, NULL), g_bytes_get_size (page->cursor)),
      &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_assert_cmpint (kvsql_count_get (&usage->n_rows_read) - before, <, N_ROWS);
  g_object_unref (cancellable);
}

/* Ends a wait for a gateway that hangs, long before its own time-out. */
static GError *
kill_what_waits (ServiceFixture *self, KvsqldSession *victim, KvsqldSession *killer,
                 const gchar *sql)
{
  Run context = { .service = self->service, .session = victim, .sql = sql };
  gint64 began_us = g_get_monotonic_time (), id = 0;
  GThread *thread = g_thread_new ("victim", run, &context);
  g_autofree gchar *text = NULL;
  g_autofree gchar *killed = NULL;

  while (id == 0)
    {
      g_autoptr (GPtrArray) infos
          = kvsqld_activity_list (kvsqld_service_get_activity (self->service));

      for (guint i = 0; i < infos->len; i++)
        if (((KvsqldSessionInfo *)infos->pdata[i])->id == kvsqld_session_get_id (victim))
          id = ((KvsqldSessionInfo *)infos->pdata[i])->statement;
      g_thread_yield ();
    }
  text = g_strdup_printf ("KILL %" G_GINT64_FORMAT, id);
  killed = show (self, killer, text);
  g_thread_join (thread);
  g_assert_cmpint (g_get_monotonic_time () - began_us, <, 30 * G_TIME_SPAN_SECOND);
  return context.error;
}

/* A read gets 57014, and so does a write that was not sent. The outcome of a write that was sent is
 * unknown. */
static void
test_kill_what_waits (void)
{
  g_autofree gchar *url = service_fixture_hbase_url ();
  g_autofree gchar *server
      = g_strndup (url + strlen ("hbase://"), strcspn (url + strlen ("hbase://"), ",?"));
  Relay *relay = relay_new (server);
  g_autofree gchar *through
      = g_strdup_printf ("hbase://127.0.0.1:%u%s", relay_get_port (relay), strchr (url, '?'));
  static const KvsqldRequest patient = { .timeout_ms = 30000 };
  g_autoptr (KvsqlResultPage) page = NULL;
  g_autoptr (GString) rows = g_string_new (NULL);
  KvsqldSession *victim, *killer;
  ServiceFixture fixture;
  GError *error;

  service_fixture_open (&fixture, through);
  fixture.is_shared = TRUE;
  service_fixture_script (&fixture, "DEFINE RELATION r { k INT KEY, v STRING };"
                                    "DEFINE PRIMARY SCHEMA r_k FOR r { TABLE 'r', ROW k, FAMILY "
                                    "'f', VALUE v }; INSERT INTO r VALUES (1, 'v')");
  victim = new_session (&fixture, "shop", NULL);
  killer = new_session (&fixture, "admin", NULL);
  relay_set_mode (relay, RELAY_HANG);
  error = kill_what_waits (&fixture, victim, killer, "SELECT * FROM r");
  assert_killed (error, "killed by session 2 (admin, 10.0.0.1)");
  g_error_free (error);
  error = kill_what_waits (&fixture, victim, killer, "INSERT INTO r VALUES (2, 'w')");
  g_test_message ("%s", error->message);
  g_assert_true (g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE)
                 || g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME));
  g_assert_true (g_str_has_prefix (error->message, "killed by session 2 (admin, 10.0.0.1)"));
  g_clear_error (&error);

  relay_set_mode (relay, RELAY_DOWN); /* a request that hung must not be executed later */
  relay_set_mode (relay, RELAY_PASS);
  /* with a deadline, as all have in the daemon: it tries each connection that was cut */
  page = kvsqld_service_query (fixture.service, &patient, S ("SELECT v FROM r WHERE k = 1"), NULL,
                               0, &error);
  g_assert_no_error (error);
  service_fixture_append_page (page, rows);
  g_assert_cmpstr (rows->str, ==, "v");
  kvsqld_session_end (victim);
  kvsqld_session_end (killer);
  service_fixture_close (&fixture);
  relay_free (relay);
}

/* For the watchdog: a statement that runs long after its deadline. */
static void
test_stuck (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (KvsqldSession) session = new_session (self, "shop", NULL);
  g_autoptr (KvsqldSession) other = new_session (self, "shop", NULL);
  gint64 now = g_get_monotonic_time (), id;
  KvsqlUsage usage = { 0 };

  g_assert_null (kvsqld_service_find_stuck (self->service, 0));
  g_object_unref (kvsqld_session_begin (other, S ("SELECT 1"), &usage, G_MAXINT64, &id));
  g_assert_null (kvsqld_service_find_stuck (self->service, 0));
  g_object_unref (
      kvsqld_session_begin (session, S ("SELECT 1"), &usage, now - G_TIME_SPAN_HOUR, &id));
  g_assert_cmpstr (kvsqld_service_find_stuck (self->service, G_TIME_SPAN_MINUTE), ==,
                   "a statement");
  g_assert_null (kvsqld_service_find_stuck (self->service, 2 * G_TIME_SPAN_HOUR));
  g_free (kvsqld_session_finish (session, TRUE));
  g_assert_null (kvsqld_service_find_stuck (self->service, 0));
  g_free (kvsqld_session_finish (other, TRUE));
}

static void
test_shape (void)
{
  static const gchar *const cases[][2] = {
    { "SELECT * FROM r WHERE k = 'secret' AND n = 12.5e3",
      "SELECT * FROM r WHERE k = ? AND n = ?" },
    { "INSERT INTO r VALUES (1, 'a', x'00'), (2, 'b', x'01'),\n(3, 'c', x'02')",
      "INSERT INTO r VALUES (?)" },
    { "select  k -- the secret\n from r /* secret */ where k in(1,2 , 3)",
      "select k from r where k in(?)" },
    { "SELECT `secret name` FROM r", "SELECT `secret name` FROM r" },
    { "explain SELECT \"a name\" FROM r WHERE k = 'secret'",
      "explain SELECT \"a name\" FROM r WHERE k = ?" },
    { "ALTER RELATION r ADD a STRING COMMENT \"secret\"",
      "ALTER RELATION r ADD a STRING COMMENT ?" },
    { "SELECT row FROM TABLE 'a t' WHERE row = 'secret' AND 'b' = x'00'",
      "SELECT row FROM TABLE 'a t' WHERE row = ? AND ? = ?" },
    { "SHOW CREATE TABLE x'74'", "SHOW CREATE TABLE x'74'" },
    { "DESCRIBE TABLE 'two\nlines'", "DESCRIBE TABLE ?" },
    { "SELECT 'never closed", "SELECT …" },
    { "SELECT ?, :name", "SELECT ?, :name" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *shape = kvsqld_statement_shape (kvsql_slice_from_text (cases[i][0]));

      g_assert_cmpstr (shape, ==, cases[i][1]);
    }
}

static void
test_shape_is_bounded (void)
{
  g_autoptr (GString) sql = g_string_new ("SELECT ");
  g_autofree gchar *shape = NULL;

  for (guint i = 0; i < 1000; i++)
    g_string_append (sql, "ä +");
  g_string_replace (sql, "ä", "`ä`", 0);
  shape = kvsqld_statement_shape (kvsql_slice_from_text (sql->str));
  g_assert_cmpuint (strlen (shape), <=, 1000);
  g_assert_true (g_utf8_validate (shape, -1, NULL));
  g_assert_true (g_str_has_suffix (shape, " …"));
}

/* Of a statement with very many rows only the beginning is read. */
static void
test_shape_of_long_list (void)
{
  g_autoptr (GString) sql = g_string_new ("INSERT INTO r VALUES (1, 'secret')");
  g_autofree gchar *shape = NULL;

  while (sql->len < 100000)
    g_string_append (sql, ", (2, 'secret')");
  g_string_append (sql, " RETURNING k");
  shape = kvsqld_statement_shape (kvsql_slice_from_text (sql->str));
  g_assert_true (g_str_has_prefix (shape, "INSERT INTO r VALUES (?)"));
  g_assert_true (g_str_has_suffix (shape, " …"));
  g_assert_null (strstr (shape, "RETURNING"));
  g_assert_null (strstr (shape, "secret"));
}

static void
add (const gchar *store, const gchar *name, void (*test) (ServiceFixture *, gconstpointer))
{
  g_autofree gchar *path = g_strdup_printf ("/daemon/activity/%s/%s", store, name);

  g_test_add (path, ServiceFixture, g_str_equal (store, "memory") ? NULL : store, set_up, test,
              service_fixture_tear_down);
}

int
main (int argc, char **argv)
{
  static const gchar *const stores[] = { "memory", "rocksdb", "hbase" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (stores); i++)
    {
      if (g_str_equal (stores[i], "hbase") && g_getenv ("KVSQL_TEST_HBASE_URL") == NULL)
        continue;
      add (stores[i], "show", test_show);
      add (stores[i], "kill-statement", test_kill_statement);
      add (stores[i], "kill-session", test_kill_session);
      add (stores[i], "kill-unknown", test_kill_unknown);
      add (stores[i], "time-out", test_time_out);
      add (stores[i], "stuck", test_stuck);
      add (stores[i], "scan-is-cut", test_scan_is_cut);
    }
  if (g_getenv ("KVSQL_TEST_HBASE_URL") != NULL)
    g_test_add_func ("/daemon/activity/hbase/kill-what-waits", test_kill_what_waits);
  g_test_add_func ("/daemon/activity/shape-of-long-list", test_shape_of_long_list);
  g_test_add_func ("/daemon/activity/shape", test_shape);
  g_test_add_func ("/daemon/activity/shape-is-bounded", test_shape_is_bounded);
  return g_test_run ();
}
