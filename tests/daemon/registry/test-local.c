/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-local.c: failures of a directory: damage, full disks, kills, other locks.
 */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/registry/definitions-file.h"
#include "daemon/registry/registry-private.h"
#include "tests/contract/registry-probe.h"

#define COMMITTER_VARIABLE "KVSQL_TEST_COMMIT_TO"
#define N_KILLS 20
#define N_ENTRIES 20

static gchar *
file_in (const gchar *url, const gchar *name)
{
  return g_build_filename (url + strlen ("local://"), name, NULL);
}

/* ---- names and URLs ---- */

static void
test_escape (void)
{
  static const struct
  {
    const gchar *name;
    const gchar *escaped;
  } cases[] = {
    { "user_2-x", "user_2-x" }, { "A b", "A%20b" },       { "a/b.c%", "a%2Fb%2Ec%25" },
    { "größe", "größe" },       { "\xc2\x85", "%C2%85" }, { "\U0001F600", "%F0%9F%98%80" },
  };
  static const gchar *const refused[]
      = { "", "%", "%4", "%41", "%2f", "%00", "a b", "%FF", "\xff", "%C2%A0" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *escaped = _kvsqld_registry_escape (cases[i].name);
      g_autofree gchar *name = _kvsqld_registry_unescape (cases[i].escaped);

      g_assert_cmpstr (escaped, ==, cases[i].escaped);
      g_assert_cmpstr (name, ==, cases[i].name);
    }
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    g_assert_null (_kvsqld_registry_unescape (refused[i]));
}

static void
test_bad_urls (void)
{
  static const gchar *const urls[] = {
    "",
    "etcd://x",
    "local",
    "local:",
    "local://host/dir",
    "local:relative",
    "local:///dir?x=1",
    "local:///proc/no/such",
    "zookeeper:",
    "zookeeper://",
    "zookeeper://host",
    "zookeeper://host:0",
    "zookeeper://host:99999",
    "zookeeper://host:1,",
    "zookeeper://a@host:1",
    "zookeeper://host:1/a//b",
    "zookeeper://host:1/a/",
    "zookeeper://host:1/a/../b",
    "zookeeper://host:1/zookeeper",
    "zookeeper://host:1/a?b=c",
    "zookeeper://host:1/a?auth=digest:user",
    "zookeeper://host:1/a?auth=digest::password",
    "zookeeper://host:1/a?auth=digest:user:",
    "zookeeper://host:1?auth=world:anyone",
    "zookeeper://host:1?auth",
    "zookeeper://host:1?auth=digest:u:p&auth=digest:u:p",
    "zookeeper://host:1?auth_file=/no/such",
    "zookeeper://host:1?auth_file=/dev/zero",
  };

  for (guint i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", urls[i]);
      g_assert_null (kvsqld_registry_open (urls[i], NULL, NULL, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
    }
}

/* No message holds a password, and each has a hint. */
static void
test_auth_file (void)
{
  static const struct
  {
    const gchar *text;
    gint mode;
    const gchar *message; /* NULL: accepted */
    const gchar *hint;
  } cases[] = {
    { "digest:ada:s3cret\n", 0600, NULL, NULL },
    { "digest:ada:s3cret", 0440, NULL, NULL },
    { "digest:ada:s3cret\n", 0604, "is readable by others", "chmod o= " },
    { "ada:s3cret\n", 0600, "has no user and password", "digest:user:password" },
    { "", 0600, "has no user and password", "digest:user:password" },
    { "sasl:ada:s3cret\n", 0600, "SASL is out of reach", "Use digest" },
  };
  g_autofree gchar *directory = g_dir_make_tmp ("kvsql-auth-XXXXXX", NULL);
  g_autofree gchar *path = g_build_filename (directory, "a file", NULL);
  g_autofree gchar *url
      = g_strdup_printf ("zookeeper://127.0.0.1:1/x?auth_file=%s/a%%20file", directory);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      KvsqldRegistry *registry;

      g_assert_true (g_file_set_contents (path, cases[i].text, -1, NULL));
      g_assert_cmpint (g_chmod (path, cases[i].mode), ==, 0);
      registry = kvsqld_registry_open (url, NULL, NULL, &error);
      g_assert_true ((registry != NULL) == (cases[i].message == NULL));
      kvsqld_registry_close (registry);
      if (registry != NULL)
        continue;
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, cases[i].message));
      g_assert_nonnull (strstr (kvsql_error_get_hint (error), cases[i].hint));
      g_assert_null (strstr (error->message, "s3cret"));
    }
  g_unlink (path);
  g_rmdir (directory);
}

/* ---- the file ---- */

static void
test_file_format (void)
{
  static const gchar expected[] = "kvsql-definitions 1\n"
                                  "epoch 3\n"
                                  "relation user 1\n"
                                  "\tCREATE RELATION user (\n"
                                  "\t  id INT\n"
                                  "\t)\n"
                                  "schema by%20name 2\n"
                                  "\t\n"
                                  "backfill by%20name 3\n"
                                  "\tid=1\n"
                                  "end 3\n";
  g_autofree gchar *url = probe_new_place ("local");
  g_autofree gchar *path = file_in (url, "definitions");
  KvsqlDefinitionChange changes[]
      = { { KVSQL_DEFINITION_RELATION, "user", "CREATE RELATION user (\n  id INT\n)" },
          { KVSQL_DEFINITION_SCHEMA, "by name", "" },
          { KVSQL_DEFINITION_BACKFILL, "by name", "id=1" } };
  g_autofree gchar *text = NULL;
  KvsqlCall call = probe_call (5000);
  Probe probe;

  probe_open (&probe, url);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    g_assert_true (
        probe.registry->klass->commit (probe.registry, i, &changes[i], 1, NULL, &call, NULL, NULL));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
  probe_close (&probe);
  probe_remove_place (url);
}

/* ---- the history ---- */

static const KvsqldAuthor author
    = { .by = "user ada", .daemon = "host-1", .statement = "DEFINE\nit", .at_ms = 12 };

static void
commit_by_author (Probe *probe, gint64 expected, const gchar *text, gint code)
{
  KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, "by name", text };
  KvsqlCall call = probe_call (5000);
  g_autoptr (GError) error = NULL;

  probe->registry->klass->commit (probe->registry, expected, &change, 1, &author, &call, NULL,
                                  &error);
  if (code < 0)
    g_assert_no_error (error);
  else
    g_assert_error (error, KVSQL_ERROR, code);
}

static GPtrArray *
list_history (Probe *probe, GError **error)
{
  KvsqlCall call = probe_call (5000);

  return probe->registry->klass->list_history (probe->registry, NULL, &call, error);
}

#define FIRST_RECORD                                                                               \
  "schema by%20name 1\n"                                                                           \
  "\tat 12\n"                                                                                      \
  "\tby user ada\n"                                                                                \
  "\tdaemon host-1\n"                                                                              \
  "\tstatement\n"                                                                                  \
  "\t\tDEFINE\n"                                                                                   \
  "\t\tit\n"                                                                                       \
  "\ttext\n"                                                                                       \
  "\t\tone\n"

static void
test_history_file (void)
{
  static const gchar expected[] = "kvsql-history 1\n" FIRST_RECORD "schema by%20name 2\n"
                                  "\tat 12\n"
                                  "\tby user ada\n"
                                  "\tdaemon host-1\n"
                                  "\tstatement\n"
                                  "\t\tDEFINE\n"
                                  "\t\tit\n"
                                  "end 2\n";
  g_autofree gchar *url = probe_new_place ("local");
  g_autofree gchar *path = file_in (url, "history");
  g_autofree gchar *text = NULL;
  Probe probe;

  probe_open (&probe, url);
  commit_by_author (&probe, 0, "one", -1);
  commit_by_author (&probe, 1, NULL, -1);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
  probe_close (&probe);
  probe_remove_place (url);
}

/* Killed between the history and the definitions: the change was not made, and there is no record
 * of it. */
static void
test_history_of_nothing (void)
{
  g_autofree gchar *url = probe_new_place ("local");
  g_autofree gchar *path = file_in (url, "history");
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GPtrArray) one = NULL;
  g_autoptr (GError) error = NULL;
  Probe probe;

  probe_open (&probe, url);
  g_assert_true (g_file_set_contents (path, "kvsql-history 1\n" FIRST_RECORD "end 1\n", -1, NULL));
  none = list_history (&probe, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (none->len, ==, 0);
  commit_by_author (&probe, 0, "another", -1);
  one = list_history (&probe, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (one->len, ==, 1);
  g_assert_cmpstr (((const KvsqlDefinitionRecord *)one->pdata[0])->text, ==, "another");
  probe_close (&probe);
  probe_remove_place (url);
}

static void
test_damaged_history (void)
{
  static const gchar whole[] = "kvsql-history 1\n" FIRST_RECORD "end 1\n";
  g_autofree gchar *url = probe_new_place ("local");
  g_autofree gchar *path = file_in (url, "history");
  Probe probe;

  probe_open (&probe, url);
  commit_by_author (&probe, 0, "one", -1);
  for (gsize cut = 0; cut < strlen (whole); cut++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (path, whole, (gssize)cut, NULL));
      g_assert_null (list_history (&probe, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_STORE);
      g_assert_nonnull (strstr (error->message, path));
      g_assert_nonnull (strstr (kvsql_error_get_hint (error), "a new history begins"));
    }
  commit_by_author (&probe, 1, "two", KVSQL_ERROR_STORE);
  g_assert_cmpint (g_unlink (path), ==, 0);
  commit_by_author (&probe, 1, "two", -1);
  probe_close (&probe);
  probe_remove_place (url);
}

#define HEAD "kvsql-definitions 1\nepoch 1\n"

static void
test_damage (void)
{
  static const gchar *const contents[] = {
    "",
    "\n",
    "kvsql-definitions 2\nepoch 1\nend 0\n",
    "kvsql-definitions 1\n",
    "kvsql-definitions 1\nepoch -1\nend 0\n",
    "kvsql-definitions 1\nepoch 99999999999999999999\nend 0\n",
    "kvsql-definitions 1\nepoch\nend 0\n",
    HEAD,
    HEAD "end 1\n",
    HEAD "end\n",
    HEAD "end 0 0\n",
    HEAD "end 0\nrelation a 1\n",
    HEAD "\tlost text\nend 0\n",
    HEAD "relation a 1\nend 1\n",
    HEAD "relation a\n\tx\nend 1\n",
    HEAD "relation a x\n\tx\nend 1\n",
    HEAD "relation a 1 2\n\tx\nend 1\n",
    HEAD "relation %zz 1\n\tx\nend 1\n",
    HEAD "relation  1\n\tx\nend 1\n",
    HEAD "schema a 1\n\tx\nschema a 1\n\tx\nend 2\n",
    HEAD "index a 1\n\tx\nend 1\n",
    HEAD "relation a 1\n\t\xff\nend 1\n",
  };
  g_autofree gchar *url = probe_new_place ("local");
  g_autofree gchar *path = file_in (url, "definitions");
  KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, "x", "1" };
  KvsqlCall call = probe_call (5000);
  Probe probe;

  probe_open (&probe, url);
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    {
      g_autoptr (GError) load_error = NULL;
      g_autoptr (GError) commit_error = NULL;
      g_autofree gchar *last_error = NULL;
      g_autofree gchar *after = NULL;

      /* a file that was in order a moment ago is checked again */
      g_assert_true (g_file_set_contents (path, HEAD "end 0\n", -1, NULL));
      g_assert_null (probe.registry->klass->describe_last_error (probe.registry));
      g_assert_true (g_file_set_contents (path, contents[i], -1, NULL));
      g_assert_null (probe.registry->klass->load (probe.registry, &call, &load_error));
      g_assert_error (load_error, KVSQL_ERROR, KVSQL_ERROR_STORE);
      g_assert_nonnull (strstr (load_error->message, path));
      last_error = probe.registry->klass->describe_last_error (probe.registry);
      g_assert_cmpstr (last_error, ==, load_error->message);

      g_assert_false (probe.registry->klass->commit (probe.registry, 1, &change, 1, NULL, &call,
                                                     NULL, &commit_error));
      g_assert_error (commit_error, KVSQL_ERROR, KVSQL_ERROR_STORE);
      g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
      g_assert_cmpstr (after, ==, contents[i]);
    }
  probe_close (&probe);
  probe_remove_place (url);
}

static void
test_every_cut_is_noticed (void)
{
  static const gchar whole[]
      = HEAD "# a remark\nrelation a 1\n\tone\n\ttwo\n\nschema b 1\n\t\nend 2\n";
  gsize n_bytes = strlen (whole);

  for (gsize n = 0; n <= n_bytes; n++)
    {
      g_autofree gchar *part = g_strndup (whole, n);
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqldSnapshot) snapshot = _kvsqld_definitions_parse (part, n, "file", &error);

      if (n >= n_bytes - 1) /* except the last newline */
        g_assert_cmpuint (snapshot->n_entries, ==, 2);
      else
        g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_STORE);
    }
}

static gboolean
is_away (Probe *probe)
{
  return probe->n_reports > 0 && probe->state == KVSQLD_REGISTRY_AWAY;
}

static gboolean
is_back_with_change (Probe *probe)
{
  return probe->state == KVSQLD_REGISTRY_CONNECTED && probe->n_changes > 0;
}

static void
test_damage_is_reported (void)
{
  g_autofree gchar *url = probe_new_place ("local");
  g_autofree gchar *path = file_in (url, "definitions");
  Probe probe;

  probe_open (&probe, url);
  g_assert_true (g_file_set_contents (path, "nonsense", -1, NULL));
  g_assert_true (probe_run_until (&probe, is_away, 20000));
  g_assert_true (g_file_set_contents (path, HEAD "end 0\n", -1, NULL));
  g_assert_true (probe_run_until (&probe, is_back_with_change, 20000));
  probe_close (&probe);
  probe_remove_place (url);
}

/* ---- rights ---- */

/* A daemon that other daemons cannot see says so, once in the log and always in its status. */
static void
test_unseen (void)
{
  g_autofree gchar *url = probe_new_place ("local");
  g_autofree gchar *path = file_in (url, "daemons");
  g_autofree gchar *last_error = NULL;
  Probe probe;

  probe_open (&probe, url);
  g_assert_true (g_file_set_contents (path, "no folder", -1, NULL));
  g_test_expect_message ("kvsqld", G_LOG_LEVEL_WARNING, "other daemons do not see this one*");
  probe.registry->klass->acknowledge (probe.registry, 0);
  g_test_assert_expected_messages ();
  probe.registry->klass->acknowledge (probe.registry, 1);
  last_error = probe.registry->klass->describe_last_error (probe.registry);
  g_assert_nonnull (strstr (last_error, path));
  g_assert_nonnull (strstr (last_error, "Let the user of kvsqld write there"));

  g_assert_cmpint (g_unlink (path), ==, 0);
  probe.registry->klass->acknowledge (probe.registry, 2);
  g_assert_null (probe.registry->klass->describe_last_error (probe.registry));
  probe_close (&probe);
  probe_remove_place (url);
}

static guint
mode_of (const gchar *path)
{
  struct stat status;

  g_assert_cmpint (stat (path, &status), ==, 0);
  return status.st_mode & 0777;
}

static void
test_modes (void)
{
  g_autofree gchar *parent = probe_new_place ("local");
  g_autofree gchar *url = g_strconcat (parent, "/a", NULL);
  g_autofree gchar *secret = file_in (url, "secret");
  g_autoptr (GBytes) bytes = NULL;
  KvsqlCall call = probe_call (5000);
  Probe probe;

  probe_open (&probe, url);
  bytes = probe.registry->klass->get_secret (probe.registry, &call, NULL);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 32);
  g_assert_cmpuint (mode_of (url + strlen ("local://")), ==, 0700);
  g_assert_cmpuint (mode_of (secret), ==, 0600);
  probe_close (&probe);
  probe_remove_place (url);
  probe_remove_place (parent);
}

static void
test_bad_secret (void)
{
  g_autofree gchar *url = probe_new_place ("local");
  g_autofree gchar *path = file_in (url, "secret");
  g_autoptr (GError) error = NULL;
  KvsqlCall call = probe_call (5000);
  Probe probe;

  probe_open (&probe, url);
  g_assert_true (g_file_set_contents (path, "short", -1, NULL));
  g_assert_null (probe.registry->klass->get_secret (probe.registry, &call, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_STORE);
  g_assert_nonnull (strstr (error->message, path));
  probe_close (&probe);
  probe_remove_place (url);
}

/* ---- others in the way ---- */

static void
test_deadline_at_the_lock (void)
{
  g_autofree gchar *url = probe_new_place ("local");
  g_autofree gchar *path = file_in (url, "lock");
  KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, "x", "1" };
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  gint64 start_us;
  KvsqlCall call;
  Probe probe;
  gint fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  probe_open (&probe, url);
  start_us = g_get_monotonic_time ();
  call = probe_call (200);
  g_assert_false (
      probe.registry->klass->commit (probe.registry, 0, &change, 1, NULL, &call, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_assert_cmpint (g_get_monotonic_time () - start_us, >=, 150000);
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, 10000000);
  snapshot = probe_load (&probe); /* readers need no lock */
  g_assert_cmpint (snapshot->epoch, ==, 0);
  close (fd);
  probe_define (&probe, "x", "1");
  probe_close (&probe);
  probe_remove_place (url);
}

/* A full disk, simulated by the limit on file sizes. */
static void
test_no_space (void)
{
  g_autofree gchar *url = probe_new_place ("local");
  g_autofree gchar *text = g_strnfill (50000, 'x');
  KvsqlDefinitionChange change = { KVSQL_DEFINITION_SCHEMA, "big", text };
  struct rlimit old, small;
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  KvsqlCall call = probe_call (5000);
  Probe probe;

  probe_open (&probe, url);
  probe_define (&probe, "x", "1");
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  small = old;
  small.rlim_cur = 10000;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  probe.registry->klass->commit (probe.registry, 1, &change, 1, NULL, &call, NULL, &error);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  signal (SIGXFSZ, SIG_DFL);

  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  snapshot = probe_load (&probe);
  g_assert_cmpint (snapshot->epoch, ==, 1);
  g_assert_cmpuint (snapshot->n_entries, ==, 1);
  probe_close (&probe);
  probe_remove_place (url);
}

/* ---- kill -9 ---- */

/* The child: commits without end; all entries have the text of their epoch. */
static int
commit_for_ever (const gchar *url)
{
  KvsqldRegistry *registry = kvsqld_registry_open (url, NULL, NULL, NULL);
  g_autofree gchar *padding = g_strnfill (3000, 'p');
  KvsqldSnapshot *snapshot = registry->klass->load (registry, NULL, NULL);
  gint64 epoch = snapshot->epoch;

  kvsqld_snapshot_free (snapshot);
  while (TRUE)
    {
      g_autofree gchar *text = g_strdup_printf ("%" G_GINT64_FORMAT " %s", epoch + 1, padding);
      KvsqlDefinitionChange changes[N_ENTRIES];
      gchar names[N_ENTRIES][16];

      for (guint i = 0; i < N_ENTRIES; i++)
        {
          g_snprintf (names[i], sizeof names[i], "entry%u", i);
          changes[i] = (KvsqlDefinitionChange){ KVSQL_DEFINITION_SCHEMA, names[i], text };
        }
      if (!registry->klass->commit (registry, epoch, changes, N_ENTRIES, NULL, NULL, &epoch, NULL))
        return 1;
    }
}

static void
check_whole (const KvsqldSnapshot *snapshot)
{
  g_autofree gchar *start = g_strdup_printf ("%" G_GINT64_FORMAT " ppp", snapshot->epoch);

  g_assert_cmpuint (snapshot->n_entries, ==, N_ENTRIES);
  for (guint i = 0; i < N_ENTRIES; i++)
    {
      g_assert_true (g_str_has_prefix (snapshot->entries[i].text, start));
      g_assert_cmpuint (strlen (snapshot->entries[i].text), ==, strlen (start) - 3 + 3000);
    }
}

static gboolean
has_seen_three_changes (Probe *probe)
{
  return probe->n_changes >= 3;
}

static GPid
spawn_committer (const gchar *url)
{
  gchar *arguments[] = { (gchar *)"/proc/self/exe", NULL };
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), COMMITTER_VARIABLE, url, TRUE);
  g_autoptr (GError) error = NULL;
  GPid child = 0;

  g_spawn_async (NULL, arguments, environment, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &child,
                 &error);
  g_assert_no_error (error);
  return child;
}

static void
test_kill (void)
{
  g_autofree gchar *url = probe_new_place ("local");
  gint64 epoch = 0;
  Probe probe;

  probe_open (&probe, url);
  for (guint round = 0; round < N_KILLS; round++)
    {
      g_autoptr (KvsqldSnapshot) snapshot = NULL;
      GPid child = spawn_committer (url);
      gint status;

      probe.n_changes = 0;
      g_assert_true (probe_run_until (&probe, has_seen_three_changes, 20000));
      g_usleep ((gulong)g_random_int_range (0, 20000)); /* at any point of a commit */
      g_assert_cmpint (kill (child, SIGKILL), ==, 0);
      g_assert_cmpint (waitpid (child, &status, 0), ==, child);
      g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);

      snapshot = probe_load (&probe);
      check_whole (snapshot);
      g_assert_cmpint (snapshot->epoch, >, epoch);
      epoch = snapshot->epoch;
    }
  g_test_message ("%" G_GINT64_FORMAT " commits, %d kills", epoch, N_KILLS);
  probe_close (&probe);
  probe_remove_place (url);
}

int
main (int argc, char **argv)
{
  if (g_getenv (COMMITTER_VARIABLE) != NULL)
    return commit_for_ever (g_getenv (COMMITTER_VARIABLE));
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/registry/names/escape", test_escape);
  g_test_add_func ("/registry/open/bad-urls", test_bad_urls);
  g_test_add_func ("/registry/open/auth-file", test_auth_file);
  g_test_add_func ("/registry/local/file-format", test_file_format);
  g_test_add_func ("/registry/local/history/file-format", test_history_file);
  g_test_add_func ("/registry/local/history/of-what-never-was", test_history_of_nothing);
  g_test_add_func ("/registry/local/history/damaged", test_damaged_history);
  g_test_add_func ("/registry/local/damage-names-the-file", test_damage);
  g_test_add_func ("/registry/local/every-cut-is-noticed", test_every_cut_is_noticed);
  g_test_add_func ("/registry/local/damage-is-reported", test_damage_is_reported);
  g_test_add_func ("/registry/local/modes", test_modes);
  g_test_add_func ("/registry/local/unseen", test_unseen);
  g_test_add_func ("/registry/local/bad-secret", test_bad_secret);
  g_test_add_func ("/registry/local/deadline-at-the-lock", test_deadline_at_the_lock);
  g_test_add_func ("/registry/local/no-space", test_no_space);
  g_test_add_func ("/registry/local/killed-while-committing", test_kill);
  return g_test_run ();
}
