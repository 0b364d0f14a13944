/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-configuration.c: defaults, the file, the command line, and errors.
 */
#include "config.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "daemon/configuration.h"
#include "daemon/log/redact.h"

typedef struct
{
  gchar *folder;
  gchar *path;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("kvsql-config-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "kvsqld.conf", NULL);
  g_assert_nonnull (self->folder);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_unlink (self->path);
  g_rmdir (self->folder);
  g_free (self->path);
  g_free (self->folder);
}

static KvsqldConfig *
load (Fixture *self, const gchar *text, GError **error)
{
  const KvsqldFlags flags = { .config = self->path };

  g_assert_true (g_file_set_contents (self->path, text, -1, NULL));
  return kvsqld_config_load (&flags, error);
}

static void
test_defaults (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqldConfig) config = load (self, "", &error);

  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (config->store, "rocksdb:///"));
  g_assert_true (g_str_has_prefix (config->registry, "local:///"));
  /* not TCP, because then any user of the machine could drop everything */
  g_assert_true (g_str_has_prefix (config->listen[0], "unix:///"));
  g_assert_null (config->listen[1]);
  g_assert_cmpstr (config->log_level, ==, "info");
  g_assert_cmpint (config->max_message_bytes, ==, 16384000);
}

static void
test_file_sets_every_type (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqldConfig) config = load (self,
                                          "# a comment\n"
                                          "[kvsqld]\n"
                                          "store = memory:\n"
                                          "listen = tcp://[::1]:0?auth=none ; unix:///tmp/k.sock;\n"
                                          "[limits]\n"
                                          "page_rows=7\n",
                                          &error);

  g_assert_no_error (error);
  g_assert_cmpstr (config->path, ==, self->path);
  g_assert_cmpstr (config->store, ==, "memory:");
  g_assert_cmpstr (config->listen[0], ==, "tcp://[::1]:0?auth=none");
  g_assert_cmpstr (config->listen[1], ==, "unix:///tmp/k.sock");
  g_assert_null (config->listen[2]);
  g_assert_cmpint (config->page_rows, ==, 7);
}

static void
test_flags_win (Fixture *self, gconstpointer data)
{
  const gchar *words[]
      = { "kvsqld",   "--store=memory:", "-l",          "tcp://127.0.0.1:0?auth=none",
          "--listen", "unix:///tmp/a",   "--log-level", "debug",
          NULL };
  g_auto (KvsqldFlags) flags = { NULL };
  g_autofree gchar **argv = g_memdup2 (words, sizeof words);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqldConfig) config = NULL;
  gchar **remaining = argv;
  gint argc = G_N_ELEMENTS (words) - 1;

  g_assert_true (kvsqld_flags_parse (&flags, &argc, &remaining, &error));
  g_assert_true (g_file_set_contents (
      self->path, "[kvsqld]\nstore=rocksdb:///x\nlisten=tcp://h:1?auth=scram\n[log]\nlevel=error\n",
      -1, NULL));
  flags.config = g_strdup (self->path);
  config = kvsqld_config_load (&flags, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (config->store, ==, "memory:");
  g_assert_cmpstr (config->log_level, ==, "debug");
  g_assert_cmpuint (g_strv_length (config->listen), ==, 2);
  g_assert_cmpstr (config->listen[1], ==, "unix:///tmp/a");
}

static void
test_flags_refuse_stray_words (void)
{
  static const gchar *const cases[][2] = {
    { "--nonsense", "*--nonsense*" },
    { "stray", "*\"stray\"*" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gchar *words[] = { (gchar *)"kvsqld", (gchar *)cases[i][0], NULL };
      g_auto (KvsqldFlags) flags = { NULL };
      g_autoptr (GError) error = NULL;
      gchar **argv = words;
      gint argc = 2;

      g_assert_false (kvsqld_flags_parse (&flags, &argc, &argv, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
      g_assert_true (g_pattern_match_simple (cases[i][1], error->message));
    }
}

static const struct
{
  const gchar *text;
  const gchar *message; /* pattern */
  const gchar *hint;    /* pattern, nullable */
} refused_cases[] = {
  { "[kvsqld]\nstor=memory:\n", "*unknown key \"stor\" in group [kvsqld]*",
    "*\"store\" in group [kvsqld]*" },
  { "[kvsqld]\npage_rows=5\n", "*unknown key \"page_rows\" in group [kvsqld]*",
    "*group [limits]*" },
  { "[limit]\npage_rows=5\n", "*unknown group [limit]*", "*[limits]*" },
  { "[limits]\npage_rows=five\n", "*group [limits]: bad value \"five\" for \"page_rows\"*",
    "*from 1 to*default*5000*" },
  { "[limits]\npage_rows=0\n", "*bad value \"0\"*", NULL },
  { "[limits]\npage_rows=99999999999999999999\n", "*bad value*", NULL },
  { "[limits]\npage_rows=\n", "*bad value \"\"*", NULL },
  { "[kvsqld]\nsocket_mode=0680\n", "*bad value \"0680\" for \"socket_mode\"*", "*0660*" },
  { "[kvsqld]\nsocket_mode=1777\n", "*bad value*", NULL },
  { "[kvsqld]\nlisten=;\n", "*names no address*", NULL },
  { "[kvsqld]\nregistry=zookeeper://h:1/x\nlisten=tcp://h:1?auth=scram\n",
    "*every client of ZooKeeper could change the roles*", "*auth_file*" },
  { "[kvsqld]\ninherited_auth=other\n", "*\"inherited_auth\" in group*", NULL },
  { "[kvsqld]\ninherited_auth=cert\n", "*\"inherited_auth = cert\" needs*", NULL },
  { "[kvsqld]\ninherited_tls=yes\n", "*\"inherited_tls\" in group*", NULL },
  { "[kvsqld]\ninherited_tls=required\n", "*\"inherited_tls\" needs \"tls_certificate\"*", NULL },
  { "[kvsqld]\nlisten=5797\n", "*bad listening address \"5797\"*", "*tcp://*" },
  { "[log]\nlevel=loud\n", "*unknown log level \"loud\"*", "*debug*" },
  { "[log]\ntarget=moon\n", "*unknown log target \"moon\"*", "*stderr*" },
  { "store=memory:\n", "*could not read configuration*", NULL },
  { "[kvsqld]\nstore\n", "*could not read configuration*", NULL },
};

static void
test_refused (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (refused_cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqldConfig) config = load (self, refused_cases[i].text, &error);
      const gchar *hint;

      g_assert_null (config);
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
      g_test_message ("%s", error->message);
      g_assert_true (g_pattern_match_simple (refused_cases[i].message, error->message));
      hint = kvsql_error_get_hint (error);
      if (refused_cases[i].hint != NULL)
        g_assert_true (hint != NULL && g_pattern_match_simple (refused_cases[i].hint, hint));
    }
}

static void
test_named_file_must_exist (void)
{
  const KvsqldFlags flags = { .config = (gchar *)"/nonexistent/kvsqld.conf" };
  g_autoptr (GError) error = NULL;

  g_assert_null (kvsqld_config_load (&flags, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "/nonexistent/kvsqld.conf"));
}

static void
test_printed_is_read_back (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqldConfig) first
      = load (self, "[kvsqld]\nstore=memory:\n[limits]\nidle_timeout_s=9\n", &error);
  g_autofree gchar *printed = kvsqld_config_to_text (first);
  g_autoptr (KvsqldConfig) second = load (self, printed, &error);
  g_autofree gchar *again = NULL;

  g_assert_no_error (error);
  again = kvsqld_config_to_text (second);
  g_assert_cmpstr (printed, ==, again);
  g_assert_cmpint (second->idle_timeout_s, ==, 9);
}

static void
test_changes_name_what_needs_a_restart (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqldConfig) before = load (self, "[log]\nlevel=info\n", &error);
  g_autoptr (KvsqldConfig) after
      = load (self, "[log]\nlevel=debug\n[kvsqld]\nstore=memory:\n", &error);
  g_auto (GStrv) changes = kvsqld_config_changes (before, after);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (changes), ==, 1);
  g_assert_cmpstr (changes[0], ==, "kvsqld.store");
}

static void
test_secrets_are_masked (Fixture *self, gconstpointer data)
{
  static const gchar *const cases[][2] = {
    { "rocksdb:///var/lib/kvsql", "rocksdb:///var/lib/kvsql" },
    { "zookeeper://h1:2181,h2:2181/chroot", "zookeeper://h1:2181,h2:2181/chroot" },
    { "zookeeper://h:1/c?auth=digest:user:s3@ret", "zookeeper://h:1/c?auth=***" },
    { "zookeeper://h:1/c?auth_file=/etc/kvsql/auth",
      "zookeeper://h:1/c?auth_file=/etc/kvsql/auth" },
    { "zookeeper://user:s3@ret@h:1/c", "zookeeper://user:***@h:1/c" },
    { "hbase://h:9090?framed=true&password=hunter2&x=1",
      "hbase://h:9090?framed=true&password=***&x=1" },
    { "could not open \"zookeeper://u:hunter2@h:1/c\": no \"x@y\"",
      "could not open \"zookeeper://u:***@h:1/c\": no \"x@y\"" },
    { "hbase://h:9090?Token=hunter2", "hbase://h:9090?Token=***" },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqldConfig) config
      = load (self, "[kvsqld]\nregistry=zookeeper://u:hunter2@h:1/c\n", &error);
  g_autofree gchar *printed = kvsqld_config_to_text (config);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *masked = kvsqld_redact_urls (cases[i][0]);

      g_assert_cmpstr (masked, ==, cases[i][1]);
    }
  g_assert_null (strstr (printed, "hunter2"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/daemon/configuration/defaults", test_defaults);
  ADD ("/daemon/configuration/file-sets-every-type", test_file_sets_every_type);
  ADD ("/daemon/configuration/flags-win", test_flags_win);
  ADD ("/daemon/configuration/refused-by-name", test_refused);
  ADD ("/daemon/configuration/printed-is-read-back", test_printed_is_read_back);
  ADD ("/daemon/configuration/changes-name-what-needs-a-restart",
       test_changes_name_what_needs_a_restart);
  ADD ("/daemon/configuration/secrets-are-masked", test_secrets_are_masked);
  g_test_add_func ("/daemon/configuration/flags-refuse-stray-words", test_flags_refuse_stray_words);
  g_test_add_func ("/daemon/configuration/named-file-must-exist", test_named_file_must_exist);
  return g_test_run ();
}
