/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-uuid.c: uuid{a}: a UUID in canonical text as its 16 bytes (RFC 4122).
 *
 * The canonical text has 32 digits 0-9 and a-f in groups of 8, 4, 4, 4 and 12, joined by '-'. All
 * texts have their dashes at the same places, and the digits sort as their numbers. So the bytes
 * sort as the texts do.
 */
#include "config.h"

#include "core/layout/inner.h"
#include "core/layout/element-classes.h"

#include "core/layout/automata/nfa.h"
#include "core/sql/ast-definition.h"

#define UUID_SIZE 16
#define TEXT_SIZE 36

static const gchar digits[] = "0123456789abcdef";

static gboolean
is_dash_at (gsize i)
{
  return i == 8 || i == 13 || i == 18 || i == 23;
}

/* The least digit that is not less than @byte; 16: there is none. */
static guint
digit_from (guint8 byte)
{
  if (byte <= '9')
    return byte < '0' ? 0 : byte - '0';
  if (byte <= 'f')
    return byte < 'a' ? 10 : byte - 'a' + 10;
  return 16;
}

static void
set_digit (guint8 *bytes, gsize index, guint digit)
{
  bytes[index / 2] |= index % 2 == 0 ? digit << 4 : digit;
}

/* FALSE if @text is not a UUID in canonical text. */
static gboolean
read_text (KvsqlSlice text, guint8 *out)
{
  gsize n = 0;

  memset (out, 0, UUID_SIZE);
  if (text.size != TEXT_SIZE)
    return FALSE;
  for (gsize i = 0; i < TEXT_SIZE; i++)
    {
      guint8 byte = text.data[i];
      guint digit = digit_from (byte);

      if (is_dash_at (i) ? byte != '-' : digit == 16 || (guint8)digits[digit] != byte)
        return FALSE;
      if (!is_dash_at (i))
        set_digit (out, n++, digit);
    }
  return TRUE;
}

static void
write_text (const guint8 *bytes, guint8 *out)
{
  gsize n = 0;

  for (gsize i = 0; i < TEXT_SIZE; i++)
    if (is_dash_at (i))
      out[i] = '-';
    else
      {
        out[i] = digits[n % 2 == 0 ? bytes[n / 2] >> 4 : bytes[n / 2] & 15];
        n++;
      }
}

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  if (!kvsql_element_expect (node, 0, 0, TRUE, error)
      || !kvsql_element_bind_inner_attribute (self, compiler, node, error))
    return FALSE;
  if (self->type != KVSQL_TYPE_STRING)
    {
      kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                       "uuid holds a STRING, not %s", kvsql_type_get_name (self->type));
      if (self->type == KVSQL_TYPE_BYTES)
        return kvsql_error_hint (error, "Write fixed(16){…} for a UUID that is BYTES.");
      return FALSE;
    }
  self->fixed_size = UUID_SIZE;
  self->is_prefix_free = TRUE;
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlValue *value = kvsql_encoder_get_value (encoder, self, error);
  guint8 bytes[UUID_SIZE];

  if (value == NULL)
    return FALSE;
  if (!read_text (value->bytes, bytes))
    {
      kvsql_encode_error (encoder, self, error, "is not the canonical text of a UUID");
      return kvsql_error_hint (error, "It has 32 digits 0-9 and a-f, in lower case, such as "
                                      "123e4567-e89b-12d3-a456-426614174000.");
    }
  kvsql_buffer_append (out, bytes, UUID_SIZE);
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlValue value = { .type = KVSQL_TYPE_STRING };
  guint8 *text;

  if (bytes.size != UUID_SIZE)
    return FALSE;
  text = kvsql_arena_alloc (decoder->arena, TEXT_SIZE);
  write_text (bytes.data, text);
  value.bytes = kvsql_slice (text, TEXT_SIZE);
  return kvsql_decoder_set (decoder, self, &value);
}

/* ---- ranges */

/* Adds one to the number that is the first @n_digits digits. All digits after them are 0. FALSE:
 * there is no greater number. */
static gboolean
increment (guint8 *bytes, gsize n_digits)
{
  for (gsize i = n_digits; i-- > 0;)
    {
      guint8 one = i % 2 == 0 ? 0x10 : 0x01, mask = i % 2 == 0 ? 0xf0 : 0x0f;

      if ((bytes[i / 2] & mask) != mask)
        {
          bytes[i / 2] += one;
          return TRUE;
        }
      bytes[i / 2] &= (guint8)~mask;
    }
  return FALSE;
}

/* The least UUID whose text is not less than @bound, or, if @is_open, greater than @bound. @bound
 * is any text. FALSE: there is none. */
static gboolean
least_from (KvsqlSlice bound, gboolean is_open, guint8 *out)
{
  gsize n = 0;

  memset (out, 0, UUID_SIZE);
  for (gsize i = 0; i < TEXT_SIZE; i++)
    {
      guint8 byte;
      guint digit;

      if (i == bound.size)
        return TRUE; /* each text that continues the bound is greater */
      byte = bound.data[i];
      digit = digit_from (byte);
      if (is_dash_at (i) ? byte > '-' : digit == 16)
        return increment (out, n);
      if (is_dash_at (i) && byte < '-')
        return TRUE;
      if (is_dash_at (i))
        continue;
      set_digit (out, n++, digit);
      if ((guint8)digits[digit] != byte)
        return TRUE;
    }
  return (bound.size == TEXT_SIZE && !is_open) || increment (out, n);
}

/* The bound without the zeros at its end: no 16 bytes are between the two. EXPLAIN shows it. */
static KvsqlSlice
bound_of (const guint8 *bytes, KvsqlArena *arena)
{
  gsize size = UUID_SIZE;

  while (size > 0 && bytes[size - 1] == 0)
    size--;
  return kvsql_slice_dup (arena, kvsql_slice (bytes, size));
}

static void
add_interval (const KvsqlInterval *interval, KvsqlArena *arena, KvsqlByteRanges *out)
{
  guint8 low[UUID_SIZE] = { 0 }, high[UUID_SIZE] = { 0 };
  gboolean has_high;

  if (kvsql_interval_is_point (interval))
    {
      /* any other text cannot be stored */
      if (read_text (interval->low.bytes, low))
        kvsql_byte_ranges_add_point (out, kvsql_slice_dup (arena, kvsql_slice (low, UUID_SIZE)));
      return;
    }
  if (interval->has_low && !least_from (interval->low.bytes, interval->low_is_open, low))
    return;
  has_high = interval->has_high && least_from (interval->high.bytes, !interval->high_is_open, high);
  if (!has_high || memcmp (low, high, UUID_SIZE) < 0)
    kvsql_byte_ranges_add_range (out, bound_of (low, arena), has_high,
                                 has_high ? bound_of (high, arena) : KVSQL_SLICE_EMPTY, TRUE);
}

/* All values have one size and sort as their texts. So the ranges are exact, whatever follows. */
static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  const KvsqlConstraint *constraint = &constrainer->constraints[self->attribute];

  if (!constraint->is_constrained)
    {
      *out = (KvsqlByteRanges){ .is_open = TRUE };
      return;
    }
  kvsql_byte_ranges_init (out, constrainer, constraint->n_intervals);
  for (guint i = 0; i < constraint->n_intervals; i++)
    add_interval (&constraint->intervals[i], constrainer->arena, out);
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  return kvsql_element_mark (self, nfa, kvsql_nfa_any_bytes (nfa, UUID_SIZE));
}

static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING };
}

const KvsqlElementClass kvsql_element_uuid = {
  .name = "uuid",
  .takes_attribute = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
