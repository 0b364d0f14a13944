/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-infer.c: SHOW CREATE TABLE 't' finds the layouts of tables. Each table is written by a
 * definition that the search does not see.
 */
#include "config.h"

#include <stdio.h>

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
  { "mixed-columns", "id STRING KEY, a STRING, b INT, c INT, d INT, e BIGINT, f BOOLEAN", "iwnhhnb",
    "ROW uuid{id}, CELLS { 'f':'a' = a, 'f':'b' = text{b}, 'f':'c' = short{c}, 'f':'d' = byte{d}, "
    "'f':'e' = e, 'f':'f' = text{f} }",
    "`id` STRING KEY, `a` STRING, `b` INT, `c` INT, `d` INT, `e` BIGINT, `f` BOOLEAN",
    "ROW uuid{id}, CELLS { 'f':'a' = `a`, 'f':'b' = text{`b`}, 'f':'c' = short{`c`}, 'f':'d' = "
    "byte{`d`}, 'f':'e' = `e`, 'f':'f' = text{`f`} }" },
  { "families", "id STRING KEY, name STRING, day DATE, hits BIGINT, n INT", "iwdnn",
    "ROW uuid{id}, CELLS { 'info':'name' = name, 'info':'day' = text{day}, 'c':'hits' = hits, "
    "'info':'hits' = text{n} }",
    "`id` STRING KEY, `day` DATE, `info_hits` INT, `name` STRING, `c_hits` BIGINT",
    "ROW uuid{id}, CELLS { 'info':'day' = text{`day`}, 'info':'hits' = text{`info_hits`}, "
    "'info':'name' = `name`, 'c':'hits' = `c_hits` }" },
  { "phoenix-numbers", "id BIGINT KEY, a STRING, b INT", "nwh",
    "ROW phoenix{id}, CELLS { '0':x'00000000' = 'x', '0':x'800b' = a, '0':x'800c' = phoenix{b} }",
    "`n` BIGINT KEY, `c11` STRING, `c12` INT",
    "ROW flipped{n}, CELLS { '0':x'00000000' = 'x', '0':x'800b' = phoenix{`c11`}, '0':x'800c' = "
    "phoenix{`c12`} }" },
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
        "`big` BIGINT, `vip` BOOLEAN, `rest` JSONB }|a further reading, with other cells; 200 of "
        "200 "
        "rows fit|reading\nDEFINE PRIMARY SCHEMA person_1 FOR person { "
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

/* Writes cells of a table as they are. */
static void
write_cells (ServiceFixture *self, const gchar *table, const gchar *select)
{
  g_autofree gchar *sql = g_strdup_printf (
      "DEFINE RELATION raw { row STRING KEY, family STRING KEY, qualifier BYTES KEY, value BYTES };"
      "DEFINE PRIMARY SCHEMA raw_1 FOR raw { TABLE '%s', ROW row, FAMILY family, QUALIFIER "
      "qualifier, VALUE value };"
      "INSERT INTO raw %s; DROP RELATION raw",
      table, select);

  service_fixture_script (self, sql);
}

/* The first definition. It is defined, so it is possible. */
static gchar *
define (ServiceFixture *self, const gchar *table)
{
  g_autofree gchar *sql = g_strdup_printf ("SHOW CREATE TABLE '%s'", table);
  g_autofree gchar *found = service_fixture_run (self, sql);
  g_auto (GStrv) lines = g_strsplit (found, "\n", -1);

  for (guint i = 0; g_str_has_suffix (lines[i], "|definition"); i++)
    {
      for (guint column = 0; column < 2; column++)
        *strrchr (lines[i], '|') = '\0';
      service_fixture_script (self, lines[i]);
    }
  return g_steal_pointer (&found);
}

static void
assert_contains (const gchar *text, const gchar *part)
{
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, part));
}

/* Columns that few rows have, and a family of ids. */
static void
test_others (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *found = NULL, *rest = NULL, *entries = NULL;

  write_cells (
      self, "t",
      "SELECT 'k' || g, f, CAST (q AS BYTES), CAST (v AS BYTES) FROM generate_series (1, 200) g, "
      "LATERAL (SELECT 'f' AS f, 'n' AS q, CAST (g AS STRING) AS v UNION ALL SELECT 'f', 'word', "
      "'w' || g UNION ALL SELECT 'f', 'old', 'x' || g WHERE g = 7 UNION ALL SELECT 'ids', 'u' || g "
      "* 3, '1' UNION ALL SELECT 'ids', 'u' || g * 5, '2') c");
  found = define (self, "t");
  assert_contains (found, "CELLS { 'f':'n' = text{`n`}, 'f':'word' = `word`, "
                          "'ids':map_key(`ids`) = text{map_value(`ids`)}, OTHERS = rest }");
  assert_contains (found, "OTHERS has the cells of 1 more column|note");
  rest = service_fixture_run (self, "SELECT n, rest FROM t WHERE rest IS NOT NULL");
  g_assert_cmpstr (rest, ==, "7|{\"f:old\":\"x'7837'\"}");
  entries = service_fixture_run (self, "SELECT word, ids FROM t WHERE n = 2");
  g_assert_cmpstr (entries, ==, "w2|{\"u10\":2,\"u6\":1}");
}

/* One relation if families have the same rows, or else one for each. The other one is a further
 * reading. */
static void
test_shared_rows (ServiceFixture *self, gconstpointer data)
{
  static const gchar select[]
      = "SELECT 'k' || g, f, CAST (q AS BYTES), CAST (v AS BYTES) FROM generate_series (1, 100) g, "
        "LATERAL (SELECT 'a' AS f, 'x' AS q, 'v' || g AS v UNION ALL SELECT 'b', 'y', CAST (g AS "
        "STRING)) c WHERE %s";
  g_autofree gchar *same = g_strdup_printf (select, "f = 'a' OR g > 30");
  g_autofree gchar *other = g_strdup_printf (select, "(f = 'a') = (g > 30)");
  g_autofree gchar *found = NULL, *separate = NULL;

  write_cells (self, "same", same);
  found = define (self, "same");
  assert_contains (found,
                   "ROW 'k':text{n}, CELLS { 'a':'x' = 'v':text{`x`}, 'b':'y' = text{`y`} }");
  assert_contains (found, "2 families in 1 relation: \"a\" (100 cells), \"b\" (70 cells)|note");
  assert_contains (found, "DEFINE RELATION same { `n` INT KEY, `n2` INT }|a further reading, with "
                          "other cells; 100 of 100 rows fit|reading");
  write_cells (self, "other", other);
  separate = define (self, "other");
  assert_contains (separate, "FAMILY 'a', QUALIFIER 'x', VALUE 'v':text{n2} } WITH (role = read)|");
  assert_contains (separate, "DEFINE RELATION other_b { `n` INT KEY, `y` INT }|");
  assert_contains (separate, "2 families in 2 relations: \"a\" (70 cells), \"b\" (30 cells)|note");
  assert_contains (separate, "DEFINE RELATION other { `n` INT KEY, `x` INT, `y` INT }|a further "
                             "reading, with other cells; 100 of 100 rows fit|reading");
}

/* Two words are the hashes of what follows them by chance, if enough hashes are tried. */
static void
test_two_prefixes (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *found = NULL;

  write_cells (self, "t",
               "SELECT CASE WHEN g % 3 = 0 THEN 'eu' ELSE 'us' END || '|user' || g, 'f', x'71', "
               "CAST ('v' || g AS BYTES) FROM generate_series (1, 60) g");
  found = define (self, "t");
  assert_contains (found, "ROW suffix('|'){s}:'user':text{n}, ");
  assert_contains (found, "|60 of 60 rows fit|");
}

/* Families whose names differ in the case of letters only. */
static void
test_names_of_families (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *found = NULL, *rows = NULL;

  write_cells (self, "t",
               "SELECT 'k' || g, CASE WHEN g > 9 THEN 'a' WHEN g > 4 THEN 'b' ELSE 'B' END, x'71', "
               "CAST ('v' || g AS BYTES) FROM generate_series (1, 20) g");
  found = define (self, "t");
  assert_contains (found, "DEFINE RELATION t_b { ");
  assert_contains (found, "DEFINE RELATION t_b2 { ");
  rows = service_fixture_run (self, "SELECT (SELECT count(*) FROM t), (SELECT count(*) FROM t_b), "
                                    "(SELECT count(*) FROM t_b2)");
  g_assert_cmpstr (rows, ==, "11|5|4");
}

/* The reason is that of the schema which has the column. */
static void
test_undecodable (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *found = NULL;

  write_cells (
      self, "t",
      "SELECT 'k' || g, CASE WHEN g > 60 THEN 'b' ELSE 'a' END, x'71', CAST (CASE WHEN g = "
      "77 THEN 'none of it' ELSE CAST (g AS STRING) END AS BYTES) FROM generate_series (1, "
      "100) g");
  found = define (self, "t");
  assert_contains (found, "99 of 100 rows fit|definition");
  assert_contains (found, "does not fit: table \"t\", row \"k77\", column \"b:q\", value \"none "
                          "of it\": the value does not fit VALUE|undecodable");
}

/* What is not a name of an attribute, and what cannot be a marker. */
static void
test_strange_columns (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *found = NULL, *rows = NULL, *word = NULL;

  write_cells (
      self, "select",
      "SELECT 'k' || g, f, q, CAST (v AS BYTES) FROM generate_series (1, 60) g, LATERAL (SELECT "
      "'a' AS f, x'' AS q, '' AS v UNION ALL SELECT 'a', CAST ('u' || g AS BYTES), '7' UNION ALL "
      "SELECT 'b', x'01', 'w' || g UNION ALL SELECT 'b', x'02', CAST (g AS STRING) UNION ALL "
      "SELECT "
      "'c', CAST ('it''s} `' AS BYTES), '5' UNION ALL SELECT 'c', CAST ('Name' AS BYTES), 'q' "
      "UNION "
      "ALL SELECT 'c', CAST ('name' AS BYTES), '1.5') c");
  found = define (self, "select");
  assert_contains (found, "DEFINE RELATION t_select { ");
  assert_contains (found, "'a' = '', 'a':regexp('.+'){map_key(`a`)} = text{map_value(`a`)}");
  assert_contains (found, "'b':x'01' = `c1`, 'b':x'02' = text{`c2`}");
  rows = service_fixture_run (self, "SELECT count(*) FROM t_select");
  g_assert_cmpstr (rows, ==, "60");
  word = service_fixture_run (self, "SELECT a, c1, c2, c_Name FROM t_select WHERE n = 3");
  g_assert_cmpstr (word, ==, "{\"u3\":7}|w3|3|q");
}

/* Large rows are read in several places, too, and what was read is said. */
static void
test_large_rows (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *found = NULL;
  guint n_first, n_between, n_places, n_last;
  const gchar *note;
  guint64 n_bytes;

  service_fixture_script (self,
                          "DEFINE RELATION r { k STRING KEY, v STRING };"
                          "DEFINE PRIMARY SCHEMA r1 FOR r { TABLE 't', ROW k, FAMILY 'f', VALUE v "
                          "}");
  for (guint i = 0; i < 10; i++)
    {
      g_autofree gchar *sql = g_strdup_printf (
          "INSERT INTO r SELECT 'user' || g, repeat ('x', 100000) FROM generate_series (%u, %u) g",
          1000 + 40 * i, 1039 + 40 * i);

      service_fixture_script (self, sql);
    }
  found = service_fixture_run (self, "SHOW CREATE TABLE 't'");
  note = strstr (found, "a guess from ");
  g_assert_nonnull (note);
  g_assert_cmpint (sscanf (note,
                           "a guess from %*u rows: %u from the start, %u from %u places between, "
                           "%u from the end; %" G_GUINT64_FORMAT " bytes",
                           &n_first, &n_between, &n_places, &n_last, &n_bytes),
                   ==, 5);
  g_assert_cmpuint (n_first, >=, 80);
  g_assert_cmpuint (n_between, >=, 30);
  g_assert_cmpuint (n_places, ==, 6);
  g_assert_cmpuint (n_last, >=, 5);
  g_assert_cmpuint (n_bytes, >, 12000000);
  g_assert_cmpuint (n_bytes, <=, 20000000);
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
  g_test_add ("/infer/others", ServiceFixture, NULL, service_fixture_set_up, test_others,
              service_fixture_tear_down);
  g_test_add ("/infer/shared-rows", ServiceFixture, NULL, service_fixture_set_up, test_shared_rows,
              service_fixture_tear_down);
  g_test_add ("/infer/two-prefixes", ServiceFixture, NULL, service_fixture_set_up,
              test_two_prefixes, service_fixture_tear_down);
  g_test_add ("/infer/names-of-families", ServiceFixture, NULL, service_fixture_set_up,
              test_names_of_families, service_fixture_tear_down);
  g_test_add ("/infer/undecodable", ServiceFixture, NULL, service_fixture_set_up, test_undecodable,
              service_fixture_tear_down);
  g_test_add ("/infer/strange-columns", ServiceFixture, NULL, service_fixture_set_up,
              test_strange_columns, service_fixture_tear_down);
  g_test_add ("/infer/large-rows", ServiceFixture, NULL, service_fixture_set_up, test_large_rows,
              service_fixture_tear_down);
  g_test_add ("/infer/errors", ServiceFixture, NULL, service_fixture_set_up, test_errors,
              service_fixture_tear_down);
  return g_test_run ();
}
