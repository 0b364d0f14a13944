/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-value.c: text forms of values, their order, conversions, and civil dates.
 */
#include "config.h"

#include "core/base/conversion.h"
#include "core/base/value.h"
#include "tests/harness/assert.h"

#include <math.h>

/* Text that is parsed, and the text that is written; NULL: an error. */
static const struct
{
  KvsqlType type;
  const gchar *text;
  const gchar *written;
} forms[] = {
  { KVSQL_TYPE_BOOLEAN, "t", "true" },
  { KVSQL_TYPE_BOOLEAN, " OFF ", "false" },
  { KVSQL_TYPE_BOOLEAN, "maybe", NULL },
  { KVSQL_TYPE_INT, "-2147483648", "-2147483648" },
  { KVSQL_TYPE_INT, "2147483648", NULL },
  { KVSQL_TYPE_INT, "1.5", NULL },
  { KVSQL_TYPE_INT, "", NULL },
  { KVSQL_TYPE_BIGINT, " +7 ", "7" },
  { KVSQL_TYPE_BIGINT, "9223372036854775808", NULL },
  { KVSQL_TYPE_DOUBLE, "0.1", "0.1" },
  { KVSQL_TYPE_DOUBLE, "1e400", NULL },
  { KVSQL_TYPE_DOUBLE, "0x10", NULL },
  { KVSQL_TYPE_FLOAT, "0.1", "0.1" },
  { KVSQL_TYPE_DOUBLE, "1e-400", NULL },
  { KVSQL_TYPE_DOUBLE, "-1e-400", NULL },
  { KVSQL_TYPE_DOUBLE, "2e-324", NULL },
  { KVSQL_TYPE_DOUBLE, "3e-324", "4.94065645841247e-324" },
  { KVSQL_TYPE_DOUBLE, "0e-400", "0" },
  { KVSQL_TYPE_FLOAT, "1e39", NULL },
  { KVSQL_TYPE_FLOAT, "1e-46", NULL },
  { KVSQL_TYPE_FLOAT, "-1e-400", NULL },
  { KVSQL_TYPE_FLOAT, "1e-45", "1.4013e-45" },
  { KVSQL_TYPE_DATE, "2024-02-29", "2024-02-29" },
  { KVSQL_TYPE_DATE, "2023-02-29", NULL },
  { KVSQL_TYPE_DATE, "0000-01-01", NULL },
  { KVSQL_TYPE_DATE, "10000-01-01", NULL },
  { KVSQL_TYPE_TIMESTAMP, "2024-02-29 12:00", "2024-02-29T12:00:00.000Z" },
  { KVSQL_TYPE_TIMESTAMP, "2024-02-29T12:00:00+09:00", "2024-02-29T03:00:00.000Z" },
  { KVSQL_TYPE_TIMESTAMP, "1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z" },
  { KVSQL_TYPE_TIMESTAMP, "2024-02-29T24:00:00Z", NULL },
  { KVSQL_TYPE_TIMESTAMP, "2024-02-29 12:00:00.123456", "2024-02-29T12:00:00.123Z" },
  { KVSQL_TYPE_TIMESTAMP, "2024-02-29 12:00:00.1234567", "2024-02-29T12:00:00.123Z" },
  { KVSQL_TYPE_TIMESTAMP, "2024-02-29 12:00:00.1235", "2024-02-29T12:00:00.124Z" },
  { KVSQL_TYPE_TIMESTAMP, "2024-02-29 12:00:00.9995+00", "2024-02-29T12:00:01.000Z" },
  { KVSQL_TYPE_TIMESTAMP, "2024-12-31 23:59:59.999999", "2025-01-01T00:00:00.000Z" },
  { KVSQL_TYPE_TIMESTAMP, "1969-12-31 23:59:59.000499", "1969-12-31T23:59:59.000Z" },
  { KVSQL_TYPE_TIMESTAMP, "9999-12-31 23:59:59.999499", "9999-12-31T23:59:59.999Z" },
  { KVSQL_TYPE_TIMESTAMP, "9999-12-31 23:59:59.9995", NULL },
  { KVSQL_TYPE_TIMESTAMP, "9999-12-31 23:59:59-10", NULL },
  { KVSQL_TYPE_TIMESTAMP, "0001-01-01 00:00:00+01", NULL },
  { KVSQL_TYPE_TIMESTAMP, "2024-02-29T12:00:00.Z", NULL },
  { KVSQL_TYPE_DECIMAL, "1.50", "1.5" },
};

static void
test_text (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (GString) written = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      KvsqlValue value, again;
      gboolean ok = kvsql_value_parse (forms[i].type, kvsql_slice_from_text (forms[i].text), arena,
                                       &value, &error);

      if (ok != (forms[i].written != NULL))
        g_error ("%s \"%s\": %s", kvsql_type_get_name (forms[i].type), forms[i].text,
                 ok ? "accepted" : error->message);
      if (!ok)
        continue;
      kvsql_value_append_text (&value, written);
      g_assert_cmpstr (written->str, ==, forms[i].written);
      g_assert_true (kvsql_value_parse (forms[i].type, kvsql_slice_from_text (written->str), arena,
                                        &again, &error));
      g_assert_true (kvsql_value_equal (&value, &again));
    }
}

static void
test_civil_dates (void)
{
  gint previous_year = 0, previous_month = 12, previous_day = 31;

  for (gint64 days = KVSQL_DATE_MIN; days <= KVSQL_DATE_MAX; days++)
    {
      gint year, month, day;
      gint64 back;

      kvsql_date_to_civil (days, &year, &month, &day);
      g_assert_true (kvsql_date_from_civil (year, month, day, &back) && back == days);
      g_assert_true (
          day == previous_day + 1
          || (day == 1
              && (month == previous_month + 1 || (month == 1 && year == previous_year + 1))));
      previous_year = year;
      previous_month = month;
      previous_day = day;
    }
  g_assert_cmpint (previous_year, ==, 9999);
}

static void
test_order_of_reals (void)
{
  static const gdouble ascending[] = { -INFINITY, -1.5, -0.0, 0.5, INFINITY, NAN };

  for (guint i = 0; i < G_N_ELEMENTS (ascending); i++)
    for (guint j = 0; j < G_N_ELEMENTS (ascending); j++)
      {
        KvsqlValue a = { .type = KVSQL_TYPE_DOUBLE, .real = ascending[i] },
                   b = { .type = KVSQL_TYPE_DOUBLE, .real = ascending[j] };
        gint order = kvsql_value_compare (&a, &b);

        g_assert_cmpint ((order > 0) - (order < 0), ==, (i > j) - (i < j));
      }
}

static void
test_conversions (void)
{
  static const struct
  {
    KvsqlType from;
    const gchar *text;
    KvsqlType to;
    const gchar *result; /* NULL: an error */
  } cases[] = {
    { KVSQL_TYPE_DECIMAL, "2.5", KVSQL_TYPE_INT, "3" },
    { KVSQL_TYPE_DECIMAL, "-2.5", KVSQL_TYPE_BIGINT, "-3" },
    { KVSQL_TYPE_DOUBLE, "1e10", KVSQL_TYPE_INT, NULL },
    { KVSQL_TYPE_BIGINT, "2147483648", KVSQL_TYPE_INT, NULL },
    { KVSQL_TYPE_STRING, "2024-02-29", KVSQL_TYPE_DATE, "2024-02-29" },
    { KVSQL_TYPE_STRING, "soon", KVSQL_TYPE_DATE, NULL },
    { KVSQL_TYPE_DATE, "2024-02-29", KVSQL_TYPE_TIMESTAMP, "2024-02-29T00:00:00.000Z" },
    { KVSQL_TYPE_DOUBLE, "NaN", KVSQL_TYPE_DECIMAL, NULL },
    { KVSQL_TYPE_BIGINT, "7", KVSQL_TYPE_DECIMAL, "7" },
    { KVSQL_TYPE_DECIMAL, "1e-400", KVSQL_TYPE_DOUBLE, NULL },
    { KVSQL_TYPE_DECIMAL, "-1e-46", KVSQL_TYPE_FLOAT, NULL },
    { KVSQL_TYPE_DECIMAL, "0", KVSQL_TYPE_FLOAT, "0" },
    { KVSQL_TYPE_DOUBLE, "1e-46", KVSQL_TYPE_FLOAT, NULL },
    { KVSQL_TYPE_DOUBLE, "-0", KVSQL_TYPE_FLOAT, "-0" },
    { KVSQL_TYPE_DOUBLE, "1e-40", KVSQL_TYPE_FLOAT, "9.99995e-41" },
    { KVSQL_TYPE_STRING, "1e-46", KVSQL_TYPE_FLOAT, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (GString) written = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      KvsqlValue value
          = { .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (cases[i].text) },
          out;
      gboolean ok;

      if (cases[i].from != KVSQL_TYPE_STRING)
        assert_done (kvsql_value_parse (cases[i].from, value.bytes, arena, &value, &error), error);
      ok = kvsql_value_convert (&value, cases[i].to, arena, &out, &error);
      if (ok != (cases[i].result != NULL))
        g_error ("%s to %s: %s", cases[i].text, kvsql_type_get_name (cases[i].to),
                 ok ? "accepted" : error->message);
      if (!ok)
        continue;
      kvsql_value_append_text (&out, written);
      g_assert_cmpstr (written->str, ==, cases[i].result);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/value/text", test_text);
  g_test_add_func ("/base/value/civil-dates", test_civil_dates);
  g_test_add_func ("/base/value/order-of-reals", test_order_of_reals);
  g_test_add_func ("/base/value/conversions", test_conversions);
  return g_test_run ();
}
