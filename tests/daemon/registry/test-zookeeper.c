/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-zookeeper.c: broken connections, stopped servers, ended sessions.
 *
 * Needs KVSQL_TEST_ZOOKEEPER_URL=zookeeper://127.0.0.1:PORT. Cases that stop the server also need
 * the commands KVSQL_TEST_ZOOKEEPER_STOP and KVSQL_TEST_ZOOKEEPER_START.
 */
#include "config.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/cluster/definitions.h"
#include "daemon/registry/zookeeper-private.h"
#include "tests/contract/registry-probe.h"
#include "tests/harness/cutting-proxy.h"

/* Shorter than a session, and long enough for a busy machine. */
#define PROMPT_US (5 * G_USEC_PER_SEC)

typedef struct
{
  gchar *url; /* straight to the server */
  CuttingProxy *proxy;
  Probe direct;
  Probe cut; /* through the proxy */
} Fixture;

static gboolean
is_connected (Probe *probe)
{
  return probe->state == KVSQLD_REGISTRY_CONNECTED;
}

static gboolean
is_away (Probe *probe)
{
  return probe->n_reports > 0 && probe->state == KVSQLD_REGISTRY_AWAY;
}

static gboolean
has_seen_change (Probe *probe)
{
  return probe->n_changes > 0;
}

static void
set_up (Fixture *self, gconstpointer unused)
{
  g_autofree gchar *through_proxy = NULL;
  const gchar *port, *path;

  self->url = probe_new_place ("zookeeper");
  if (self->url == NULL)
    return;
  port = strrchr (self->url, ':') + 1;
  path = strchr (port, '/');
  self->proxy = cutting_proxy_new ((guint16)g_ascii_strtoull (port, NULL, 10));
  through_proxy
      = g_strdup_printf ("zookeeper://127.0.0.1:%u%s", cutting_proxy_get_port (self->proxy), path);
  probe_open (&self->direct, self->url);
  probe_open (&self->cut, through_proxy);
  g_assert_true (probe_run_until (&self->direct, is_connected, 10000));
  g_assert_true (probe_run_until (&self->cut, is_connected, 10000));
}

static void
tear_down (Fixture *self, gconstpointer unused)
{
  if (self->url == NULL)
    return;
  probe_close (&self->cut);
  probe_close (&self->direct);
  cutting_proxy_free (self->proxy);
  g_free (self->url);
}

static gboolean
commit_one (Probe *probe, gint64 expected, guint timeout_ms, gint64 *out_epoch, GError **error)
{
  KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, "mine", "1" };
  KvsqlCall call = probe_call (timeout_ms);

  return probe->registry->klass->commit (probe->registry, expected, &change, 1, NULL, &call,
                                         out_epoch, error);
}

static gint64
current_epoch (Probe *probe)
{
  g_autoptr (KvsqldSnapshot) snapshot = probe_load (probe);

  return snapshot->epoch;
}

/* ---- a commit whose connection breaks ---- */

static void
test_answer_lost (Fixture *self, gconstpointer unused)
{
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  gint64 epoch = -1;

  if (self->url == NULL)
    return;
  cutting_proxy_set_mode (self->proxy, PROXY_CUT_AFTER_MULTI, PROXY_PASS);
  g_assert_true (commit_one (&self->cut, 0, 20000, &epoch, &error));
  g_assert_no_error (error);
  g_assert_cmpint (epoch, ==, 1);
  g_assert_true (cutting_proxy_wait_for_cut (self->proxy));
  snapshot = probe_load (&self->direct);
  g_assert_cmpint (snapshot->epoch, ==, 1);
  g_assert_cmpuint (snapshot->n_entries, ==, 1);
}

static void
test_request_lost (Fixture *self, gconstpointer unused)
{
  g_autoptr (GError) error = NULL;

  if (self->url == NULL)
    return;
  cutting_proxy_set_mode (self->proxy, PROXY_CUT_BEFORE_MULTI, PROXY_PASS);
  g_assert_false (commit_one (&self->cut, 0, 20000, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_assert_cmpint (current_epoch (&self->direct), ==, 0);
  g_clear_error (&error);
  g_assert_true (commit_one (&self->cut, 0, 20000, NULL, &error));
  g_assert_no_error (error);
}

typedef struct
{
  Probe *probe;
  gint64 epoch;
  gboolean is_done;
  GError *error;
} Committer;

static gpointer
commit_in_thread (gpointer data)
{
  Committer *self = data;

  self->is_done = commit_one (self->probe, 0, 30000, &self->epoch, &self->error);
  return NULL;
}

/* While the connection is down, @n other commits are made. Then it comes back. */
static void
commit_while_others_do (Fixture *self, ProxyMode mode, guint n, Committer *committer)
{
  GThread *thread;

  *committer = (Committer){ .probe = &self->cut, .epoch = -1 };
  cutting_proxy_set_mode (self->proxy, mode, PROXY_REFUSE);
  thread = g_thread_new ("committer", commit_in_thread, committer);
  g_assert_true (cutting_proxy_wait_for_cut (self->proxy));
  for (guint i = 0; i < n; i++)
    probe_define (&self->direct, "other", "x");
  cutting_proxy_set_mode (self->proxy, PROXY_PASS, PROXY_PASS);
  g_thread_join (thread);
}

static void
test_answer_lost_others_commit (Fixture *self, gconstpointer unused)
{
  Committer committer;

  if (self->url == NULL)
    return;
  commit_while_others_do (self, PROXY_CUT_AFTER_MULTI, KVSQLD_ZK_HISTORY - 1, &committer);
  g_assert_no_error (committer.error);
  g_assert_true (committer.is_done);
  g_assert_cmpint (committer.epoch, ==, 1);
}

static void
test_request_lost_others_commit (Fixture *self, gconstpointer unused)
{
  Committer committer;

  if (self->url == NULL)
    return;
  commit_while_others_do (self, PROXY_CUT_BEFORE_MULTI, 3, &committer);
  g_assert_error (committer.error, KVSQL_ERROR, KVSQL_ERROR_CONFLICT);
  g_clear_error (&committer.error);
}

static void
test_forgotten_commit (Fixture *self, gconstpointer unused)
{
  Committer committer;

  if (self->url == NULL)
    return;
  commit_while_others_do (self, PROXY_CUT_AFTER_MULTI, KVSQLD_ZK_HISTORY, &committer);
  g_assert_error (committer.error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
  g_clear_error (&committer.error);
}

static void
test_no_answer_in_time (Fixture *self, gconstpointer unused)
{
  gint64 start_us = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;

  if (self->url == NULL)
    return;
  cutting_proxy_set_mode (self->proxy, PROXY_HANG_AT_MULTI, PROXY_PASS);
  g_assert_false (commit_one (&self->cut, 0, 500, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, PROMPT_US);
  g_assert_cmpint (current_epoch (&self->direct), ==, 1);
  /* The late completion has no waiter. */
  cutting_proxy_set_mode (self->proxy, PROXY_REFUSE, PROXY_REFUSE);
  g_assert_true (probe_run_until (&self->cut, is_away, 20000));
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (100000);
  g_cancellable_cancel (data);
  return NULL;
}

static void
test_cancelled_while_waiting (Fixture *self, gconstpointer unused)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, "mine", "1" };
  KvsqlCall call = { .cancellable = cancellable };
  gint64 start_us = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;
  GThread *thread;

  if (self->url == NULL)
    return;
  cutting_proxy_set_mode (self->proxy, PROXY_HANG_AT_MULTI, PROXY_PASS);
  thread = g_thread_new ("canceller", cancel_soon, cancellable);
  g_assert_false (self->cut.registry->klass->commit (self->cut.registry, 0, &change, 1, NULL, &call,
                                                     NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, PROMPT_US);
  g_thread_join (thread);
}

/* ---- away and back ---- */

static void
test_away_and_back (Fixture *self, gconstpointer unused)
{
  gint64 start_us;
  g_autoptr (GBytes) secret = NULL;
  g_autofree gchar *last_error = NULL;
  g_autoptr (GError) error = NULL;
  KvsqlCall call = probe_call (5000);

  if (self->url == NULL)
    return;
  secret = self->cut.registry->klass->get_secret (self->cut.registry, &call, &error);
  g_assert_no_error (error);
  cutting_proxy_set_mode (self->proxy, PROXY_REFUSE, PROXY_REFUSE);
  g_assert_true (probe_run_until (&self->cut, is_away, 20000));
  last_error = self->cut.registry->klass->describe_last_error (self->cut.registry);
  g_assert_nonnull (last_error);
  g_test_message ("%s", last_error);

  start_us = g_get_monotonic_time ();
  g_assert_false (commit_one (&self->cut, 0, 300, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, PROMPT_US);
  g_test_message ("%s", error->message);
  g_bytes_unref (g_steal_pointer (&secret)); /* known already, so no server is needed */
  secret = self->cut.registry->klass->get_secret (self->cut.registry, &call, NULL);
  g_assert_nonnull (secret);

  probe_define (&self->direct, "x", "1");
  self->cut.n_changes = 0;
  cutting_proxy_set_mode (self->proxy, PROXY_PASS, PROXY_PASS);
  g_assert_true (probe_run_until (&self->cut, has_seen_change, 20000));
  g_assert_true (is_connected (&self->cut));
  g_assert_cmpint (current_epoch (&self->cut), ==, 1);
  g_assert_null (self->cut.registry->klass->describe_last_error (self->cut.registry));

  /* The watch is set again. */
  self->cut.n_changes = 0;
  probe_define (&self->direct, "x", "2");
  g_assert_true (probe_run_until (&self->cut, has_seen_change, 20000));
}

static void
test_back_without_change (Fixture *self, gconstpointer unused)
{
  if (self->url == NULL)
    return;
  self->cut.n_changes = 0;
  cutting_proxy_set_mode (self->proxy, PROXY_REFUSE, PROXY_REFUSE);
  g_assert_true (probe_run_until (&self->cut, is_away, 20000));
  cutting_proxy_set_mode (self->proxy, PROXY_PASS, PROXY_PASS);
  g_assert_true (probe_run_until (&self->cut, is_connected, 20000));
  g_assert_cmpuint (self->cut.n_changes, ==, 0);
}

/* A closed port, or a server that accepts and never answers. */
static void
check_no_server (gboolean is_silent)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);
  g_autofree gchar *url = g_strdup_printf ("zookeeper://127.0.0.1:%u,127.0.0.1:%u/a", port, port);
  KvsqlCall call = probe_call (300);
  gint64 start_us = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;
  g_autofree gchar *last_error = NULL;
  Probe probe;

  if (!is_silent)
    g_socket_listener_close (listener);
  probe_open (&probe, url);
  g_assert_null (probe.registry->klass->load (probe.registry, &call, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_assert_nonnull (kvsql_error_get_hint (error));
  last_error = probe.registry->klass->describe_last_error (probe.registry);
  g_assert_nonnull (last_error);
  g_clear_error (&error);
  g_assert_null (probe.registry->klass->get_secret (probe.registry, &call, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  probe.registry->klass->acknowledge (probe.registry, 7);
  probe_close (&probe);
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, 2 * PROMPT_US);
}

static void
test_no_listener (void)
{
  check_no_server (FALSE);
}

static void
test_silent_server (void)
{
  check_no_server (TRUE);
}

/* The command in the environment, or tests/live/zookeeper @verb if that has started the server. */
static gchar *
server_command (const gchar *variable, const gchar *verb)
{
  const gchar *folder = g_getenv ("KVSQL_TEST_ZOOKEEPER_DIR");
  const gchar *source = g_getenv ("top_srcdir");

  if (g_getenv (variable) != NULL)
    return g_strdup (g_getenv (variable));
  if (folder == NULL || source == NULL)
    return NULL;
  return g_strdup_printf ("'%s/tests/live/zookeeper' %s '%s'", source, verb, folder);
}

static gboolean
run_command (const gchar *command)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *output = NULL;
  gint status;

  g_assert_true (g_spawn_command_line_sync (command, &output, NULL, &status, &error));
  g_assert_no_error (error);
  return g_spawn_check_wait_status (status, NULL);
}

static void
test_server_restarts (Fixture *self, gconstpointer unused)
{
  g_autofree gchar *stop = server_command ("KVSQL_TEST_ZOOKEEPER_STOP", "stop");
  g_autofree gchar *start = server_command ("KVSQL_TEST_ZOOKEEPER_START", "restart");
  g_autoptr (GError) error = NULL;

  if (self->url == NULL)
    return;
  if (stop == NULL || start == NULL)
    {
      g_test_skip ("no commands that stop and start ZooKeeper are known");
      return;
    }
  probe_define (&self->direct, "x", "1");
  g_assert_true (run_command (stop));
  g_assert_true (probe_run_until (&self->direct, is_away, 20000));
  g_assert_true (probe_run_until (&self->cut, is_away, 20000));
  g_assert_false (commit_one (&self->direct, 1, 500, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);

  g_assert_true (run_command (start));
  g_assert_true (probe_run_until (&self->direct, is_connected, 30000));
  g_assert_true (probe_run_until (&self->cut, is_connected, 30000));
  self->cut.n_changes = 0;
  probe_define (&self->direct, "x", "2");
  g_assert_true (probe_run_until (&self->cut, has_seen_change, 20000));
}

/* ---- sessions ---- */

static gint
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar *const *)a, *(const gchar *const *)b);
}

/* The epochs in /daemons, as @probe sees them, sorted. */
static gchar *
acknowledged_epochs (Probe *probe)
{
  KvsqldZookeeper *zookeeper = (KvsqldZookeeper *)probe->registry;
  g_autoptr (KvsqldZkBatch) names = _kvsqld_zk_batch_new (1);
  g_autoptr (KvsqldZkBatch) texts = NULL;
  g_autoptr (GPtrArray) epochs = g_ptr_array_new ();
  guint n;

  _kvsqld_zk_get_children (zookeeper, names, 0, "/daemons");
  g_assert_true (_kvsqld_zk_batch_wait (names, g_get_monotonic_time () + 10000000, NULL));
  g_assert_cmpint (names->replies[0].rc, ==, ZOK);
  n = g_strv_length (names->replies[0].children);
  texts = _kvsqld_zk_batch_new (n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree gchar *path = g_strconcat ("/daemons/", names->replies[0].children[i], NULL);

      _kvsqld_zk_get (zookeeper, texts, i, path);
    }
  g_assert_true (_kvsqld_zk_batch_wait (texts, g_get_monotonic_time () + 10000000, NULL));
  for (guint i = 0; i < n; i++)
    if (texts->replies[i].rc == ZOK)
      g_ptr_array_add (epochs, g_strchomp (texts->replies[i].data));
  g_ptr_array_sort (epochs, compare_texts);
  g_ptr_array_add (epochs, NULL);
  return g_strjoinv (" ", (gchar **)epochs->pdata);
}

/* Changes of /daemons by other sessions need a moment. */
static void
assert_acknowledged (Probe *probe, const gchar *expected)
{
  for (guint attempt = 0; attempt < 200; attempt++)
    {
      g_autofree gchar *epochs = acknowledged_epochs (probe);

      if (strcmp (epochs, expected) == 0)
        return;
      g_usleep (50000);
    }
  g_assert_cmpstr (acknowledged_epochs (probe), ==, expected);
}

static void
test_acknowledge (Fixture *self, gconstpointer unused)
{
  if (self->url == NULL)
    return;
  assert_acknowledged (&self->direct, "");
  self->direct.registry->klass->acknowledge (self->direct.registry, 5);
  self->cut.registry->klass->acknowledge (self->cut.registry, 6);
  assert_acknowledged (&self->direct, "5 6");
  self->cut.registry->klass->acknowledge (self->cut.registry, 7);
  assert_acknowledged (&self->direct, "5 7");
  probe_close (&self->cut);
  assert_acknowledged (&self->direct, "5");
}

/* A caller that was notified before sees the change at once. */
static void
test_await_told (Fixture *self, gconstpointer unused)
{
  KvsqlCall call = probe_call (20000), short_call;

  if (self->url == NULL)
    return;
  for (gint64 epoch = 1; epoch < 20; epoch++)
    {
      g_autofree gchar *expected = g_strdup_printf ("%" G_GINT64_FORMAT, epoch);
      g_autofree gchar *epochs = NULL;

      self->cut.registry->klass->acknowledge (self->cut.registry, epoch);
      g_assert_true (self->cut.registry->klass->await_acknowledged (self->cut.registry, &call));
      epochs = acknowledged_epochs (&self->direct);
      g_assert_cmpstr (epochs, ==, expected);
    }
  cutting_proxy_set_mode (self->proxy, PROXY_REFUSE, PROXY_REFUSE);
  g_assert_true (probe_run_until (&self->cut, is_away, 20000));
  self->cut.registry->klass->acknowledge (self->cut.registry, 20);
  short_call = probe_call (100);
  g_assert_false (self->cut.registry->klass->await_acknowledged (self->cut.registry, &short_call));
}

static gint second_is_connected;

static void
on_second_event (zhandle_t *handle, int type, int state, const char *path, void *context)
{
  if (type == ZOO_SESSION_EVENT && state == ZOO_CONNECTED_STATE)
    g_atomic_int_set (&second_is_connected, TRUE);
}

static void
on_second_log (const char *message)
{
  g_test_message ("second client: %s", message);
}

/* Takes the session over in a second client, and closes it there. Meanwhile its owner cannot reach
 * the server, so that it does not take the session back. */
static void
end_session (Fixture *self)
{
  g_autofree gchar *server = g_strndup (self->url + strlen ("zookeeper://"),
                                        strcspn (self->url + strlen ("zookeeper://"), "/"));
  clientid_t id;
  zhandle_t *second;

  g_assert_true (_kvsqld_zk_get_session_id (self->cut.registry, &id));
  cutting_proxy_set_mode (self->proxy, PROXY_REFUSE, PROXY_REFUSE);
  g_assert_true (probe_run_until (&self->cut, is_away, 20000));
  g_atomic_int_set (&second_is_connected, FALSE);
  second = zookeeper_init2 (server, on_second_event, 10000, &id, NULL, ZOO_NO_LOG_CLIENTENV,
                            on_second_log);
  g_assert_nonnull (second);
  for (guint i = 0; i < 1000 && !g_atomic_int_get (&second_is_connected); i++)
    g_usleep (10000);
  g_assert_true (g_atomic_int_get (&second_is_connected));
  zookeeper_close (second);
}

static void
test_session_expires (Fixture *self, gconstpointer unused)
{
  clientid_t old, new;

  if (self->url == NULL)
    return;
  self->cut.registry->klass->acknowledge (self->cut.registry, 3);
  assert_acknowledged (&self->direct, "3");
  g_assert_true (_kvsqld_zk_get_session_id (self->cut.registry, &old));
  end_session (self);
  assert_acknowledged (&self->direct, "");
  probe_define (&self->direct, "x", "1");
  self->cut.n_changes = 0;
  cutting_proxy_set_mode (self->proxy, PROXY_PASS, PROXY_PASS);
  g_assert_true (probe_run_until (&self->cut, is_connected, 20000));
  g_assert_true (probe_run_until (&self->cut, has_seen_change, 20000));
  g_assert_true (_kvsqld_zk_get_session_id (self->cut.registry, &new));
  g_assert_cmpint (old.client_id, !=, new.client_id);

  assert_acknowledged (&self->direct, "3");
  self->cut.n_changes = 0;
  probe_define (&self->direct, "x", "2");
  g_assert_true (probe_run_until (&self->cut, has_seen_change, 20000));
  g_assert_cmpint (current_epoch (&self->cut), ==, 2);
}

/* ---- what people do to nodes by hand ---- */

static gint
change_by_hand (Probe *probe, const gchar *path, const gchar *text)
{
  g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (1);

  if (text != NULL)
    _kvsqld_zk_set ((KvsqldZookeeper *)probe->registry, batch, 0, path, text, (gint)strlen (text),
                    -1);
  else
    _kvsqld_zk_create ((KvsqldZookeeper *)probe->registry, batch, 0, path, "", 0, ZOO_PERSISTENT);
  g_assert_true (_kvsqld_zk_batch_wait (batch, g_get_monotonic_time () + 10000000, NULL));
  return batch->replies[0].rc;
}

static void
test_damaged_nodes (Fixture *self, gconstpointer unused)
{
  KvsqlCall call = probe_call (10000);
  g_autoptr (GError) name_error = NULL;
  g_autoptr (GError) epoch_error = NULL;

  if (self->url == NULL)
    return;
  g_assert_cmpint (change_by_hand (&self->direct, "/schemas/not%escaped", NULL), ==, ZOK);
  g_assert_null (self->direct.registry->klass->load (self->direct.registry, &call, &name_error));
  g_assert_error (name_error, KVSQL_ERROR, KVSQL_ERROR_STORE);
  g_assert_nonnull (strstr (name_error->message, "/schemas/not%escaped"));

  g_assert_cmpint (change_by_hand (&self->direct, "/epoch", "many"), ==, ZOK);
  g_assert_true (probe_run_until (&self->cut, is_away, 20000));
  g_assert_false (commit_one (&self->cut, 0, 300, NULL, &epoch_error));
  g_test_message ("%s", epoch_error->message);
  g_assert_nonnull (strstr (epoch_error->message, "/epoch"));
  self->cut.n_changes = 0;
  g_assert_cmpint (change_by_hand (&self->direct, "/epoch", "12"), ==, ZOK);
  g_assert_true (probe_run_until (&self->cut, has_seen_change, 20000));
  g_assert_true (is_connected (&self->cut));
}

static void
remove_by_hand (Probe *probe, const gchar *path)
{
  KvsqldZookeeper *zookeeper = (KvsqldZookeeper *)probe->registry;
  g_autofree gchar *absolute = g_strconcat (zookeeper->root, path, NULL);
  g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (1);
  zoo_op_t op;

  zoo_delete_op_init (&op, absolute, -1);
  _kvsqld_zk_multi (zookeeper, batch, 0, &op, 1);
  g_assert_true (_kvsqld_zk_batch_wait (batch, g_get_monotonic_time () + 10000000, NULL));
  g_assert_cmpint (batch->replies[0].rc, ==, ZOK);
}

static void
assert_epoch (Probe *probe, gint64 epoch, guint protocol)
{
  g_autoptr (KvsqldSnapshot) snapshot = probe_load (probe);

  g_assert_cmpint (snapshot->epoch, ==, epoch);
  g_assert_cmpuint (snapshot->protocol.number, ==, protocol);
}

/* What builds before there was a write protocol read as the epoch: they reject everything but one
 * number in the first line. */
static void
assert_old_builds_reject (Probe *probe)
{
  g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (1);
  g_auto (GStrv) lines = NULL;
  gint64 number;

  _kvsqld_zk_get ((KvsqldZookeeper *)probe->registry, batch, 0, "/epoch");
  g_assert_true (_kvsqld_zk_batch_wait (batch, g_get_monotonic_time () + 10000000, NULL));
  g_assert_cmpint (batch->replies[0].rc, ==, ZOK);
  lines = g_strsplit (batch->replies[0].data, "\n", 2);
  g_assert_false (g_ascii_string_to_signed (lines[0], 10, 0, G_MAXINT64, &number, NULL));
}

/* A registry of an earlier build is read as it is. A new one is none that such a build could use,
 * and neither is one that was announced a number. */
static void
test_earlier_builds (Fixture *self, gconstpointer unused)
{
  const KvsqldWriteProtocol protocol = { .number = KVSQLD_WRITE_PROTOCOL };
  KvsqlCall call = probe_call (10000);
  g_autoptr (GError) error = NULL;

  if (self->url == NULL)
    return;
  assert_epoch (&self->direct, 0, KVSQLD_WRITE_PROTOCOL);
  assert_old_builds_reject (&self->direct);
  g_assert_cmpint (change_by_hand (&self->direct, "/epoch", "12\n12 0123456789abcdef\n"), ==, ZOK);
  assert_epoch (&self->direct, 12, 0);
  g_assert_cmpint (probe_define (&self->direct, "s", "1"), ==, 13);
  assert_epoch (&self->direct, 13, 0);
  g_assert_true (self->direct.registry->klass->change_protocol (self->direct.registry, 13,
                                                                &protocol, &call, &error));
  g_assert_no_error (error);
  assert_epoch (&self->direct, 14, KVSQLD_WRITE_PROTOCOL);
  assert_old_builds_reject (&self->direct);
}

/* A number alone is reported, too. */
static void
test_protocol_by_hand (Fixture *self, gconstpointer unused)
{
  static const gchar *const damaged[] = { "epoch 3",
                                          "epoch 3 writes",
                                          "epoch 3 writes 0",
                                          "epoch 3 writes 1 soon",
                                          "epoch -3 writes 1",
                                          "3 writes 1",
                                          "" };

  if (self->url == NULL)
    return;
  g_assert_true (probe_run_until (&self->cut, has_seen_change, 10000));
  self->cut.n_changes = 0;
  g_assert_cmpint (change_by_hand (&self->direct, "/epoch", "epoch 0 writes 7"), ==, ZOK);
  g_assert_true (probe_run_until (&self->cut, has_seen_change, 10000));
  assert_epoch (&self->cut, 0, 7);
  for (guint i = 0; i < G_N_ELEMENTS (damaged); i++)
    {
      g_autofree gchar *last_error = NULL;

      g_test_message ("\"%s\"", damaged[i]);
      g_assert_cmpint (change_by_hand (&self->direct, "/epoch", damaged[i]), ==, ZOK);
      g_assert_true (probe_run_until (&self->cut, is_away, 20000));
      last_error = self->cut.registry->klass->describe_last_error (self->cut.registry);
      g_assert_nonnull (
          strstr (last_error, "node \"/epoch\" in ZooKeeper has no epoch. If a newer"));
      g_assert_cmpint (change_by_hand (&self->direct, "/epoch", "epoch 1 writes 7"), ==, ZOK);
      g_assert_true (probe_run_until (&self->cut, is_connected, 20000));
    }
  /* a daemon that makes the node again knows the number that it had */
  remove_by_hand (&self->direct, "/epoch");
  self->cut.n_changes = 0;
  g_assert_true (probe_run_until (&self->cut, has_seen_change, 20000));
  assert_epoch (&self->direct, 2, 7);
}

static gint64
epoch_of (KvsqldDefinitions *definitions)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (definitions);

  return catalog->epoch;
}

static gboolean
run_until_epoch (KvsqldDefinitions *definitions, gint64 epoch)
{
  gint64 end_us = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (epoch_of (definitions) != epoch && g_get_monotonic_time () < end_us)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  return epoch_of (definitions) == epoch;
}

/* A reported change that cannot be read is read later, without another report. */
static void
test_unreadable_change (Fixture *self, gconstpointer unused)
{
  gboolean is_writable;
  KvsqldDefinitions *definitions;
  g_autofree gchar *last_error = NULL;
  g_autoptr (GError) error = NULL;

  if (self->url == NULL)
    return;
  definitions = kvsqld_definitions_new (self->url, &error);
  g_assert_no_error (error);
  g_assert_true (run_until_epoch (definitions, 0));
  g_assert_cmpint (change_by_hand (&self->direct, "/schemas/not%escaped", NULL), ==, ZOK);
  g_assert_true (commit_one (&self->cut, 0, 20000, NULL, &error));
  while (last_error == NULL)
    {
      g_main_context_iteration (NULL, FALSE);
      last_error = kvsqld_definitions_describe_last_error (definitions, &is_writable);
    }
  g_assert_nonnull (strstr (last_error, "not%escaped"));
  g_assert_cmpint (epoch_of (definitions), ==, 0);
  remove_by_hand (&self->direct, "/schemas/not%escaped");
  g_assert_true (run_until_epoch (definitions, 1));
  kvsqld_definitions_free (definitions);
}

/* A registry that is older than a kind of entry. */
static void
test_missing_folder (Fixture *self, gconstpointer unused)
{
  KvsqlDefinitionChange change = { KVSQL_DEFINITION_BACKFILL, "x", "id=1" };
  KvsqlCall call = probe_call (10000);
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  if (self->url == NULL)
    return;
  remove_by_hand (&self->direct, "/backfills");
  g_assert_cmpint (current_epoch (&self->cut), ==, 0);
  g_assert_true (self->cut.registry->klass->commit (self->cut.registry, 0, &change, 1, NULL, &call,
                                                    NULL, &error));
  g_assert_no_error (error);
  snapshot = probe_load (&self->direct);
  g_assert_cmpuint (snapshot->n_entries, ==, 1);
  g_assert_cmpint (snapshot->entries[0].kind, ==, KVSQL_DEFINITION_BACKFILL);
  g_assert_cmpstr (snapshot->entries[0].text, ==, "id=1");
}

/* Nodes of a user are closed to others, and the error has a hint. */
static void
assert_shut_out (const gchar *url, const gchar *hint)
{
  KvsqlCall call = probe_call (1500);
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *last_error = NULL;
  Probe probe;

  probe_open (&probe, url);
  snapshot = probe.registry->klass->load (probe.registry, &call, &error);
  g_assert_null (snapshot);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "not authenticated"));
  g_assert_nonnull (strstr (error->message, hint));
  last_error = probe.registry->klass->describe_last_error (probe.registry);
  g_assert_nonnull (strstr (last_error, hint));
  g_assert_null (strstr (last_error, "s3cret"));
  probe_close (&probe);
}

static void
test_auth (Fixture *self, gconstpointer unused)
{
  g_autofree gchar *closed = g_strconcat (self->url, "/closed", NULL);
  g_autofree gchar *mine = g_strconcat (closed, "?auth=digest:ada:s3cret", NULL);
  g_autofree gchar *wrong = g_strconcat (closed, "?auth=digest:ada:other", NULL);
  const KvsqldAuthor author = { .by = "", .daemon = "", .statement = "" };
  KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, "x", "1" };
  KvsqlCall call = probe_call (10000);
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  g_autoptr (GBytes) secret = NULL;
  g_autoptr (GError) error = NULL;
  KvsqldClockReading reading;
  Probe one, other;

  if (self->url == NULL)
    return;
  probe_open (&one, mine);
  probe_open (&other, mine);
  g_assert_true (probe_run_until (&one, is_connected, 10000));
  g_assert_true (probe_run_until (&other, is_connected, 10000));
  g_assert_true (
      one.registry->klass->commit (one.registry, 0, &change, 1, &author, &call, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (one.registry->klass->read_clock (one.registry, &reading, &call, &error));
  secret = other.registry->klass->get_secret (other.registry, &call, &error);
  g_assert_no_error (error);
  snapshot = probe_load (&other);
  g_assert_cmpuint (snapshot->n_entries, ==, 1);

  assert_shut_out (closed, "add ?auth_file=FILE to the registry's URL");
  assert_shut_out (wrong, "The nodes belong to another user");
  probe_close (&one);
  probe_close (&other);
}

static void
test_too_big (Fixture *self, gconstpointer unused)
{
  g_autofree gchar *text = g_strnfill (1 << 20, 'x');
  KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, "big", text };
  KvsqlCall call = probe_call (10000);
  g_autoptr (GError) error = NULL;

  if (self->url == NULL)
    return;
  g_assert_false (self->cut.registry->klass->commit (self->cut.registry, 0, &change, 1, NULL, &call,
                                                     NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_nonnull (strstr (error->message, "\"big\""));
  g_assert_true (is_connected (&self->cut));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const gchar *path;
    void (*run) (Fixture *self, gconstpointer unused);
  } tests[] = {
    { "/registry/zookeeper/commit/answer-lost", test_answer_lost },
    { "/registry/zookeeper/commit/request-lost", test_request_lost },
    { "/registry/zookeeper/commit/answer-lost-others-commit", test_answer_lost_others_commit },
    { "/registry/zookeeper/commit/request-lost-others-commit", test_request_lost_others_commit },
    { "/registry/zookeeper/commit/too-many-others-commit", test_forgotten_commit },
    { "/registry/zookeeper/commit/no-answer-in-time", test_no_answer_in_time },
    { "/registry/zookeeper/commit/cancelled-while-waiting", test_cancelled_while_waiting },
    { "/registry/zookeeper/commit/too-big", test_too_big },
    { "/registry/zookeeper/away/and-back", test_away_and_back },
    { "/registry/zookeeper/away/back-without-change", test_back_without_change },
    { "/registry/zookeeper/session/acknowledge", test_acknowledge },
    { "/registry/zookeeper/session/await-told", test_await_told },
    { "/registry/zookeeper/session/expires", test_session_expires },
    { "/registry/zookeeper/nodes/damaged", test_damaged_nodes },
    { "/registry/zookeeper/nodes/earlier-builds", test_earlier_builds },
    { "/registry/zookeeper/nodes/write-protocol", test_protocol_by_hand },
    { "/registry/zookeeper/nodes/unreadable-change", test_unreadable_change },
    { "/registry/zookeeper/nodes/missing-folder", test_missing_folder },
    { "/registry/zookeeper/auth", test_auth },
    { "/registry/zookeeper/away/server-restarts", test_server_restarts },
  };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/registry/zookeeper/away/no-listener", test_no_listener);
  g_test_add_func ("/registry/zookeeper/away/silent-server", test_silent_server);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].run, tear_down);
  return g_test_run ();
}
