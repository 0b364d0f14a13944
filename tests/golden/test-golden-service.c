/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-golden-service.c: outputs of the service: rejected definitions, rejected statements, plans.
 *
 * A case is one or more statements, separated by ';', with the definitions below. The output is
 * that of the last statement.
 *
 * With GOLDEN_RIGHTS it is test-golden-rights: the same statements, with the same outputs, by a
 * role that has logged in. It has DEFINE and owns what it defines, and nothing else. Before the
 * last one of a case, a role without rights runs it, too: it must fail as if the relations did not
 * exist, or read none of them.
 */
#include "config.h"

#include "core/sql/parser.h"
#include "core/write/write-log.h"
#include "daemon/service/service-private.h"

#include "tests/harness/service-fixture.h"
#include "tests/golden/golden.h"

static const gchar published[]
    = "DEFINE RELATION r { k1 STRING KEY, k2 STRING KEY, v1 STRING, v2 INT };"
      "DEFINE PRIMARY SCHEMA s1 FOR r { TABLE 's1', ROW suffix('-'){k1}:k2, FAMILY 'f', "
      "QUALIFIER '', VALUE suffix('-'){v1}:v2 };"
      "DEFINE SCHEMA s2 FOR r { TABLE 's2', ROW size{k2}:k1, FAMILY 'f', "
      "QUALIFIER attr_name['k1','k2'], VALUE attr_value['k1','k2'] };"
      "DEFINE RELATION apdata { service STRING KEY, dev STRING KEY, path STRING KEY, dt DATE KEY, "
      "indicator STRING KEY, target_type STRING KEY, target_value STRING KEY, hour INT KEY, "
      "val BIGINT };"
      "DEFINE PRIMARY SCHEMA apv1 FOR apdata { TABLE 'anapat', ROW suffix('-'){service}:"
      "suffix('-'){dev}:suffix('-'){path}:regexp('[0-9]{4}-[01][0-9]-[0-3][0-9]'){text{dt}}:'-':"
      "suffix('-'){indicator}:suffix('-'){target_type}:target_value, FAMILY 'a', QUALIFIER hour, "
      "VALUE val };"
      "DEFINE RELATION m { id BIGINT KEY, day DATE KEY, at TIMESTAMP KEY, x DOUBLE, b BYTES, "
      "d DECIMAL, f FLOAT, t BOOLEAN, n INT NOT NULL DEFAULT 7, s STRING };"
      "DEFINE PRIMARY SCHEMA m_id FOR m { TABLE 'm_id', ROW id:text{day}:at, FAMILY 'f', "
      "QUALIFIER attr_name[id, day, at], VALUE attr_value[id, day, at] };"
      "DEFINE SCHEMA m_day FOR m { TABLE 'm_day', ROW day:text(6){n}:id:at, FAMILY 'f', VALUE "
      "'' };"
      "DEFINE RELATION p { a INT KEY, b STRING KEY, c STRING };"
      "DEFINE PRIMARY SCHEMA p_table FOR p { TABLE 'p_':a, ROW fixed(4, ' '){b}, FAMILY 'f', VALUE "
      "c };"
      "DEFINE RELATION moved { k INT KEY, v INT, w INT };"
      "DEFINE PRIMARY SCHEMA moved_w FOR moved { TABLE 'moved_w', ROW w:k, FAMILY 'f', VALUE v };"
      "DEFINE SCHEMA moved_v FOR moved { TABLE 'moved_v', ROW v:k, FAMILY 'f' };"
      "DEFINE RELATION spread { who STRING KEY, ts TIMESTAMP KEY, v INT };"
      "DEFINE PRIMARY SCHEMA spread_salt FOR spread { TABLE 'spread_salt', ROW "
      "salt(3){who}:ts:who, "
      "FAMILY 'f', VALUE v };"
      "DEFINE SCHEMA spread_hash FOR spread { TABLE 'spread_hash', ROW hash(crc32, "
      "2){who}:suffix('-'){who}:ts, FAMILY 'f', VALUE v };"
      "DEFINE SCHEMA spread_hour FOR spread { TABLE 'spread_hour', ROW "
      "format('yyyyMMddHH'){ts}:suffix('-'){who}:ts, FAMILY 'f', VALUE v };"
      "DEFINE SCHEMA spread_wide FOR spread { TABLE 'spread_wide', ROW "
      "suffix('-'){who}:bucket(3600000){text{ts}}, FAMILY 'f', QUALIFIER "
      "offset(3600000){text(7){ts}}, VALUE v };"
      "DEFINE RELATION marked { k INT KEY, v INT, w INT };"
      "DEFINE PRIMARY SCHEMA marked_k FOR marked { TABLE 'marked_k', ROW k, FAMILY 'f', QUALIFIER "
      "attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');"
      "DEFINE SCHEMA marked_v FOR marked { TABLE 'marked_v', ROW v:k, FAMILY 'f' };"
      "DEFINE RELATION fanned { k INT KEY, v INT, w INT };"
      "DEFINE PRIMARY SCHEMA fanned_k FOR fanned { TABLE 'fanned_k', ROW k, FAMILY 'f', QUALIFIER "
      "attr_name[k], VALUE attr_value[k] };"
      "DEFINE RELATION repeated { k INT KEY, v INT, w INT };"
      "DEFINE PRIMARY SCHEMA repeated_v FOR repeated { TABLE 'repeated_v', ROW k:ordered{v}, "
      "FAMILY "
      "'f', QUALIFIER attr_name[k], VALUE attr_value[k] };"
      "DEFINE SCHEMA repeated_name FOR repeated { TABLE 'repeated_name', ROW attr_name[k]:'/':k, "
      "FAMILY 'f', VALUE attr_value[k] };"
      "DEFINE RELATION bare { a INT KEY };"
      "DEFINE RELATION other { a INT KEY, b STRING, c STRING }";

#ifdef GOLDEN_RIGHTS
#define IS_OF_ROLE TRUE
#else
#define IS_OF_ROLE FALSE
#endif

/* The definitions above, and those that some cases need in addition, are made once and used until a
 * case changes them, as proving them takes longer than most cases. This also tests that a rejected
 * statement changes nothing. */
static ServiceFixture fixture;
static gchar *open_for; /* the additional definitions; NULL: @fixture is not open */
static const gchar *open_on;

/* ---- by whom */

/* Not for ordinary roles: tests/daemon/identity. */
static gboolean
needs_superuser (const gchar *statement)
{
  static const gchar *const words[]
      = { " ROLE ", " USER ", "BACKUP", "CREATE OR REPLACE VIEW", "DROP VIEW" };
  gboolean needs = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (words) && !needs; i++)
    needs = strstr (statement, words[i]) != NULL;
  return needs;
}

static KvsqlResultPage *
run_as (const gchar *role, const gchar *statement, GError **error)
{
  KvsqldIdentity identity = { .auth = KVSQLD_AUTH_SCRAM, .user_id = -1, .role = g_strdup (role) };
  const gboolean is_of_role = IS_OF_ROLE && !needs_superuser (statement);
  const KvsqldRequest request = { .identity = is_of_role ? &identity : NULL };
  KvsqlResultPage *page = kvsqld_service_query (fixture.service, &request,
                                                kvsql_slice_from_text (statement), NULL, 0, error);

  kvsqld_identity_clear (&identity);
  return page;
}

static void
define (const gchar *script)
{
  KvsqlSlice text = kvsql_slice_from_text (script), statement;
  gsize offset = 0;
  gboolean complete;

  while (kvsql_sql_split (text, &offset, &statement, &complete))
    {
      g_autofree gchar *one = g_strndup ((const gchar *)statement.data, statement.size);
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlResultPage) page = run_as ("owner", one, &error);

      g_assert_no_error (error);
      g_assert_nonnull (page);
    }
}

/* Words of errors that say what there is: the stranger must not learn it. */
static gboolean
names_a_relation (const gchar *text)
{
  static const gchar *const names[]
      = { "apdata", "moved_w", "spread_salt", "marked_k", "fanned_k", "repeated_v", "anapat" };

  for (guint i = 0; text != NULL && i < G_N_ELEMENTS (names); i++)
    if (strstr (text, names[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* It sees no tuple, and no name that it has not written. */
static void
check_stranger (const gchar *statement)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = NULL;
  g_autoptr (GString) shown = g_string_new (NULL);
  gint64 n_rows = kvsql_count_get (&fixture.service->store->usage.n_rows_read);

  if (!IS_OF_ROLE || needs_superuser (statement))
    return;
  page = run_as ("stranger", statement, &error);
  if (page == NULL)
    g_assert_true (error->domain == KVSQL_ERROR);
  else if (page->rows != NULL)
    service_fixture_append_page (page, shown);
  g_assert_cmpint (kvsql_count_get (&fixture.service->store->usage.n_rows_read), ==, n_rows);
  if (names_a_relation (statement))
    return;
  g_assert_false (names_a_relation (shown->str));
  g_assert_false (error != NULL
                  && (names_a_relation (error->message)
                      || names_a_relation (kvsql_error_get_hint (error))
                      || names_a_relation (kvsql_error_get_detail (error))));
}

static void
close_fixture (void)
{
  if (open_for != NULL)
    service_fixture_close (&fixture);
  g_clear_pointer (&open_for, g_free);
}

/* @store: NULL: in memory, with the definitions above */
static void
open_fixture (const gchar *store, const gchar *besides)
{
  if (g_strcmp0 (open_for, besides) == 0 && open_on == store)
    return;
  close_fixture ();
  service_fixture_open (&fixture, store);
  if (IS_OF_ROLE)
    service_fixture_script (&fixture, "CREATE ROLE stranger LOGIN;"
                                      "CREATE ROLE owner LOGIN DEFINE ON TABLES LIKE '%'");
  if (store == NULL)
    define (published);
  define (besides);
  open_for = g_strdup (besides);
  open_on = store;
}

static gboolean
is_harmless (const gchar *statement, const KvsqlResultPage *page)
{
  return page == NULL || g_ascii_strncasecmp (statement, "SELECT", 6) == 0
         || g_ascii_strncasecmp (statement, "EXPLAIN", 7) == 0;
}

/* The last statement's page, or its error; the others must succeed. */
static KvsqlResultPage *
run_script (const gchar *script, gchar **out_last, guint *out_n, GError **error)
{
  KvsqlSlice text = kvsql_slice_from_text (script), statement;
  g_autoptr (KvsqlResultPage) page = NULL;
  gsize offset = 0;
  gboolean complete;

  *out_last = NULL;
  *out_n = 0;
  while (kvsql_sql_split (text, &offset, &statement, &complete))
    {
      g_assert_no_error (*error);
      g_clear_pointer (&page, kvsql_result_page_free);
      g_free (*out_last);
      *out_last = g_strndup ((const gchar *)statement.data, statement.size);
      (*out_n)++;
      check_stranger (*out_last);
      page = run_as ("owner", *out_last, error);
    }
  return g_steal_pointer (&page);
}

static gchar *
render_on (const gchar *store, const gchar *besides, const gchar *input)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = NULL;
  g_autofree gchar *last = NULL;
  GString *out = g_string_new (NULL);
  guint n;

  open_fixture (store, besides);
  page = run_script (input, &last, &n, &error);
  if (page == NULL)
    golden_append_error (out, last, error);
  else if (page->rows == NULL)
    g_string_append (out, "no error");
  else
    service_fixture_append_page (page, out);
  for (guint i = 0; page != NULL && page->warnings != NULL && i < page->warnings->len; i++)
    g_string_append_printf (
        out, "\n%s%s", g_str_has_prefix (page->warnings->pdata[i], "note: ") ? "" : "warning: ",
        (const gchar *)page->warnings->pdata[i]);
  if (n > 1 || !is_harmless (last, page))
    close_fixture ();
  return g_string_free (out, FALSE);
}

static gchar *
render_with (const gchar *besides, const gchar *input)
{
  return render_on (NULL, besides, input);
}

static gchar *
render (const gchar *input)
{
  return render_with ("", input);
}

/* The result of a query of some tuples. */
static gchar *
render_answer (const gchar *input)
{
  return render_with (
      "DEFINE RELATION q { k1 STRING KEY, k2 STRING KEY, v1 STRING, v2 INT };"
      "DEFINE PRIMARY SCHEMA q1 FOR q { TABLE 'q1', ROW suffix('-'){k1}:k2, FAMILY 'f', QUALIFIER "
      "attr_name['k1','k2'], VALUE attr_value['k1','k2'] };"
      "INSERT INTO q VALUES ('a','x','p',1), ('a','y','q',2), ('b','x','p',NULL), "
      "('b','y','r',4), ('c','z','p',2), ('d','z','',NULL)",
      input);
}

/* A table with two families and three kinds of values, as another program writes it; and raw access
 * to its cells. */
static gchar *
render_cells (const gchar *input)
{
  return render_with (
      "DEFINE RELATION u { id INT KEY, name STRING, age INT, hits BIGINT, score DOUBLE, x INT, y "
      "STRING, tags MAP<STRING, STRING>, rest MAP<STRING, BYTES> };"
      "DEFINE PRIMARY SCHEMA u1 FOR u { TABLE 'u', ROW text(2){id}, CELLS { 'info':'name' = name, "
      "'info':'age' = text{age}, 'stats':'hits' = hits, '0':x'800b' = phoenix{score}, "
      "'info':'xy' = null('-'){text{x}}:'|':null('-'){y}, 'tag':'t_':map_key(tags) = "
      "map_value(tags), OTHERS = rest } };"
      "DEFINE RELATION raw { row STRING KEY, family STRING KEY, qualifier BYTES KEY, value BYTES };"
      "DEFINE PRIMARY SCHEMA raw_u FOR raw { TABLE 'u', ROW row, FAMILY family, QUALIFIER "
      "qualifier, VALUE value } WITH (role = read);"
      "INSERT INTO u VALUES (1, 'ann', 30, 7, 1.5, 4, 'q', '{\"a\": \"1\", \"b\": \"2\"}', "
      "'{\"info:nick\": \"QQ==\", \"f:\\\\x00\\\\\\\\\": \"\"}'), "
      "(2, 'bob', NULL, NULL, NULL, NULL, 'r', NULL, NULL), "
      "(3, NULL, NULL, 9, NULL, NULL, NULL, '{\"c\": \"\"}', NULL)",
      input);
}

/* Documents of another program, and how they are after a write. */
static gchar *
render_json_members (const gchar *input)
{
  return render_with (
      "DEFINE RELATION raw { k STRING KEY, doc STRING };"
      "DEFINE PRIMARY SCHEMA raw_j FOR raw { TABLE 'j', ROW k, FAMILY 'f', VALUE doc };"
      "INSERT INTO raw VALUES "
      "('1', '{\"name\": \"ann\", \"stats\": {\"n\": 5, \"m\": 1.50}, \"zip\": 3000}'), "
      "('2', ' { \"zip\" : 1 , \"name\" : null , \"stats\" : { } } '), ('3', '{\"stats\": 7}'), "
      "('4', '[1]'), ('5', '{\"name\": 5}'), ('6', '{\"name\": \"a\", \"name\": \"b\"}'), "
      "('7', '{\"name\":\"\\u00e9\\\"\", \"a list\": [1, 2], \"o\": {\"p\": {\"q\": [true]}}}'), "
      "('8', 'text'), ('9', '{}');"
      "DROP RELATION raw;"
      "DEFINE RELATION j { k STRING KEY, name STRING, n INT, list LIST<INT>, q JSON, rest JSONB };"
      "DEFINE PRIMARY SCHEMA j_k FOR j { TABLE 'j', ROW k, FAMILY 'f', VALUE "
      "json('$.name'){name}:json('$.stats.n'){n}:json('$.\"a list\"'){list}:json('$.o.p.q'){q}:"
      "json('$'){rest} };"
      "DEFINE RELATION raw { k STRING KEY, doc STRING };"
      "DEFINE PRIMARY SCHEMA raw_j FOR raw { TABLE 'j', ROW k, FAMILY 'f', VALUE doc } "
      "WITH (role = read)",
      input);
}

/* Cells of all columns as Phoenix writes them, and others that only look like them. */
static gchar *
render_phoenix_cell (const gchar *input)
{
  return render_with (
      "DEFINE RELATION raw { k STRING KEY, cell BYTES };"
      "DEFINE PRIMARY SCHEMA raw_p FOR raw { TABLE 'p', ROW k, FAMILY '0', QUALIFIER '1', VALUE "
      "cell };"
      "INSERT INTO raw VALUES "
      "('all', x'78616e6e8000000778797ac10d330000000100040008000b0000000e0000000503'), "
      "('some', x'7880000007c10d330000ffff0001fffb0005000000080000000503'), "
      "('none', x'780000ffffffffffffffff000000010000000503'), "
      "('fewer', x'78616e6e00000001000000040000000203'), "
      "('more', x'78616e6e800000074100000001fffcfffcfffc0004fff7000000090000000703'), "
      "('wide', x'78616e6e0000000000000001fffffffc00000004fffffffd03'), "
      "('zero-bytes', x'7800000001000000010000000203'), "
      "('no-elements', x'000000000000000003'), "
      "('version', x'780000000000010000000102'), "
      "('too-few', x'780000000000010000000203'), "
      "('place', x'780000000000020000000103'), "
      "('order', x'78616e6e000000040001000000040000000303'), "
      "('beyond', x'78616e6e00000005000000040000000203'), "
      "('count', x'780000000000018000000003'), "
      "('nothing', x''), "
      "('number', x'78616e6e07000000010004000000050000000303');"
      "DROP RELATION raw;"
      "DEFINE RELATION ph { k STRING KEY, v STRING, n INT, w STRING, d DECIMAL, t TIMESTAMP };"
      "DEFINE PRIMARY SCHEMA ph_k FOR ph { TABLE 'p', ROW k, FAMILY '0', QUALIFIER '1', VALUE "
      "phoenix_column(11){phoenix{v}}:phoenix_column(12){phoenix{n}}:phoenix_column(14){phoenix{d}}"
      ":phoenix_column(13){phoenix{w}}:phoenix_column(16){phoenix{t}:x'00000000'} };"
      "DEFINE RELATION raw { k STRING KEY, cell BYTES };"
      "DEFINE PRIMARY SCHEMA raw_p FOR raw { TABLE 'p', ROW k, FAMILY '0', QUALIFIER '1', VALUE "
      "cell } WITH (role = read)",
      input);
}

/* Lists as Phoenix's arrays. The cells of other programs are written through a raw relation. */
static gchar *
render_phoenix_array (const gchar *input)
{
  return render_with (
      "DEFINE RELATION raw { k STRING KEY, i BYTES, s BYTES };"
      "DEFINE PRIMARY SCHEMA raw_p FOR raw { TABLE 'a', ROW k, FAMILY '0', QUALIFIER attr_name[k], "
      "VALUE attr_value[k] };"
      "INSERT INTO raw VALUES "
      "('arrays', x'800000017fffffff', x'610000fe620000008001800380038005000000080000000401'), "
      "('only-nulls', NULL, x'000080018001000000020000000201'), "
      "('none', x'', NULL), ('half', x'8000000180', NULL), "
      "('version', NULL, x'610000008001000000040000000102'), "
      "('cell', NULL, x'610000008001000000040000000103'), "
      "('place', NULL, x'6100000080017fffffff0000000101'), "
      "('start', NULL, x'610000007fff000000040000000101'), "
      "('count', NULL, x'61000000800100000004ffffffff01'), "
      "('short', NULL, x'01');"
      "DROP RELATION raw;"
      "DEFINE RELATION pa { k STRING KEY, i LIST<INT>, s LIST<STRING>, c LIST<STRING>, "
      "t LIST<TIMESTAMP>, d LIST<DECIMAL>, b LIST<BOOLEAN>, u LIST<BIGINT>, x LIST<BYTES> };"
      "DEFINE PRIMARY SCHEMA pa_k FOR pa { TABLE 'a', ROW k, CELLS { '0':'i' = phoenix{i}, "
      "'0':'s' = phoenix{s}, '0':'c' = phoenix(char, 3){c}, '0':'t' = phoenix(timestamp){t}, "
      "'0':'d' = phoenix{d}, '0':'b' = phoenix{b}, '0':'u' = phoenix(unsigned_long){u}, "
      "'0':'x' = phoenix(binary, 2){x} } };"
      "DEFINE RELATION raw { k STRING KEY, q STRING KEY, v BYTES };"
      "DEFINE PRIMARY SCHEMA raw_p FOR raw { TABLE 'a', ROW k, FAMILY '0', QUALIFIER q, VALUE v } "
      "WITH (role = read);"
      "DEFINE RELATION one { k STRING KEY, n INT, l LIST<STRING>, m LIST<INT> };"
      "DEFINE PRIMARY SCHEMA one_k FOR one { TABLE 'one', ROW k, FAMILY '0', QUALIFIER '1', VALUE "
      "phoenix_column(11){phoenix{l}}:phoenix_column(12){phoenix{n}}"
      ":phoenix_column(13){phoenix(smallint){m}} };"
      "DEFINE RELATION raw_one { k STRING KEY, v BYTES };"
      "DEFINE PRIMARY SCHEMA raw_one_k FOR raw_one { TABLE 'one', ROW k, FAMILY '0', QUALIFIER "
      "'1', VALUE v } WITH (role = read)",
      input);
}

/* Three regions with 24 days each, and the statistics of ANALYZE. */
static gchar *
render_skip (const gchar *input)
{
  g_autoptr (GString) script = g_string_new (
      "DEFINE RELATION visit { region STRING KEY, day INT KEY, id INT KEY, v INT, is_new BOOLEAN };"
      "DEFINE PRIMARY SCHEMA visit_region FOR visit { TABLE 'visit_region', ROW "
      "suffix(x'00'){region}:ordered{day}:id, FAMILY 'f', VALUE v:is_new };"
      "DEFINE SCHEMA visit_hash FOR visit { TABLE 'visit_hash', ROW hash(crc32, 1){region}:day:"
      "size{region}:id, FAMILY 'f' };"
      "DEFINE SCHEMA visit_id FOR visit { TABLE 'visit_id', ROW id:day:region, FAMILY 'f', VALUE "
      "v:is_new };"
      "DEFINE RELATION flagged { f BOOLEAN KEY, k INT KEY };"
      "DEFINE PRIMARY SCHEMA flagged_f FOR flagged { TABLE 'flagged_f', ROW f:k, FAMILY 'f' };"
      "DEFINE RELATION unknown { a INT KEY, b INT KEY };"
      "DEFINE PRIMARY SCHEMA unknown_a FOR unknown { TABLE 'unknown_a', ROW a:b, FAMILY 'f' };"
      "INSERT INTO visit VALUES ");

  for (guint i = 0; i < 72; i++)
    g_string_append_printf (script, "%s('%s', %u, %u, %u, %s)", i > 0 ? ", " : "",
                            i < 24   ? "east"
                            : i < 48 ? "north"
                                     : "west",
                            i % 24, i, i % 5, i % 2 == 0 ? "TRUE" : "FALSE");
  g_string_append (script, "; ANALYZE visit");
  return render_with (script->str, input);
}

static gchar *
render_plan (const gchar *input)
{
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ", input, NULL);

  return render (explain);
}

/* ---- several tuples in a cell */

/* The cells are written through raw relations. */
static const gchar each[]
    = "DEFINE RELATION raw { k STRING KEY, v BYTES };"
      "DEFINE PRIMARY SCHEMA raw_k FOR raw { TABLE 'each', ROW k, FAMILY 'f', VALUE v };"
      "INSERT INTO raw VALUES ('list/1', 'b,a,c'), ('list/2', ''), ('list/3', 'a,b,a'), "
      "('list/4', 'x,'), ('list/5', x'612cff'),"
      "('pairs/1', 'b=1;a=20;x,=2'), ('pairs/2', 'b=20'), ('pairs/3', 'a=1,b=2'),"
      "('pairs/4', 'a=1;'), ('pairs/5', 'a'),"
      "('packed/1', x'0000000100000002000000030000000401'), ('packed/2', x'00'),"
      "('packed/3', x'00000001000000020000000300000004'), ('packed/4', x''),"
      "('counted/1', x'00020161000300626301620000ff'), ('counted/2', x'0000ff'),"
      "('counted/3', x'00010161ff'), ('counted/4', x'00010161000141ff'), ('counted/5', x'0001');"
      "INSERT INTO raw SELECT 'list/long', CAST (string_agg (to_char (n, 'FM0000'), ',') AS BYTES) "
      "FROM generate_series (1, 3000) AS g (n);"
      "DROP RELATION raw;"
      /* points at 0 s, 1 s, 2.5 s and 4 s, compacted; then points at 1 s and 4 s again, and one at
       * 3599 s */
      "DEFINE RELATION raw { row BYTES KEY, q BYTES KEY, v BYTES };"
      "DEFINE PRIMARY SCHEMA raw_k FOR raw { TABLE 'tsdb', ROW row, FAMILY 't', QUALIFIER q, "
      "VALUE v };"
      "INSERT INTO raw VALUES (x'00000150e22700000001000001', x'0000001bf00271010040', "
      "x'2a40900000fed40101');"
      "INSERT INTO raw VALUES (x'00000150e22700000001000001', x'001b', x'40900000'), "
      "(x'00000150e22700000001000001', x'0040', x'02'), "
      "(x'00000150e22700000001000001', x'e0ff', x'3ff8000000000000'), "
      /* of two points and without the last byte; an annotation; flags of 3 bytes; a value that is
       * too long; two whole numbers; one that was left over */
      "(x'00000150e23510000001000001', x'00000010', x'0102'), "
      "(x'00000150e23510000001000001', x'010000', x'7b7d'), "
      "(x'00000150e23510000001000001', x'0022', x'010203'), "
      "(x'00000150e23510000001000001', x'0030', x'0102'), "
      "(x'00000150e23510000001000001', x'00470050', x'800000000000000005' || x'00'), "
      "(x'00000150e23510000001000001', x'0060', x'0600');"
      "DROP RELATION raw;"
      "DEFINE RELATION points { metric BIGINT KEY, at TIMESTAMP KEY, tags BYTES KEY, v DOUBLE };"
      "DEFINE PRIMARY SCHEMA points_at FOR points { TABLE 'tsdb', ROW unsigned(3){metric}:"
      "bucket(3600000){seconds(4){at}}:tags, FAMILY 't', QUALIFIER each{tsdb_offset{at}}, "
      "VALUE each{tsdb_value{v}} } WITH (role = read);"
      "DEFINE RELATION counts { metric BIGINT KEY, at TIMESTAMP KEY, tags BYTES KEY, n BIGINT };"
      "DEFINE PRIMARY SCHEMA counts_at FOR counts { TABLE 'tsdb', ROW unsigned(3){metric}:"
      "bucket(3600000){seconds(4){at}}:tags, FAMILY 't', QUALIFIER each{tsdb_offset{at}}, "
      "VALUE each{tsdb_value{n}} } WITH (role = read);"
      "DEFINE RELATION raw { row STRING KEY, q BYTES KEY, v BYTES };"
      "DEFINE PRIMARY SCHEMA raw_k FOR raw { TABLE 'step', ROW row, FAMILY 'f', QUALIFIER q, "
      "VALUE v };"
      "INSERT INTO raw VALUES ('a', x'0001ff0002', '10,20'), ('a', x'0003ff', '30'), "
      "('b', x'0001ff0002', '10'), ('b', x'0003', '30,40'), ('b', x'0004ff0004', '40,40'), "
      "('b', x'0005ff', '50');"
      "DROP RELATION raw;"
      "DEFINE RELATION step { id STRING KEY, n INT KEY, v INT };"
      "DEFINE PRIMARY SCHEMA step_id FOR step { TABLE 'step', ROW id, FAMILY 'f', "
      "QUALIFIER each(x'ff'){unsigned(2){n}}, VALUE each(','){text{v}} } WITH (role = read);"
      "DEFINE RELATION list { id STRING KEY, tag STRING KEY };"
      "DEFINE PRIMARY SCHEMA list_id FOR list { TABLE 'each', ROW 'list/':id, FAMILY 'f', "
      "VALUE each(','){tag} } WITH (role = read);"
      "DEFINE RELATION pairs { id STRING KEY, name STRING KEY, n INT };"
      "DEFINE PRIMARY SCHEMA pairs_id FOR pairs { TABLE 'each', ROW 'pairs/':id, FAMILY 'f', "
      "VALUE each(';'){name:'=':text{n}} } WITH (role = read);"
      "DEFINE RELATION packed { id STRING KEY, a INT KEY, b INT, last BOOLEAN };"
      "DEFINE PRIMARY SCHEMA packed_id FOR packed { TABLE 'each', ROW 'packed/':id, FAMILY 'f', "
      "VALUE each{a:b}:last } WITH (role = read);"
      "DEFINE RELATION counted { id STRING KEY, tag STRING KEY, n BYTES, at TIMESTAMP };"
      "DEFINE PRIMARY SCHEMA counted_id FOR counted { TABLE 'each', ROW 'counted/':id, FAMILY 'f', "
      "VALUE each(2){size{tag}:size(2){n}}:x'ff', TIMESTAMP at } WITH (role = read)";

static gchar *
render_each (const gchar *input)
{
  return render_on (NULL, each, input);
}

/* ---- checked writes */

static const gchar checked[]
    = "DEFINE RELATION c { k INT KEY, v INT NOT NULL, w STRING NOT NULL } WITH (writes = checked);"
      "DEFINE PRIMARY SCHEMA c_k FOR c { TABLE 'c_k', ROW text(2){k}, FAMILY 'f', "
      "VALUE text(2){v}:w };"
      "DEFINE SCHEMA c_v FOR c { TABLE 'c_v', ROW text(2){v}:text(2){k}, FAMILY 'f', VALUE '' };"
      "DEFINE SCHEMA c_w FOR c { TABLE 'c_w', ROW text(2){k}, FAMILY 'f', VALUE size{w}:text(2){v} "
      "};"
      "INSERT INTO c VALUES (1, 10, 'a'), (2, 20, 'b')";

/* ---- blind writes */

static const gchar blind[]
    = "DEFINE RELATION b { k INT KEY, v INT, w STRING NOT NULL } WITH (writes = blind);"
      "DEFINE PRIMARY SCHEMA b_k FOR b { TABLE 'b_k', ROW text(2){k}, FAMILY 'f', "
      "QUALIFIER attr_name[k], VALUE attr_value[k] };"
      "DEFINE SCHEMA b_w FOR b { TABLE 'b_w', ROW 'w':text(2){k}, FAMILY 'f', VALUE w };"
      "DEFINE RELATION one { k INT KEY, v INT NOT NULL } WITH (writes = blind);"
      "DEFINE PRIMARY SCHEMA one_k FOR one { TABLE 'one_k', ROW text(2){k}, FAMILY 'f', "
      "VALUE text(2){v} };"
      "DEFINE RELATION moving { k INT KEY, v INT NOT NULL };"
      "DEFINE PRIMARY SCHEMA moving_k FOR moving { TABLE 'moving_k', ROW text(2){k}, FAMILY 'f', "
      "VALUE text(2){v} };"
      "DEFINE SCHEMA moving_v FOR moving { TABLE 'moving_v', ROW text(2){v}:text(2){k}, FAMILY 'f' "
      "};"
      "DEFINE RELATION empty { k INT KEY, v INT, m MAP<STRING, INT> } WITH (writes = blind)";

/* Until the anchors are cleared, and the entry of the log is removed. */
static void
await_end_of_writes (void)
{
  guint n = 1;

  while (n > 0)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (GError) error = NULL;
      KvsqlLogEntry *entries;

      g_usleep (1000);
      g_assert_true (kvsql_log_entries_read (fixture.service->store, 0, G_MAXUINT64, NULL, arena,
                                             &entries, &n, &error));
    }
}

/* Random ids and timestamps are left out. */
static gchar *
mask (const gchar *text)
{
  static const gchar *const masks[][2] = {
    { "(table \"kvsql_anchors\", row \")(?:\\\\x..|\\\\.|[^\\\\]){8}", "\\1RELATION" },
    { "(table \"kvsql_log\", row \")(?:\\\\x..|\\\\.|[^\\\\]){8}", "\\1DAEMON" },
    { "(kvsql_anchors|kvsql_log)\\\\n(?:\\\\.|[^\"\\\\])*", "\\1" },
    { "(a:state|a:payload|l:keys) = .*", "\\1 = …" },
    { "a:load.* = .*", "a:load… = …" },
    { "(\"table\":\"6b7673716c5f616e63686f7273\",\"row\":\")[0-9a-f]{16}", "\\1RELATION" },
    { "(\"table\":\"6b7673716c5f6c6f67\",\"row\":\")[0-9a-f]{16}", "\\1DAEMON" },
    { "(\"qualifier\":\"(?:7374617465|7061796c6f6164|6b657973)\",\"value\":\")[0-9a-f]*", "\\1…" },
  };
  gchar *masked = g_strdup (text);

  for (guint i = 0; i < G_N_ELEMENTS (masks); i++)
    {
      g_autoptr (GRegex) regex = g_regex_new (masks[i][0], 0, 0, NULL);
      g_autofree gchar *before = g_steal_pointer (&masked);

      masked = g_regex_replace (regex, before, -1, 0, masks[i][1], 0, NULL);
    }
  return masked;
}

/* Locks the keys of the tuples with k from 0 up to @n. */
static void
lock_keys (KvsqlKeyLocks *locks, gint n)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (fixture.service->definitions);
  const KvsqlRelation *relation = ((const KvsqlCatalogEntry *)catalog->entries->pdata[0])->relation;

  for (gint k = 0; k < n; k++)
    {
      const KvsqlValue tuple[3] = { { .type = KVSQL_TYPE_INT, .integer = k } };
      const KvsqlValue *tuples[] = { tuple };

      kvsql_key_locks_add_tuples (locks, relation, tuples, 1);
    }
  g_assert_true (kvsql_storage_lock (fixture.service->storage, locks, NULL, NULL));
}

/* Nothing is written, and no lock is needed: the keys of all tuples are locked. */
static gchar *
render_checked (const gchar *input)
{
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ", input, NULL), *text = NULL;
  KvsqlKeyLocks locks = { 0 };
  gint64 n_written;

  open_fixture ("rows", checked);
  await_end_of_writes ();
  n_written = kvsql_count_get (&fixture.service->store->usage.n_mutations);
  lock_keys (&locks, 4);
  text = render_on ("rows", checked, explain);
  kvsql_storage_unlock (fixture.service->storage, &locks);
  g_assert_cmpint (kvsql_count_get (&fixture.service->store->usage.n_mutations), ==, n_written);
  return mask (text);
}

/* On a store without atomic batches. */
static gchar *
render_blind (const gchar *input)
{
  g_autofree gchar *text = render_on ("rows", blind, input);

  return mask (text);
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  if (IS_OF_ROLE) /* test-golden-service writes the files */
    g_unsetenv ("KVSQL_UPDATE_GOLDEN");
  golden_register ("definition-errors.case", "definition-errors", render);
  golden_register ("statement-errors.case", "statement-errors", render);
  golden_register ("write-errors.case", "write-errors", render);
  golden_register ("expression-errors.case", "expression-errors", render);
  golden_register ("json-errors.case", "json-errors", render);
  golden_register ("explain-uuid.case", "explain-uuid", render);
  golden_register ("values.case", "values", render);
  golden_register ("intervals.case", "intervals", render);
  golden_register ("foreign-errors.case", "foreign-errors", render);
  golden_register ("map-keys.case", "map-keys", render);
  golden_register ("endings.case", "endings", render);
  golden_register ("select-errors.case", "select-errors", render);
  golden_register ("select.case", "select", render_answer);
  golden_register ("cells.case", "cells", render_cells);
  golden_register ("each.case", "each", render_each);
  golden_register ("json-members.case", "json-members", render_json_members);
  golden_register ("phoenix-cell.case", "phoenix-cell", render_phoenix_cell);
  golden_register ("phoenix-array.case", "phoenix-array", render_phoenix_array);
  golden_register ("explain-select.case", "explain-select", render_plan);
  golden_register ("view-errors.case", "view-errors", render);
  golden_register ("join-errors.case", "join-errors", render);
  golden_register ("subquery-errors.case", "subquery-errors", render);
  golden_register ("explain-join.case", "explain-join", render_plan);
  golden_register ("explain-subquery.case", "explain-subquery", render_plan);
  golden_register ("explain-dot.case", "explain-dot", render_plan);
  golden_register ("lateral.case", "lateral", render_answer);
  golden_register ("lateral-errors.case", "lateral-errors", render);
  golden_register ("explain-lateral.case", "explain-lateral", render_plan);
  golden_register ("joined-write.case", "joined-write", render_answer);
  golden_register ("joined-write-errors.case", "joined-write-errors", render);
  golden_register ("explain-joined-write.case", "explain-joined-write", render_plan);
  golden_register ("set.case", "set", render_answer);
  golden_register ("set-errors.case", "set-errors", render);
  golden_register ("explain-set.case", "explain-set", render_plan);
  golden_register ("grouping-sets.case", "grouping-sets", render_answer);
  golden_register ("grouping-sets-errors.case", "grouping-sets-errors", render);
  golden_register ("explain-grouping-sets.case", "explain-grouping-sets", render_plan);
  golden_register ("window.case", "window", render_answer);
  golden_register ("window-errors.case", "window-errors", render);
  golden_register ("explain-window.case", "explain-window", render_plan);
  golden_register ("explain.case", "explain", render_plan);
  golden_register ("explain-supposed.case", "explain-supposed", render_answer);
  golden_register ("explain-skip.case", "explain-skip", render_skip);
  golden_register ("explain-checked.case", "explain-checked", render_checked);
  golden_register ("blind.case", "blind", render_blind);
  status = g_test_run ();
  close_fixture ();
  return status;
}
