/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * witness.c: decodes bytes in all ways, and keeps tuples whose encodings are the same bytes.
 */
#include "config.h"

#include "core/layout/witness.h"

#include "core/base/conversion.h"
#include "core/layout/element.h"
#include "core/layout/sequence.h"
#include "core/layout/readings.h"
#include "core/schema/relation.h"

#define MAX_VARIATIONS 300
#define MAX_TUPLES 600
#define MAX_READINGS 30000 /* in total */
#define MAX_SNIPPETS 64
#define MAX_PLAIN_DIGITS 20

/* The fields of a cell that are compared. */
typedef struct
{
  const KvsqlCellLayout *cell;
  guint first_field;
  guint n_fields;
  KvsqlAttributeSet attributes; /* on which the fields depend */
  KvsqlAttributeSet wholes;     /* that the fields hold completely */
  KvsqlBatch *batch;            /* one row */
} Side;

typedef struct
{
  KvsqlArena *scratch;
  GRand *random;
  guint n_readings; /* that are still allowed */
  KvsqlSlice snippets[MAX_SNIPPETS];
  guint n_snippets; /* constants and separators of the layouts, from which random text is made */
} Finder;

/* ---- the layouts */

static void
add_snippet (Finder *self, KvsqlSlice bytes)
{
  if (bytes.size == 0)
    return;
  if (self->n_snippets < MAX_SNIPPETS)
    self->snippets[self->n_snippets++] = bytes;
  if (bytes.size > 1 && self->n_snippets < MAX_SNIPPETS)
    self->snippets[self->n_snippets++] = kvsql_slice (bytes.data, 1);
}

static void
collect (Finder *self, Side *side, const KvsqlSequence *sequence)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      const KvsqlElement *element = sequence->elements[i];

      add_snippet (self, element->constant);
      add_snippet (self, element->separator);
      add_snippet (self, element->null_form);
      if (element->is_derived || element->is_part)
        continue;
      if (element->inner != NULL)
        collect (self, side, element->inner);
      else if (element->attribute >= 0)
        kvsql_attribute_set_add (&side->wholes, element->attribute);
    }
}

static void
side_init (Side *side, Finder *finder, const KvsqlCellLayout *cell, guint first_field,
           guint n_fields)
{
  KvsqlType types[KVSQL_MAX_ATTRIBUTES];

  *side = (Side){ .cell = cell, .first_field = first_field, .n_fields = n_fields };
  for (guint i = 0; i < n_fields; i++)
    {
      collect (finder, side, cell->fields[first_field + i]);
      kvsql_sequence_collect_attributes (cell->fields[first_field + i], &side->attributes);
    }
  for (guint a = 0; a < cell->relation->n_attributes; a++)
    types[a] = cell->relation->attributes[a].type;
  side->batch = kvsql_batch_new (types, cell->relation->n_attributes, 1);
}

static void
finder_init (Finder *self)
{
  static const gchar *const texts[] = { "a", "b", "0", "1", "aa", "-" };

  *self = (Finder){ .scratch = kvsql_arena_new (),
                    .random = g_rand_new_with_seed (18),
                    .n_readings = MAX_READINGS };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    self->snippets[self->n_snippets++] = kvsql_slice_from_text (texts[i]);
}

static void
finder_clear (Finder *self)
{
  kvsql_arena_free (self->scratch);
  g_rand_free (self->random);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

/* ---- values */

static KvsqlValue
parsed (const Finder *self, KvsqlType type, const gchar *text)
{
  KvsqlValue value;

  if (kvsql_value_parse (type, kvsql_slice_from_text (text), self->scratch, &value, NULL))
    return value;
  return (KvsqlValue){ .type = KVSQL_TYPE_NULL };
}

/* A default value for an attribute that the fields do not hold. */
static KvsqlValue
any_value (const Finder *self, KvsqlType type)
{
  static const gchar *const texts[]
      = { "0", "false", "2000-01-01", "{}", "[]", "x''", "00000000-0000-0000-0000-000000000000" };
  KvsqlValue value = { .type = KVSQL_TYPE_STRING };

  for (guint i = 0; i < G_N_ELEMENTS (texts) && type != KVSQL_TYPE_STRING; i++)
    if ((value = parsed (self, type, texts[i])).type != KVSQL_TYPE_NULL)
      break;
  return value;
}

static KvsqlValue
random_bytes (const Finder *self, KvsqlType type)
{
  KvsqlBuffer buffer = { 0 };
  KvsqlValue value = { .type = type };

  for (gint n = g_rand_int_range (self->random, 0, 4); n > 0; n--)
    kvsql_buffer_append_slice (
        &buffer, self->snippets[g_rand_int_range (self->random, 0, self->n_snippets)]);
  value.bytes = kvsql_slice_dup (self->scratch, kvsql_buffer_slice (&buffer));
  kvsql_buffer_clear (&buffer);
  return value;
}

static KvsqlValue
random_value (const Finder *self, KvsqlType type)
{
  static const gchar *const texts[]
      = { "0",   "1",    "-1",    "10",         "11",         "12",         "97",
          "255", "0.5",  "-10.5", "100",        "2000-01-01", "1970-01-02", "2024-02-29",
          "{}",  "[]",   "true",  "false",      "{\"a\": 1}", "[1]",        "{\"a\": \"a\"}",
          "256", "1000", "-128",  "2147483647", "45" };
  /* bytes that are also separators, digits and letters */
  static const gchar *const uuids[]
      = { "ffffffff-ffff-ffff-ffff-ffffffffffff", "2d2d2d2d-2d2d-2d2d-2d2d-2d2d2d2d2d2d",
          "00000000-0000-0000-0000-000000000000", "61626162-6162-6162-6162-616261626162" };
  KvsqlValue value = { .type = KVSQL_TYPE_NULL };

  if (type == KVSQL_TYPE_STRING || type == KVSQL_TYPE_BYTES)
    return random_bytes (self, type);
  if (type == KVSQL_TYPE_UUID)
    return parsed (self, type, uuids[g_rand_int_range (self->random, 0, G_N_ELEMENTS (uuids))]);
  for (guint tries = 0; tries < 50 && value.type == KVSQL_TYPE_NULL; tries++)
    value = parsed (self, type, texts[g_rand_int_range (self->random, 0, G_N_ELEMENTS (texts))]);
  return value;
}

static KvsqlValue *
any_tuple (const Finder *self, const Side *side)
{
  const KvsqlRelation *relation = side->cell->relation;
  KvsqlValue *tuple = kvsql_arena_array (self->scratch, KvsqlValue, relation->n_attributes);

  for (guint a = 0; a < relation->n_attributes; a++)
    tuple[a] = any_value (self, relation->attributes[a].type);
  return tuple;
}

static gboolean
is_same_value (const KvsqlValue *a, const KvsqlValue *b)
{
  if (kvsql_value_is_null (a) || kvsql_value_is_null (b))
    return kvsql_value_is_null (a) && kvsql_value_is_null (b);
  return kvsql_value_equal (a, b);
}

static gboolean
is_same_tuple (const Side *side, const KvsqlValue *a, const KvsqlValue *b)
{
  for (gint i = -1; (i = kvsql_attribute_set_next (&side->attributes, i)) >= 0;)
    if (!is_same_value (&a[i], &b[i]))
      return FALSE;
  return TRUE;
}

/* ---- encoding */

static gboolean
write_tuple (const Finder *self, const Side *side, const KvsqlValue *tuple, KvsqlSlice *out_fields)
{
  KvsqlEncoder encoder = { .relation = side->cell->relation, .schema = "", .tuple = tuple };
  KvsqlBuffer buffer = { 0 };
  gboolean is_written = TRUE;

  for (guint i = 0; i < side->n_fields && is_written; i++)
    {
      buffer.size = 0;
      is_written = kvsql_sequence_encode (side->cell->fields[side->first_field + i], &encoder,
                                          &buffer, NULL);
      out_fields[i] = kvsql_slice_dup (self->scratch, kvsql_buffer_slice (&buffer));
    }
  kvsql_buffer_clear (&buffer);
  return is_written;
}

static gboolean
gives (const Finder *self, const Side *side, const KvsqlValue *tuple, const KvsqlSlice *fields)
{
  KvsqlSlice written[KVSQL_N_FIELDS];

  if (!write_tuple (self, side, tuple, written))
    return FALSE;
  for (guint i = 0; i < side->n_fields; i++)
    if (!kvsql_slice_equal (written[i], fields[i]))
      return FALSE;
  return TRUE;
}

/* ---- decoding */

/* Takes the values of parts for attributes that no field holds completely. Encoding shows whether
 * the values are right. */
static void
decode_parts (const Side *side, const KvsqlSequence *sequence, const KvsqlSlot *slots,
              KvsqlValue *tuple)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      const KvsqlElement *element = sequence->elements[i];

      if (element->is_part && element->attribute >= 0 && element->slot >= 0
          && !kvsql_attribute_set_has (&side->wholes, element->attribute)
          && kvsql_integer_fits (tuple[element->attribute].type, slots[element->slot].number))
        tuple[element->attribute].integer = slots[element->slot].number;
      else if (element->inner != NULL && !element->is_derived)
        decode_parts (side, element->inner, slots, tuple);
    }
}

static void
take_joins (const Side *side, const KvsqlSlot *slots, KvsqlValue *tuple)
{
  const KvsqlDerived *derived = side->cell->derived;

  for (guint i = 0; derived != NULL && i < derived->n_composites; i++)
    {
      const KvsqlCompositeAttribute *composite = &derived->composites[i];
      gboolean is_here = TRUE;
      gint64 number;

      for (guint p = 0; p < composite->n_parts; p++)
        is_here = is_here && composite->parts[p]->field - side->first_field < side->n_fields;
      if (is_here
          && composite->parts[0]->klass->join (composite->parts, composite->n_parts, slots, &number)
          && kvsql_integer_fits (tuple[composite->attribute].type, number))
        tuple[composite->attribute].integer = number;
    }
}

static gboolean
read_tuple (const Finder *self, const Side *side, const KvsqlSlice *fields, KvsqlReadings *readings,
            KvsqlValue *tuple)
{
  KvsqlSlot slots[KVSQL_MAX_SLOTS] = { 0 };
  KvsqlDecoder decoder
      = { .batch = side->batch, .arena = self->scratch, .slots = slots, .readings = readings };

  memset (side->batch->block, 0, side->batch->block_size);
  kvsql_batch_reset (side->batch);
  for (guint i = 0; i < side->n_fields; i++)
    if (!kvsql_sequence_decode (side->cell->fields[side->first_field + i], fields[i], &decoder))
      return FALSE;
  for (guint i = 0; i < side->n_fields; i++)
    decode_parts (side, side->cell->fields[side->first_field + i], slots, tuple);
  take_joins (side, slots, tuple);
  for (gint a = -1; (a = kvsql_attribute_set_next (&side->wholes, a)) >= 0;)
    tuple[a] = kvsql_vector_get (&side->batch->columns[a], 0);
  return TRUE;
}

/* A tuple with these bytes that differs from @other (nullable), or NULL. */
static KvsqlValue *
find_tuple (Finder *self, const Side *side, const KvsqlSlice *fields, const KvsqlValue *other)
{
  KvsqlReadings readings = { 0 };

  do
    {
      KvsqlValue *tuple = any_tuple (self, side);

      if (self->n_readings == 0)
        return NULL;
      self->n_readings--;
      if (read_tuple (self, side, fields, &readings, tuple)
          && (other == NULL || !is_same_tuple (side, tuple, other))
          && gives (self, side, tuple, fields))
        return tuple;
    }
  while (kvsql_readings_next (&readings));
  return NULL;
}

/* ---- examples and their variations */

/* The first byte from @from on that is possible at byte @i of the example. */
static guint8
choose (const KvsqlProofExample *example, gsize i, guint from)
{
  for (guint step = 0; step < 256; step++)
    if (kvsql_byte_set_contains (&example->choices[i], (from + step) % 256))
      return (guint8)((from + step) % 256);
  return example->bytes.data[i];
}

/* Changes the bytes from @at on. The least possible bytes are chosen more often, since scales,
 * sizes and dates begin with zeros. */
static void
vary_some (const Finder *self, const KvsqlProofExample *example, guint8 *bytes, gsize at, gsize n)
{
  gboolean is_lowest = g_rand_boolean (self->random);

  for (gsize i = at; i < MIN (at + n, example->bytes.size); i++)
    bytes[i] = choose (example, i, is_lowest ? 0 : (guint)g_rand_int_range (self->random, 0, 256));
}

/* Bytes of the same path through the automata: some bytes of the example are replaced by others
 * that both readings accept. A number has up to eight bytes; the text around it stays unchanged. */
static void
vary (const Finder *self, const KvsqlProofExample *example, guint number, KvsqlSlice *out_fields)
{
  gsize n = example->bytes.size;
  guint8 *bytes = kvsql_arena_alloc (self->scratch, n + 1);

  if (n > 0)
    memcpy (bytes, example->bytes.data, n);
  if (number % 2 == 1)
    for (gsize i = 0; i < n; i++)
      vary_some (self, example, bytes, i, 1);
  else if (number > 0 && n > 0)
    for (gint w = g_rand_int_range (self->random, 1, 3); w > 0; w--)
      {
        /* one after the other: the order of arguments is the compiler's choice */
        gsize n_bytes = (gsize)g_rand_int_range (self->random, 1, 9);
        gsize first = (gsize)g_rand_int_range (self->random, 0, (gint)n);

        vary_some (self, example, bytes, first, n_bytes);
      }
  for (guint i = 0; i < example->n_fields; i++)
    out_fields[i] = kvsql_slice (bytes + (example->fields[i].data - example->bytes.data),
                                 example->fields[i].size);
}

static KvsqlWitness *
keep (KvsqlArena *arena, const Side *a, const KvsqlSlice *fields, const KvsqlValue *first,
      const Side *b, const KvsqlValue *second)
{
  KvsqlWitness *witness = kvsql_arena_new0 (arena, KvsqlWitness);
  const KvsqlValue *from[] = { first, second };
  const Side *sides[] = { a, b };

  witness->n_fields = a->n_fields;
  for (guint i = 0; i < a->n_fields; i++)
    witness->fields[i] = kvsql_slice_dup (arena, fields[i]);
  for (guint t = 0; t < 2; t++)
    {
      guint n = sides[t]->cell->relation->n_attributes;
      KvsqlValue *copy = kvsql_arena_array (arena, KvsqlValue, n);
      for (guint i = 0; i < n; i++)
        copy[i] = kvsql_value_dup (&from[t][i], arena);
      *(t == 0 ? &witness->first : &witness->second) = copy;
    }
  return witness;
}

static KvsqlWitness *
try_bytes (Finder *self, KvsqlArena *arena, const Side *a, const Side *b, const KvsqlSlice *fields)
{
  const KvsqlValue *first = find_tuple (self, a, fields, NULL), *second;

  if (first == NULL)
    return NULL;
  second = find_tuple (self, b, fields, a == b ? first : NULL);
  return second == NULL ? NULL : keep (arena, a, fields, first, b, second);
}

/* A random text may contain NUL or be invalid UTF-8, so the tuple is decoded again. */
static KvsqlWitness *
try_random_tuple (Finder *self, KvsqlArena *arena, const Side *a, const Side *b)
{
  KvsqlValue *tuple = any_tuple (self, a);
  KvsqlSlice fields[KVSQL_N_FIELDS];

  for (gint i = -1; (i = kvsql_attribute_set_next (&a->attributes, i)) >= 0;)
    tuple[i] = random_value (self, a->cell->relation->attributes[i].type);
  return write_tuple (self, a, tuple, fields) ? try_bytes (self, arena, a, b, fields) : NULL;
}

/* Whether an INSERT would write the value: other programs may write what is over the limit. */
static gboolean
is_within_limit (const KvsqlAttribute *attribute, const KvsqlValue *value, KvsqlArena *arena)
{
  KvsqlValue written = *value;

  return kvsql_type_limit_apply (&attribute->limit, &written, arena, NULL)
         && is_same_value (&written, value);
}

/* Whether the values are easy to read, and those of tuples that a user could insert. */
static gboolean
is_plain (const Side *side, const KvsqlValue *tuple, KvsqlArena *arena)
{
  for (gint a = -1; (a = kvsql_attribute_set_next (&side->attributes, a)) >= 0;)
    {
      if (!is_within_limit (&side->cell->relation->attributes[a], &tuple[a], arena))
        return FALSE;
      if (tuple[a].type == KVSQL_TYPE_DECIMAL && tuple[a].bytes.size > MAX_PLAIN_DIGITS)
        return FALSE;
      for (gsize i = 0; tuple[a].type == KVSQL_TYPE_STRING && i < tuple[a].bytes.size; i++)
        if (g_ascii_iscntrl (tuple[a].bytes.data[i]))
          return FALSE;
    }
  return TRUE;
}

/* Keeps the better witness. TRUE: no further search is needed. */
static gboolean
take (const Finder *self, KvsqlWitness **best, KvsqlWitness *found, const Side *first,
      const Side *second)
{
  gboolean is_best = found != NULL && is_plain (first, found->first, self->scratch)
                     && is_plain (second, found->second, self->scratch);

  if (*best == NULL || is_best)
    *best = found;
  return is_best;
}

static KvsqlWitness *
find (Finder *self, KvsqlArena *arena, const Side *a, const Side *b,
      const KvsqlProofExample *example)
{
  KvsqlSlice fields[KVSQL_N_FIELDS];
  KvsqlWitness *best = NULL;
  gboolean is_done = FALSE;

  g_return_val_if_fail (example->n_fields == a->n_fields && a->n_fields == b->n_fields, NULL);
  for (guint i = 0; i < MAX_VARIATIONS && !is_done; i++)
    {
      vary (self, example, i, fields);
      is_done = take (self, &best, try_bytes (self, arena, a, b, fields), a, b);
      kvsql_arena_reset (self->scratch);
    }
  for (guint i = 0; i < MAX_TUPLES && !is_done; i++)
    {
      is_done = take (self, &best,
                      try_random_tuple (self, arena, i % 2 == 0 ? a : b, i % 2 == 0 ? b : a),
                      i % 2 == 0 ? a : b, i % 2 == 0 ? b : a);
      kvsql_arena_reset (self->scratch);
    }
  return best;
}

KvsqlWitness *
kvsql_witness_find_ambiguity (KvsqlArena *arena, const KvsqlCellLayout *cell, KvsqlField field,
                              const KvsqlProofAmbiguity *found)
{
  g_auto (Finder) finder;
  KvsqlWitness *witness;
  Side side;

  finder_init (&finder);
  side_init (&side, &finder, cell, field, 1);
  witness = find (&finder, arena, &side, &side, &found->example);
  kvsql_batch_free (side.batch);
  return witness;
}

KvsqlWitness *
kvsql_witness_find_shared (KvsqlArena *arena, const KvsqlCellLayout *a, const KvsqlCellLayout *b,
                           const KvsqlProofExample *found)
{
  g_auto (Finder) finder;
  KvsqlWitness *witness;
  Side first, second;

  finder_init (&finder);
  side_init (&first, &finder, a, 0, KVSQL_FIELD_VALUE);
  side_init (&second, &finder, b, 0, KVSQL_FIELD_VALUE);
  witness = find (&finder, arena, &first, &second, found);
  kvsql_batch_free (first.batch);
  kvsql_batch_free (second.batch);
  return witness;
}
