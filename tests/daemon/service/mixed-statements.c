/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * mixed-statements.c: see the header.
 */
#include "config.h"

#include "tests/daemon/service/mixed-statements.h"

#include "tests/harness/assert.h"

#define SHARED_LANE "shared"

/* ---- calls */

static KvsqlResultPage *
query (MixedStatements *self, const KvsqldRequest *request, const gchar *sql,
       const KvsqlValue *parameters, guint n_parameters)
{
  GError *error = NULL;
  KvsqlResultPage *page = kvsqld_service_query (self->service, request, kvsql_slice_from_text (sql),
                                                parameters, n_parameters, &error);

  self->n_calls++;
  if (error != NULL)
    g_error ("%s\n%s", sql, error->message);
  return page;
}

static void
run (MixedStatements *self, const gchar *sql)
{
  G_GNUC_UNUSED g_autoptr (KvsqlResultPage) page = query (self, NULL, sql, NULL, 0);
}

static void
fail (MixedStatements *self, const KvsqldRequest *request, const gchar *sql, KvsqlErrorCode code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page
      = kvsqld_service_query (self->service, request, kvsql_slice_from_text (sql), NULL, 0, &error);

  self->n_calls++;
  if (page != NULL || error->code != (gint)code)
    g_error ("%s\nexpected error %d, got %s", sql, code, page != NULL ? "none" : error->message);
}

static KvsqlResultPage *
fetch (MixedStatements *self, const KvsqldRequest *request, GBytes *cursor)
{
  g_autoptr (GError) error = NULL;
  gsize size;
  const guint8 *data = g_bytes_get_data (cursor, &size);
  KvsqlResultPage *page
      = kvsqld_service_fetch (self->service, request, kvsql_slice (data, size), &error);

  self->n_calls++;
  g_assert_no_error (error);
  return page;
}

static KvsqlValue
text_value (const gchar *text)
{
  return (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (text) };
}

static KvsqlValue
integer_value (gint64 number)
{
  return (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = number };
}

static gint
any_row (MixedStatements *self)
{
  return g_rand_int_range (self->random, 0, MIXED_LANE_ROWS);
}

static gint64
any_number (MixedStatements *self)
{
  return g_rand_int_range (self->random, 0, G_MAXINT32);
}

static guint
count_expected (const MixedStatements *self)
{
  guint n = 0;

  for (guint i = 0; i < MIXED_LANE_ROWS; i++)
    n += self->expected[i] >= 0;
  return n;
}

/* ---- writing; text and number say the same, so that a torn row is seen */

static void
insert_literals (MixedStatements *self)
{
  gint row = any_row (self);
  gint64 number = any_number (self);
  g_autofree gchar *sql = g_strdup_printf ("INSERT INTO mixed VALUES ('%s', %d, 'n%" G_GINT64_FORMAT
                                           "', %" G_GINT64_FORMAT ", 0.5)",
                                           self->lane, row, number, number);

  run (self, sql);
  self->expected[row] = number;
}

static void
insert_parameters (MixedStatements *self)
{
  gint row = any_row (self);
  gint64 number = any_number (self);
  g_autofree gchar *text = g_strdup_printf ("n%" G_GINT64_FORMAT, number);
  KvsqlValue parameters[]
      = { text_value (self->lane), integer_value (row), text_value (text), integer_value (number) };
  g_autoptr (KvsqlResultPage) page
      = query (self, NULL, "INSERT INTO mixed (lane, k, t, n) VALUES (?, ?, ?, ?)", parameters,
               G_N_ELEMENTS (parameters));

  g_assert_cmpint (page->affected, ==, 1);
  self->expected[row] = number;
}

static void
insert_rows (MixedStatements *self)
{
  static const gchar *const attributes[] = { "lane", "k", "t", "n", NULL };
  static const KvsqlType types[]
      = { KVSQL_TYPE_STRING, KVSQL_TYPE_BIGINT, KVSQL_TYPE_STRING, KVSQL_TYPE_BIGINT };
  g_autoptr (KvsqlBatch) data = kvsql_batch_new (types, 4, MIXED_LANE_ROWS);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  gint64 number = any_number (self) / 2, affected;
  guint n_rows = 1 + any_row (self);

  for (guint row = 0; row < n_rows; row++)
    {
      gchar *text = g_strdup_printf ("n%" G_GINT64_FORMAT, number + row);

      g_ptr_array_add (texts, text);
      data->columns[0].slices[row] = kvsql_slice_from_text (self->lane);
      data->columns[1].integers[row] = row;
      data->columns[2].slices[row] = kvsql_slice_from_text (text);
      data->columns[3].integers[row] = number + row;
      self->expected[row] = number + row;
    }
  data->n_rows = n_rows;
  ignore_result (kvsqld_service_insert_rows (self->service, NULL, "mixed", attributes, data,
                                             &affected, &error));
  self->n_calls++;
  g_assert_no_error (error);
  g_assert_cmpint (affected, ==, n_rows);
}

static void
delete_one (MixedStatements *self)
{
  gint row = any_row (self);
  g_autofree gchar *sql
      = g_strdup_printf ("DELETE FROM mixed WHERE lane = '%s' AND k = %d", self->lane, row);

  run (self, sql);
  self->expected[row] = -1;
}

static void
delete_many (MixedStatements *self)
{
  gint row = any_row (self);
  guint before = count_expected (self);
  g_autofree gchar *sql
      = g_strdup_printf ("DELETE FROM mixed WHERE lane = '%s' AND k >= %d", self->lane, row);
  g_autoptr (KvsqlResultPage) page = query (self, NULL, sql, NULL, 0);

  for (; row < MIXED_LANE_ROWS; row++)
    self->expected[row] = -1;
  g_assert_cmpint (page->affected, ==, before - count_expected (self));
}

/* ---- reading */

static void
check_row (const KvsqlResultPage *page, guint row, gint64 number)
{
  g_autofree gchar *expected = g_strdup_printf ("n%" G_GINT64_FORMAT, number);
  KvsqlValue text = kvsql_vector_get (&page->rows->columns[1], row);
  KvsqlValue seen = kvsql_vector_get (&page->rows->columns[2], row);

  g_assert_cmpint (seen.integer, ==, number);
  g_assert_cmpmem (text.bytes.data, text.bytes.size, expected, strlen (expected));
}

static void
select_one (MixedStatements *self)
{
  gint row = any_row (self);
  KvsqlValue parameters[] = { text_value (self->lane), integer_value (row) };
  g_autoptr (KvsqlResultPage) page
      = query (self, NULL, "SELECT k, t, n FROM mixed WHERE lane = :lane AND k = :k", parameters,
               G_N_ELEMENTS (parameters));

  g_assert_cmpuint (page->rows->n_rows, ==, self->expected[row] >= 0);
  if (self->expected[row] >= 0)
    check_row (page, 0, self->expected[row]);
}

/* Reads all rows of the lane, by any schema, a few at a time; half of the fetches are repeated. */
static void
select_pages (MixedStatements *self)
{
  static const gchar *const sources[]
      = { "mixed", "mixed USING SCHEMA mixed_p", "mixed USING SCHEMA mixed_s" };
  const KvsqldRequest request = { .max_rows = 1 + any_row (self) };
  g_autofree gchar *sql
      = g_strdup_printf ("SELECT k, t, n FROM %s WHERE lane = '%s'%s",
                         sources[g_rand_int_range (self->random, 0, G_N_ELEMENTS (sources))],
                         self->lane, g_rand_boolean (self->random) ? " ORDER BY n" : "");
  g_autoptr (KvsqlResultPage) page = query (self, &request, sql, NULL, 0);
  guint n = 0;

  for (;;)
    {
      g_autoptr (GBytes) cursor = page->cursor == NULL ? NULL : g_bytes_ref (page->cursor);

      for (guint row = 0; row < page->rows->n_rows; row++, n++)
        check_row (page, row,
                   self->expected[kvsql_vector_get (&page->rows->columns[0], row).integer]);
      if (cursor == NULL)
        break;
      kvsql_result_page_free (page);
      page = fetch (self, &request, cursor);
      if (g_rand_boolean (self->random))
        {
          kvsql_result_page_free (page);
          page = fetch (self, &request, cursor);
        }
    }
  g_assert_cmpuint (n, ==, count_expected (self));
}

/* Reads the rows of all lanes, while they change: each row is whole. */
static void
select_everything (MixedStatements *self)
{
  g_autoptr (KvsqlResultPage) page = query (
      self, NULL, "SELECT k, t, n FROM mixed WHERE n >= 0 AND t LIKE 'n%' LIMIT 200", NULL, 0);

  for (guint row = 0; row < page->rows->n_rows; row++)
    check_row (page, row, kvsql_vector_get (&page->rows->columns[2], row).integer);
}

static void
use_shared_row (MixedStatements *self)
{
  gint64 number = any_number (self);
  g_autofree gchar *sql
      = g_strdup_printf ("INSERT INTO mixed VALUES ('" SHARED_LANE "', 0, 'n%" G_GINT64_FORMAT
                         "', %" G_GINT64_FORMAT ", NULL)",
                         number, number);

  run (self, sql);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (KvsqlResultPage) page
          = query (self, NULL, "SELECT k, t, n FROM mixed WHERE lane = '" SHARED_LANE "' AND k = 0",
                   NULL, 0);

      g_assert_cmpuint (page->rows->n_rows, ==, 1);
      check_row (page, 0, kvsql_vector_get (&page->rows->columns[2], 0).integer);
    }
}

/* Some cursors are closed; others are left to the limits of number and time. */
static void
leave_cursor (MixedStatements *self)
{
  const KvsqldRequest request = { .max_rows = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = query (self, &request, "SELECT k, t, n FROM mixed", NULL, 0);

  if (page->cursor != NULL && g_rand_boolean (self->random))
    {
      gsize size;
      const guint8 *data = g_bytes_get_data (page->cursor, &size);

      ignore_result (kvsqld_service_close_cursor (self->service, kvsql_slice (data, size), &error));
      self->n_calls++;
      g_assert_no_error (error);
    }
}

/* ---- prepared statements, definitions, and what tells about them */

static void
execute_prepared (MixedStatements *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqldPrepared) prepared = kvsqld_service_prepare (
      self->service, NULL,
      kvsql_slice_from_text ("SELECT k, t, n FROM mixed WHERE lane = ? AND k = ?"), &error);
  gint row = any_row (self);
  KvsqlValue parameters[] = { text_value (self->lane), integer_value (row) };
  g_autoptr (KvsqlResultPage) page = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (prepared->n_parameters, ==, 2);
  page = kvsqld_service_execute (self->service, NULL, prepared->id, parameters, 2, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (page->rows->n_rows, ==, self->expected[row] >= 0);
  self->n_calls += 2;
  if (g_rand_boolean (self->random))
    {
      ignore_result (kvsqld_service_close_statement (self->service, NULL, prepared->id, &error));
      self->n_calls++;
      g_assert_no_error (error);
    }
}

static void
define_and_drop (MixedStatements *self)
{
  const gchar *lane = self->lane;
  g_autofree gchar *relation = g_strdup_printf ("DEFINE RELATION %s { a STRING KEY, b INT }", lane);
  g_autofree gchar *schema = g_strdup_printf (
      "DEFINE PRIMARY SCHEMA %s_p FOR %s { TABLE '%s', ROW a, FAMILY 'f', QUALIFIER '', VALUE b }",
      lane, lane, lane);
  g_autofree gchar *ambiguous = g_strdup_printf ("DEFINE SCHEMA %s_x FOR %s { TABLE '%s_x', ROW "
                                                 "a:text{b}, FAMILY 'f', QUALIFIER '', VALUE '' }",
                                                 lane, lane, lane);
  g_autofree gchar *insert = g_strdup_printf ("INSERT INTO %s VALUES ('x', 1), ('y', 2)", lane);
  g_autofree gchar *select = g_strdup_printf ("SELECT a, b FROM %s", lane);
  g_autofree gchar *describe = g_strdup_printf ("DESCRIBE %s", lane);
  g_autofree gchar *delete = g_strdup_printf ("DELETE FROM %s WHERE b >= 0", lane);
  g_autofree gchar *drop_schema = g_strdup_printf ("DROP SCHEMA %s_p", lane);
  g_autofree gchar *drop = g_strdup_printf ("DROP RELATION %s", lane);
  const gchar *const before[] = { relation, schema, insert, select, describe, delete };

  for (guint i = 0; i < G_N_ELEMENTS (before); i++)
    run (self, before[i]);
  fail (self, NULL, ambiguous, KVSQL_ERROR_DEFINITION);
  fail (self, NULL, relation, KVSQL_ERROR_ALREADY_EXISTS);
  run (self, drop_schema);
  run (self, drop);
  fail (self, NULL, select, KVSQL_ERROR_UNKNOWN_NAME);
}

static void
explain (MixedStatements *self)
{
  static const gchar *const statements[] = {
    "SELECT * FROM mixed WHERE lane = 'x' AND k IN (1, 2, 3) OR n BETWEEN 5 AND 9",
    "INSERT INTO mixed VALUES ('x', 1, 't', 2, 3)",
    "DELETE FROM mixed WHERE lane LIKE 'x%' AND k < 3",
  };
  const gchar *sql = statements[g_rand_int_range (self->random, 0, G_N_ELEMENTS (statements))];
  g_autofree gchar *calls = g_strdup_printf ("EXPLAIN (CALLS, FORMAT JSON) %s", sql);
  g_autofree gchar *text = NULL, *json = NULL;
  g_autoptr (GError) error = NULL;

  ignore_result (kvsqld_service_explain (self->service, NULL, kvsql_slice_from_text (sql), NULL, 0,
                                         FALSE, &text, &json, &error));
  self->n_calls++;
  g_assert_no_error (error);
  g_assert_true (text != NULL && *text != '\0' && json != NULL && *json == '{');
  run (self, calls);
}

static void
show (MixedStatements *self)
{
  static const gchar *const statements[]
      = { "SHOW RELATIONS", "SHOW SCHEMAS", "SHOW SCHEMAS FOR mixed", "DESCRIBE mixed",
          "DESCRIBE mixed_s" };
  KvsqldStatus status;

  run (self, statements[g_rand_int_range (self->random, 0, G_N_ELEMENTS (statements))]);
  kvsqld_service_get_status (self->service, &status);
  self->n_calls++;
  g_assert_true (status.definitions_writable);
  g_free (status.last_error);
}

/* ---- what has to fail */

static void
make_mistakes (MixedStatements *self)
{
  static const struct
  {
    const gchar *sql;
    KvsqlErrorCode code;
  } mistakes[] = {
    { "SELEC * FROM mixed", KVSQL_ERROR_SYNTAX },
    { "SELECT * FROM mixed WHERE (((k = 1)", KVSQL_ERROR_SYNTAX },
    { "SELECT 'unterminated FROM mixed", KVSQL_ERROR_SYNTAX },
    { "SELECT * FROM nothing", KVSQL_ERROR_UNKNOWN_NAME },
    { "SELECT nothing FROM mixed", KVSQL_ERROR_UNKNOWN_NAME },
    { "INSERT INTO mixed (lane, k, n) VALUES ('a', 1, 2)", KVSQL_ERROR_VALUE },
    { "INSERT INTO mixed VALUES ('a', 1, 't', 'no number', 3)", KVSQL_ERROR_VALUE },
    { "INSERT INTO mixed VALUES ('a', 99999999999, 't', 2, 3)", KVSQL_ERROR_VALUE },
    { "INSERT INTO mixed (k, t) VALUES (1, 't')", KVSQL_ERROR_VALUE },
    { "SELECT * FROM mixed WHERE lane = ?", KVSQL_ERROR_INVALID },
    { "DEFINE SCHEMA bad FOR mixed { TABLE 'b', ROW lane:k:t, FAMILY 'f', QUALIFIER '', VALUE '' }",
      KVSQL_ERROR_DEFINITION },
    { "DROP RELATION nothing", KVSQL_ERROR_UNKNOWN_NAME },
    { "BEGIN", KVSQL_ERROR_UNSUPPORTED },
    { "", KVSQL_ERROR_SYNTAX },
  };
  guint i = g_rand_int_range (self->random, 0, G_N_ELEMENTS (mistakes));

  fail (self, NULL, mistakes[i].sql, mistakes[i].code);
}

static void
spoil_cursor (MixedStatements *self)
{
  const KvsqldRequest request = { .max_rows = 1 };
  g_autoptr (KvsqlResultPage) page = query (self, &request, "SELECT k, t, n FROM mixed", NULL, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) none = NULL;
  g_autofree guint8 *spoilt = NULL;
  gsize size;

  if (page->cursor == NULL)
    return;
  size = g_bytes_get_size (page->cursor);
  spoilt = g_memdup2 (g_bytes_get_data (page->cursor, NULL), size);
  spoilt[g_rand_int_range (self->random, 0, size)] ^= 1 << g_rand_int_range (self->random, 0, 8);
  if (g_rand_boolean (self->random))
    size = g_rand_int_range (self->random, 0, size);
  none = kvsqld_service_fetch (self->service, NULL, kvsql_slice (spoilt, size), &error);
  self->n_calls++;
  g_assert_null (none);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_BAD_CURSOR);
}

static void
refuse_requests (MixedStatements *self)
{
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  const KvsqldRequest read_only = { .is_read_only = TRUE };
  const KvsqldRequest gone = { .cancellable = cancelled };
  g_autoptr (GError) error = NULL, statement_error = NULL;
  g_autoptr (KvsqlResultPage) page = NULL, none = NULL;

  fail (self, &read_only, "DELETE FROM mixed WHERE k >= 0", KVSQL_ERROR_READ_ONLY);
  g_cancellable_cancel (cancelled);
  page = kvsqld_service_query (
      self->service, &gone, kvsql_slice_from_text ("SELECT k, t, n FROM mixed"), NULL, 0, &error);
  g_assert_null (page);
  g_assert_nonnull (error);
  none = kvsqld_service_execute (self->service, NULL, -1, NULL, 0, &statement_error);
  g_assert_null (none);
  g_assert_error (statement_error, KVSQL_ERROR, KVSQL_ERROR_BAD_STATEMENT_ID);
  self->n_calls += 2;
}

/* ---- the mix */

void
mixed_statements_define (KvsqldService *service)
{
  static const gchar *const definitions[] = {
    "DEFINE RELATION mixed { lane STRING KEY, k INT KEY, t STRING, n BIGINT, d DOUBLE }",
    "DEFINE PRIMARY SCHEMA mixed_p FOR mixed { TABLE 'p', ROW suffix('-'){lane}:k, FAMILY 'f', "
    "QUALIFIER attr_name['lane', 'k'], VALUE attr_value['lane', 'k'] }",
    "DEFINE SCHEMA mixed_s FOR mixed { TABLE 's', ROW size{lane}:n:k, FAMILY 'f', QUALIFIER '', "
    "VALUE t }",
  };
  MixedStatements self = { .service = service };

  for (guint i = 0; i < G_N_ELEMENTS (definitions); i++)
    run (&self, definitions[i]);
}

void
mixed_statements_init (MixedStatements *self, KvsqldService *service, guint lane)
{
  *self = (MixedStatements){ .service = service,
                             .lane = g_strdup_printf ("lane%u", lane),
                             .random = g_rand_new_with_seed (lane) };
  for (guint i = 0; i < MIXED_LANE_ROWS; i++)
    self->expected[i] = -1;
}

void
mixed_statements_clear (MixedStatements *self)
{
  g_rand_free (self->random);
  g_free (self->lane);
}

void
mixed_statements_step (MixedStatements *self)
{
  static const struct
  {
    void (*run) (MixedStatements *self);
    guint weight;
  } kinds[] = {
    { insert_literals, 15 }, { insert_parameters, 15 },
    { insert_rows, 3 },      { delete_one, 8 },
    { delete_many, 1 },      { select_one, 15 },
    { select_pages, 8 },     { select_everything, 3 },
    { use_shared_row, 5 },   { leave_cursor, 4 },
    { execute_prepared, 6 }, { define_and_drop, 1 },
    { explain, 4 },          { show, 4 },
    { make_mistakes, 14 },   { spoil_cursor, 4 },
    { refuse_requests, 3 },
  };
  gint drawn, total = 0;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (kinds); i++)
    total += kinds[i].weight;
  drawn = g_rand_int_range (self->random, 0, total);
  for (i = 0; drawn >= (gint)kinds[i].weight; i++)
    drawn -= kinds[i].weight;
  kinds[i].run (self);
}
