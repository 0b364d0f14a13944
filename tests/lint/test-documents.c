/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-documents.c: the man page, the sample file and the message catalogue agree with the daemon.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "daemon/configuration.h"

static gchar *
read_text (const gchar *tree, const gchar *name)
{
  const gchar *top = g_getenv (tree);
  g_autofree gchar *path = g_build_filename (top != NULL ? top : ".", name, NULL);
  g_autoptr (GError) error = NULL;
  gchar *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

/* The entry of a key in the man page: from its line to the next entry of the same level. */
static gchar *
find_entry (const gchar *page, const KvsqldConfigKey *key)
{
  g_autofree gchar *start = g_strdup_printf ("\n.BR %s \" = ", key->key);
  const gchar *entry = strstr (page, start);
  const gchar *next_key, *next_group;
  gsize length;

  if (entry == NULL)
    return NULL;
  next_key = strstr (entry + 1, "\n.TP\n.BR ");
  next_group = strstr (entry + 1, "\n.S");
  length = next_group != NULL ? (gsize)(next_group - entry) : strlen (entry);
  if (next_key != NULL)
    length = MIN (length, (gsize)(next_key - entry));
  return g_strndup (entry, length);
}

static void
test_man_page_has_every_key (void)
{
  g_autofree gchar *page = read_text ("top_srcdir", "man/kvsqld.conf.5");
  guint n_keys;
  const KvsqldConfigKey *keys = kvsqld_config_keys (&n_keys);

  for (guint i = 0; i < n_keys; i++)
    {
      g_autofree gchar *entry = find_entry (page, &keys[i]);
      g_autofree gchar *group = g_strdup_printf ("\n.SS [%s]\n", keys[i].group);
      g_autofree gchar *value = g_strdup_printf (" \" = %s\"\n", keys[i].default_value);

      g_test_message ("%s.%s", keys[i].group, keys[i].key);
      g_assert_nonnull (strstr (page, group));
      g_assert_nonnull (entry);
      if (keys[i].type == KVSQLD_CONFIG_INTEGER)
        g_assert_nonnull (strstr (entry, value));
      g_assert_cmpint (strstr (entry, "Reloadable.") != NULL, ==, keys[i].is_reloadable);
    }
}

static void
test_man_page_has_no_other_key (void)
{
  g_autofree gchar *page = read_text ("top_srcdir", "man/kvsqld.conf.5");
  g_autoptr (GRegex) entry = g_regex_new ("^\\.BR (\\w+) \" = ", G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  guint n_keys, n_entries = 0;
  const KvsqldConfigKey *keys = kvsqld_config_keys (&n_keys);

  for (g_regex_match (entry, page, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL), n_entries++)
    {
      g_autofree gchar *name = g_match_info_fetch (match, 1);
      gboolean is_known = FALSE;

      for (guint i = 0; i < n_keys; i++)
        is_known = is_known || strcmp (keys[i].key, name) == 0;
      g_test_message ("%s", name);
      g_assert_true (is_known);
    }
  g_assert_cmpuint (n_entries, ==, n_keys);
}

static void
test_man_page_has_every_option (void)
{
  static const gchar *const options[]
      = { "config", "store", "registry", "listen", "log\\-level", "check\\-config", "version" };
  g_autofree gchar *page = read_text ("top_srcdir", "man/kvsqld.8");

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autofree gchar *written = g_strconcat ("\\-\\-", options[i], NULL);

      g_test_message ("%s", options[i]);
      g_assert_nonnull (strstr (page, written));
    }
}

static gchar *
load_and_print (const gchar *folder, const gchar *text)
{
  g_autofree gchar *path = g_build_filename (folder, "kvsqld.conf", NULL);
  const KvsqldFlags flags = { .config = path };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqldConfig) config = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  config = kvsqld_config_load (&flags, &error);
  g_unlink (path);
  g_assert_no_error (error);
  return kvsqld_config_to_text (config);
}

/* Every line of the sample is a default in a comment. Without the '#', the configuration must be
 * the same. */
static void
test_sample_shows_the_defaults (void)
{
  g_autofree gchar *folder = g_dir_make_tmp ("kvsql-sample-XXXXXX", NULL);
  g_autofree gchar *sample = read_text ("top_builddir", "data/kvsqld.conf");
  g_autoptr (GRegex) comment = g_regex_new ("^#(\\w+ =)", G_REGEX_MULTILINE, 0, NULL);
  g_autofree gchar *active = g_regex_replace (comment, sample, -1, 0, "\\1", 0, NULL);
  g_autofree gchar *shown = load_and_print (folder, active);
  g_autofree gchar *defaults = load_and_print (folder, "");
  guint n_keys;
  const KvsqldConfigKey *keys = kvsqld_config_keys (&n_keys);

  g_assert_cmpstr (shown, ==, defaults);
  for (guint i = 0; i < n_keys; i++)
    {
      g_autofree gchar *line = g_strdup_printf ("\n%s =", keys[i].key);

      g_test_message ("%s", keys[i].key);
      g_assert_nonnull (strstr (active, line));
    }
  g_rmdir (folder);
}

static void
test_catalogue_explains_every_message (void)
{
  g_autofree gchar *header = read_text ("top_srcdir", "daemon/log/log.h");
  g_autofree gchar *catalogue = read_text ("top_srcdir", "data/kvsqld.catalog");
  g_autoptr (GRegex) message = g_regex_new ("KVSQLD_MESSAGE_\\w+ \"([0-9a-f]{32})\"", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  guint n_messages = 0;

  for (g_regex_match (message, header, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL), n_messages++)
    {
      g_autofree gchar *id = g_match_info_fetch (match, 1);
      g_autofree gchar *entry = g_strdup_printf ("\n-- %s\nSubject: ", id);

      g_test_message ("%s", id);
      g_assert_nonnull (strstr (catalogue, entry));
    }
  g_assert_cmpuint (n_messages, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lint/man-page/has-every-key", test_man_page_has_every_key);
  g_test_add_func ("/lint/man-page/has-no-other-key", test_man_page_has_no_other_key);
  g_test_add_func ("/lint/man-page/has-every-option", test_man_page_has_every_option);
  g_test_add_func ("/lint/sample/shows-the-defaults", test_sample_shows_the_defaults);
  g_test_add_func ("/lint/catalogue/explains-every-message", test_catalogue_explains_every_message);
  return g_test_run ();
}
