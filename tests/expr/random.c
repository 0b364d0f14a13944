/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random.c: random rows and expressions, from GLib's seed.
 */
#include "config.h"

#include "tests/expr/random.h"

/* ---- random rows */

static KvsqlValue
random_value (KvsqlType type)
{
  static const gint64 integers[] = { 0, 1, -1, 2, 7, 100, G_MAXINT32, G_MININT32 };
  static const gdouble reals[] = { 0, -0.0, 1.5, -2.25, 1e10, 1e-10, 3 };
  static const gchar *const texts[] = { "", "a", "ab", "b%", "añ", "12", "zz top" };
  static const gchar *const decimals[]
      = { "0", "1.5", "-2.25", "100", "0.001", "123456789012345678901" };
  KvsqlValue value = { .type = type };

  if (g_test_rand_int_range (0, 5) == 0)
    return KVSQL_VALUE_NULL;
  switch (type)
    {
    case KVSQL_TYPE_BOOLEAN:
      value.boolean = g_test_rand_int_range (0, 2);
      break;
    case KVSQL_TYPE_INT:
      value.integer = integers[g_test_rand_int_range (0, G_N_ELEMENTS (integers))];
      break;
    case KVSQL_TYPE_BIGINT:
      value.integer = integers[g_test_rand_int_range (0, G_N_ELEMENTS (integers))]
                      * (g_test_rand_int_range (0, 8) == 0 ? 1000000000LL : 1);
      break;
    case KVSQL_TYPE_FLOAT:
    case KVSQL_TYPE_DOUBLE:
      value.real = (gfloat)reals[g_test_rand_int_range (0, G_N_ELEMENTS (reals))];
      break;
    case KVSQL_TYPE_DECIMAL:
      value.bytes
          = kvsql_slice_from_text (decimals[g_test_rand_int_range (0, G_N_ELEMENTS (decimals))]);
      break;
    case KVSQL_TYPE_DATE:
      value.integer = g_test_rand_int_range (-1000, 30000);
      break;
    case KVSQL_TYPE_TIMESTAMP:
      value.integer = g_test_rand_int_range (-1000, 30000) * 12345678LL;
      break;
    default:
      value.bytes = kvsql_slice_from_text (texts[g_test_rand_int_range (0, G_N_ELEMENTS (texts))]);
      break;
    }
  return value;
}

KvsqlBatch *
random_batch (const KvsqlRelation *relation, guint n_rows)
{
  KvsqlType types[KVSQL_MAX_ATTRIBUTES];
  KvsqlBatch *batch;

  for (guint a = 0; a < relation->n_attributes; a++)
    types[a] = relation->attributes[a].type;
  batch = kvsql_batch_new (types, relation->n_attributes, n_rows);
  for (guint row = 0; row < n_rows; row++)
    for (guint a = 0; a < relation->n_attributes; a++)
      {
        KvsqlValue value = random_value (types[a]);
        kvsql_vector_set (&batch->columns[a], row, &value);
      }
  batch->n_rows = n_rows;
  return batch;
}

/* ---- random expressions; types mostly fit */

static void
append_format (GString *out, const gchar *format, guint depth)
{
  for (const gchar *p = format; *p != '\0'; p++)
    if (*p == '$')
      random_expression (out, *++p, depth - 1);
    else
      g_string_append_c (out, *p);
}

/* $o a BOOLEAN, $i a whole number, $r any number, $s a text, $y a date */
static const gchar *const truths[] = { "($i = $i)",
                                       "($r < $r)",
                                       "($s >= $s)",
                                       "($o AND $o)",
                                       "($o OR $o)",
                                       "(NOT $o)",
                                       "($i IS NULL)",
                                       "($s IS NOT NULL)",
                                       "($i IN (1, $i, NULL))",
                                       "($i NOT IN (1, 2, 7))",
                                       "($r BETWEEN $r AND $r)",
                                       "($s LIKE 'a%')",
                                       "($s LIKE $s)",
                                       "($s ILIKE $s)",
                                       "($s ~* 'A.?b')",
                                       "($o IS NOT TRUE)",
                                       "($i IS DISTINCT FROM $i)",
                                       "($i < ANY (ARRAY[$i, 2, NULL]))",
                                       "($i = ALL (CAST ('[1, ' || $i || ']' AS LIST<INT>)))",
                                       "(($i, $s) >= ($i, $s))",
                                       "($s NOT RLIKE '^a.?b*')",
                                       "CASE WHEN $o THEN $o ELSE $o END",
                                       "($y < $y)",
                                       "coalesce($o, $o)",
                                       "($o <> $o)",
                                       "starts_with($s, $s)",
                                       "($o AND 10 / $i > 1)",
                                       "($i <> 0 AND 100 / $i > 1)" };
static const gchar *const integers[] = { "($i + $i)",
                                         "($i - $i)",
                                         "($i * $i)",
                                         "($i / $i)",
                                         "($i % $i)",
                                         "(- $i)",
                                         "abs($i)",
                                         "length($s)",
                                         "CASE $i WHEN $i THEN $i WHEN 1 THEN $i END",
                                         "coalesce($i, $i)",
                                         "nullif($i, $i)",
                                         "greatest($i, $i, $i)",
                                         "least($i, $i)",
                                         "CAST ($r AS INT)",
                                         "($y - $y)",
                                         "year($y)",
                                         "CASE WHEN $i <> 0 THEN 5 / $i ELSE 0 END",
                                         "mod($i, $i)" };
static const gchar *const numbers[] = { "($r + $r)",
                                        "($r - $r)",
                                        "($r * $r)",
                                        "($r / $r)",
                                        "$i",
                                        "round($r)",
                                        "coalesce($r, $i)",
                                        "CASE WHEN $o THEN $r ELSE $i END",
                                        "sqrt(abs($r))",
                                        "CAST ($s AS DOUBLE)" };
static const gchar *const texts[]
    = { "($s || $s)",        "($s || $i)",          "upper($s)",
        "substr($s, $i, 2)", "CAST ($r AS STRING)", "CASE WHEN $o THEN $s END",
        "coalesce($s, 'x')", "lpad($s, 3, '-')",    "concat($s, $i, $o)",
        "trim($s)",          "replace($s, 'a', $s)" };
static const gchar *const dates[]
    = { "($y + $i)", "($y - 1)", "least($y, $y)", "CAST (date_trunc('month', $y) AS DATE)" };

static const struct
{
  gchar kind;
  const gchar *leaves[8];
  const gchar *const *inner;
  guint n_inner;
} kinds[] = {
  { 'o', { "o", "TRUE", "FALSE", "NULL", "o" }, truths, G_N_ELEMENTS (truths) },
  { 'i', { "i", "j", "l", "m", "7", "0", "NULL" }, integers, G_N_ELEMENTS (integers) },
  { 'r', { "f", "d", "e", "n", "p", "1.5", "2e0" }, numbers, G_N_ELEMENTS (numbers) },
  { 's', { "s", "t", "'a'", "'añb'", "NULL" }, texts, G_N_ELEMENTS (texts) },
  { 'y', { "y", "DATE '2024-02-29'" }, dates, G_N_ELEMENTS (dates) },
};

void
random_expression (GString *out, gchar kind, guint depth)
{
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      guint n_leaves = 0;
      if (kinds[k].kind != kind)
        continue;
      while (n_leaves < G_N_ELEMENTS (kinds[k].leaves) && kinds[k].leaves[n_leaves] != NULL)
        n_leaves++;
      if (depth == 0 || g_test_rand_int_range (0, 4) == 0)
        g_string_append (out, kinds[k].leaves[g_test_rand_int_range (0, n_leaves)]);
      else
        append_format (out, kinds[k].inner[g_test_rand_int_range (0, kinds[k].n_inner)], depth);
    }
}
