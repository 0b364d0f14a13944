/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-ranges.c: each small set of values with each constraint, compared with brute force.
 *
 * For each layout: a value that satisfies the constraint is in the ranges; a value in exact ranges
 * satisfies the constraint; and if the element keeps the order, the ranges are exact. Also checks
 * that the bytes sort as the element says, and that each value has one form.
 */
#include "config.h"

#include "core/catalog/compile-schema.h"
#include "core/catalog/schema.h"
#include "core/layout/element.h"
#include "core/layout/sequence.h"
#include "core/layout/constrain.h"
#include "core/layout/automata/proof.h"
#include "core/sql/parser.h"

#define MAX_VALUES 24

#define S(text)                                                                                    \
  {                                                                                                \
    .type = KVSQL_TYPE_STRING, .bytes = KVSQL_SLICE_LITERAL (text)                                 \
  }
#define U(text)                                                                                    \
  {                                                                                                \
    .type = KVSQL_TYPE_UUID, .bytes = KVSQL_SLICE_LITERAL (text)                                   \
  }
#define B(text)                                                                                    \
  {                                                                                                \
    .type = KVSQL_TYPE_BYTES, .bytes = KVSQL_SLICE_LITERAL (text)                                  \
  }
#define D(text)                                                                                    \
  {                                                                                                \
    .type = KVSQL_TYPE_DECIMAL, .bytes = KVSQL_SLICE_LITERAL (text)                                \
  }
#define I(number)                                                                                  \
  {                                                                                                \
    .type = KVSQL_TYPE_INT, .integer = number                                                      \
  }
#define T(number)                                                                                  \
  {                                                                                                \
    .type = KVSQL_TYPE_TIMESTAMP, .integer = number                                                \
  }
#define R(number)                                                                                  \
  {                                                                                                \
    .type = KVSQL_TYPE_DOUBLE, .real = number                                                      \
  }

typedef struct
{
  const gchar *type;
  guint n;
  KvsqlValue values[MAX_VALUES];
  const gchar *name; /* in cases; NULL: that of the type */
} Domain;

static const Domain domains[] = {
  { "STRING",
    15,
    { S (""), S ("a"), S ("a\x01"), S ("a!"), S ("a-"), S ("a-b"), S ("ab"), S ("b"), S ("\x01"),
      S ("N"), S ("\xc3\xa9"), S ("~"), S ("ba"), S ("-b"), S ("a-b-") } },
  { "BYTES",
    14,
    { B (""), B ("\0"), B ("\0\0"), B ("\0\1"), B ("\1"), B ("a"), B ("a\0"), B ("a\xff"), B ("a-"),
      B ("aaaaaaa"), B ("aaaaaaaa"), B ("\xff"), B ("\xff\xff"), B ("b") } },
  { "BOOLEAN",
    2,
    { { .type = KVSQL_TYPE_BOOLEAN, .boolean = TRUE }, { .type = KVSQL_TYPE_BOOLEAN } } },
  { "INT",
    10,
    { I (0), I (1), I (-1), I (2), I (-2), I (255), I (256), I (G_MAXINT32), I (G_MININT32),
      I (-256) } },
  { "DOUBLE",
    11,
    { R (0.0), R (-0.0), R (1), R (-1), R (0.5), R (-0.5), R (G_MAXDOUBLE), R (-G_MAXDOUBLE),
      R (5e-324), R (-5e-324), R (2) } },
  { "DECIMAL",
    15,
    { D ("0"), D ("1"), D ("-1"), D ("0.5"), D ("-0.5"), D ("0.05"), D ("10"), D ("100"),
      D ("-100"), D ("99.99"), D ("-0.001"), D ("1000000000000000000000000"),
      D ("-1000000000000000000000000"), D ("0.055"), D ("101") } },
  /* the least, the greatest and the middle; neighbours; texts that only are bounds */
  { "STRING",
    22,
    { S ("00000000-0000-0000-0000-000000000000"),
      S ("00000000-0000-0000-0000-000000000001"),
      S ("0fffffff-ffff-ffff-ffff-ffffffffffff"),
      S ("10000000-0000-0000-0000-000000000000"),
      S ("9fffffff-ffff-ffff-ffff-ffffffffffff"),
      S ("a0000000-0000-0000-0000-000000000000"),
      S ("a0ffffff-ffff-0000-0000-000000000000"),
      S ("a1000000-0000-0000-0000-000000000000"),
      S ("ffffffff-0000-0000-0000-000000000000"),
      S ("ffffffff-ffff-ffff-ffff-ffffffffffff"),
      S (""),
      S ("a0"),
      S ("a0ffffff"),
      S ("a0ffffff-"),
      S ("a0ffffff~"),
      S ("A0000000-"),
      S ("9fffffff-ffff-ffff-ffff-fffffffffff~"),
      S ("00000000-0000-0000-0000-000000000000 "),
      S ("ffffffff-ffff-ffff-ffff-ffffffffffffa"),
      S ("ffffffff+"),
      S ("ffffffff."),
      S ("zzz") },
    "TEXT-UUID" },
  /* with and without a fraction, the least and the greatest */
  { "TIMESTAMP",
    12,
    { T (0), T (1), T (-1), T (10), T (100), T (120), T (999), T (1000), T (1500), T (-1500),
      T (-62135596800000), T (253402300799999) } },
  { "UUID",
    10,
    { U ("00000000-0000-0000-0000-000000000000"), U ("00000000-0000-0000-0000-000000000001"),
      U ("0fffffff-ffff-ffff-ffff-ffffffffffff"), U ("10000000-0000-0000-0000-000000000000"),
      U ("9fffffff-ffff-ffff-ffff-ffffffffffff"), U ("a0000000-0000-0000-0000-000000000000"),
      U ("2d2d2d2d-2d2d-2d2d-2d2d-2d2d2d2d2d2d"), U ("a1000000-0000-0000-0000-0000000000ff"),
      U ("ffffffff-0000-0000-0000-000000000000"), U ("ffffffff-ffff-ffff-ffff-ffffffffffff") } },
};

/* Elements after the tested one in ROW. k is INT KEY, so it has always 4 bytes. */
static const gchar *const tails[] = { "", ":k", ":'-':k", ":x'ff':k", ":x'00':k" };

/* Bounds for the constraints that no layout can store. */
static const KvsqlValue strange_strings[] = { S ("a\0b"), S ("\xff"), S ("a\xff") };
static const KvsqlValue strange_decimals[]
    = { D ("0.0500000000000000000000000000000000000000000001"),
        D ("-99999999999999999999999999999999999.5") };

typedef struct
{
  KvsqlArena *arena;
  const Domain *domain;
  KvsqlRelation *relation;
  KvsqlSchema *schema;
  KvsqlSequence *row;
  const gchar *layout;
  KvsqlValue values[MAX_VALUES];
  guint n_values;
  /* the values that can be stored, with each of two keys */
  KvsqlValue stored[MAX_VALUES * 2];
  KvsqlSlice bytes[MAX_VALUES * 2];
  guint n_stored;
  gboolean must_be_exact;
  gboolean may_reject; /* a value other than NULL may be rejected */
  guint64 n_checked;
} Trial;

static KvsqlRelation *
make_relation (const gchar *type, KvsqlArena *arena)
{
  g_autofree gchar *text = g_strdup_printf ("DEFINE RELATION r { k INT KEY, v %s }", type);
  KvsqlAstStatement *statement = kvsql_parser_parse (kvsql_slice_from_text (text), arena, NULL);

  return kvsql_relation_new (&statement->define_relation, NULL);
}

static KvsqlSchema *
make_schema (Trial *self, const gchar *layout, const gchar *tail)
{
  gboolean has_k = strchr (tail, 'k') != NULL;
  g_autofree gchar *text
      = g_strdup_printf ("DEFINE SCHEMA s FOR r { TABLE %s, ROW %s%s, FAMILY 'f' }",
                         has_k ? "'t'" : "'t':k", layout, tail);
  g_autoptr (GError) error = NULL;
  KvsqlAstStatement *statement
      = kvsql_parser_parse (kvsql_slice_from_text (text), self->arena, NULL);
  KvsqlSchema *schema;

  g_assert_nonnull (statement);
  schema = kvsql_schema_new (&statement->define_schema, self->relation, &error);
  if (schema == NULL)
    g_test_message ("%s %s: %s", self->domain->type, text, error->message);
  return schema;
}

static gchar *
describe (const KvsqlConstraint *constraint)
{
  GString *text = g_string_new (constraint != NULL && constraint->allows_null ? "NULL" : "");

  for (guint i = 0; constraint != NULL && i < constraint->n_intervals; i++)
    {
      const KvsqlInterval *interval = &constraint->intervals[i];
      g_string_append (text, interval->low_is_open ? " (" : " [");
      if (interval->has_low)
        kvsql_value_append_literal (&interval->low, text);
      g_string_append (text, ", ");
      if (interval->has_high)
        kvsql_value_append_literal (&interval->high, text);
      g_string_append (text, interval->high_is_open ? ")" : "]");
    }
  return g_string_free (text, FALSE);
}

static void
fail (const Trial *self, const gchar *what, KvsqlSlice bytes, const KvsqlConstraint *constraint)
{
  g_autofree gchar *shown = kvsql_readable (bytes), *asked = describe (constraint);

  g_error ("%s %s: \"%s\" %s %s", self->domain->type, self->layout, shown, what, asked);
}

/* FALSE: the write would be rejected, since the value does not round-trip. */
static gboolean
check_round_trip (Trial *self, const KvsqlValue *tuple, KvsqlSlice bytes)
{
  const KvsqlType types[] = { KVSQL_TYPE_INT, self->relation->attributes[1].type };
  g_autoptr (KvsqlBatch) batch = kvsql_batch_new (types, 2, 1);
  KvsqlDecoder decoder = { .batch = batch, .arena = self->arena };
  g_autofree gchar *shown = kvsql_readable (bytes);
  KvsqlNfa *nfa = kvsql_nfa_new (self->arena);
  KvsqlValue got;
  gboolean is_accepted;

  if (!kvsql_sequence_decode (self->row, bytes, &decoder))
    return FALSE;
  got = kvsql_vector_get (&batch->columns[1], 0);
  if (!kvsql_value_equal (&got, &tuple[1]))
    return FALSE;
  g_assert_true (kvsql_proof_accepts (nfa, kvsql_sequence_automaton (self->row, nfa), &bytes, 1,
                                      &is_accepted, NULL));
  if (!is_accepted)
    g_error ("%s %s: \"%s\" is not accepted", self->domain->type, self->layout, shown);
  return TRUE;
}

static void
store (Trial *self)
{
  KvsqlEncoder encoder = { .relation = self->relation, .schema = "s" };

  self->n_stored = 0;
  for (guint i = 0; i < self->n_values; i++)
    for (gint k = 0; k < 2; k++)
      {
        KvsqlValue tuple[2] = { I (0), self->values[i] };
        KvsqlBuffer buffer = { 0 };

        tuple[0].integer = k == 0 ? 0x2d61002d : -1;
        encoder.tuple = tuple;
        if (kvsql_sequence_encode (self->row, &encoder, &buffer, NULL)
            && check_round_trip (self, tuple, kvsql_buffer_slice (&buffer)))
          {
            self->bytes[self->n_stored]
                = kvsql_slice_dup (self->arena, kvsql_buffer_slice (&buffer));
            self->stored[self->n_stored++] = self->values[i];
          }
        else if (!self->may_reject && !kvsql_value_is_null (&self->values[i]))
          fail (self, "cannot be written", kvsql_buffer_slice (&buffer), NULL);
        kvsql_buffer_clear (&buffer);
      }
}

static gboolean
is_in_ranges (const KvsqlByteRanges *ranges, KvsqlSlice bytes, gboolean *out_is_exact)
{
  *out_is_exact = !ranges->is_open;
  for (guint i = 0; i < ranges->n_ranges; i++)
    {
      const KvsqlByteRange *range = &ranges->ranges[i];
      if (range->is_point
              ? !kvsql_slice_equal (bytes, range->low)
              : kvsql_slice_compare (bytes, range->low) < 0
                    || (range->has_high && kvsql_slice_compare (bytes, range->high) >= 0))
        continue;
      *out_is_exact = range->is_exact && !ranges->is_open;
      return TRUE;
    }
  return ranges->is_open;
}

/* Whether a range that begins with the bytes of a value contains no longer value, which the planner
 * also asks. */
static gboolean
ends_for_sure (const KvsqlSequence *row)
{
  const KvsqlElement *element = row->elements[0];

  return row->n_elements == 1 || element->fixed_size >= 0 || element->is_prefix_free
         || (element->is_restricted && element->attribute >= 0);
}

/* With a bound that cannot be stored, ranges may be inexact. */
static gboolean
is_strange (const KvsqlConstraint *constraint)
{
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      const KvsqlValue *bounds[]
          = { &constraint->intervals[i].low, &constraint->intervals[i].high };
      for (guint j = 0; j < 2; j++)
        if (bounds[j]->type == KVSQL_TYPE_STRING && bounds[j]->bytes.size > 0
            && memchr (bounds[j]->bytes.data, 0, bounds[j]->bytes.size) != NULL)
          return TRUE;
    }
  return FALSE;
}

static void
check_constraint (Trial *self, const KvsqlConstraint *constraint)
{
  KvsqlConstraint constraints[2] = { { 0 }, *constraint };
  KvsqlConstrainer constrainer = { .constraints = constraints, .arena = self->arena };
  KvsqlByteRanges ranges;

  kvsql_sequence_constrain (self->row, &constrainer,
                            (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_END }, &ranges);
  for (guint i = 0; i < self->n_stored; i++)
    {
      gboolean is_exact, is_in = is_in_ranges (&ranges, self->bytes[i], &is_exact);
      gboolean is_admitted = kvsql_constraint_admits (constraint, &self->stored[i]);

      self->n_checked++;
      if (is_admitted && !is_in)
        fail (self, "is missing from the ranges of", self->bytes[i], constraint);
      if (is_in && !is_admitted
          && ((is_exact && ends_for_sure (self->row))
              || (self->must_be_exact && !is_strange (constraint))))
        fail (self, "is in the ranges of", self->bytes[i], constraint);
    }
}

/* The bounds: the values, and some that can never be stored. */
static guint
list_bounds (const Trial *self, KvsqlValue *out)
{
  KvsqlType type = self->relation->attributes[1].type;
  guint n = 0;

  for (guint i = 0; i < self->n_values; i++)
    if (!kvsql_value_is_null (&self->values[i]))
      out[n++] = self->values[i];
  for (guint i = 0; i < G_N_ELEMENTS (strange_strings) && type == KVSQL_TYPE_STRING; i++)
    out[n++] = strange_strings[i];
  for (guint i = 0; i < G_N_ELEMENTS (strange_decimals) && type == KVSQL_TYPE_DECIMAL; i++)
    out[n++] = strange_decimals[i];
  return n;
}

static gboolean
is_empty (const KvsqlInterval *interval)
{
  gint order = interval->has_low && interval->has_high
                   ? kvsql_value_compare (&interval->low, &interval->high)
                   : -1;

  return order > 0 || (order == 0 && (interval->low_is_open || interval->high_is_open));
}

static void
check_interval (Trial *self, KvsqlInterval interval)
{
  KvsqlConstraint constraint = { .is_constrained = TRUE, .intervals = &interval, .n_intervals = 1 };

  if (is_empty (&interval))
    return;
  check_constraint (self, &constraint);
  constraint.allows_null = TRUE;
  check_constraint (self, &constraint);
}

static void
check_pair (Trial *self, const KvsqlValue *a, const KvsqlValue *b)
{
  for (guint open = 0; open < 4; open++)
    check_interval (self, (KvsqlInterval){ .low = *a,
                                           .high = *b,
                                           .has_low = TRUE,
                                           .has_high = TRUE,
                                           .low_is_open = open & 1,
                                           .high_is_open = (open & 2) != 0 });
  /* two points, and the values outside of them */
  if (kvsql_value_compare (a, b) < 0)
    {
      KvsqlInterval points[] = { { .low = *a, .high = *a, .has_low = TRUE, .has_high = TRUE },
                                 { .low = *b, .high = *b, .has_low = TRUE, .has_high = TRUE } };
      KvsqlInterval outside[] = { { .high = *a, .has_high = TRUE, .high_is_open = TRUE },
                                  { .low = *b, .has_low = TRUE } };
      KvsqlConstraint in = { .is_constrained = TRUE, .intervals = points, .n_intervals = 2 };
      KvsqlConstraint out = { .is_constrained = TRUE, .intervals = outside, .n_intervals = 2 };
      check_constraint (self, &in);
      check_constraint (self, &out);
    }
}

/* No value that ends with @ending is missing. An ending may only make ranges narrower. */
static void
check_ending (Trial *self, KvsqlSlice ending)
{
  KvsqlInterval all = { .has_low = FALSE };
  KvsqlConstraint constraints[2]
      = { { 0 },
          { .is_constrained = TRUE, .intervals = &all, .n_intervals = 1, .ending = ending } };
  KvsqlConstrainer constrainer = { .constraints = constraints, .arena = self->arena };
  KvsqlByteRanges ranges;

  kvsql_sequence_constrain (self->row, &constrainer,
                            (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_END }, &ranges);
  for (guint i = 0; i < self->n_stored; i++)
    {
      KvsqlSlice value = self->stored[i].bytes;
      gboolean is_exact;

      self->n_checked++;
      if (!kvsql_value_is_null (&self->stored[i]) && value.size >= ending.size
          && kvsql_slice_equal (kvsql_slice (value.data + value.size - ending.size, ending.size),
                                ending)
          && !is_in_ranges (&ranges, self->bytes[i], &is_exact))
        fail (self, "is missing from the ranges of an ending", self->bytes[i], &constraints[1]);
    }
}

/* All endings of all values. */
static void
check_endings (Trial *self)
{
  KvsqlType type = self->relation->attributes[1].type;

  if (type != KVSQL_TYPE_STRING && type != KVSQL_TYPE_BYTES)
    return;
  for (guint i = 0; i < self->n_values; i++)
    {
      KvsqlSlice value = self->values[i].bytes;

      for (gsize from = 0; !kvsql_value_is_null (&self->values[i]) && from < value.size; from++)
        check_ending (self, kvsql_slice (value.data + from, value.size - from));
    }
}

static void
check_constraints (Trial *self)
{
  KvsqlValue bounds[MAX_VALUES + 8];
  guint n = list_bounds (self, bounds);
  KvsqlConstraint null = { .is_constrained = TRUE, .allows_null = TRUE };

  check_constraint (self, &null);
  check_constraint (self, &(KvsqlConstraint){ .is_constrained = FALSE });
  check_interval (self, (KvsqlInterval){ .has_low = FALSE });
  for (guint i = 0; i < n; i++)
    {
      for (guint open = 0; open < 2; open++)
        {
          check_interval (
              self, (KvsqlInterval){ .low = bounds[i], .has_low = TRUE, .low_is_open = open });
          check_interval (
              self, (KvsqlInterval){ .high = bounds[i], .has_high = TRUE, .high_is_open = open });
        }
      for (guint j = 0; j < n; j++)
        check_pair (self, &bounds[i], &bounds[j]);
    }
}

static void
check_order (Trial *self)
{
  KvsqlByteOrder order = kvsql_sequence_byte_order (self->row, 0);

  for (guint i = 0; i < self->n_stored && order.order != KVSQL_ORDER_NONE; i++)
    for (guint j = 0; j < self->n_stored; j++)
      {
        const KvsqlValue *a = &self->stored[i], *b = &self->stored[j];
        gboolean a_is_null = kvsql_value_is_null (a), b_is_null = kvsql_value_is_null (b);
        gint bytes = kvsql_slice_compare (self->bytes[i], self->bytes[j]), expected;

        if (a_is_null || b_is_null)
          expected = order.nulls_first ? b_is_null - a_is_null : a_is_null - b_is_null;
        else
          expected = kvsql_value_compare (a, b) * (order.order == KVSQL_ORDER_DESCENDING ? -1 : 1);
        if (expected != 0 && CLAMP (bytes, -1, 1) != CLAMP (expected, -1, 1))
          {
            g_autofree gchar *x = kvsql_readable (self->bytes[i]),
                             *y = kvsql_readable (self->bytes[j]);
            g_error ("%s %s: \"%s\" and \"%s\" are not in order", self->domain->type, self->layout,
                     x, y);
          }
      }
}

/* Returns whether the definition was accepted. */
static gboolean
run (const Domain *domain, const gchar *layout, const gchar *tail, gboolean must_be_exact,
     gboolean has_order)
{
  Trial trial = {
    .arena = kvsql_arena_new (), .domain = domain, .layout = layout, .must_be_exact = must_be_exact
  };
  gboolean result;

  memcpy (trial.values, domain->values, domain->n * sizeof (KvsqlValue));
  trial.values[domain->n] = KVSQL_VALUE_NULL;
  trial.n_values = domain->n + 1;
  trial.may_reject
      = strpbrk (layout, "(:") != NULL || strchr (tail, '\'') != NULL || domain->name != NULL;
  trial.relation = make_relation (domain->type, trial.arena);
  trial.schema = make_schema (&trial, layout, tail);
  result = trial.schema != NULL;
  if (result)
    {
      trial.row = trial.schema->cells[0].fields[KVSQL_FIELD_ROW];
      store (&trial);
      check_constraints (&trial);
      check_endings (&trial);
      check_order (&trial);
      if (has_order && kvsql_sequence_byte_order (trial.row, 0).order == KVSQL_ORDER_NONE)
        g_test_message ("%s %s%s: no order is claimed", domain->type, layout, tail), g_test_fail ();
      g_assert_cmpuint (trial.n_stored, >, 0);
    }
  kvsql_schema_unref (trial.schema);
  kvsql_relation_unref (trial.relation);
  kvsql_arena_free (trial.arena);
  return result;
}

typedef enum
{
  MAY_BE_WIDE = 0, /* ranges may be too wide */
  EXACT = 1,
  ORDERED = 2,
} Promise;

static const struct
{
  const gchar *layout;
  const gchar *types; /* the types to which the case applies */
  guint promise;
  guint n_tails; /* number of the tails above that are accepted */
} cases[] = {
  { "ordered{v}", "STRING BOOLEAN INT DOUBLE DECIMAL", EXACT | ORDERED, 5 },
  { "ordered{v}", "BYTES", MAY_BE_WIDE, 5 },
  { "size(2){ordered{v}}", "STRING BYTES BOOLEAN INT DOUBLE DECIMAL", MAY_BE_WIDE, 5 },
  { "prefix('/'){ordered{v}}", "STRING BOOLEAN INT DOUBLE DECIMAL", EXACT | ORDERED, 5 },
  { "suffix('/'){ordered{v}}", "STRING BOOLEAN INT DOUBLE DECIMAL", EXACT | ORDERED, 5 },
  { "fixed(40, x'00'){ordered{v}}", "STRING BOOLEAN INT DOUBLE DECIMAL", EXACT | ORDERED, 5 },
  { "optional('/'){ordered{v}}", "STRING BOOLEAN INT DOUBLE DECIMAL", ORDERED, 5 },
  { "optional(x'00'){v}", "STRING BYTES DECIMAL INT", MAY_BE_WIDE, 5 },
  { "optional('/'){null(''){text{v}}}", "INT", MAY_BE_WIDE, 5 },
  { "desc{v}", "INT", EXACT | ORDERED, 5 },
  { "desc{v}", "BOOLEAN", EXACT | ORDERED, 5 },
  { "desc{v}", "DOUBLE DECIMAL", MAY_BE_WIDE, 5 },
  { "desc{v}", "STRING BYTES", MAY_BE_WIDE, 5 },
  { "desc{ordered{v}}", "STRING BOOLEAN INT DOUBLE DECIMAL", EXACT | ORDERED, 5 },
  { "desc{ordered{v}}", "BYTES", MAY_BE_WIDE, 5 },
  { "desc{suffix(x'00'){v}}", "STRING", EXACT | ORDERED, 5 },
  { "desc{suffix('-'){v}}", "STRING BYTES", MAY_BE_WIDE, 5 },
  { "desc{fixed(8, x'00'){v}}", "STRING", EXACT | ORDERED, 5 },
  { "desc{fixed(8, x'00'){v}}", "BYTES", ORDERED, 5 },
  { "fixed(8, x'00'){v}", "STRING", EXACT | ORDERED, 5 },
  { "suffix(x'00'){v}", "STRING", EXACT | ORDERED, 5 },
  { "suffix(x'ff'){desc{v}}", "STRING BYTES INT", MAY_BE_WIDE, 5 },
  { "desc{null(x'00'){v}}", "STRING BYTES", MAY_BE_WIDE, 5 },
  { "hex{v}", "BOOLEAN INT DOUBLE", EXACT, 5 },
  { "hex{v}", "STRING BYTES DECIMAL", MAY_BE_WIDE, 5 },
  { "suffix('-'){hex{v}}", "STRING BYTES", EXACT | ORDERED, 5 },
  { "hex{ordered{v}}", "STRING BOOLEAN INT DOUBLE DECIMAL", EXACT | ORDERED, 5 },
  { "hex{desc{v}}", "INT", EXACT | ORDERED, 5 },
  { "hex{desc{ordered{v}}}", "STRING BOOLEAN INT DOUBLE DECIMAL", EXACT | ORDERED, 5 },
  { "desc{v}:'/'", "STRING BYTES", MAY_BE_WIDE, 5 },
  { "fixed(30, ' '){hex{v}}", "STRING BYTES", EXACT | ORDERED, 5 },
  { "base64{v}", "STRING BYTES BOOLEAN INT DOUBLE DECIMAL", MAY_BE_WIDE, 5 },
  { "suffix('-'){base64{ordered{v}}}", "STRING BYTES BOOLEAN INT DOUBLE DECIMAL", MAY_BE_WIDE, 5 },
  { "size{base64{v}}", "STRING BYTES BOOLEAN INT DOUBLE DECIMAL", MAY_BE_WIDE, 5 },
  { "null('N'){v}", "STRING BYTES BOOLEAN INT DOUBLE DECIMAL", MAY_BE_WIDE, 5 },
  { "null(''){v}", "STRING BYTES BOOLEAN INT DOUBLE DECIMAL", MAY_BE_WIDE, 5 },
  { "null(x'7fffffff'){v}", "INT", MAY_BE_WIDE, 5 },
  { "null('-'){hex{v}}", "INT", EXACT, 5 },
  { "null('-'){hex{v}}", "BOOLEAN", EXACT | ORDERED, 5 },
  { "null('-'){hex{desc{v}}}", "INT", EXACT | ORDERED, 5 },
  { "desc{desc{ordered{v}}}", "STRING INT DECIMAL", EXACT | ORDERED, 5 },
  { "suffix('-'){null('N'){text{v}}}", "STRING INT DECIMAL", MAY_BE_WIDE, 5 },
  { "size{null(''){v}}", "STRING BYTES INT", MAY_BE_WIDE, 5 },
  { "fixed(8, ' '){null(''){v}}", "STRING INT", MAY_BE_WIDE, 5 },
  { "null('N'){suffix('-'){v}}", "STRING BYTES", MAY_BE_WIDE, 5 },
  { "regexp('[a-z0-9]+'){hex{v}}", "INT", EXACT, 5 },
  { "phoenix{v}", "BOOLEAN INT DOUBLE", EXACT | ORDERED, 5 },
  { "phoenix{v}", "STRING BYTES DECIMAL", MAY_BE_WIDE, 5 },
  { "desc{phoenix{v}}", "BOOLEAN INT DOUBLE", EXACT | ORDERED, 5 },
  { "suffix(x'00'){phoenix{v}}", "STRING DECIMAL", EXACT | ORDERED, 5 },
  { "desc{suffix(x'00'){phoenix{v}}}", "STRING DECIMAL", EXACT | ORDERED, 5 },
  { "hex{phoenix{v}}", "INT DOUBLE", EXACT | ORDERED, 5 },
  { "phoenix_decimal{v}", "INT", MAY_BE_WIDE, 5 },
  { "suffix(x'00'){phoenix_decimal{v}}", "INT", EXACT | ORDERED, 5 },
  { "desc{suffix(x'00'){phoenix_decimal{v}}}", "INT", EXACT | ORDERED, 5 },
  { "suffix(x'00'){null(''){phoenix_decimal{v}}}", "INT", MAY_BE_WIDE, 5 },
  { "flipped{v}", "INT DOUBLE", EXACT | ORDERED, 5 },
  { "flipped(8){v}", "INT", EXACT | ORDERED, 5 },
  { "flipped(2){v}", "INT", EXACT | ORDERED, 5 },
  { "hive{v}", "DOUBLE TIMESTAMP", MAY_BE_WIDE, 5 },
  { "hive(3){v}", "DECIMAL", MAY_BE_WIDE, 5 },
  { "suffix('/'){hive(3){v}}", "DECIMAL", MAY_BE_WIDE, 5 },
  { "null('-'){hive{v}}", "DOUBLE TIMESTAMP", MAY_BE_WIDE, 5 },
  { "prefix('/'){hive{v}}", "TIMESTAMP", MAY_BE_WIDE, 5 },
  { "suffix(' '){hive{v}}", "TIMESTAMP", MAY_BE_WIDE, 5 },
  { "suffix('.'){hive{v}}", "TIMESTAMP", MAY_BE_WIDE, 5 },
  { "suffix('~'){hive{v}}", "TIMESTAMP", MAY_BE_WIDE, 5 },
  { "suffix(x'01'){hive{v}}", "TIMESTAMP", MAY_BE_WIDE, 5 },
  { "unsigned(1){v}", "INT", EXACT | ORDERED, 5 },
  { "unsigned(4){v}", "INT", EXACT | ORDERED, 5 },
  { "unsigned(8){v}", "INT", EXACT | ORDERED, 5 },
  { "unsigned(3, 13, 5){v}", "INT", EXACT | ORDERED, 5 },
  { "desc{unsigned(4){v}}", "INT", EXACT | ORDERED, 5 },
  { "hex{unsigned(2){v}}", "INT", EXACT | ORDERED, 5 },
  { "uuid{v}", "TEXT-UUID UUID", EXACT | ORDERED, 5 },
  { "prefix('/'){uuid{v}}", "TEXT-UUID UUID", EXACT | ORDERED, 5 },
  { "suffix('-'){uuid{v}}", "TEXT-UUID UUID", EXACT | ORDERED, 5 },
  { "fixed(20, ' '){uuid{v}}", "TEXT-UUID UUID", EXACT | ORDERED, 5 },
  { "hex{uuid{v}}", "TEXT-UUID UUID", EXACT | ORDERED, 5 },
  { "desc{uuid{v}}", "TEXT-UUID UUID", EXACT | ORDERED, 5 },
  { "base64{uuid{v}}", "TEXT-UUID UUID", MAY_BE_WIDE, 5 },
  { "size{uuid{v}}", "TEXT-UUID UUID", MAY_BE_WIDE, 5 },
  { "null('-'){uuid{v}}", "TEXT-UUID UUID", MAY_BE_WIDE, 5 },
  { "v", "UUID", EXACT | ORDERED, 5 },
  { "ordered{v}", "UUID", EXACT | ORDERED, 5 },
  { "desc{ordered{v}}", "UUID", EXACT | ORDERED, 5 },
  { "desc{v}", "UUID", EXACT | ORDERED, 5 },
  { "text{v}", "UUID", EXACT | ORDERED, 5 },
  { "hex{v}", "UUID", EXACT | ORDERED, 5 },
  { "prefix('/'){v}", "UUID", EXACT | ORDERED, 5 },
  { "suffix('-'){v}", "UUID", EXACT | ORDERED, 5 },
  { "fixed(16){v}", "UUID", EXACT | ORDERED, 5 },
  { "fixed(40, x'00'){ordered{v}}", "UUID", EXACT | ORDERED, 5 },
  { "size{v}", "UUID", MAY_BE_WIDE, 5 },
  { "base64{v}", "UUID", MAY_BE_WIDE, 5 },
  { "json{v}", "UUID", MAY_BE_WIDE, 5 },
  { "null('-'){text{v}}", "UUID", MAY_BE_WIDE, 5 },
  { "reversed('-'){v}", "STRING", MAY_BE_WIDE, 5 },
  { "reversed('ab'){v}", "STRING", MAY_BE_WIDE, 5 },
  { "suffix('/'){reversed('-'){v}}", "STRING", MAY_BE_WIDE, 5 },
  { "suffix('-'){reversed('-'){v}}", "STRING", MAY_BE_WIDE, 5 },
  { "prefix('-'){reversed('-'){v}}", "STRING", MAY_BE_WIDE, 5 },
  { "fixed(8, ' '){reversed('-'){v}}", "STRING", MAY_BE_WIDE, 5 },
  { "desc{suffix(x'00'){reversed('-'){v}}}", "STRING", MAY_BE_WIDE, 5 },
  { "hex{reversed('-'){v}}", "STRING", MAY_BE_WIDE, 5 },
  { "null('N'){reversed('-'){v}}", "STRING", MAY_BE_WIDE, 5 },
};

static void
test_case (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);

  for (guint d = 0; d < G_N_ELEMENTS (domains); d++)
    {
      g_auto (GStrv) types = g_strsplit (cases[i].types, " ", -1);
      guint n_accepted = 0;

      if (!g_strv_contains ((const gchar *const *)types, domains[d].name ?: domains[d].type))
        continue;
      for (guint t = 0; t < G_N_ELEMENTS (tails); t++)
        n_accepted += run (&domains[d], cases[i].layout, tails[t], (cases[i].promise & EXACT) != 0,
                           (cases[i].promise & ORDERED) != 0);
      if (n_accepted != cases[i].n_tails)
        {
          g_test_message ("%s %s: %u of the tails are accepted", domains[d].type, cases[i].layout,
                          n_accepted);
          g_test_fail ();
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *name = g_strdup_printf ("/layout/ranges/%s/%u", cases[i].layout, i);
      g_strdelimit (name + 15, "/", '_');
      g_test_add_data_func (name, GUINT_TO_POINTER (i), test_case);
    }
  return g_test_run ();
}
