/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-log.c: levels, the format of a line, and what must never be in one.
 */
#include "config.h"

#include <string.h>

#include "daemon/log/log.h"

static gchar *
format (GLogLevelFlags level, const GLogField *fields, gsize n_fields)
{
  return kvsqld_log_format_line (level, fields, n_fields, G_GINT64_CONSTANT (1700000000123456));
}

static void
test_line (void)
{
  const GLogField fields[] = {
    { "MESSAGE", "request failed: store is away", -1 },
    { "GLIB_DOMAIN", "kvsqld", -1 },
    { "KVSQL_REQUEST_ID", "r-7", -1 },
    { "KVSQL_DURATION_US", "1500", -1 },
  };
  g_autofree gchar *line = format (G_LOG_LEVEL_WARNING, fields, G_N_ELEMENTS (fields));

  g_assert_cmpstr (line, ==,
                   "2023-11-14T22:13:20.123Z warning request failed: store is away"
                   " request=\"r-7\" duration_us=\"1500\"");
}

static void
test_line_is_one_line (void)
{
  const GLogField fields[] = {
    { "MESSAGE", "a\nb\x1b[31m", -1 },
    { "KVSQL_REQUEST_ID", "x\n2023 error forged", -1 },
  };
  g_autofree gchar *line = format (G_LOG_LEVEL_INFO, fields, G_N_ELEMENTS (fields));

  g_assert_null (strchr (line, '\n'));
  g_assert_null (strchr (line, '\x1b'));
  g_assert_nonnull (strstr (line, "a\\x0ab\\x1b[31m"));
}

static void
test_levels (void)
{
  GLogLevelFlags level = 0;
  g_autoptr (GError) error = NULL;

  g_assert_true (kvsqld_log_parse_level ("notice", &level, NULL));
  kvsqld_log_set_level (level);
  g_assert_true (kvsqld_log_is_enabled (G_LOG_LEVEL_CRITICAL));
  g_assert_true (kvsqld_log_is_enabled (G_LOG_LEVEL_MESSAGE));
  g_assert_false (kvsqld_log_is_enabled (G_LOG_LEVEL_INFO));
  g_assert_false (kvsqld_log_parse_level ("Notice", &level, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
}

static void
test_statement_hash (void)
{
  g_autofree gchar *first = kvsqld_log_statement_hash ("SELECT 1", 8);
  g_autofree gchar *second = kvsqld_log_statement_hash ("SELECT 2", 8);

  g_assert_cmpuint (strlen (first), ==, 16);
  g_assert_cmpstr (first, !=, second);
}

static void
write_lines (void)
{
  const KvsqldLogFields fields = { .request_id = "r-9", .duration_us = 12 };
  g_autoptr (GError) error = NULL;

  kvsqld_log_init (KVSQLD_LOG_TARGET_STDERR, G_LOG_LEVEL_INFO);
  kvsqld_log (G_LOG_LEVEL_INFO, &fields, "served %d rows", 3);
  kvsqld_log (G_LOG_LEVEL_DEBUG, NULL, "too fine");
  kvsql_error_set (&error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE, "no such table");
  kvsql_error_hint (&error, "Create it.");
  kvsqld_log_error (G_LOG_LEVEL_WARNING, &fields, "request failed", error);
}

static void
test_stderr (void)
{
  if (g_test_subprocess ())
    {
      write_lines ();
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr ("*Z info    served 3 rows request=\"r-9\" duration_us=\"12\"\n*");
  g_test_trap_assert_stderr ("*Z warning request failed: no such table request=\"r-9\""
                             " duration_us=\"12\" code=\"10\" hint=\"Create it.\"\n*");
  g_test_trap_assert_stderr_unmatched ("*too fine*");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/log/line", test_line);
  g_test_add_func ("/daemon/log/line-is-one-line", test_line_is_one_line);
  g_test_add_func ("/daemon/log/levels", test_levels);
  g_test_add_func ("/daemon/log/statement-hash", test_statement_hash);
  g_test_add_func ("/daemon/log/standard-error", test_stderr);
  return g_test_run ();
}
