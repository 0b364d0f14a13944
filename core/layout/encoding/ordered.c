/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ordered.c: OrderedBytes, and byte ranges of values in them.
 *
 * The bytes sort as values do, and no form is a prefix of another. So the bytes of its bounds are
 * sufficient for a range, whatever follows.
 */
#include "config.h"

#include "core/layout/encoding/ordered.h"
#include "core/base/uuid.h"
#include "core/layout/automata/nfa.h"
#include "core/layout/encoding/scalar.h"
#include "core/layout/encoding/sorted.h"

#include <math.h>

#define NULL_BYTE 0x05
#define DECIMAL_FIRST 0x08
#define DECIMAL_LAST 0x22
#define INT8 0x29
#define TEXT 0x34
#define BLOB 0x37
#define UUID_BLOB_BYTES                                                                            \
  19 /* a UUID is a blob of 16 bytes; as all have one size, their order is exact */

/* The first byte of each value except NULL. DECIMAL has several. */
static guint8
header_of (KvsqlType type)
{
  switch (type)
    {
    case KVSQL_TYPE_BOOLEAN:
      return INT8;
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_DATE:
    case KVSQL_TYPE_TIME:
      return 0x2b;
    case KVSQL_TYPE_BIGINT:
    case KVSQL_TYPE_TIMESTAMP:
      return 0x2c;
    case KVSQL_TYPE_FLOAT:
      return 0x30;
    case KVSQL_TYPE_DOUBLE:
      return 0x31;
    case KVSQL_TYPE_STRING:
      return TEXT;
    case KVSQL_TYPE_BYTES:
    case KVSQL_TYPE_UUID:
      return BLOB;
    default:
      return DECIMAL_FIRST;
    }
}

gssize
kvsql_ordered_get_size (KvsqlType type)
{
  gssize size = kvsql_scalar_get_size (type);

  if (type == KVSQL_TYPE_UUID)
    return 1 + UUID_BLOB_BYTES;
  return size < 0 ? -1 : size + 1;
}

/* ---- encoding */

/* Seven bits in each byte. All bytes except the last have their top bit set. */
static void
append_blob (KvsqlSlice bytes, KvsqlBuffer *out)
{
  gsize n = (bytes.size * 8 + 6) / 7;
  guint8 *at = kvsql_buffer_extend (out, MAX (n, 1));
  guint bits = 0, n_bits = 0;
  gsize next = 0;

  at[0] = 0;
  for (gsize i = 0; i < n; i++)
    {
      if (n_bits < 7)
        {
          bits = bits << 8 | (next < bytes.size ? bytes.data[next] : 0);
          next++;
          n_bits += 8;
        }
      n_bits -= 7;
      at[i] = (bits >> n_bits & 0x7f) | (i + 1 < n ? 0x80 : 0);
    }
}

static void
append_uuid (const KvsqlValue *value, KvsqlBuffer *out)
{
  guint8 bytes[KVSQL_UUID_BYTES] = { 0 };

  kvsql_uuid_parse (value->bytes, bytes);
  append_blob (kvsql_slice (bytes, sizeof bytes), out);
}

void
kvsql_ordered_encode (KvsqlType type, const KvsqlValue *value, KvsqlBuffer *out)
{
  KvsqlTypeClass klass = kvsql_type_get_class (type);
  gsize start;

  if (kvsql_value_is_null (value))
    {
      kvsql_buffer_append_byte (out, NULL_BYTE);
      return;
    }
  if (type == KVSQL_TYPE_DECIMAL)
    {
      kvsql_ordered_decimal_append (value->bytes, out);
      return;
    }
  kvsql_buffer_append_byte (out, header_of (type));
  start = out->size;
  if (type == KVSQL_TYPE_BYTES)
    append_blob (value->bytes, out);
  else if (type == KVSQL_TYPE_UUID)
    append_uuid (value, out);
  else if (type == KVSQL_TYPE_BOOLEAN)
    kvsql_buffer_append_byte (out, 0x80 | (value->boolean != FALSE));
  else
    kvsql_scalar_encode (type, value, out);
  if (type == KVSQL_TYPE_STRING)
    kvsql_buffer_append_byte (out, 0);
  else if (klass == KVSQL_CLASS_INTEGER || klass == KVSQL_CLASS_REAL)
    kvsql_sorted_turn_sign (out->data + start, out->size - start,
                            klass == KVSQL_CLASS_REAL && (out->data[start] & 0x80) != 0);
}

/* ---- decoding */

gssize
kvsql_ordered_get_length (KvsqlType type, KvsqlSlice bytes)
{
  gssize size = kvsql_ordered_get_size (type);
  const guint8 *end;

  if (bytes.size == 0)
    return -1;
  if (bytes.data[0] == NULL_BYTE)
    return 1;
  if (type == KVSQL_TYPE_DECIMAL)
    return kvsql_ordered_decimal_get_length (bytes);
  if (bytes.data[0] != header_of (type))
    return -1;
  if (size >= 0)
    return (gsize)size <= bytes.size ? size : -1;
  if (type == KVSQL_TYPE_STRING)
    {
      end = memchr (bytes.data, 0, bytes.size);
      return end == NULL ? -1 : end - bytes.data + 1;
    }
  for (gsize i = 1; i < bytes.size; i++)
    if (bytes.data[i] < 0x80)
      return i + 1;
  return -1;
}

static gboolean
decode_blob (KvsqlSlice bytes, KvsqlArena *arena, KvsqlSlice *out)
{
  gsize n = bytes.size * 7 / 8, next = 0;
  guint8 *result = kvsql_arena_alloc (arena, n + 1);
  guint bits = 0, n_bits = 0;

  for (gsize i = 0; i < bytes.size; i++)
    {
      if ((bytes.data[i] >= 0x80) != (i + 1 < bytes.size))
        return FALSE;
      bits = bits << 7 | (bytes.data[i] & 0x7f);
      n_bits += 7;
      if (n_bits < 8)
        continue;
      n_bits -= 8;
      result[next++] = bits >> n_bits & 0xff;
    }
  *out = kvsql_slice (result, next);
  /* no bits are left, and there are no unnecessary bytes */
  return (bits & ((1u << n_bits) - 1)) == 0 && bytes.size == MAX ((next * 8 + 6) / 7, 1);
}

static gboolean
decode_fixed (KvsqlType type, KvsqlSlice bytes, KvsqlArena *arena, KvsqlValue *out)
{
  gboolean is_real = kvsql_type_get_class (type) == KVSQL_CLASS_REAL;
  guint8 copy[8];

  if (type == KVSQL_TYPE_BOOLEAN)
    {
      *out = (KvsqlValue){ .type = type, .boolean = bytes.data[0] == 0x81 };
      return bytes.data[0] == 0x80 || bytes.data[0] == 0x81;
    }
  memcpy (copy, bytes.data, bytes.size);
  kvsql_sorted_turn_sign (copy, bytes.size, is_real && (copy[0] & 0x80) == 0);
  return kvsql_scalar_decode (type, kvsql_slice (copy, bytes.size), TRUE, arena, out);
}

gboolean
kvsql_ordered_decode (KvsqlType type, KvsqlSlice bytes, KvsqlArena *arena, KvsqlValue *out)
{
  gssize size = kvsql_ordered_get_size (type);
  KvsqlSlice value;

  if (bytes.size == 1 && bytes.data[0] == NULL_BYTE)
    {
      *out = KVSQL_VALUE_NULL;
      return TRUE;
    }
  *out = (KvsqlValue){ .type = type };
  if (type == KVSQL_TYPE_DECIMAL)
    return kvsql_ordered_decimal_read (bytes, arena, &out->bytes);
  if (bytes.size < 2 || bytes.data[0] != header_of (type)
      || (size >= 0 && bytes.size != (gsize)size))
    return FALSE;
  value = kvsql_slice (bytes.data + 1, bytes.size - 1);
  if (type == KVSQL_TYPE_UUID)
    return decode_blob (value, arena, &value)
           && kvsql_scalar_decode (type, value, TRUE, arena, out);
  if (size >= 0)
    return decode_fixed (type, value, arena, out);
  if (type == KVSQL_TYPE_BYTES)
    return decode_blob (value, arena, &out->bytes);
  return value.data[value.size - 1] == 0
         && kvsql_scalar_decode (type, kvsql_slice (value.data, value.size - 1), TRUE, arena, out);
}

/* ---- ranges */

static KvsqlSlice
bytes_of (KvsqlType type, const KvsqlValue *value, KvsqlArena *arena)
{
  KvsqlBuffer buffer = { 0 };

  kvsql_ordered_encode (type, value, &buffer);
  return kvsql_buffer_move (&buffer, arena);
}

/* Changes the bounds to values that can be stored: whole numbers of the type, the outer or the
 * inner one of the two zeros, text without NUL. FALSE: the interval is empty. */
static gboolean
settle (KvsqlType type, KvsqlInterval *interval)
{
  if (kvsql_type_get_class (type) == KVSQL_CLASS_INTEGER)
    {
      gint64 low, high;
      if (!kvsql_scalar_clip (type, interval, &low, &high))
        return FALSE;
      *interval = (KvsqlInterval){ .has_low = TRUE, .has_high = TRUE };
      interval->low = (KvsqlValue){ .type = type, .integer = low };
      interval->high = (KvsqlValue){ .type = type, .integer = high };
      return TRUE;
    }
  if (kvsql_type_get_class (type) == KVSQL_CLASS_REAL)
    {
      if (interval->has_low && interval->low.real == 0)
        interval->low.real = interval->low_is_open ? 0.0 : -0.0;
      if (interval->has_high && interval->high.real == 0)
        interval->high.real = interval->high_is_open ? -0.0 : 0.0;
    }
  if (type == KVSQL_TYPE_STRING)
    {
      const guint8 *nul;
      if (interval->has_low && interval->low.bytes.size > 0
          && (nul = memchr (interval->low.bytes.data, 0, interval->low.bytes.size)) != NULL)
        {
          interval->low.bytes.size = nul - interval->low.bytes.data;
          interval->low_is_open = TRUE;
        }
      if (interval->has_high && interval->high.bytes.size > 0
          && (nul = memchr (interval->high.bytes.data, 0, interval->high.bytes.size)) != NULL)
        {
          interval->high.bytes.size = nul - interval->high.bytes.data;
          interval->high_is_open = FALSE;
        }
    }
  return TRUE;
}

/* BYTES do not sort exactly as values do: of a value and a longer value that continues it, the
 * shorter one comes first, whatever its last bits are. So a value below @high that continues where
 * @high ends may sort after @high. */
static KvsqlSlice
blob_high (const KvsqlValue *high, KvsqlArena *arena)
{
  KvsqlSlice bytes = bytes_of (KVSQL_TYPE_BYTES, high, arena);

  ((guint8 *)bytes.data)[bytes.size - 1] |= 0x80;
  return bytes;
}

/* For the same reason, a value above @low that ends where @low continues may sort before @low.
 * Returns the first of these. */
static KvsqlSlice
blob_low (const KvsqlValue *low, KvsqlArena *arena)
{
  KvsqlSlice bytes = bytes_of (KVSQL_TYPE_BYTES, low, arena);

  for (gsize i = 2; i + 1 < bytes.size; i++)
    {
      guint n_bits = (i - 1) % 8; /* of a value that may end here, before padding */
      guint unit = 1u << (7 - n_bits);
      guint next = ((bytes.data[i] & 0x7f) & ~(unit - 1)) + unit;
      if (n_bits == 0 || next > 0x7f)
        continue;
      ((guint8 *)bytes.data)[i] = next;
      return kvsql_slice (bytes.data, i + 1);
    }
  return bytes;
}

static void
add_range (KvsqlType type, const KvsqlInterval *interval, KvsqlArena *arena, KvsqlByteRanges *out)
{
  guint8 first = header_of (type), end = (type == KVSQL_TYPE_DECIMAL ? DECIMAL_LAST : first) + 1;
  gboolean is_blob = type == KVSQL_TYPE_BYTES, is_exact;
  KvsqlSlice low, high;

  if (interval->has_low)
    low = is_blob ? blob_low (&interval->low, arena) : bytes_of (type, &interval->low, arena);
  else
    low = kvsql_slice_dup (arena, kvsql_slice (&first, 1));
  if (interval->has_low && interval->low_is_open && !is_blob)
    kvsql_slice_successor (arena, low, &low);
  if (interval->has_high)
    high = is_blob ? blob_high (&interval->high, arena) : bytes_of (type, &interval->high, arena);
  else
    high = kvsql_slice_dup (arena, kvsql_slice (&end, 1));
  if (interval->has_high && !interval->high_is_open && !is_blob)
    kvsql_slice_successor (arena, high, &high);
  is_exact = !is_blob || (!interval->has_low && !interval->has_high);
  if (kvsql_slice_compare (low, high) < 0)
    kvsql_byte_ranges_add_range (out, low, TRUE, high, is_exact);
}

static void
add_point (KvsqlType type, const KvsqlValue *value, KvsqlArena *arena, KvsqlByteRanges *out)
{
  KvsqlValue zero = { .type = type, .real = -0.0 };

  if (type == KVSQL_TYPE_DECIMAL && !kvsql_ordered_decimal_fits (value->bytes))
    return;
  if (type == KVSQL_TYPE_STRING && value->bytes.size > 0
      && memchr (value->bytes.data, 0, value->bytes.size) != NULL)
    return;
  if (kvsql_type_get_class (type) == KVSQL_CLASS_REAL && value->real == 0)
    {
      kvsql_byte_ranges_add_point (out, bytes_of (type, &zero, arena));
      zero.real = 0.0;
      value = &zero;
    }
  kvsql_byte_ranges_add_point (out, bytes_of (type, value, arena));
}

void
kvsql_ordered_constrain (KvsqlType type, gboolean can_be_null, const KvsqlConstraint *constraint,
                         const KvsqlConstrainer *constrainer, KvsqlByteRanges *out)
{
  KvsqlArena *arena = constrainer->arena;

  if (!constraint->is_constrained)
    {
      *out = (KvsqlByteRanges){ .is_open = TRUE };
      return;
    }
  kvsql_byte_ranges_init (out, constrainer, constraint->n_intervals * 2 + 1);
  if (can_be_null && constraint->allows_null)
    kvsql_byte_ranges_add_point (out, bytes_of (type, &KVSQL_VALUE_NULL, arena));
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      KvsqlInterval interval = constraint->intervals[i];
      if (kvsql_interval_is_point (&interval))
        add_point (type, &interval.low, arena, out);
      else if (settle (type, &interval))
        {
          if (kvsql_interval_is_point (&interval)
              && kvsql_type_get_class (type) == KVSQL_CLASS_INTEGER)
            add_point (type, &interval.low, arena, out);
          else
            add_range (type, &interval, arena, out);
        }
    }
}

/* ---- automaton */

static KvsqlNfaFragment
bytes_between (KvsqlNfa *nfa, guint8 first, guint8 last)
{
  KvsqlByteSet set = kvsql_byte_set_range (first, last);

  return kvsql_nfa_byte_set (nfa, &set);
}

static KvsqlNfaFragment
any_between (KvsqlNfa *nfa, guint8 first, guint8 last)
{
  return kvsql_nfa_repeat (nfa, bytes_between (nfa, first, last), 0, KVSQL_NFA_UNLIMITED);
}

/* A varint of one or two bytes; inverted if @is_inverted. */
static KvsqlNfaFragment
varint (KvsqlNfa *nfa, gboolean is_inverted)
{
  KvsqlNfaFragment one
      = is_inverted ? bytes_between (nfa, 255 - 240, 255) : bytes_between (nfa, 0, 240);
  KvsqlNfaFragment two
      = is_inverted ? bytes_between (nfa, 255 - 248, 255 - 241) : bytes_between (nfa, 241, 248);

  return kvsql_nfa_alternative (nfa, one,
                                kvsql_nfa_sequence (nfa, two, kvsql_nfa_any_bytes (nfa, 1)));
}

/* Digits of base 100. All except the last are odd; if inverted, even. */
static KvsqlNfaFragment
mantissa (KvsqlNfa *nfa, gboolean is_inverted)
{
  KvsqlByteSet inner = KVSQL_BYTE_SET_EMPTY, last = KVSQL_BYTE_SET_EMPTY;

  for (guint byte = 0; byte < 200; byte++)
    {
      guint8 shown = is_inverted ? 255 - byte : byte;
      kvsql_byte_set_add_range (byte % 2 == 1 ? &inner : &last, shown, shown);
    }
  return kvsql_nfa_sequence (
      nfa, kvsql_nfa_repeat (nfa, kvsql_nfa_byte_set (nfa, &inner), 0, KVSQL_NFA_UNLIMITED),
      kvsql_nfa_byte_set (nfa, &last));
}

static KvsqlNfaFragment
decimal_side (KvsqlNfa *nfa, gboolean is_negative)
{
  KvsqlNfaFragment large
      = bytes_between (nfa, is_negative ? 0x08 : 0x22, is_negative ? 0x08 : 0x22);
  KvsqlNfaFragment medium
      = is_negative ? bytes_between (nfa, 0x09, 0x12) : bytes_between (nfa, 0x18, 0x21);
  KvsqlNfaFragment small
      = bytes_between (nfa, is_negative ? 0x14 : 0x16, is_negative ? 0x14 : 0x16);

  large = kvsql_nfa_sequence (nfa, large, varint (nfa, is_negative));
  small = kvsql_nfa_sequence (nfa, small, varint (nfa, !is_negative));
  large = kvsql_nfa_alternative (nfa, large, kvsql_nfa_alternative (nfa, medium, small));
  return kvsql_nfa_sequence (nfa, large, mantissa (nfa, is_negative));
}

static KvsqlNfaFragment
not_null_automaton (KvsqlType type, KvsqlNfa *nfa)
{
  guint8 header = header_of (type);
  KvsqlNfaFragment result;

  if (type == KVSQL_TYPE_DECIMAL)
    return kvsql_nfa_alternative (
        nfa, bytes_between (nfa, 0x15, 0x15),
        kvsql_nfa_alternative (nfa, decimal_side (nfa, TRUE), decimal_side (nfa, FALSE)));
  result = bytes_between (nfa, header, header);
  if (type == KVSQL_TYPE_BOOLEAN)
    return kvsql_nfa_sequence (nfa, result, bytes_between (nfa, 0x80, 0x81));
  if (type == KVSQL_TYPE_UUID)
    {
      for (guint i = 1; i < UUID_BLOB_BYTES; i++)
        result = kvsql_nfa_sequence (nfa, result, bytes_between (nfa, 0x80, 0xff));
      return kvsql_nfa_sequence (nfa, result, bytes_between (nfa, 0, 0x7f));
    }
  if (kvsql_ordered_get_size (type) >= 0)
    return kvsql_nfa_sequence (nfa, result,
                               kvsql_nfa_any_bytes (nfa, kvsql_ordered_get_size (type) - 1));
  if (type == KVSQL_TYPE_STRING)
    {
      result = kvsql_nfa_sequence (nfa, result, any_between (nfa, 1, 255));
      return kvsql_nfa_sequence (nfa, result, bytes_between (nfa, 0, 0));
    }
  result = kvsql_nfa_sequence (nfa, result, any_between (nfa, 0x80, 0xff));
  return kvsql_nfa_sequence (nfa, result, bytes_between (nfa, 0, 0x7f));
}

KvsqlNfaFragment
kvsql_ordered_automaton (KvsqlType type, gboolean can_be_null, KvsqlNfa *nfa)
{
  KvsqlNfaFragment value = not_null_automaton (type, nfa);

  return can_be_null ? kvsql_nfa_alternative (nfa, bytes_between (nfa, NULL_BYTE, NULL_BYTE), value)
                     : value;
}
