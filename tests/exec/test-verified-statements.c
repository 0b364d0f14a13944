/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-verified-statements.c: SELECT … WITH VERIFIED: the operators above, pages, parts, limits and
 * EXPLAIN.
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/exec/verified-fixture.h"
#include "tests/harness/assert.h"

#define S(text) KVSQL_SLICE_LITERAL (text)

/* ---- the operators above */

static void
test_limit (void)
{
  VerifiedFixture self;

  verified_open (&self, RELATION BASE WHOLE TUPLES);
  verified_leave_old (&self, "whole", "DELETE FROM r WHERE id = 1");
  verified_leave_old (&self, "whole", "UPDATE r SET state = 'zero' WHERE id = 2");
  /* the limit counts what is left */
  verified_assert_rows (&self, "SELECT id FROM r USING SCHEMA whole LIMIT 2 WITH VERIFIED", "2\n3");
  verified_assert_rows (&self, "SELECT id FROM r USING SCHEMA whole LIMIT 2 OFFSET 1 WITH VERIFIED",
                        "3\n4");
  verified_assert_rows (&self, "SELECT id FROM r USING SCHEMA whole LIMIT 5 OFFSET 2 WITH VERIFIED",
                        "4");
  verified_assert_rows (
      &self,
      "SELECT id FROM r USING SCHEMA whole WHERE state IN ('new', 'open') LIMIT 1 "
      "WITH VERIFIED",
      "3");
  verified_close (&self);
}

static void
test_order (void)
{
  static const gchar by_n[] = "SELECT n, id FROM r USING SCHEMA by_n ORDER BY n WITH VERIFIED";
  static const gchar by_id[] = "SELECT id FROM r USING SCHEMA base ORDER BY id DESC WITH VERIFIED";
  static const gchar of_n[]
      = "SELECT id FROM r USING SCHEMA by_n WHERE n = 30 ORDER BY n, id WITH VERIFIED";
  VerifiedFixture self;
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ", by_n, NULL);
  g_autofree gchar *explain_id = g_strconcat ("EXPLAIN ", by_id, NULL);
  g_autofree gchar *explain_of_n = g_strconcat ("EXPLAIN ", of_n, NULL);

  verified_open (&self, RELATION BASE BY_N TUPLES);
  verified_leave_old (&self, "by_n", "UPDATE r SET n = 5 WHERE id = 4");
  verified_leave_unwritten (&self, "by_n", "UPDATE r SET n = 99 WHERE id = 1");
  verified_assert_says (&self, "EXPLAIN SELECT n FROM r USING SCHEMA by_n ORDER BY n",
                        "read in the order of n");
  verified_assert_says (&self, explain, "sorted by n");
  verified_assert_rows (&self, by_n, "5|4\n20|2\n30|3\n99|1");
  verified_assert_rows (
      &self, "SELECT id FROM r USING SCHEMA by_n ORDER BY n DESC LIMIT 2 WITH VERIFIED", "1\n3");
  /* a newer tuple has the same key, and the same fixed values */
  verified_assert_says (&self, explain_id, "read backwards, in the order of id descending");
  verified_assert_rows (&self, by_id, "4\n3\n2\n1");
  verified_run (&self, "INSERT INTO r VALUES (5, 'x', 30, 'five'), (6, 'x', 30, 'six')");
  verified_leave_old (&self, "by_n", "UPDATE r SET n = 31 WHERE id = 5");
  verified_assert_says (&self, explain_of_n, "read in the order of n, id");
  verified_assert_rows (&self, of_n, "3\n6");
  verified_close (&self);
}

static void
test_groups (void)
{
  VerifiedFixture self;

  verified_open (&self, RELATION BASE WHOLE TUPLES);
  verified_leave_old (&self, "whole", "UPDATE r SET state = 'open', n = 1 WHERE id = 1");
  verified_leave_old (&self, "whole", "DELETE FROM r WHERE id = 2");
  verified_assert_rows (&self, "SELECT count(*), sum(n) FROM r USING SCHEMA whole", "5|101");
  verified_assert_rows (&self, "SELECT count(*), sum(n) FROM r USING SCHEMA whole WITH VERIFIED",
                        "3|71");
  verified_assert_rows (
      &self, "SELECT state, count(*) FROM r USING SCHEMA whole GROUP BY state WITH VERIFIED",
      "open|3");
  verified_assert_rows (&self, "SELECT DISTINCT state FROM r USING SCHEMA whole WITH VERIFIED",
                        "open");
  verified_close (&self);
}

static void
test_joins (void)
{
  VerifiedFixture self;

  verified_open (&self, RELATION BASE WHOLE TUPLES);
  verified_leave_old (&self, "whole", "UPDATE r SET state = 'done' WHERE id = 1");
  verified_leave_old (&self, "whole", "DELETE FROM r WHERE id > 2");
  verified_assert_rows (&self,
                        "SELECT a.id, b.id FROM r a USING SCHEMA whole, r b USING SCHEMA whole "
                        "WHERE a.n <= b.n ORDER BY a.id, b.id WITH VERIFIED",
                        "1|1\n1|2\n2|2");
  verified_assert_rows (
      &self,
      "SELECT a.state, b.id FROM r a USING SCHEMA whole JOIN r b USING SCHEMA base "
      "ON a.id = b.id ORDER BY b.id WITH VERIFIED",
      "done|1\nnew|2");
  verified_close (&self);
}

/* What is left of an old tuple is no partner, and has none. */
static void
test_semi_joins (void)
{
  VerifiedFixture self;

  verified_open (&self, RELATION BASE WHOLE TUPLES);
  verified_leave_old (&self, "whole", "UPDATE r SET state = 'done' WHERE id = 1");
  verified_leave_old (&self, "whole", "DELETE FROM r WHERE id = 4");
  /* the old tuples are on the side that is looked for: 1 is new, and 4 is open */
  verified_assert_rows (&self,
                        "SELECT id FROM r a USING SCHEMA base WHERE EXISTS (SELECT 1 FROM r b "
                        "USING SCHEMA whole WHERE b.state = a.state AND b.id <> a.id) ORDER BY id",
                        "2\n3");
  verified_assert_rows (&self,
                        "SELECT id FROM r a USING SCHEMA base WHERE EXISTS (SELECT 1 FROM r b "
                        "USING SCHEMA whole WHERE b.state = a.state AND b.id <> a.id) ORDER BY id "
                        "WITH VERIFIED",
                        "");
  verified_assert_rows (&self,
                        "SELECT id FROM r a USING SCHEMA base WHERE NOT EXISTS (SELECT 1 FROM r b "
                        "USING SCHEMA whole WHERE b.state = a.state AND b.id <> a.id) ORDER BY id "
                        "WITH VERIFIED",
                        "1\n2\n3");
  /* and on the side that is given */
  verified_assert_rows (&self,
                        "SELECT id, state FROM r a USING SCHEMA whole WHERE id NOT IN (SELECT n / "
                        "10 FROM r b USING SCHEMA base WHERE b.state = a.state) ORDER BY 1, 2",
                        "1|new\n4|open");
  verified_assert_rows (&self,
                        "SELECT id, state FROM r a USING SCHEMA whole WHERE id NOT IN (SELECT n / "
                        "10 FROM r b USING SCHEMA base WHERE b.state = a.state) ORDER BY 1, 2 "
                        "WITH VERIFIED",
                        "");
  verified_assert_rows (&self,
                        "SELECT id, state FROM r a USING SCHEMA whole WHERE id IN (SELECT n / 10 "
                        "FROM r b USING SCHEMA base WHERE b.state = a.state) ORDER BY 1, 2 "
                        "WITH VERIFIED",
                        "1|done\n2|new\n3|open");
  verified_close (&self);
}

static void
test_subqueries (void)
{
  VerifiedFixture self;

  verified_open (&self, RELATION BASE WHOLE TUPLES
                 "; DEFINE RELATION q { id BIGINT KEY } WITH (writes = checked);"
                 "DEFINE PRIMARY SCHEMA qs FOR q { TABLE 'q', ROW ordered{id}, FAMILY 'f' }");
  verified_leave_old (&self, "whole", "UPDATE r SET state = 'done' WHERE id = 1");
  verified_assert_rows (
      &self,
      "SELECT id FROM r USING SCHEMA base WHERE id IN (SELECT id FROM r USING SCHEMA "
      "whole WHERE state = 'new')",
      "1\n2");
  verified_assert_rows (
      &self,
      "SELECT id FROM r USING SCHEMA base WHERE id IN (SELECT id FROM r USING SCHEMA "
      "whole WHERE state = 'new') WITH VERIFIED",
      "2");
  verified_assert_rows (
      &self,
      "SELECT id FROM r USING SCHEMA base WHERE id IN (SELECT id FROM r USING SCHEMA "
      "whole WHERE state = 'new' WITH VERIFIED)",
      "2");
  verified_run (
      &self, "INSERT INTO q SELECT id FROM r USING SCHEMA whole WHERE state = 'new' WITH VERIFIED");
  verified_assert_rows (&self, "SELECT id FROM q", "2");
  verified_close (&self);
}

/* ---- pages */

/* The first page has one row; the others, all the rest. @sql runs in between. */
static gchar *
read_pages (VerifiedFixture *self, const gchar *select, const KvsqldRequest *request,
            const gchar *sql, gboolean is_cold, GError **error)
{
  KvsqldRequest first = *request;
  g_autoptr (KvsqlResultPage) page = NULL;
  GString *out = g_string_new (NULL);

  first.max_rows = 1;
  page = kvsqld_service_query (self->service.service, &first, kvsql_slice_from_text (select), NULL,
                               0, error);
  g_assert_nonnull (page);
  verified_run (self, sql);
  while (page != NULL)
    {
      g_autoptr (GBytes) cursor = page->cursor == NULL ? NULL : g_bytes_ref (page->cursor);
      KvsqlSlice token;

      service_fixture_append_page (page, out);
      g_clear_pointer (&page, kvsql_result_page_free);
      if (cursor == NULL)
        return g_string_free (out, FALSE);
      token = kvsql_slice (g_bytes_get_data (cursor, NULL), g_bytes_get_size (cursor));
      if (is_cold)
        g_assert_true (kvsqld_service_close_cursor (self->service.service, token, NULL));
      page = kvsqld_service_fetch (self->service.service, NULL, token, error);
    }
  g_string_free (out, TRUE);
  return NULL;
}

/* A scan reads a few rows at a time here, so that a page does not have all of them. */
static void
insert_many (VerifiedFixture *self, guint n)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (sql, "%s(%u, '%s', %u, 'note')",
                              i % 1000 == 0 ? "INSERT INTO r VALUES " : ",", 100 + i,
                              i % 2 == 0 ? "even" : "odd", i);
      if (i % 1000 == 999 || i + 1 == n)
        {
          verified_run (self, sql->str);
          g_string_truncate (sql, 0);
        }
    }
}

static guint
count_lines (const gchar *text, const gchar *line)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    n += line == NULL || g_str_equal (lines[i], line);
  return n;
}

/* A tuple that was returned moves to the end. */
static void
test_moved_between_pages (void)
{
  static const KvsqldRequest plain = { 0 };
  static const gchar unverified[] = "SELECT id FROM r USING SCHEMA whole";
  static const gchar verified[] = "SELECT id FROM r USING SCHEMA whole WITH VERIFIED";
  VerifiedFixture self;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *twice = NULL, *once = NULL, *cold = NULL, *primary = NULL;

  verified_open (&self, RELATION BASE WHOLE);
  insert_many (&self, 3000);
  twice = read_pages (&self, unverified, &plain, "UPDATE r SET state = 'z' WHERE id = 100", FALSE,
                      &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_lines (twice, "100"), ==, 2);
  once = read_pages (&self, verified, &plain, "UPDATE r SET state = 'zz' WHERE id = 102", FALSE,
                     &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_lines (once, "102"), ==, 1);
  g_assert_cmpuint (count_lines (once, NULL), ==, 3000);
  /* what was returned is known in this run only */
  cold = read_pages (&self, verified, &plain, "UPDATE r SET state = 'zzz' WHERE id = 104", TRUE,
                     &error);
  g_assert_null (cold);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_BAD_CURSOR);
  g_assert_cmpstr (error->message, ==, "this cursor is no longer kept");
  g_clear_error (&error);
  /* the primary has each key at one place */
  primary = read_pages (&self, "SELECT id FROM r USING SCHEMA base WITH VERIFIED", &plain,
                        "UPDATE r SET state = 'x' WHERE id = 100", TRUE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_lines (primary, NULL), ==, 3000);
  /* but a sort that is done again may come to another result */
  g_free (cold);
  cold = read_pages (&self, "SELECT id FROM r USING SCHEMA base ORDER BY n WITH VERIFIED", &plain,
                     "UPDATE r SET n = 9999 WHERE id = 100", TRUE, &error);
  g_assert_null (cold);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_BAD_CURSOR);
  verified_close (&self);
}

/* A tuple that had a partner moves to the end, where it has none. */
static void
test_moved_in_join (void)
{
  static const KvsqldRequest plain = { 0 };
  VerifiedFixture self;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *rows = NULL;

  verified_open (&self, RELATION BASE WHOLE);
  insert_many (&self, 3000);
  rows = read_pages (&self,
                     "SELECT a.id, b.id FROM r a USING SCHEMA whole LEFT JOIN r b USING SCHEMA "
                     "base ON b.id = a.id AND a.state = 'even' WITH VERIFIED",
                     &plain, "UPDATE r SET state = 'z' WHERE id = 100", FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_lines (rows, "100|100"), ==, 1);
  g_assert_cmpuint (count_lines (rows, NULL), ==, 3000);
  verified_close (&self);
}

/* A tuple that was given moves to the end, where it has a partner, too. */
static void
test_moved_in_semi_join (void)
{
  static const KvsqldRequest plain = { 0 };
  VerifiedFixture self;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *rows = NULL;

  verified_open (&self, RELATION BASE WHOLE);
  insert_many (&self, 3000);
  rows = read_pages (&self,
                     "SELECT a.id FROM r a USING SCHEMA whole WHERE EXISTS (SELECT 1 FROM r b "
                     "USING SCHEMA base WHERE b.id = a.id AND b.n < 2000) WITH VERIFIED",
                     &plain, "UPDATE r SET state = 'z' WHERE id = 100", FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_lines (rows, "100"), ==, 1);
  g_assert_cmpuint (count_lines (rows, NULL), ==, 2000);
  verified_close (&self);
}

/* ---- requests */

/* The option of a request is one of its cursor, too. */
static void
test_request (void)
{
  static const KvsqldRequest verified = { .is_verified = TRUE };
  static const KvsqldRequest plain = { 0 };
  static const gchar sql[] = "SELECT id, n FROM r USING SCHEMA base";
  VerifiedFixture self;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *got = NULL;

  verified_open (&self, RELATION BASE TUPLES);
  verified_leave_old (&self, "base", "UPDATE r SET n = 41 WHERE id = 4");
  for (guint i = 0; i < 4; i++) /* the plan of the text is cached from the second time on */
    {
      g_autofree gchar *old = read_pages (&self, sql, &plain, "SHOW RELATIONS", i % 2, &error);
      g_autofree gchar *new = NULL;

      g_assert_no_error (error);
      g_assert_cmpstr (old, ==, "1|10\n2|20\n3|30\n4|40");
      new = read_pages (&self, sql, &verified, "SHOW RELATIONS", i % 2, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (new, ==, "1|10\n2|20\n3|30\n4|41");
    }
  verified_close (&self);
}

static guint
count_parts (VerifiedFixture *self, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) cursors = kvsqld_service_partition (
      self->service.service, NULL, kvsql_slice_from_text (sql), NULL, 0, 4, &error);

  g_assert_no_error (error);
  return cursors->len;
}

/* The parts of a schema where a tuple may change its place cannot know of each other. */
static void
test_parts (void)
{
  VerifiedFixture self;

  verified_open (&self, RELATION BASE WHOLE TUPLES);
  g_assert_cmpuint (count_parts (&self, "SELECT id FROM r USING SCHEMA whole"), >, 0);
  g_assert_cmpuint (count_parts (&self, "SELECT id FROM r USING SCHEMA whole WITH VERIFIED"), ==,
                    0);
  g_assert_cmpuint (count_parts (&self, "SELECT id FROM r USING SCHEMA base WITH VERIFIED"), >, 0);
  verified_close (&self);
}

/* A long scan of a schema with one place for each key is read in parts. */
static void
test_parallel (void)
{
  KvsqldServiceLimits limits = { .scan_workers = 3, .scan_serial_rows = 100 };
  VerifiedFixture self;

  verified_open (&self, RELATION BASE WHOLE);
  kvsqld_service_set_limits (self.service.service, &limits);
  insert_many (&self, 4000);
  verified_leave_old (&self, "base", "UPDATE r SET n = 1000000 WHERE id = 4000");
  verified_assert_rows (&self, "SELECT count(*), max(n) FROM r USING SCHEMA base", "4000|3999");
  verified_assert_rows (&self, "SELECT count(*), max(n) FROM r USING SCHEMA base WITH VERIFIED",
                        "4000|1000000");
  verified_assert_says (&self,
                        "EXPLAIN ANALYZE SELECT count(*) FROM r USING SCHEMA base WITH VERIFIED",
                        "side by side");
  verified_assert_does_not_say (
      &self, "EXPLAIN ANALYZE SELECT count(*) FROM r USING SCHEMA whole WITH VERIFIED",
      "side by side");
  verified_close (&self);
}

/* ---- limits */

static void
test_memory (void)
{
  KvsqldServiceLimits limits = { .max_statement_memory = 4 << 20, .scan_workers = 1 };
  VerifiedFixture self;
  g_autoptr (GError) error = NULL;

  verified_open (&self, RELATION BASE WHOLE);
  insert_many (&self, 70000);
  kvsqld_service_set_limits (self.service.service, &limits);
  verified_assert_rows (&self, "SELECT count(*) FROM r USING SCHEMA base WITH VERIFIED", "70000");
  error = service_fixture_fail (&self.service,
                                "SELECT count(*) FROM r USING SCHEMA whole WITH VERIFIED");
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_cmpstr (error->message, ==, "the statement needs more than 4 MiB of memory");
  /* only keys of tuples that satisfy the predicate are remembered */
  verified_assert_rows (
      &self, "SELECT count(*) FROM r USING SCHEMA whole WHERE n % 100 = 0 WITH VERIFIED", "700");
  verified_close (&self);
}

/* Anchors are rows of the store. */
static void
test_scan_rows (void)
{
  KvsqldServiceLimits limits = { .max_scan_rows = 7 };
  VerifiedFixture self;

  verified_open (&self, RELATION BASE WHOLE TUPLES);
  kvsqld_service_set_limits (self.service.service, &limits);
  verified_assert_rows (&self, "SELECT count(*) FROM r", "4");
  service_fixture_assert_fails (&self.service, "SELECT count(*) FROM r WITH VERIFIED",
                                KVSQL_ERROR_LIMIT, "the statement would read more than 7 rows");
  verified_close (&self);
}

static void
test_plain (void)
{
  static const gchar message[]
      = "relation \"q\" cannot be read with VERIFIED: its writes are plain";
  static const KvsqldRequest verified = { .is_verified = TRUE };
  VerifiedFixture self;
  ServiceFixture atomic;
  g_autoptr (KvsqlResultPage) page = NULL;
  g_autoptr (GError) error = NULL;

  verified_open (&self,
                 RELATION BASE "DEFINE RELATION q { id BIGINT KEY } WITH (writes = plain);"
                               "DEFINE PRIMARY SCHEMA qs FOR q { TABLE 'q', ROW ordered{id}, "
                               "FAMILY 'f' }");
  service_fixture_assert_fails (&self.service, "SELECT id FROM q WITH VERIFIED",
                                KVSQL_ERROR_INVALID, message);
  service_fixture_assert_fails (&self.service, "SELECT r.id FROM r, q WITH VERIFIED",
                                KVSQL_ERROR_INVALID, message);
  page = kvsqld_service_query (self.service.service, &verified, S ("SELECT id FROM q"), NULL, 0,
                               &error);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
  g_assert_cmpstr (kvsql_error_get_hint (error), ==,
                   "Only checked writes keep what it is compared with: ALTER RELATION q WITH "
                   "(writes = checked).");
  verified_close (&self);

  /* where each write is one batch, what is read is current */
  service_fixture_open (&atomic, "memory:");
  service_fixture_script (&atomic, "DEFINE RELATION q { id BIGINT KEY };"
                                   "DEFINE PRIMARY SCHEMA qs FOR q { TABLE 'q', ROW ordered{id}, "
                                   "FAMILY 'f' };"
                                   "INSERT INTO q VALUES (1), (2)");
  service_fixture_assert (&atomic, "SELECT id FROM q WITH VERIFIED", "1\n2");
  service_fixture_close (&atomic);
}

/* ---- EXPLAIN */

static void
test_explain (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL, *json = NULL, *dot = NULL;
  VerifiedFixture self;

  verified_open (&self, RELATION BASE WHOLE TUPLES);
  verified_leave_old (&self, "whole", "UPDATE r SET state = 'done' WHERE id = 1");
  verified_leave_old (&self, "whole", "DELETE FROM r WHERE id = 4");
  assert_done (
      kvsqld_service_explain (
          self.service.service, NULL,
          S ("SELECT id, state FROM r USING SCHEMA whole WHERE n > 0 LIMIT 9 WITH VERIFIED"), NULL,
          0, TRUE, &text, &json, &error),
      error);
  for (const gchar *const *line
       = (const gchar *const[]){ "  verified: anchors of up to 1,024 tuples a request\n"
                                 "  checked on each tuple: n > 0\n"
                                 "  each tuple once: the keys of those returned are kept in "
                                 "memory\n"
                                 "  stops after 9 tuples\n",
                                 "  anchors: 5 rows, 10 cells, ", " in 1 request, ",
                                 "  verified: 1 tuple replaced, 1 dropped, 1 left out as returned "
                                 "before\n",
                                 "table scan 5, verify 4, filter 4, each key once 3", NULL };
       *line != NULL; line++)
    if (strstr (text, *line) == NULL)
      g_error ("\"%s\" is not in:\n%s", *line, text);
  for (const gchar *const *part
       = (const gchar *const[]){ "\"verified\" : true", "\"remembers_keys\" : true",
                                 "\"anchors_per_request\" : 1024", "\"replaced\" : 1",
                                 "\"dropped\" : 1", "\"repeated\" : 1", NULL };
       *part != NULL; part++)
    if (strstr (json, *part) == NULL)
      g_error ("\"%s\" is not in:\n%s", *part, json);
  dot = service_fixture_run (&self.service,
                             "EXPLAIN (FORMAT DOT) SELECT id FROM r USING SCHEMA whole "
                             "WITH VERIFIED");
  g_assert_nonnull (strstr (dot, "compare with anchors"));
  verified_close (&self);
}

int
main (int argc, char **argv)
{
  static const VerifiedTest tests[] = {
    { "limit", test_limit },
    { "order", test_order },
    { "groups", test_groups },
    { "joins", test_joins },
    { "semi-joins", test_semi_joins },
    { "subqueries", test_subqueries },
    { "moved-between-pages", test_moved_between_pages },
    { "moved-in-join", test_moved_in_join },
    { "moved-in-semi-join", test_moved_in_semi_join },
    { "request", test_request },
    { "parts", test_parts },
    { "parallel", test_parallel },
    { "memory", test_memory },
    { "scan-rows", test_scan_rows },
    { "plain", test_plain },
    { "explain", test_explain },
  };

  return verified_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
