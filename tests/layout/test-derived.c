/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-derived.c: hash, salt, bucket, offset and format.
 *
 * Compares their bytes with known ones, and checks which values they reject. Compares their ranges
 * with brute force: for each interval over a small domain and each value of the domain, the key is
 * in the ranges exactly if the value is in the interval.
 */
#include "config.h"

#include "core/base/conversion.h"
#include "core/catalog/compile-schema.h"
#include "core/catalog/schema.h"
#include "core/layout/constrain.h"
#include "core/write/mutations.h"
#include "core/layout/encoding/digest.h"
#include "core/layout/encoding/time-format.h"
#include "core/sql/parser.h"

/* ---- hash functions */

static void
test_digests (void)
{
  static const struct
  {
    const gchar *name;
    const gchar *text;
    const gchar *hex;
  } known[] = {
    { "md5", "", "d41d8cd98f00b204e9800998ecf8427e" },
    { "md5", "abc", "900150983cd24fb0d6963f7d28e17f72" },
    { "sha1", "abc", "a9993e364706816aba3e25717850c26c9cd0d89d" },
    { "sha256", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
    { "crc32", "123456789", "cbf43926" },
    { "crc32", "", "00000000" },
    { "murmur3", "", "00000000" },
    { "murmur3", "test", "ba6bd213" },
    { "murmur3", "hello", "248bfa47" },
    { "murmur3", "Hello, world!", "c0363e43" },
    { "murmur3", "The quick brown fox jumps over the lazy dog", "2e4ff723" },
    /* java.util.Arrays.hashCode (new byte[] {…}) */
    { "java", "", "00000001" },
    { "java", "a", "00000080" },
    { "java", "ab", "00000fe2" },
    { "java", "\xff", "0000001e" },
    /* String.hashCode () */
    { "java_string", "", "00000000" },
    { "java_string", "a", "00000061" },
    { "java_string", "hello", "05e918d2" },
    { "java_string", "polygenelubricants", "80000000" },
    { "java_string", "K\xc3\xa4se", "00257e0b" },
    { "java_string", "\xf0\x9f\x98\x80", "001b0d63" },
    { "java_mask", "hello", "05e918d2" },
    { "java_mask", "polygenelubricants", "00000000" },
    { "java_string", "\xff\xc3", "00001fa4" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      guint8 bytes[KVSQL_DIGEST_MAX_SIZE];
      KvsqlDigest digest;
      g_autofree gchar *hex = NULL;

      g_assert_true (kvsql_digest_find (known[i].name, &digest));
      kvsql_digest_compute (digest, kvsql_slice_from_text (known[i].text), bytes);
      hex = kvsql_hex (kvsql_slice (bytes, kvsql_digest_get_size (digest)));
      g_assert_cmpstr (hex, ==, known[i].hex);
    }
  g_assert_cmpuint (kvsql_digest_reduce (KVSQL_DIGEST_MD5, (const guint8 *)"\xff\xff\xff\xfe", 10),
                    ==, 4);
  g_assert_cmpuint (kvsql_digest_reduce (KVSQL_DIGEST_JAVA, (const guint8 *)"\xff\xff\xff\xfe", 10),
                    ==, 2);
  /* the least number has no absolute value in Java, but its remainder has one */
  g_assert_cmpuint (
      kvsql_digest_reduce (KVSQL_DIGEST_JAVA_STRING, (const guint8 *)"\x80\0\0\0", 10), ==, 8);
  g_assert_cmpuint (
      kvsql_digest_reduce (KVSQL_DIGEST_JAVA_MASK, (const guint8 *)"\x7f\xff\xff\xfe", 16), ==, 14);
}

/* ---- a schema for the tests */

typedef struct
{
  KvsqlArena *arena;
  KvsqlRelation *relation;
  KvsqlSchema *schema;
} Trial;

static void
trial_clear (Trial *self)
{
  kvsql_schema_unref (self->schema);
  kvsql_relation_unref (self->relation);
  kvsql_arena_free (self->arena);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Trial, trial_clear)

static gboolean
trial_init (Trial *self, const gchar *relation, const gchar *schema, GError **error)
{
  KvsqlAstStatement *statement;

  *self = (Trial){ .arena = kvsql_arena_new () };
  statement = kvsql_parser_parse (kvsql_slice_from_text (relation), self->arena, error);
  g_assert_nonnull (statement);
  self->relation = kvsql_relation_new (&statement->define_relation, error);
  g_assert_nonnull (self->relation);
  statement = kvsql_parser_parse (kvsql_slice_from_text (schema), self->arena, error);
  g_assert_nonnull (statement);
  self->schema = kvsql_schema_new (&statement->define_schema, self->relation, error);
  return self->schema != NULL;
}

static void
trial_init_or_fail (Trial *self, const gchar *relation, const gchar *schema)
{
  g_autoptr (GError) error = NULL;

  if (!trial_init (self, relation, schema, &error))
    g_error ("%s: %s", schema, error->message);
}

/* Encodes with the checks of a write; FALSE if the tuple is rejected. */
static gboolean
encode_row (const Trial *self, const KvsqlValue *tuple, KvsqlSlice *out_row, GError **error)
{
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  const KvsqlMutation *put;

  if (!kvsql_mutation_list_add_puts (list, self->schema, tuple, 2, error))
    return FALSE;
  put = &g_array_index (list->mutations, KvsqlMutation, 0);
  *out_row = kvsql_slice_dup (self->arena, put->row);
  return TRUE;
}

/* ---- bytes */

static void
test_bytes (void)
{
  static const struct
  {
    const gchar *attributes;
    const gchar *row;
    const gchar *values[2];
    const gchar *readable;
  } known[] = {
    /* md5 ("abc") = 900150983cd24fb0… */
    { "a STRING KEY", "hash(2){a}:a", { "abc" }, "\\x90\\x01abc" },
    { "a STRING KEY", "hex{hash(2){a}}:'-':a", { "abc" }, "9001-abc" },
    { "a STRING KEY", "hex{salt(10, crc32){a}}:a", { "abc" }, "08abc" },
    { "a STRING KEY, b STRING KEY",
      "hash(2){a, b}:suffix('-'){a}:b",
      { "a", "bc" },
      "\\x90\\x01a-bc" },
    { "a STRING KEY, b STRING KEY",
      "hash(sha1, 3){a:b}:suffix('-'){a}:b",
      { "ab", "c" },
      "\\xa9\\x99>ab-c" },
    /* md5 ("a-bc") = 4285… */
    { "a STRING KEY, b STRING KEY",
      "hash(md5, 2){a:'-':b}:suffix('-'){a}:b",
      { "a", "bc" },
      "B\\x85a-bc" },
    /* crc32 ("abc") = 352441c2 */
    { "a STRING KEY", "salt(10, crc32){a}:a", { "abc" }, "\\x08abc" },
    /* Arrays.hashCode ("abc") = 126145 */
    { "a STRING KEY", "salt(10, java){a}:a", { "abc" }, "\\x05abc" },
    { "a INT KEY",
      "bucket(10){a}:offset(10){a}",
      { "-1" },
      "\\xff\\xff\\xff\\xf6\\x00\\x00\\x00\\x09" },
    { "a BIGINT KEY",
      "bucket(1000){text(8){a}}:offset(1000){text(3){a}}",
      { "12345" },
      "00012000345" },
    { "a BIGINT KEY",
      "text(8){bucket(1000){a}}:text(3){offset(1000){a}}",
      { "12345" },
      "00012000345" },
    { "a DATE KEY",
      "bucket(7){a}:offset(7){a}",
      { "1970-01-10" },
      "\\x00\\x00\\x00\\x07\\x00\\x00\\x00\\x02" },
    { "a TIMESTAMP KEY",
      "bucket(3600000){a}:offset(3600000){text(7){a}}",
      { "1970-01-01T01:00:01Z" },
      "\\x00\\x00\\x00\\x00\\x006\\xee\\x800001000" },
    { "a TIMESTAMP KEY",
      "format('yyyyMMddHHmmssSSS'){a}",
      { "2024-02-29T12:34:56.789Z" },
      "20240229123456789" },
    { "a TIMESTAMP KEY",
      "format('yyyy-MM-dd''T''HH', '+09:00'){a}",
      { "2024-02-29T15:00:00Z" },
      "2024-03-01T00" },
    { "a TIMESTAMP KEY",
      "format('yyyyMMdd', 'Asia/Seoul'){a}:':':a",
      { "2024-02-29T15:00:00Z" },
      "20240301:\\x00\\x00\\x01\\x8d\\xf5a!\\x80" },
    { "a DATE KEY", "format('dd.MM.yyyy'){a}", { "2024-02-29" }, "29.02.2024" },
    { "a DATE KEY", "format('yyyy'){a}:'/':format('MM-dd'){a}", { "2024-02-29" }, "2024/02-29" },
    { "a TIMESTAMP KEY",
      "hash(2){format('yyyyMMdd'){a}}:a",
      { "2024-02-29T15:00:00Z" },
      "s\\x09\\x00\\x00\\x01\\x8d\\xf5a!\\x80" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_auto (Trial) trial = { 0 };
      g_autofree gchar *relation
          = g_strdup_printf ("DEFINE RELATION r { %s }", known[i].attributes);
      g_autofree gchar *schema = g_strdup_printf (
          "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW %s, FAMILY 'f' }", known[i].row);
      g_autofree gchar *readable = NULL;
      g_autoptr (GError) error = NULL;
      KvsqlValue tuple[2] = { 0 };
      KvsqlSlice row;

      trial_init_or_fail (&trial, relation, schema);
      for (guint a = 0; a < trial.relation->n_attributes; a++)
        g_assert_true (kvsql_value_parse (trial.relation->attributes[a].type,
                                          kvsql_slice_from_text (known[i].values[a]), trial.arena,
                                          &tuple[a], NULL));
      encode_row (&trial, tuple, &row, &error);
      g_assert_no_error (error);
      readable = kvsql_readable (row);
      g_assert_cmpstr (readable, ==, known[i].readable);
    }
}

/* ---- ranges by brute force */

#define N_DOMAIN_MAX 700

/* Attribute 0 takes each value of the domain. Attribute 1, if there is one, is the number modulo
 * 3. */
typedef struct
{
  const gchar *attributes;
  const gchar *fields;
  KvsqlType type;
  gint64 first, step;
  guint n;
  gint64 unit; /* the resolution of the ranges; 1: exact; 0: they may read too much */
} Domain;

static KvsqlValue
value_at (const Domain *domain, guint i)
{
  return (KvsqlValue){ .type = domain->type, .integer = domain->first + domain->step * i };
}

static gboolean
is_in_ranges (const KvsqlByteRanges *ranges, KvsqlSlice bytes)
{
  for (guint i = 0; i < ranges->n_ranges; i++)
    {
      const KvsqlByteRange *range = &ranges->ranges[i];
      if (range->is_point
              ? kvsql_slice_equal (bytes, range->low)
              : kvsql_slice_compare (bytes, range->low) >= 0
                    && (!range->has_high || kvsql_slice_compare (bytes, range->high) < 0))
        return TRUE;
    }
  return ranges->is_open;
}

/* Whether some value of the same unit is in the interval. */
static gboolean
unit_is_in (const Domain *domain, gint64 number, gint64 low, gint64 high)
{
  gint64 rest = number % domain->unit;
  gint64 start = number - (rest < 0 ? rest + domain->unit : rest);

  return start <= high && start + domain->unit - 1 >= low;
}

static void
check_interval (const Trial *trial, const Domain *domain, const KvsqlSlice *rows, guint from,
                guint to, gboolean is_tight)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlInterval interval = { .low = value_at (domain, from),
                             .high = value_at (domain, to),
                             .has_low = TRUE,
                             .has_high = TRUE,
                             .high_is_open = from < to && (from + to) % 2 == 0 };
  KvsqlConstraint constraints[2]
      = { { .is_constrained = TRUE, .intervals = &interval, .n_intervals = 1 } };
  KvsqlConstrainer constrainer = { .constraints = constraints, .arena = arena };
  KvsqlByteRanges ranges;

  kvsql_sequence_constrain (trial->schema->cells[0].fields[KVSQL_FIELD_ROW], &constrainer,
                            (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_END }, &ranges);
  for (guint i = 0; i < domain->n; i++)
    {
      KvsqlValue value = value_at (domain, i);
      gboolean is_in = kvsql_constraint_admits (&constraints[0], &value);
      gboolean is_read = rows[i].size > 0 && is_in_ranges (&ranges, rows[i]);

      if (rows[i].size == 0)
        continue;
      if (is_in && !is_read)
        g_error ("%s: %" G_GINT64_FORMAT " in %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT
                 " is not read",
                 domain->fields, value.integer, interval.low.integer, interval.high.integer);
      if (is_tight && is_read
          && !unit_is_in (domain, value.integer, interval.low.integer,
                          interval.high.integer - interval.high_is_open))
        g_error ("%s: %" G_GINT64_FORMAT " is read for %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT,
                 domain->fields, value.integer, interval.low.integer, interval.high.integer);
      if (is_read && !is_in)
        for (guint p = 0; p < ranges.n_ranges; p++)
          {
            KvsqlByteRanges one = { .ranges = &ranges.ranges[p], .n_ranges = 1 };
            if (ranges.ranges[p].is_exact && is_in_ranges (&one, rows[i])
                && trial->schema->cells[0].derived->n_composites == 0)
              continue; /* another element holds the attribute itself */
            if (ranges.ranges[p].is_exact && is_in_ranges (&one, rows[i]))
              g_error ("%s: %" G_GINT64_FORMAT " is in an exact range of %" G_GINT64_FORMAT
                       "..%" G_GINT64_FORMAT,
                       domain->fields, value.integer, interval.low.integer, interval.high.integer);
          }
    }
}

static void
check_domain (const Domain *domain, guint stride, gboolean is_tight)
{
  g_auto (Trial) trial = { 0 };
  g_autofree gchar *relation = g_strdup_printf ("DEFINE RELATION r { %s }", domain->attributes);
  g_autofree gchar *schema = g_strdup_printf (
      "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW %s, FAMILY 'f' }", domain->fields);
  KvsqlSlice rows[N_DOMAIN_MAX] = { 0 };
  guint n_rows = 0;

  trial_init_or_fail (&trial, relation, schema);
  g_assert_cmpuint (domain->n, <=, N_DOMAIN_MAX);
  for (guint i = 0; i < domain->n; i++)
    {
      KvsqlValue tuple[2] = { value_at (domain, i), { .type = KVSQL_TYPE_INT, .integer = i % 3 } };
      n_rows += encode_row (&trial, tuple, &rows[i], NULL);
    }
  g_assert_cmpuint (n_rows, >, domain->n / 10);
  for (guint from = 0; from < domain->n; from += stride)
    for (guint to = from; to < domain->n; to += stride)
      check_interval (&trial, domain, rows, from, to, is_tight);
}

#define INT_DOMAIN KVSQL_TYPE_INT, -23, 1, 50
#define HOURS(start) KVSQL_TYPE_TIMESTAMP, (start)*G_GINT64_CONSTANT (1000), 900000, 400

static void
test_ranges (void)
{
  static const Domain domains[] = {
    { "a INT KEY", "bucket(10){a}:offset(10){a}", INT_DOMAIN, 1 },
    { "a INT KEY", "bucket(7){a}:'-':offset(7){a}", INT_DOMAIN, 1 },
    { "a INT KEY", "bucket(10){text(4){a}}:offset(10){text(1){a}}", INT_DOMAIN, 1 },
    { "a INT KEY", "suffix('/'){bucket(5){text{a}}}:offset(5){a}", INT_DOMAIN, 1 },
    { "a INT KEY", "bucket(1){a}:offset(1){a}", INT_DOMAIN, 1 },
    { "a INT KEY", "desc{bucket(10){a}}:desc{offset(10){a}}", INT_DOMAIN, 1 },
    { "a INT KEY", "hex{salt(4){a}}:desc{a}", INT_DOMAIN, 1 },
    { "a INT KEY", "hex{bucket(10){a}}:hex{offset(10){a}}", INT_DOMAIN, 1 },
    { "a INT KEY", "bucket(7){ordered{a}}:offset(7){ordered{a}}", INT_DOMAIN, 1 },
    { "a INT KEY", "salt(4){ordered{a}}:ordered{a}", INT_DOMAIN, 1 },
    { "a INT KEY", "bucket(1000){a}:offset(1000){a}", INT_DOMAIN, 1 },
    { "a INT KEY", "salt(4){a}:a", INT_DOMAIN, 1 },
    { "a INT KEY", "salt(4){a}:'x':a", INT_DOMAIN, 1 },
    { "a INT KEY", "salt(3, java){bucket(10){a}}:a", INT_DOMAIN, 1 },
    { "a INT KEY", "bucket(10){a}:a", INT_DOMAIN, 1 },
    { "a INT KEY", "bucket(10){a}:'-':ordered{a}", INT_DOMAIN, 1 },
    { "a DATE KEY", "bucket(7){a}:offset(7){a}", KVSQL_TYPE_DATE, -23, 1, 50, 1 },
    { "a DATE KEY", "format('yyyyMMdd'){a}", KVSQL_TYPE_DATE, -40, 1, 100, 1 },
    { "a DATE KEY", "format('dd.MM.yyyy'){a}", KVSQL_TYPE_DATE, 19750, 1, 100, 1 },
    { "a DATE KEY", "format('yyyy'){a}:format('MMdd'){a}", KVSQL_TYPE_DATE, 19730, 3, 150, 0 },
    /* 2024-02-28T20:00:00 */
    { "a TIMESTAMP KEY", "format('yyyyMMddHH'){a}:':':a", HOURS (1709150400), 1 },
    { "a TIMESTAMP KEY", "format('yyyyMMdd'){a}:':':a", HOURS (1709150400), 1 },
    { "a TIMESTAMP KEY", "format('yyyyMMdd', '+09:00'){a}:a", HOURS (1709150400), 1 },
    { "a DATE KEY", "format('yyyyMM'){a}:a", KVSQL_TYPE_DATE, 19700, 1, 100, 1 },
    { "a TIMESTAMP KEY", "format('yyyyMMddHHmmssSSS'){a}", HOURS (1709150400), 1 },
    { "a TIMESTAMP KEY", "format('HH.dd-MM-yyyy'){a}:a", HOURS (1709150400), 3600000 },
    { "a TIMESTAMP KEY", "bucket(3600000){a}:offset(3600000){a}", HOURS (-150400), 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (domains); i++)
    check_domain (&domains[i], domains[i].n > 100 ? 7 : 1, domains[i].unit > 0);
}

static gboolean
has_zones (void)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_identifier ("America/New_York");

  return zone != NULL;
}

/* Clocks that are set forward and back: the ranges must not miss a value. */
static void
test_ranges_where_clocks_change (void)
{
  static const gchar *const formats[] = {
    "format('yyyyMMddHH', '%s'){a}:':':a",
    "format('yyyyMMdd', '%s'){a}:':':a",
    "format('yyyyMMddHHmmssSSS', '%s'){a}",
    "format('HH-yyyy', '%s'){a}:':':a",
  };
  static const struct
  {
    const gchar *zone;
    gint64 around;
  } changes[] = {
    { "America/New_York", 1710054000 }, /* 2024-03-10 forward */
    { "America/New_York", 1730613600 }, /* 2024-11-03 back */
    { "Asia/Beirut", 1729976400 },      /* 2024-10-27, back over midnight */
    { "Pacific/Apia", 1325239200 },     /* 2011-12-30 does not exist there */
    { "Asia/Seoul", 1709150400 },
  };

  if (!has_zones ())
    {
      g_test_skip ("the system has no tz database");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
      {
        /* the formats are from the table above */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        g_autofree gchar *fields = g_strdup_printf (formats[f], changes[i].zone);
#pragma GCC diagnostic pop
        Domain domain = { "a TIMESTAMP KEY", fields, HOURS (changes[i].around - 150000), 1 };
        /* Seoul's clock has had no transition since 1988 */
        domain.unit = strstr (fields, "Seoul") == NULL ? 0 : 1;
        check_domain (&domain, 13, domain.unit > 0);
      }
}

/* With equalities on all inputs of the hash, each key is one point, and there are no other
 * points. */
static void
test_points_are_not_multiplied (void)
{
  static const gchar *const layouts[]
      = { "hash(2){a}:a", "salt(4){a}:a", "hash(crc32, 4){a}:bucket(10){a}:offset(10){a}",
          "suffix('-'){hash(2){a}}:'x':a" };

  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    {
      g_auto (Trial) trial = { 0 };
      g_autofree gchar *schema = g_strdup_printf (
          "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW %s, FAMILY 'f' }", layouts[i]);
      KvsqlInterval intervals[20];
      KvsqlConstraint constraint
          = { .is_constrained = TRUE, .intervals = intervals, .n_intervals = 20 };
      KvsqlConstrainer constrainer = { .constraints = &constraint };
      KvsqlByteRanges ranges;

      trial_init_or_fail (&trial, "DEFINE RELATION r { a INT KEY }", schema);
      constrainer.arena = trial.arena;
      for (gint n = 0; n < 20; n++)
        intervals[n] = (KvsqlInterval){ .low = { .type = KVSQL_TYPE_INT, .integer = n * 3 - 30 },
                                        .high = { .type = KVSQL_TYPE_INT, .integer = n * 3 - 30 },
                                        .has_low = TRUE,
                                        .has_high = TRUE };
      kvsql_sequence_constrain (trial.schema->cells[0].fields[KVSQL_FIELD_ROW], &constrainer,
                                (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_END }, &ranges);
      g_assert_cmpuint (ranges.n_ranges, ==, 20);
      for (guint p = 0; p < ranges.n_ranges; p++)
        {
          g_assert_true (ranges.ranges[p].is_point);
          g_assert_true (
              p == 0 || kvsql_slice_compare (ranges.ranges[p - 1].low, ranges.ranges[p].low) < 0);
        }
    }
}

/* A range of few buckets becomes points if the elements after it are bounded too. */
static void
test_buckets_as_points (void)
{
  g_auto (Trial) trial = { 0 };
  KvsqlInterval span = { .low = { .type = KVSQL_TYPE_INT, .integer = 5 },
                         .high = { .type = KVSQL_TYPE_INT, .integer = 34 },
                         .has_low = TRUE,
                         .has_high = TRUE };
  KvsqlInterval name = { .low = { .type = KVSQL_TYPE_STRING, .bytes = KVSQL_SLICE_LITERAL ("m") },
                         .high = { .type = KVSQL_TYPE_STRING, .bytes = KVSQL_SLICE_LITERAL ("m") },
                         .has_low = TRUE,
                         .has_high = TRUE };
  KvsqlConstraint constraints[2]
      = { { .is_constrained = TRUE, .intervals = &span, .n_intervals = 1 },
          { .is_constrained = TRUE, .intervals = &name, .n_intervals = 1 } };
  KvsqlConstrainer constrainer = { .constraints = constraints };
  const KvsqlSequence *row;
  KvsqlByteRanges ranges;

  trial_init_or_fail (&trial, "DEFINE RELATION r { a INT KEY, b STRING KEY }",
                      "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW bucket(10){a}:suffix('-'){b},"
                      " FAMILY 'f', QUALIFIER offset(10){a} }");
  constrainer.arena = trial.arena;
  row = trial.schema->cells[0].fields[KVSQL_FIELD_ROW];
  kvsql_sequence_constrain (row, &constrainer, (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_END },
                            &ranges);
  g_assert_cmpuint (ranges.n_ranges, ==, 4);
  for (guint i = 0; i < 4; i++)
    g_assert_true (ranges.ranges[i].is_point);
  constraints[1].is_constrained = FALSE;
  kvsql_sequence_constrain (row, &constrainer, (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_END },
                            &ranges);
  g_assert_cmpuint (ranges.n_ranges, ==, 1);
  g_assert_false (ranges.ranges[0].is_point);
}

/* A salt alone bounds nothing: that is a full scan, not one range for each bucket. */
static void
test_salt_alone_is_open (void)
{
  g_auto (Trial) trial = { 0 };
  KvsqlConstraint constraint = { 0 };
  KvsqlConstrainer constrainer = { .constraints = &constraint };
  KvsqlByteRanges ranges;

  trial_init_or_fail (
      &trial, "DEFINE RELATION r { a INT KEY }",
      "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW salt(9){a}:'-':a, FAMILY 'f'}");
  constrainer.arena = trial.arena;
  kvsql_sequence_constrain (trial.schema->cells[0].fields[KVSQL_FIELD_ROW], &constrainer,
                            (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_END }, &ranges);
  g_assert_true (ranges.is_open);
  g_assert_cmpuint (ranges.n_ranges, ==, 1);
  g_assert_cmpuint (ranges.ranges[0].low.size, ==, 0);
  g_assert_false (ranges.ranges[0].has_high);
}

/* ---- rejected values */

static void
test_rejected (void)
{
  static const struct
  {
    const gchar *attributes;
    const gchar *row;
    const gchar *value;
    const gchar *message;
  } rejected[] = {
    { "a TIMESTAMP KEY", "format('yyyyMMddHH'){a}", "2024-02-29T12:30:00Z",
      "attribute \"a\" is 2024-02-29T12:30:00.000Z, which format('yyyyMMddHH') would return as "
      "2024-02-29T12:00:00.000Z in schema \"s\"" },
    /* the second 01:30 of that night */
    { "a TIMESTAMP KEY", "format('yyyyMMddHHmmssSSS', 'America/New_York'){a}",
      "2024-11-03T06:30:00Z",
      "attribute \"a\" is 2024-11-03T06:30:00.000Z, which format('yyyyMMddHHmmssSSS') would "
      "return as 2024-11-03T05:30:00.000Z in schema \"s\"" },
    { "a TIMESTAMP KEY", "format('yyyy'){a}:format('MM'){a}", "2024-02-29T12:00:00Z",
      "attribute \"a\" would come back as '2024-02-01T00:00:00.000Z' from ROW of schema \"s\"" },
    { "a INT KEY", "bucket(1000){a}:offset(1000){a}", "-2147483648",
      "attribute \"a\" is in a bucket(1000) that begins before the first INT in schema \"s\"" },
    { "a TIMESTAMP KEY", "format('yyyyMMddHH', '+09:00'){a}:a", "9999-12-31T23:00:00Z",
      "attribute \"a\" is outside of the years 0001 to 9999 in the format's time zone in schema "
      "\"s\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rejected); i++)
    {
      if (strstr (rejected[i].row, "America") != NULL && !has_zones ())
        continue;
      g_auto (Trial) trial = { 0 };
      g_autofree gchar *relation
          = g_strdup_printf ("DEFINE RELATION r { %s }", rejected[i].attributes);
      g_autofree gchar *schema = g_strdup_printf (
          "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW %s, FAMILY 'f' }", rejected[i].row);
      g_autoptr (GError) error = NULL;
      KvsqlValue value;
      KvsqlSlice row;

      trial_init_or_fail (&trial, relation, schema);
      g_assert_true (kvsql_value_parse (trial.relation->attributes[0].type,
                                        kvsql_slice_from_text (rejected[i].value), trial.arena,
                                        &value, NULL));
      g_assert_false (encode_row (&trial, &value, &row, &error));
      g_assert_cmpstr (error->message, ==, rejected[i].message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/derived/hash-functions", test_digests);
  g_test_add_func ("/layout/derived/bytes", test_bytes);
  g_test_add_func ("/layout/derived/ranges", test_ranges);
  g_test_add_func ("/layout/derived/ranges-with-clock-changes", test_ranges_where_clocks_change);
  g_test_add_func ("/layout/derived/points-are-not-multiplied", test_points_are_not_multiplied);
  g_test_add_func ("/layout/derived/buckets-as-points", test_buckets_as_points);
  g_test_add_func ("/layout/derived/salt-alone-is-open", test_salt_alone_is_open);
  g_test_add_func ("/layout/derived/rejected-on-write", test_rejected);
  return g_test_run ();
}
