/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-elements.c: properties of all layout elements, on random layouts and values.
 *
 * Written tuples are read back, with a decode plan and without one. A tuple for which an encode
 * plan needs no check by decoding is one that the check would accept. The automaton accepts what
 * the decoder accepts. A row whose values satisfy a constraint is in the ranges of the constraint.
 * Bytes of an element with an order sort as the values do. The bytes of bare attributes are those
 * of HBase's Bytes class. KVSQL_TEST_SEED repeats a run.
 */
#include "config.h"

#include "core/base/conversion.h"
#include "core/catalog/compile-schema.h"
#include "core/catalog/schema.h"
#include "core/write/mutations.h"
#include "core/layout/decode-plan.h"
#include "core/layout/element.h"
#include "core/layout/sequence.h"
#include "core/layout/constrain.h"
#include "core/layout/automata/proof.h"
#include "core/layout/encoding/scalar.h"
#include "core/sql/parser.h"
#include "tests/differential/differential.h"
#include "tests/harness/assert.h"

#include <math.h>

#define N_RELATIONS 150
#define N_TRIES 6
#define N_TUPLES 30
#define N_CONSTRAINTS 6
#define N_MUTATIONS 6

/* ---- bytes of scalars */

static const struct
{
  KvsqlType type;
  const gchar *text;
  const gchar *hex;
} vectors[] = {
  { KVSQL_TYPE_STRING, "", "" },
  { KVSQL_TYPE_STRING, "a\xc3\xa9", "61c3a9" },
  { KVSQL_TYPE_BYTES, "x'00ff'", "00ff" },
  { KVSQL_TYPE_BOOLEAN, "true", "ff" },
  { KVSQL_TYPE_BOOLEAN, "false", "00" },
  { KVSQL_TYPE_INT, "0", "00000000" },
  { KVSQL_TYPE_INT, "1", "00000001" },
  { KVSQL_TYPE_INT, "-1", "ffffffff" },
  { KVSQL_TYPE_INT, "2147483647", "7fffffff" },
  { KVSQL_TYPE_INT, "-2147483648", "80000000" },
  { KVSQL_TYPE_BIGINT, "-1", "ffffffffffffffff" },
  { KVSQL_TYPE_BIGINT, "9223372036854775807", "7fffffffffffffff" },
  { KVSQL_TYPE_BIGINT, "-9223372036854775808", "8000000000000000" },
  { KVSQL_TYPE_FLOAT, "1", "3f800000" },
  { KVSQL_TYPE_FLOAT, "-0", "80000000" },
  { KVSQL_TYPE_FLOAT, "0.1", "3dcccccd" },
  { KVSQL_TYPE_FLOAT, "NaN", "7fc00000" },
  { KVSQL_TYPE_DOUBLE, "1.5", "3ff8000000000000" },
  { KVSQL_TYPE_DOUBLE, "-Infinity", "fff0000000000000" },
  { KVSQL_TYPE_DOUBLE, "NaN", "7ff8000000000000" },
  { KVSQL_TYPE_DECIMAL, "0", "0000000000" },
  { KVSQL_TYPE_DECIMAL, "1.5", "000000010f" },
  { KVSQL_TYPE_DECIMAL, "-1.28", "0000000280" },
  { KVSQL_TYPE_DECIMAL, "128", "000000000080" },
  { KVSQL_TYPE_DATE, "1970-01-02", "00000001" },
  { KVSQL_TYPE_DATE, "1969-12-31", "ffffffff" },
  { KVSQL_TYPE_TIMESTAMP, "1970-01-01T00:00:01.000Z", "00000000000003e8" },
  { KVSQL_TYPE_TIME, "00:00:01", "000003e8" },
  { KVSQL_TYPE_TIME, "24:00:00", "05265c00" },
};

static void
test_scalars (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      KvsqlBuffer bytes = { 0 };
      KvsqlValue value, back;
      g_autofree gchar *hex = NULL;

      g_assert_true (kvsql_value_parse (vectors[i].type, kvsql_slice_from_text (vectors[i].text),
                                        arena, &value, NULL));
      kvsql_scalar_encode (vectors[i].type, &value, &bytes);
      hex = kvsql_hex (kvsql_buffer_slice (&bytes));
      g_assert_cmpstr (hex, ==, vectors[i].hex);
      g_assert_true (
          kvsql_scalar_decode (vectors[i].type, kvsql_buffer_slice (&bytes), TRUE, arena, &back));
      g_assert_true (kvsql_value_equal (&value, &back));
      kvsql_buffer_clear (&bytes);
    }
}

/* ---- bytes of elements that refuse some values */

#define UUID "00112233-4455-6677-8899-aabbccddeeff"
#define UUID_HEX "00112233445566778899aabbccddeeff"

static KvsqlAstStatement *
parse (const gchar *sql, KvsqlArena *arena)
{
  KvsqlAstStatement *statement = kvsql_parser_parse (kvsql_slice_from_text (sql), arena, NULL);

  g_assert_nonnull (statement);
  return statement;
}

static KvsqlSchema *
make_value_schema (const gchar *value, KvsqlRelation **out_relation, KvsqlArena *arena)
{
  g_autofree gchar *sql = g_strdup_printf (
      "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW k, FAMILY 'f', VALUE %s }", value);
  KvsqlSchema *schema;

  *out_relation = kvsql_relation_new (
      &parse ("DEFINE RELATION r { k INT KEY, a STRING }", arena)->define_relation, NULL);
  schema = kvsql_schema_new (&parse (sql, arena)->define_schema, *out_relation, NULL);
  g_assert_nonnull (schema);
  return schema;
}

/* NULL: the value is refused. */
static gchar *
hex_of_value (const gchar *layout, const gchar *value)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlRelation *relation;
  KvsqlSchema *schema = make_value_schema (layout, &relation, arena);
  KvsqlValue tuple[] = { { .type = KVSQL_TYPE_INT },
                         { .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (value) } };
  KvsqlEncoder encoder = { .relation = relation, .schema = "s", .tuple = tuple };
  g_autoptr (GError) error = NULL;
  KvsqlBuffer bytes = { 0 };
  gchar *hex = NULL;

  if (kvsql_sequence_encode (schema->cells[0].fields[KVSQL_FIELD_VALUE], &encoder, &bytes, &error))
    hex = kvsql_hex (kvsql_buffer_slice (&bytes));
  else
    g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_VALUE);
  kvsql_buffer_clear (&bytes);
  kvsql_schema_unref (schema);
  kvsql_relation_unref (relation);
  return hex;
}

static void
test_uuid_is_written (void)
{
  static const gchar *const refused[] = { "",
                                          "0",
                                          "00112233-4455-6677-8899-aabbccddeef",
                                          UUID "0",
                                          UUID "-",
                                          "{" UUID "}",
                                          UUID_HEX,
                                          "00112233-4455-6677-8899-AABBCCDDEEFF",
                                          "0011223-34455-6677-8899-aabbccddeeff",
                                          "00112233-4455-6677-8899-aabbccddeefg",
                                          "00112233-4455-6677-8899-aabbccddee:f",
                                          "00112233-4455-6677-8899-aabbccddee\xc3\xa9",
                                          "00112233_4455-6677-8899-aabbccddeeff",
                                          "001122334455-6677-8899-aabb-ccddeeff",
                                          "------------------------------------" };
  g_autofree gchar *hex = hex_of_value ("uuid{a}", UUID);
  g_autofree gchar *turned = hex_of_value ("desc{uuid{a}}", UUID);
  g_autofree gchar *nil = hex_of_value ("uuid{a}", "00000000-0000-0000-0000-000000000000");

  g_assert_cmpstr (hex, ==, UUID_HEX);
  g_assert_cmpstr (turned, ==, "ffeeddccbbaa99887766554433221100");
  g_assert_cmpstr (nil, ==, "00000000000000000000000000000000");
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    g_assert_null (hex_of_value ("uuid{a}", refused[i]));
}

/* Each 16 bytes are a UUID, and no other bytes are one. */
static void
test_uuid_is_read (void)
{
  static const guint8 bytes[] = { 0,    0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,
                                  0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0 };
  static const KvsqlType types[] = { KVSQL_TYPE_INT, KVSQL_TYPE_STRING };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlBatch) batch = kvsql_batch_new (types, 2, 1);
  KvsqlDecoder decoder = { .batch = batch, .arena = arena };
  KvsqlRelation *relation;
  KvsqlSchema *schema = make_value_schema ("uuid{a}", &relation, arena);
  const KvsqlSequence *value = schema->cells[0].fields[KVSQL_FIELD_VALUE];
  KvsqlValue got;

  for (gsize size = 0; size <= sizeof bytes; size++)
    g_assert_cmpint (kvsql_sequence_decode (value, kvsql_slice (bytes, size), &decoder), ==,
                     size == 16);
  g_assert_true (kvsql_sequence_decode (value, kvsql_slice (bytes, 16), &decoder));
  got = kvsql_vector_get (&batch->columns[1], 0);
  g_assert_true (kvsql_slice_equal (got.bytes, kvsql_slice_from_text (UUID)));
  kvsql_schema_unref (schema);
  kvsql_relation_unref (relation);
}

static gboolean
is_read_as (const KvsqlSequence *sequence, KvsqlSlice bytes, const gchar *text, KvsqlArena *arena)
{
  static const KvsqlType types[] = { KVSQL_TYPE_INT, KVSQL_TYPE_STRING };
  g_autoptr (KvsqlBatch) batch = kvsql_batch_new (types, 2, 1);
  KvsqlDecoder decoder = { .batch = batch, .arena = arena };

  return kvsql_sequence_decode (sequence, bytes, &decoder)
         && kvsql_slice_equal (kvsql_vector_get (&batch->columns[1], 0).bytes,
                               kvsql_slice_from_text (text));
}

/* The element is its own inverse. */
static void
test_reversed (void)
{
  static const struct
  {
    const gchar *layout, *text, *bytes;
  } cases[] = {
    { "reversed('.'){a}", "www.example.com", "com.example.www" },
    { "reversed('.'){a}", "localhost", "localhost" },
    { "reversed('.'){a}", "", "" },
    { "reversed('.'){a}", ".", "." },
    { "reversed('.'){a}", ".a..b", "b..a." },
    { "reversed('.'){a}", "com.example.www", "www.example.com" },
    { "reversed('-->'){a}", "a-->-->->b--", "->b---->-->a" },
    { "reversed('\xc3\xa9'){a}", "a\xc3\xa9\xc3\xa8",
      "\xc3\xa8\xc3\xa9"
      "a" },
    { "reversed(x'a9'){a}", "a\xc3\xa9",
      "\xa9"
      "a\xc3" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      KvsqlSlice bytes = kvsql_slice_from_text (cases[i].bytes);
      g_autofree gchar *got = hex_of_value (cases[i].layout, cases[i].text);
      g_autofree gchar *expected = kvsql_hex (bytes);
      KvsqlRelation *relation;
      KvsqlSchema *schema = make_value_schema (cases[i].layout, &relation, arena);

      g_assert_cmpstr (got, ==, expected);
      g_assert_true (
          is_read_as (schema->cells[0].fields[KVSQL_FIELD_VALUE], bytes, cases[i].text, arena));
      kvsql_schema_unref (schema);
      kvsql_relation_unref (relation);
    }
}

/* The bytes of texts with an ending begin with its whole parts. */
static void
test_reversed_ending (void)
{
  static const struct
  {
    const gchar *ending, *low, *high; /* NULL: the ending bounds nothing */
  } cases[] = {
    { ".example.com", "com.example.", "com.example/" },
    { "le.example.com", "com.example.", "com.example/" },
    { ".", ".", "/" },
    { "a.b.", ".b.", ".b/" },
    { "com", NULL, NULL },
    { "", NULL, NULL },
  };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlRelation *relation;
  KvsqlSchema *schema = make_value_schema ("reversed('.'){a}", &relation, arena);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      KvsqlInterval all = { .has_low = FALSE };
      KvsqlConstraint constraints[] = { { 0 },
                                        { .is_constrained = TRUE,
                                          .intervals = &all,
                                          .n_intervals = 1,
                                          .ending = kvsql_slice_from_text (cases[i].ending) } };
      KvsqlConstrainer constrainer = { .constraints = constraints, .arena = arena };
      KvsqlByteRanges ranges;

      kvsql_sequence_constrain (schema->cells[0].fields[KVSQL_FIELD_VALUE], &constrainer,
                                (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_END }, &ranges);
      g_assert_cmpint (ranges.is_open, ==, cases[i].low == NULL);
      if (ranges.is_open)
        continue;
      g_assert_cmpuint (ranges.n_ranges, ==, 1);
      g_assert_true (
          kvsql_slice_equal (ranges.ranges[0].low, kvsql_slice_from_text (cases[i].low)));
      g_assert_true (
          kvsql_slice_equal (ranges.ranges[0].high, kvsql_slice_from_text (cases[i].high)));
      g_assert_false (ranges.ranges[0].is_exact);
    }
  kvsql_schema_unref (schema);
  kvsql_relation_unref (relation);
}

static void
test_reversed_is_text (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlRelation *relation;
  KvsqlSchema *schema = make_value_schema ("reversed('.'){a}", &relation, arena);
  const KvsqlSequence *value = schema->cells[0].fields[KVSQL_FIELD_VALUE];

  g_assert_true (is_read_as (value, KVSQL_SLICE_LITERAL ("a.b"), "b.a", arena));
  g_assert_false (is_read_as (value, KVSQL_SLICE_LITERAL ("a.\0"), "", arena));
  g_assert_false (is_read_as (value, KVSQL_SLICE_LITERAL ("\xc3.\xa9"), "\xa9.\xc3", arena));
  kvsql_schema_unref (schema);
  kvsql_relation_unref (relation);
}

/* ---- random layouts */

typedef struct
{
  Source source;
  ModelRelation model;
  KvsqlRelation *relation;
  KvsqlSchema *schema;
  const gchar *sql;
  KvsqlBatch *batch;  /* one row with all attributes */
  KvsqlBatch *other;  /* the same, read without plans */
  KvsqlSchema *plain; /* the same schema without plans */
  guint64 n_planned;
  guint64 n_columnar;
  guint64 n_fields;
  guint64 n_rows_in_ranges;
  guint64 n_ordered;
  guint64 n_certain; /* tuples whose last cell needed no check by decoding */
  guint64 n_rejected;
  KvsqlValue previous[MAX_ATTRIBUTES]; /* a tuple that was written before */
  gboolean has_previous;
} Trial;

static KvsqlSchema *
try_schema (Trial *self, guint number)
{
  ModelSchema model;
  KvsqlAstStatement *statement;

  model_schema_make (&model, &self->model, number, &self->source);
  self->sql = model.sql;
  statement = kvsql_parser_parse (kvsql_slice_from_text (model.sql), self->source.arena, NULL);
  g_assert_nonnull (statement);
  return kvsql_schema_new (&statement->define_schema, self->relation, NULL);
}

static gboolean
decodes_into (Trial *self, KvsqlBatch *batch, const KvsqlSequence *sequence, KvsqlSlice bytes)
{
  KvsqlDecoder decoder = { .batch = batch, .arena = self->source.arena };

  memset (batch->block, 0, batch->block_size);
  kvsql_batch_reset (batch);
  return kvsql_sequence_decode (sequence, bytes, &decoder);
}

/* Attributes that no field holds are zero in both. */
static gboolean
is_same_column (const KvsqlVector *a, const KvsqlVector *b)
{
  if (kvsql_vector_is_null (a, 0) != kvsql_vector_is_null (b, 0))
    return FALSE;
  switch (kvsql_type_get_class (a->type))
    {
    case KVSQL_CLASS_BOOLEAN:
      return a->booleans[0] == b->booleans[0];
    case KVSQL_CLASS_INTEGER:
      return a->integers[0] == b->integers[0];
    case KVSQL_CLASS_REAL:
      return memcmp (a->reals, b->reals, sizeof *a->reals) == 0;
    default:
      return kvsql_slice_equal (a->slices[0], b->slices[0]);
    }
}

static void
take_plans (KvsqlSequence *sequence)
{
  sequence->plan = NULL;
  sequence->encode_plan = NULL;
  for (guint i = 0; i < sequence->n_elements; i++)
    if (sequence->elements[i]->inner != NULL)
      take_plans (sequence->elements[i]->inner);
}

static const KvsqlSequence *
find_plain (const Trial *self, const KvsqlSequence *sequence)
{
  for (guint c = 0; c < self->schema->n_cells; c++)
    for (guint field = 0; field < KVSQL_N_FIELDS; field++)
      if (self->schema->cells[c].fields[field] == sequence)
        return self->plain->cells[c].fields[field];
  g_assert_not_reached ();
}

static gboolean
is_same_tuple (const Trial *self)
{
  for (guint a = 0; a < self->batch->n_columns; a++)
    if (!is_same_column (&self->batch->columns[a], &self->other->columns[a]))
      return FALSE;
  return TRUE;
}

/* Decodes the row as one of many, where possible: the result is the same as @other. */
static void
check_columnar (Trial *self, const KvsqlSequence *sequence, KvsqlSlice bytes, gboolean is_read)
{
  KvsqlDecoder decoder = { .batch = self->batch };
  KvsqlSlice field = bytes.size > 0 ? bytes : kvsql_slice ("", 0);

  if (!kvsql_decode_plan_is_columnar (sequence->plan))
    return;
  self->n_columnar++;
  memset (self->batch->block, 0, self->batch->block_size);
  kvsql_batch_reset (self->batch);
  g_assert_cmpint (kvsql_decode_plan_run_many (sequence->plan, &field, 1, &decoder), ==, is_read);
  g_assert_true (!is_read || is_same_tuple (self));
}

/* Decodes with plans, if there are any, and without: the results are the same. */
static gboolean
decodes (Trial *self, const KvsqlSequence *sequence, KvsqlSlice bytes)
{
  gboolean is_read = decodes_into (self, self->batch, sequence, bytes);

  self->n_planned += sequence->plan != NULL;
  g_assert_cmpint (decodes_into (self, self->other, find_plain (self, sequence), bytes), ==,
                   is_read);
  g_assert_true (!is_read || is_same_tuple (self));
  check_columnar (self, sequence, bytes, is_read);
  return is_read;
}

static gboolean
accepts (const KvsqlSequence *sequence, KvsqlSlice bytes)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  gboolean result;

  if (!kvsql_proof_accepts (nfa, kvsql_sequence_automaton (sequence, nfa), &bytes, 1, &result,
                            &error))
    g_error ("%s", error->message);
  return result;
}

static KvsqlSlice
mutated (Trial *self, KvsqlSlice bytes)
{
  static const guint8 interesting[] = { 0, 1, '-', 'a', '/', 0xff, ' ', '0' };
  guint8 *copy = kvsql_arena_alloc (self->source.arena, bytes.size + 1);
  gsize at = source_pick (&self->source, bytes.size + 1);
  guint8 byte = interesting[source_pick (&self->source, G_N_ELEMENTS (interesting))];

  if (bytes.size > 0)
    memcpy (copy, bytes.data, bytes.size);
  switch (source_pick (&self->source, 3))
    {
    case 0: /* another byte */
      copy[at] = byte;
      return kvsql_slice (copy, MAX (bytes.size, at + 1));
    case 1: /* one more byte */
      memmove (copy + at + 1, copy + at, bytes.size - at);
      copy[at] = byte;
      return kvsql_slice (copy, bytes.size + 1);
    default: /* fewer bytes */
      return kvsql_slice (copy, at);
    }
}

static void
fail_with (Trial *self, const gchar *what, const KvsqlValue *tuple, KvsqlSlice bytes)
{
  g_autofree gchar *readable = kvsql_readable (bytes);
  g_autofree gchar *relation = model_relation_to_sql (&self->model, &self->source);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint a = 0; tuple != NULL && a < self->model.n_attributes; a++)
    {
      g_string_append_c (text, ' ');
      kvsql_value_append_literal (&tuple[a], text);
    }
  g_test_message ("%s;\n%s\n%s: \"%s\", of%s", relation, self->sql, what, readable, text->str);
  g_test_fail ();
}

static void
check_automaton (Trial *self, const KvsqlSequence *sequence, const KvsqlValue *tuple,
                 KvsqlSlice bytes)
{
  self->n_fields++;
  if (!decodes (self, sequence, bytes))
    fail_with (self, "is written, but not read", tuple, bytes);
  if (!accepts (sequence, bytes))
    fail_with (self, "is written, but its automaton rejects it", tuple, bytes);
  for (guint i = 0; i < N_MUTATIONS; i++)
    {
      KvsqlSlice other = mutated (self, bytes);
      if (decodes (self, sequence, other) && !accepts (sequence, other))
        fail_with (self, "is read, but its automaton rejects it", tuple, other);
    }
}

/* ---- constraints that a value satisfies */

static void
random_interval (Trial *self, guint attribute, const KvsqlValue *value, KvsqlInterval *out)
{
  KvsqlConstraint constraint = { .is_constrained = TRUE, .intervals = out, .n_intervals = 1 };

  for (guint tries = 0; tries < 10; tries++)
    {
      KvsqlValue low = model_random_value (&self->model, attribute, &self->source);
      KvsqlValue high = model_random_value (&self->model, attribute, &self->source);

      *out = (KvsqlInterval){
        .low = source_chance (&self->source, 20) ? *value : low,
        .high = source_chance (&self->source, 20) ? *value : high,
        .low_is_open = source_chance (&self->source, 50),
        .high_is_open = source_chance (&self->source, 50),
      };
      out->has_low = out->low.type != KVSQL_TYPE_NULL && source_chance (&self->source, 75);
      out->has_high = out->high.type != KVSQL_TYPE_NULL && source_chance (&self->source, 75);
      out->low_is_open = out->low_is_open && out->has_low;
      out->high_is_open = out->high_is_open && out->has_high;
      if (kvsql_constraint_admits (&constraint, value))
        return;
    }
  *out = (KvsqlInterval){ .low = *value, .high = *value, .has_low = TRUE, .has_high = TRUE };
}

static void
random_constraint (Trial *self, guint attribute, const KvsqlValue *value, KvsqlConstraint *out)
{
  *out = (KvsqlConstraint){ .n_intervals = 1 };
  if (value->type == KVSQL_TYPE_NULL || source_chance (&self->source, 25))
    return;
  out->is_constrained = TRUE;
  out->intervals = kvsql_arena_array (self->source.arena, KvsqlInterval, 1);
  if (source_chance (&self->source, 40))
    out->intervals[0]
        = (KvsqlInterval){ .low = *value, .high = *value, .has_low = TRUE, .has_high = TRUE };
  else
    random_interval (self, attribute, value, out->intervals);
  if (value->type == KVSQL_TYPE_STRING && source_chance (&self->source, 40))
    {
      gsize size = source_pick (&self->source, value->bytes.size + 1);

      out->ending = kvsql_slice (value->bytes.data + value->bytes.size - size, size);
    }
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

static void
check_ranges (Trial *self, const KvsqlSequence *sequence, const KvsqlValue *tuple, KvsqlSlice bytes)
{
  KvsqlConstraint constraints[MAX_ATTRIBUTES];
  KvsqlConstrainer constrainer = { .constraints = constraints, .arena = self->source.arena };
  KvsqlByteRanges ranges;

  for (guint i = 0; i < N_CONSTRAINTS; i++)
    {
      for (guint a = 0; a < self->model.n_attributes; a++)
        random_constraint (self, a, &tuple[a], &constraints[a]);
      kvsql_sequence_constrain (sequence, &constrainer,
                                (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_END }, &ranges);
      self->n_rows_in_ranges++;
      if (!is_in_ranges (&ranges, bytes))
        fail_with (self, "is outside of the ranges of a constraint that it satisfies", tuple,
                   bytes);
    }
}

/* ---- order */

static KvsqlSlice
encode_part (Trial *self, const KvsqlSequence *sequence, guint first, guint n,
             const KvsqlValue *tuple)
{
  KvsqlSequence part = { .elements = sequence->elements + first, .n_elements = n };
  KvsqlEncoder encoder
      = { .relation = self->relation, .schema = self->schema->name, .tuple = tuple };
  KvsqlBuffer bytes = { 0 };
  KvsqlSlice result;

  g_assert_true (kvsql_sequence_encode (&part, &encoder, &bytes, NULL));
  result = kvsql_slice_dup (self->source.arena, kvsql_buffer_slice (&bytes));
  kvsql_buffer_clear (&bytes);
  return result;
}

static gint
expected_order (KvsqlByteOrder order, const KvsqlValue *a, const KvsqlValue *b)
{
  gboolean a_is_null = kvsql_value_is_null (a), b_is_null = kvsql_value_is_null (b);
  gint result;

  if (a_is_null || b_is_null)
    return order.nulls_first ? b_is_null - a_is_null : a_is_null - b_is_null;
  result = kvsql_value_compare (a, b);
  return order.order == KVSQL_ORDER_DESCENDING ? -result : result;
}

/* Compares each element with all that follows it with the same bytes of another tuple. */
static void
check_order (Trial *self, const KvsqlSequence *sequence, const KvsqlValue *tuple)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      KvsqlByteOrder order = kvsql_sequence_byte_order (sequence, i);
      guint n = sequence->n_elements - i;
      gint attribute = sequence->elements[i]->attribute, expected, got;
      if (order.order == KVSQL_ORDER_NONE)
        continue;
      self->n_ordered++;
      expected = expected_order (order, &tuple[attribute], &self->previous[attribute]);
      if (expected == 0 && order.is_loose)
        continue;
      n = expected == 0 ? 1 : n;
      got = kvsql_slice_compare (encode_part (self, sequence, i, n, tuple),
                                 encode_part (self, sequence, i, n, self->previous));
      if (CLAMP (got, -1, 1) != CLAMP (expected, -1, 1))
        fail_with (self, "does not sort as it should", tuple,
                   encode_part (self, sequence, i, n, tuple));
    }
}

static gboolean
is_same_mutation (const KvsqlMutation *a, const KvsqlMutation *b)
{
  return a->kind == b->kind && a->timestamp == b->timestamp
         && kvsql_slice_equal (a->table, b->table) && kvsql_slice_equal (a->row, b->row)
         && kvsql_slice_equal (a->family, b->family)
         && kvsql_slice_equal (a->qualifier, b->qualifier)
         && kvsql_slice_equal (a->value, b->value);
}

/* Encodes with plans and without, where each cell is checked by decoding: the bytes are the same,
 * or the tuple is rejected with the same message. */
static void
check_writes (Trial *self, const KvsqlValue *tuple)
{
  g_autoptr (KvsqlMutationList) planned = kvsql_mutation_list_new ();
  g_autoptr (KvsqlMutationList) plain = kvsql_mutation_list_new ();
  g_autoptr (GError) error = NULL, plain_error = NULL;
  gboolean ok = kvsql_mutation_list_add_puts (planned, self->schema, tuple, 2, &error);

  g_assert_cmpint (kvsql_mutation_list_add_puts (plain, self->plain, tuple, 2, &plain_error), ==,
                   ok);
  if (!ok)
    {
      self->n_rejected++;
      g_assert_cmpstr (error->message, ==, plain_error->message);
      g_assert_cmpstr (kvsql_error_get_hint (error), ==, kvsql_error_get_hint (plain_error));
      return;
    }
  self->n_certain += !planned->is_unverified;
  g_assert_true (plain->is_unverified);
  g_assert_cmpuint (planned->mutations->len, ==, plain->mutations->len);
  for (guint i = 0; i < planned->mutations->len; i++)
    g_assert_true (is_same_mutation (&g_array_index (planned->mutations, KvsqlMutation, i),
                                     &g_array_index (plain->mutations, KvsqlMutation, i)));
}

/* Invalid values: beyond the limits of their types, invalid text, or full of separators. */
static KvsqlValue
hostile_value (Trial *self, KvsqlType type)
{
  static const guint8 interesting[] = { 0, 1, '-', '/', 'a', ':', 0x80, 0xc3, 0xa9, 0xff };
  KvsqlValue value = { .type = type };
  gsize size = source_pick (&self->source, 12);
  guint8 *bytes = kvsql_arena_alloc (self->source.arena, size + 1);

  switch (kvsql_type_get_class (type))
    {
    case KVSQL_CLASS_BOOLEAN:
      value.boolean = (gint)source_pick (&self->source, 3);
      break;
    case KVSQL_CLASS_INTEGER:
      value.integer = (gint64)((guint64)g_rand_int (self->source.random) << 32
                               | g_rand_int (self->source.random))
                      >> source_pick (&self->source, 64);
      /* beyond the calendar, but within the range of the computation */
      if (type == KVSQL_TYPE_DATE)
        value.integer %= 2 * KVSQL_DATE_MAX;
      else if (type == KVSQL_TYPE_TIMESTAMP)
        value.integer %= 2 * KVSQL_DATE_MAX * KVSQL_MS_PER_DAY;
      else if (type == KVSQL_TYPE_TIME)
        value.integer %= 2 * KVSQL_MS_PER_DAY;
      break;
    case KVSQL_CLASS_REAL:
      value.real = g_rand_double_range (self->source.random, -1, 1);
      break;
    default:
      for (gsize i = 0; i < size; i++)
        bytes[i] = interesting[source_pick (&self->source, G_N_ELEMENTS (interesting))];
      value.bytes = kvsql_slice (bytes, size);
      break;
    }
  return value;
}

static void
check_hostile (Trial *self, const KvsqlValue *tuple)
{
  KvsqlValue hostile[MAX_ATTRIBUTES];
  guint attribute = source_pick (&self->source, self->model.n_attributes);
  KvsqlType type = self->model.attributes[attribute].type;

  /* the text of these values is always made by their own code */
  if (type == KVSQL_TYPE_DECIMAL || type == KVSQL_TYPE_UUID || kvsql_type_is_collection (type))
    return;
  memcpy (hostile, tuple, self->model.n_attributes * sizeof *tuple);
  hostile[attribute] = hostile_value (self, type);
  check_writes (self, hostile);
}

static void
check_tuple (Trial *self, const KvsqlValue *tuple)
{
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();

  check_writes (self, tuple);
  check_hostile (self, tuple);
  if (!kvsql_mutation_list_add_puts (list, self->schema, tuple, 2, NULL))
    return;
  for (guint c = 0; c < self->schema->n_cells; c++)
    {
      const KvsqlCellLayout *cell = &self->schema->cells[c];
      KvsqlEncoder encoder
          = { .relation = self->relation, .schema = self->schema->name, .tuple = tuple };

      if (kvsql_cell_is_absent (cell, tuple))
        continue;
      for (guint field = 0; field < KVSQL_N_FIELDS; field++)
        {
          KvsqlBuffer bytes = { 0 };
          g_assert_true (kvsql_sequence_encode (cell->fields[field], &encoder, &bytes, NULL));
          check_automaton (self, cell->fields[field], tuple, kvsql_buffer_slice (&bytes));
          check_ranges (self, cell->fields[field], tuple, kvsql_buffer_slice (&bytes));
          if (self->has_previous && !kvsql_cell_is_absent (cell, self->previous))
            check_order (self, cell->fields[field], tuple);
          kvsql_buffer_clear (&bytes);
        }
    }
  memcpy (self->previous, tuple, self->model.n_attributes * sizeof *tuple);
  self->has_previous = TRUE;
}

static KvsqlSchema *
compile_plain (Trial *self)
{
  KvsqlAstStatement *statement
      = kvsql_parser_parse (kvsql_slice_from_text (self->sql), self->source.arena, NULL);
  KvsqlSchema *schema = kvsql_schema_new (&statement->define_schema, self->relation, NULL);

  for (guint c = 0; c < schema->n_cells; c++)
    for (guint field = 0; field < KVSQL_N_FIELDS; field++)
      take_plans (schema->cells[c].fields[field]);
  return schema;
}

static void
run_trial (Trial *self)
{
  g_autofree gchar *sql = NULL;
  KvsqlAstStatement *statement;
  KvsqlType types[MAX_ATTRIBUTES];

  model_relation_make (&self->model, &self->source);
  sql = model_relation_to_sql (&self->model, &self->source);
  statement = kvsql_parser_parse (kvsql_slice_from_text (sql), self->source.arena, NULL);
  self->relation = kvsql_relation_new (&statement->define_relation, NULL);
  for (guint a = 0; a < self->model.n_attributes; a++)
    types[a] = self->model.attributes[a].type;
  self->batch = kvsql_batch_new (types, self->model.n_attributes, 1);
  self->other = kvsql_batch_new (types, self->model.n_attributes, 1);
  for (guint i = 0; i < N_TRIES; i++)
    {
      self->schema = try_schema (self, i);
      self->plain = self->schema == NULL ? NULL : compile_plain (self);
      self->has_previous = FALSE;
      for (guint t = 0; self->schema != NULL && t < N_TUPLES; t++)
        {
          KvsqlValue tuple[MAX_ATTRIBUTES];
          for (guint a = 0; a < self->model.n_attributes; a++)
            tuple[a] = model_random_value (&self->model, a, &self->source);
          check_tuple (self, tuple);
        }
      kvsql_schema_unref (self->schema);
      kvsql_schema_unref (self->plain);
    }
  kvsql_batch_free (self->batch);
  kvsql_batch_free (self->other);
  kvsql_relation_unref (self->relation);
}

static void
test_random (void)
{
  const gchar *given = g_getenv ("KVSQL_TEST_SEED");
  guint32 seed = given != NULL ? g_ascii_strtoull (given, NULL, 10) : g_random_int ();
  guint64 n_fields = 0, n_rows = 0, n_ordered = 0, n_planned = 0, n_columnar = 0;
  guint64 n_certain = 0, n_rejected = 0;

  g_test_message ("first seed %u", seed);
  for (guint i = 0; i < N_RELATIONS && !g_test_failed (); i++)
    {
      Trial trial = { .source = { .random = g_rand_new_with_seed (seed + i),
                                  .arena = kvsql_arena_new () } };
      run_trial (&trial);
      if (g_test_failed ())
        g_test_message ("KVSQL_TEST_SEED=%u", seed + i);
      n_fields += trial.n_fields;
      n_rows += trial.n_rows_in_ranges;
      n_ordered += trial.n_ordered;
      n_planned += trial.n_planned;
      n_columnar += trial.n_columnar;
      n_certain += trial.n_certain;
      n_rejected += trial.n_rejected;
      g_rand_free (trial.source.random);
      kvsql_arena_free (trial.source.arena);
    }
  g_test_message ("%" G_GUINT64_FORMAT " fields, %" G_GUINT64_FORMAT
                  " constraints, %" G_GUINT64_FORMAT " ordered, %" G_GUINT64_FORMAT
                  " by plans, %" G_GUINT64_FORMAT " columnar, %" G_GUINT64_FORMAT
                  " certain, %" G_GUINT64_FORMAT " rejected",
                  n_fields, n_rows, n_ordered, n_planned, n_columnar, n_certain, n_rejected);
  g_assert_cmpuint (n_fields, >, 1000);
  g_assert_cmpuint (n_planned, >, 1000);
  g_assert_cmpuint (n_columnar, >, 300);
  g_assert_cmpuint (n_certain, >, 50);
  g_assert_cmpuint (n_rejected, >, 50);
}

/* ---- the search */

/* The search for the end of a value takes at most as many steps as the value has letters. */
static void
test_many_tries (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlRelation *relation = kvsql_relation_new (
      &parse ("DEFINE RELATION r { a STRING KEY, b STRING KEY }", arena)->define_relation, NULL);
  KvsqlSchema *schema
      = kvsql_schema_new (&parse ("DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW "
                                  "regexp('[a-z]*'){a}:'-':b, FAMILY 'f', VALUE '' }",
                                  arena)
                               ->define_schema,
                          relation, NULL);
  g_autofree gchar *letters = g_strnfill (200, 'x');
  const KvsqlValue tuple[]
      = { { .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (letters) },
          { .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text ("b") } };
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (schema->cells[0].fields[KVSQL_FIELD_ROW]->plan);
  /* checks the cells by decoding them */
  assert_done (kvsql_mutation_list_add_puts (list, schema, tuple, 1, &error), error);
  kvsql_schema_unref (schema);
  kvsql_relation_unref (relation);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/elements/scalars-are-hbase-bytes", test_scalars);
  g_test_add_func ("/layout/elements/uuid-is-written", test_uuid_is_written);
  g_test_add_func ("/layout/elements/uuid-is-read", test_uuid_is_read);
  g_test_add_func ("/layout/elements/reversed", test_reversed);
  g_test_add_func ("/layout/elements/reversed-ending", test_reversed_ending);
  g_test_add_func ("/layout/elements/reversed-is-text", test_reversed_is_text);
  g_test_add_func ("/layout/elements/random", test_random);
  g_test_add_func ("/layout/elements/many-tries", test_many_tries);
  return g_test_run ();
}
