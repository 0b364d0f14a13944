/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-infer.c: SHOW CREATE TABLE 't' finds the layouts of tables. Each table is written by a
 * definition that the search does not see.
 */
#include "config.h"

#include "tests/harness/service-fixture.h"

#define N_TUPLES 300
/* 2023-11-14T22:13:20Z */
#define SOME_TIME_MS G_GINT64_CONSTANT (1700000000000)

/* ---- values: each character of a case's kinds is one attribute */

static void
append_word (GRand *random, GString *out)
{
  guint n = (guint)g_rand_int_range (random, 3, 8);

  for (guint i = 0; i < n; i++)
    g_string_append_c (out, (gchar)g_rand_int_range (random, 'a', 'z' + 1));
}

static void
append_uuid (GRand *random, GString *out)
{
  g_string_append_printf (out, "%08x-%04x-4%03x-%04x-%08x%04x", g_rand_int (random),
                          g_rand_int (random) & 0xffff, g_rand_int (random) & 0xfff,
                          0x8000 | (g_rand_int (random) & 0x3fff), g_rand_int (random),
                          g_rand_int (random) & 0xffff);
}

static void
append_time (GRand *random, gchar kind, GString *out)
{
  gint64 ms = SOME_TIME_MS + g_rand_int_range (random, 0, G_MAXINT);
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (ms / 1000);
  g_autofree gchar *text
      = g_date_time_format (time, kind == 'd' ? "'%Y-%m-%d'" : "'%Y-%m-%dT%H:%M:%S");

  g_string_append (out, text);
  if (kind == 't')
    g_string_append_printf (out, ".%03uZ'", (guint)(ms % 1000));
}

static void
append_value (GRand *random, gchar kind, GString *out)
{
  switch (kind)
    {
    case 'w': /* a word */
    case 'u': /* user and a number */
    case 'i': /* a UUID */
      g_string_append_c (out, '\'');
      if (kind == 'w')
        append_word (random, out);
      else if (kind == 'u')
        g_string_append_printf (out, "user%d", g_rand_int_range (random, 1, 10000));
      else
        append_uuid (random, out);
      g_string_append_c (out, '\'');
      break;
    case 'd':
    case 't':
      append_time (random, kind, out);
      break;
    case 'x':
      g_string_append_printf (out, "%.3f", g_rand_double_range (random, 0.1, 1000));
      break;
    case 'b':
      g_string_append (out, g_rand_boolean (random) ? "TRUE" : "FALSE");
      break;
    case 's':
      g_string_append_printf (out, "%d", g_rand_int_range (random, 1, 400));
      break;
    case 'h': /* some are negative */
      g_string_append_printf (out, "%d", g_rand_int_range (random, -60, 60));
      break;
    default: /* a number */
      g_string_append_printf (out, "%d", g_rand_int_range (random, 1, 1000000));
    }
}

/* ---- tables */

typedef struct
{
  const gchar *name;
  const gchar *attributes;
  const gchar *kinds;    /* of the attributes */
  const gchar *layout;   /* how they are written */
  const gchar *relation; /* what has to be found */
  const gchar *schema;
} Case;

static const Case cases[] = {
  { "columns", "id BIGINT KEY, name STRING, age INT", "nwn",
    "ROW id, FAMILY 'info', QUALIFIER attr_name[id], VALUE attr_value[id]",
    "`n` BIGINT KEY, `age` INT, `name` STRING",
    "ROW n, FAMILY 'info', QUALIFIER attr_name[n], VALUE attr_value[n]" },
  { "text-columns", "id STRING KEY, a STRING, n INT, ok BOOLEAN", "iwnb",
    "ROW uuid{id}, FAMILY 'f', QUALIFIER attr_name[id], VALUE text{attr_value[id]}",
    "`id` STRING KEY, `a` STRING, `n` INT, `ok` BOOLEAN",
    "ROW uuid{id}, FAMILY 'f', QUALIFIER attr_name[id], VALUE text{attr_value[id]}" },
  { "separated-time", "u STRING KEY, at TIMESTAMP KEY, what STRING", "wtw",
    "ROW suffix('|'){u}:at, FAMILY 'e', QUALIFIER 'd', VALUE what",
    "`s` STRING KEY, `at` TIMESTAMP KEY, `d` STRING",
    "ROW suffix('|'){s}:at, FAMILY 'e', QUALIFIER 'd', VALUE `d`" },
  { "newest-first", "u STRING KEY, at TIMESTAMP KEY, what STRING", "wtw",
    "ROW suffix(x'00'){u}:desc{at}, FAMILY 'e', VALUE what",
    "`s` STRING KEY, `at` TIMESTAMP KEY, `s2` STRING",
    "ROW suffix(x'00'){s}:desc{at}, FAMILY 'e', QUALIFIER '', VALUE s2" },
  { "days", "day DATE KEY, url STRING KEY, n INT", "dwn",
    "ROW suffix('#'){text{day}}:url, FAMILY 'c', VALUE text{n}",
    "`day` DATE KEY, `s` STRING KEY, `n` INT",
    "ROW text{day}:'#':s, FAMILY 'c', QUALIFIER '', VALUE text{n}" },
  { "digits", "day DATE KEY, host STRING KEY, seq BIGINT KEY, line STRING", "dwnw",
    "ROW format('yyyyMMdd'){day}:'|':suffix('|'){host}:text(10){seq}, FAMILY 'l', VALUE line",
    "`day` DATE KEY, `s` STRING KEY, `n` BIGINT KEY, `s2` STRING",
    "ROW format('yyyyMMdd'){day}:'|':suffix('|'){s}:text(10){n}, FAMILY 'l', QUALIFIER '', VALUE "
    "s2" },
  { "salted", "u STRING KEY, n INT KEY, s STRING", "wnw",
    "ROW salt(16, java){suffix('-'){u}:n}:suffix('-'){u}:n, FAMILY 'f', QUALIFIER 'v', VALUE s",
    "`s` STRING KEY, `n` INT KEY, `v` STRING",
    "ROW salt(16, java){suffix('-'){s}:n}:suffix('-'){s}:n, FAMILY 'f', QUALIFIER 'v', VALUE `v`" },
  { "hashed", "u STRING KEY, at TIMESTAMP KEY, v DOUBLE", "utx",
    "ROW hash(md5, 4){u}:suffix('_'){u}:at, FAMILY 'f', QUALIFIER 'v', VALUE v",
    "`n` INT KEY, `at` TIMESTAMP KEY, `v` DOUBLE",
    "ROW hash(md5, 4){'user':text{n}}:'user':suffix('_'){text{n}}:at, FAMILY 'f', QUALIFIER 'v', "
    "VALUE `v`" },
  { "hash-in-hex", "u STRING KEY, n INT", "wn",
    "ROW hex{hash(sha1, 3){u}}:'-':u, FAMILY 'f', VALUE text{n}", "`s` STRING KEY, `n` INT",
    "ROW hex{hash(sha1, 3){s}}:'-':s, FAMILY 'f', QUALIFIER '', VALUE text{n}" },
  { "sorted-numbers", "c INT KEY, o BIGINT KEY, total DECIMAL, paid BOOLEAN", "nnxb",
    "ROW flipped{c}:flipped{o}, FAMILY 'o', QUALIFIER attr_name[c, o], VALUE text{attr_value[c, "
    "o]}",
    "`n` INT KEY, `n2` BIGINT KEY, `paid` BOOLEAN, `total` DECIMAL",
    "ROW flipped{n}:flipped{n2}, FAMILY 'o', QUALIFIER attr_name[n, n2], VALUE text{attr_value[n, "
    "n2]}" },
  { "small-sorted-numbers", "id BIGINT KEY, v STRING", "sw",
    "ROW flipped{id}, FAMILY 'f', QUALIFIER 'v', VALUE v", "`n` BIGINT KEY, `v` STRING",
    "ROW flipped{n}, FAMILY 'f', QUALIFIER 'v', VALUE `v`" },
  { "wide-rows", "sensor INT KEY, at TIMESTAMP KEY, v DOUBLE", "ntx",
    "ROW sensor, FAMILY 'f', QUALIFIER at, VALUE v", "`n` INT KEY, `at` TIMESTAMP KEY, `x` DOUBLE",
    "ROW n, FAMILY 'f', QUALIFIER at, VALUE x" },
  { "short-value", "id STRING KEY, v INT", "ih",
    "ROW uuid{id}, FAMILY 'f', QUALIFIER 'v', VALUE short{v}", "`id` STRING KEY, `v` INT",
    "ROW uuid{id}, FAMILY 'f', QUALIFIER 'v', VALUE short{`v`}" },
  { "boolean-value", "id STRING KEY, v BOOLEAN", "ib",
    "ROW uuid{id}, FAMILY 'f', QUALIFIER 'v', VALUE v", "`id` STRING KEY, `v` BOOLEAN",
    "ROW uuid{id}, FAMILY 'f', QUALIFIER 'v', VALUE `v`" },
  { "short-columns", "id STRING KEY, a INT, b INT", "ihh",
    "ROW uuid{id}, FAMILY 'f', QUALIFIER attr_name[id], VALUE short{attr_value[id]}",
    "`id` STRING KEY, `a` INT, `b` INT",
    "ROW uuid{id}, FAMILY 'f', QUALIFIER attr_name[id], VALUE short{attr_value[id]}" },
};

static void
insert_tuples (ServiceFixture *self, const Case *expected)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (g_test_rand_int ());
  g_autoptr (GString) sql = g_string_new ("INSERT INTO r VALUES ");

  for (guint i = 0; i < N_TUPLES; i++)
    {
      g_string_append (sql, i > 0 ? ", (" : "(");
      for (const gchar *kind = expected->kinds; *kind != '\0'; kind++)
        {
          if (kind > expected->kinds)
            g_string_append (sql, ", ");
          append_value (random, *kind, sql);
        }
      g_string_append_c (sql, ')');
    }
  service_fixture_script (self, sql->str);
}

static void
test_case (ServiceFixture *self, gconstpointer data)
{
  const Case *expected = data;
  g_autofree gchar *definitions = g_strdup_printf (
      "DEFINE RELATION r { %s }; DEFINE PRIMARY SCHEMA r1 FOR r { TABLE 'ns:Table-1', %s }",
      expected->attributes, expected->layout);
  g_autofree gchar *found = NULL, *relation = NULL, *schema = NULL;

  service_fixture_script (self, definitions);
  insert_tuples (self, expected);
  found = service_fixture_run (self, "SHOW CREATE TABLE 'ns:Table-1'");
  g_test_message ("%s", found);
  relation = g_strdup_printf ("DEFINE RELATION table_1 { %s }|", expected->relation);
  schema = g_strdup_printf ("DEFINE PRIMARY SCHEMA table_1_1 FOR table_1 { TABLE 'ns:Table-1', %s "
                            "} WITH (role = read)|",
                            expected->schema);
  g_assert_true (g_str_has_prefix (found, relation));
  g_assert_nonnull (strstr (found, schema));
}

/* The definition that was found reads all tuples, and the table is as it was. */
static void
test_defined (ServiceFixture *self, gconstpointer data)
{
  const Case written = { .kinds = "wnw" };
  g_autofree gchar *before = NULL, *found = NULL, *rows = NULL, *expected = NULL, *got = NULL;
  g_auto (GStrv) lines = NULL;

  service_fixture_script (self,
                          "DEFINE RELATION r { k STRING KEY, n INT KEY, v STRING };"
                          "DEFINE PRIMARY SCHEMA r1 FOR r { TABLE 't', ROW suffix('|'){k}:text{n}, "
                          "FAMILY 'f', VALUE v }");
  insert_tuples (self, &written);
  before = service_fixture_run (self, "SELECT * FROM TABLE 't'");
  expected = service_fixture_run (self, "SELECT k, n, v FROM r ORDER BY k, n");
  found = service_fixture_run (self, "SHOW CREATE TABLE 't' LIMIT 1000");
  lines = g_strsplit (found, "\n", -1);
  service_fixture_script (self, "DROP RELATION r");
  for (guint i = 0; i < 2; i++)
    {
      /* the note, and what the row is about */
      for (guint column = 0; column < 2; column++)
        *strrchr (lines[i], '|') = '\0';
      service_fixture_script (self, lines[i]);
    }
  got = service_fixture_run (self, "SELECT s, n, s2 FROM t ORDER BY s, n");
  g_assert_cmpstr (got, ==, expected);
  rows = service_fixture_run (self, "SELECT * FROM TABLE 't'");
  g_assert_cmpstr (rows, ==, before);
}

/* Members of documents are attributes of a further reading; what is rare stays together. */
static void
test_documents (ServiceFixture *self, gconstpointer data)
{
  static const gchar expected[]
      = "{ `n` INT KEY, `name` STRING, `age` INT, `score` DOUBLE, `zip_code` STRING, `tags` JSON, "
        "`big` BIGINT, `vip` BOOLEAN, `rest` JSONB }; DEFINE PRIMARY SCHEMA person_1 FOR person { "
        "TABLE 'person', ROW 'p':text{n}, FAMILY 'f', QUALIFIER 'doc', VALUE "
        "json('$.name'){`name`}:json('$.age'){`age`}:json('$.score'){`score`}:"
        "json('$.at.\"zip code\"'){`zip_code`}:json('$.tags'){`tags`}:json('$.big'){`big`}:"
        "json('$.vip'){`vip`}:json('$'){`rest`} } WITH (role = read)";
  g_autofree gchar *found = NULL, *array = NULL;

  service_fixture_script (
      self,
      "DEFINE RELATION r { k STRING KEY, doc STRING };"
      "DEFINE PRIMARY SCHEMA r1 FOR r { TABLE 'person', ROW k, FAMILY 'f', QUALIFIER 'doc', "
      "VALUE doc };"
      "INSERT INTO r SELECT 'p' || g, '{\"name\": \"n' || g || '\", \"age\": ' || g % 90 || ', "
      "\"score\": ' || g || '.5, \"at\": {\"zip code\": \"3' || g || '\"}, \"tags\": [\"a\"], "
      "\"big\": ' || g || '00000000000' || CASE WHEN g % 3 = 0 THEN ', \"vip\": true' WHEN g = 7 "
      "THEN ', \"rare\": 1' ELSE '' END || '}' FROM generate_series (1, 200) g;");
  found = service_fixture_run (self, "SHOW CREATE TABLE 'person'");
  g_test_message ("%s", found);
  g_assert_nonnull (strstr (found, expected));
  g_assert_true (g_str_has_prefix (found, "DEFINE RELATION person { `n` INT KEY, `doc` STRING }|"));
  service_fixture_script (self, "INSERT INTO r VALUES ('p201', '[1]')");
  array = service_fixture_run (self, "SHOW CREATE TABLE 'person'");
  g_assert_null (strstr (array, "json("));
}

/* A reserved word is no name of a relation. */
static void
test_reserved_name (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *found = NULL;

  service_fixture_script (
      self, "DEFINE RELATION r { k STRING KEY, v STRING };"
            "DEFINE PRIMARY SCHEMA r1 FOR r { TABLE 'select', ROW k, FAMILY 'f', VALUE v };"
            "INSERT INTO r VALUES ('a', 'x')");
  found = service_fixture_run (self, "SHOW CREATE TABLE 'select'");
  g_assert_true (g_str_has_prefix (found, "DEFINE RELATION t_select {"));
}

static void
test_errors (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, "DEFINE RELATION r { k STRING KEY, v STRING };"
                                "DEFINE PRIMARY SCHEMA r1 FOR r { TABLE 't', ROW k, FAMILY 'f', "
                                "VALUE v };"
                                "INSERT INTO r VALUES ('a', 'x'); DELETE FROM r WHERE k = 'a'");
  service_fixture_assert_fails (self, "SHOW CREATE TABLE 'nosuch'", KVSQL_ERROR_UNKNOWN_NAME,
                                "the store has no table \"nosuch\"");
  service_fixture_assert_fails (self, "SHOW CREATE TABLE 't' LIMIT 0", KVSQL_ERROR_VALUE,
                                "the number of rows is at least 1");
}

static void
set_up (ServiceFixture *self, gconstpointer data)
{
  service_fixture_open (self, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *path = g_strdup_printf ("/infer/%s", cases[i].name);

      g_test_add (path, ServiceFixture, &cases[i], set_up, test_case, service_fixture_tear_down);
    }
  g_test_add ("/infer/defined", ServiceFixture, NULL, service_fixture_set_up, test_defined,
              service_fixture_tear_down);
  g_test_add ("/infer/documents", ServiceFixture, NULL, service_fixture_set_up, test_documents,
              service_fixture_tear_down);
  g_test_add ("/infer/reserved-name", ServiceFixture, NULL, service_fixture_set_up,
              test_reserved_name, service_fixture_tear_down);
  g_test_add ("/infer/errors", ServiceFixture, NULL, service_fixture_set_up, test_errors,
              service_fixture_tear_down);
  return g_test_run ();
}
