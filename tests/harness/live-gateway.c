/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * live-gateway.c: see live-gateway.h.
 */
#include "config.h"

#include "daemon/stores/stores.h"
#include "tests/harness/live-gateway.h"

/* "transport=http", "transport=https&tls_ca=…"; NULL: what the gateway speaks is found out. */
static const gchar *
find_settings (void)
{
  return strstr (g_getenv ("KVSQL_TEST_HBASE_URL"), "transport=");
}

gboolean
live_gateway_is_tls (void)
{
  return find_settings () != NULL && g_str_has_prefix (find_settings (), "transport=https");
}

gboolean
live_gateway_is_http (void)
{
  return find_settings () != NULL && g_str_has_prefix (find_settings (), "transport=http");
}

KvsqlStore *
live_store_open (const gchar *authority)
{
  return live_store_open_with (authority, "");
}

KvsqlStore *
live_store_open_with (const gchar *authority, const gchar *settings)
{
  const gchar *common = find_settings () ?: "";
  const gchar *between = *common != '\0' && *settings != '\0' ? "&" : "";
  g_autofree gchar *url
      = g_strdup_printf ("hbase://%s?%s%s%s", authority, common, between, settings);
  g_autoptr (GError) error = NULL;
  KvsqlStore *store = kvsqld_store_open (url, &error);

  g_assert_no_error (error);
  return store;
}

gchar *
live_gateway_first (void)
{
  const gchar *rest = g_getenv ("KVSQL_TEST_HBASE_URL") + strlen ("hbase://");

  return g_strndup (rest, strcspn (rest, ",/?"));
}

const gchar *
live_hbase_folder (void)
{
  return g_getenv ("KVSQL_TEST_HBASE_DIR");
}

gchar *
live_hbase_script (void)
{
  return g_build_filename (g_getenv ("G_TEST_SRCDIR") ?: "tests", "live", "hbase", NULL);
}

/* Runs tests/live/hbase COMMAND FOLDER ARGUMENTS…; its last line of output. */
static gchar *
live_hbase (const gchar *command, ...)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autofree gchar *script = live_hbase_script ();
  g_autoptr (GError) error = NULL;
  gchar *output = NULL;
  va_list arguments;
  gint status;

  g_ptr_array_add (words, script);
  g_ptr_array_add (words, (gpointer)command);
  g_ptr_array_add (words, (gpointer)live_hbase_folder ());
  va_start (arguments, command);
  do
    g_ptr_array_add (words, va_arg (arguments, gchar *));
  while (words->pdata[words->len - 1] != NULL);
  va_end (arguments);
  g_spawn_sync (NULL, (gchar **)words->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL,
                &status, &error);
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, &error));
  return g_strchomp (output);
}

/* The gateway's name is the one whose port `status` tells: "gateway3: process 12, port 4567". */
static gchar *
find_name (const gchar *port)
{
  g_autofree gchar *script = live_hbase_script ();
  const gchar *words[] = { script, "status", live_hbase_folder (), NULL };
  g_autofree gchar *output = NULL;
  g_auto (GStrv) lines = NULL;
  g_autofree gchar *end = g_strdup_printf ("port %s", port);

  g_spawn_sync (NULL, (gchar **)words, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL, NULL,
                NULL);
  lines = g_strsplit (output, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_suffix (lines[i], end))
      return g_strndup (lines[i], strcspn (lines[i], ":"));
  g_assert_not_reached ();
}

void
live_gateway_start (LiveGateway *self, const gchar *first_option, const gchar *second_option)
{
  const gchar *after = "hbase://";
  const gchar *last_option = NULL;

  if (find_settings () != NULL)
    last_option = live_gateway_is_tls () ? "--tls" : "--http";
  if (first_option == NULL)
    self->url = live_hbase ("gateway", last_option, NULL);
  else if (second_option == NULL)
    self->url = live_hbase ("gateway", first_option, last_option, NULL);
  else
    self->url = live_hbase ("gateway", first_option, second_option, last_option, NULL);
  self->address = g_strndup (self->url + strlen (after), strcspn (self->url + strlen (after), "?"));
  self->name = find_name (strchr (self->address, ':') + 1);
}

void
live_gateway_stop (LiveGateway *self)
{
  if (self->name != NULL)
    g_free (live_hbase ("stop", self->name, NULL));
  g_clear_pointer (&self->url, g_free);
  g_clear_pointer (&self->address, g_free);
  g_clear_pointer (&self->name, g_free);
}

void
live_gateway_signal (const LiveGateway *self, gint number)
{
  g_autofree gchar *pid = live_hbase ("pid", self->name, NULL);

  g_assert_cmpint (kill ((pid_t)atoi (pid), number), ==, 0);
}

/* ---- an operator */

void
live_admin_start (LiveAdmin *self)
{
  g_autofree gchar *script = live_hbase_script ();
  g_autoptr (GError) error = NULL;

  self->process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE
                                        | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                                    &error, script, "admin", live_hbase_folder (), NULL);
  g_assert_no_error (error);
  self->answers = g_data_input_stream_new (g_subprocess_get_stdout_pipe (self->process));
}

void
live_admin_end (LiveAdmin *self)
{
  if (self->process == NULL)
    return;
  g_output_stream_close (g_subprocess_get_stdin_pipe (self->process), NULL, NULL);
  g_subprocess_wait (self->process, NULL, NULL);
  g_clear_object (&self->answers);
  g_clear_object (&self->process);
}

gchar *
live_admin_ask (LiveAdmin *self, const gchar *command)
{
  GOutputStream *questions = g_subprocess_get_stdin_pipe (self->process);
  g_autofree gchar *line = g_strconcat (command, "\n", NULL);
  gchar *answer;

  g_assert_true (g_output_stream_write_all (questions, line, strlen (line), NULL, NULL, NULL));
  answer = g_data_input_stream_read_line (self->answers, NULL, NULL, NULL);
  g_assert_nonnull (answer);
  g_test_message ("%s: %s", command, answer);
  return answer;
}
