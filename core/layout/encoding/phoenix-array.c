/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix-array.c: see the header.
 */
#include "config.h"

#include "core/layout/encoding/phoenix-array.h"

#include "core/base/collection.h"
#include "core/base/text.h"
#include "core/layout/encoding/phoenix-offsets.h"
#include "core/layout/encoding/phoenix.h"
#include "core/layout/encoding/scalar.h"

#define NANOSECONDS_SIZE 4
#define SEPARATOR 0
#define N_SEPARATORS 2 /* after the last element */
#define NULLS_PER_BYTE 255

/* ---- types of elements */

/* Types that have to be named, since another type has the plain form. */
/* clang-format off */
static const KvsqlPhoenixArray named[] = {
  { "binary", KVSQL_TYPE_BYTES, 0, .has_width = TRUE },
  { "char", KVSQL_TYPE_STRING, 0, .has_width = TRUE },
  { "smallint", KVSQL_TYPE_INT, 2 },
  { "timestamp", KVSQL_TYPE_TIMESTAMP, 8 + NANOSECONDS_SIZE, .has_nanoseconds = TRUE },
  { "tinyint", KVSQL_TYPE_INT, 1 },
  { "unsigned_date", KVSQL_TYPE_TIMESTAMP, 8, .is_unsigned = TRUE },
  { "unsigned_double", KVSQL_TYPE_DOUBLE, 8, .is_unsigned = TRUE },
  { "unsigned_float", KVSQL_TYPE_FLOAT, 4, .is_unsigned = TRUE },
  { "unsigned_int", KVSQL_TYPE_INT, 4, .is_unsigned = TRUE },
  { "unsigned_long", KVSQL_TYPE_BIGINT, 8, .is_unsigned = TRUE },
  { "unsigned_smallint", KVSQL_TYPE_INT, 2, .is_unsigned = TRUE },
  { "unsigned_time", KVSQL_TYPE_TIMESTAMP, 8, .is_unsigned = TRUE },
  { "unsigned_timestamp", KVSQL_TYPE_TIMESTAMP, 8 + NANOSECONDS_SIZE, .is_unsigned = TRUE, .has_nanoseconds = TRUE },
  { "unsigned_tinyint", KVSQL_TYPE_INT, 1, .is_unsigned = TRUE },
};
/* clang-format on */

gboolean
kvsql_phoenix_array_for_type (KvsqlType type, KvsqlPhoenixArray *out)
{
  KvsqlSortedForm form;

  *out = (KvsqlPhoenixArray){ .type = type };
  if (type == KVSQL_TYPE_STRING || type == KVSQL_TYPE_DECIMAL)
    return TRUE;
  if (kvsql_type_get_class (type) == KVSQL_CLASS_SLICE || !kvsql_phoenix_get_form (type, &form))
    return FALSE;
  out->size = form.size;
  return TRUE;
}

const KvsqlPhoenixArray *
kvsql_phoenix_array_find (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    if (g_ascii_strcasecmp (named[i].name, name) == 0)
      return &named[i];
  return NULL;
}

const gchar *const *
kvsql_phoenix_array_list (void)
{
  static const gchar *names[G_N_ELEMENTS (named) + 1];
  static gsize is_made;

  if (g_once_init_enter (&is_made))
    {
      for (guint i = 0; i < G_N_ELEMENTS (named); i++)
        names[i] = named[i].name;
      g_once_init_leave (&is_made, 1);
    }
  return names;
}

static gboolean
is_plain_number (KvsqlType type)
{
  return type == KVSQL_TYPE_INT || type == KVSQL_TYPE_BIGINT;
}

gboolean
kvsql_phoenix_array_takes (const KvsqlPhoenixArray *self, KvsqlType type)
{
  return self->type == type || (is_plain_number (self->type) && is_plain_number (type));
}

/* ---- whole numbers and times */

static gsize
number_size (const KvsqlPhoenixArray *self)
{
  return self->size - (self->has_nanoseconds ? NANOSECONDS_SIZE : 0);
}

static gint64
number_of (const KvsqlPhoenixArray *self, const KvsqlValue *value)
{
  return self->type == KVSQL_TYPE_DATE ? value->integer * KVSQL_MS_PER_DAY : value->integer;
}

static gint64
greatest (const KvsqlPhoenixArray *self)
{
  return (gint64)(G_MAXUINT64 >> (8 * (sizeof (gint64) - number_size (self)) + 1));
}

static gint64
least (const KvsqlPhoenixArray *self)
{
  return self->is_unsigned ? 0 : -greatest (self) - 1;
}

static void
append_number (const KvsqlPhoenixArray *self, const KvsqlValue *value, KvsqlBuffer *out)
{
  gsize size = number_size (self);
  guint8 bytes[sizeof (gint64)], *at = bytes + sizeof bytes - size;

  kvsql_put_be64 (bytes, (guint64)number_of (self, value));
  if (!self->is_unsigned)
    kvsql_sorted_turn_sign (at, size, FALSE);
  kvsql_buffer_append (out, at, size);
  if (self->has_nanoseconds)
    memset (kvsql_buffer_extend (out, NANOSECONDS_SIZE), 0, NANOSECONDS_SIZE);
}

static gboolean
read_number (const KvsqlPhoenixArray *self, const guint8 *bytes, KvsqlValue *out)
{
  gsize size = number_size (self);
  guint64 number = 0;

  for (gsize i = 0; i < size; i++)
    number = number << 8 | bytes[i];
  if (self->has_nanoseconds && kvsql_get_be32 (bytes + size) != 0)
    return FALSE;
  if (self->is_unsigned && number > (guint64)greatest (self))
    return FALSE;
  out->integer = (gint64)(number + (guint64)least (self));
  if (self->type == KVSQL_TYPE_DATE)
    {
      if (out->integer % KVSQL_MS_PER_DAY != 0)
        return FALSE;
      out->integer /= KVSQL_MS_PER_DAY;
    }
  return kvsql_type_has_integer (self->type, out->integer);
}

/* ---- elements of a fixed size */

static void
append_fixed (const KvsqlPhoenixArray *self, const KvsqlValue *value, KvsqlBuffer *out)
{
  KvsqlSortedForm form;

  switch (kvsql_type_get_class (self->type))
    {
    case KVSQL_CLASS_INTEGER:
      append_number (self, value, out);
      break;
    case KVSQL_CLASS_SLICE:
      kvsql_buffer_append_slice (out, value->bytes);
      for (gsize i = value->bytes.size; i < self->size; i++)
        kvsql_buffer_append_byte (out, ' ');
      break;
    default:
      if (self->is_unsigned)
        kvsql_scalar_encode (self->type, value, out);
      else if (kvsql_phoenix_get_form (self->type, &form))
        form.append (&form, value, out);
      break;
    }
}

static gboolean
is_ascii (KvsqlSlice text)
{
  for (gsize i = 0; i < text.size; i++)
    if (text.data[i] == 0 || text.data[i] >= 0x80)
      return FALSE;
  return TRUE;
}

static gboolean
read_fixed (const KvsqlPhoenixArray *self, KvsqlSlice bytes, KvsqlArena *arena, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = self->type };
  switch (kvsql_type_get_class (self->type))
    {
    case KVSQL_CLASS_INTEGER:
      return read_number (self, bytes.data, out);
    case KVSQL_CLASS_SLICE:
      while (self->type == KVSQL_TYPE_STRING && bytes.size > 0 && bytes.data[bytes.size - 1] == ' ')
        bytes.size--;
      out->bytes = bytes;
      return self->type == KVSQL_TYPE_BYTES || is_ascii (bytes);
    default:
      if (!self->is_unsigned)
        return kvsql_phoenix_read (self->type, bytes, arena, out);
      return kvsql_scalar_decode (self->type, bytes, TRUE, arena, out) && !(out->real < 0);
    }
}

/* ---- faults */

static const KvsqlPhoenixFault empty_list
    = { "is empty, which has no form", "Phoenix takes an empty array as NULL. Write NULL." };
static const KvsqlPhoenixFault null_element
    = { "is NULL and has no form",
        "In Phoenix, only elements of VARCHAR and DECIMAL can be NULL. Leave the element out." };
static const KvsqlPhoenixFault empty_element
    = { "is empty and has no form", "Phoenix takes '' as NULL. Write null." };
static const KvsqlPhoenixFault zero_byte
    = { "begins with a zero byte and has no form", "Phoenix takes the element as NULL." };
static const KvsqlPhoenixFault too_many_digits
    = { "has more than 38 significant digits or is too large",
        "Phoenix would round it. Use a VARCHAR ARRAY in a new column of Phoenix." };
static const KvsqlPhoenixFault out_of_range
    = { "does not fit Phoenix's elements",
        "Use an array of a wider type in a new column of Phoenix." };
static const KvsqlPhoenixFault below_zero
    = { "is below 0", "The elements are unsigned in Phoenix. Use an array of a type with a sign in "
                      "a new column of Phoenix." };
static const KvsqlPhoenixFault not_ascii
    = { "is not ASCII", "A CHAR of Phoenix has one byte for a character. Use a VARCHAR ARRAY in a "
                        "new column of Phoenix." };
static const KvsqlPhoenixFault trailing_blank
    = { "ends in a blank", "Phoenix fills CHAR with blanks, so the blank would be lost. Use a "
                           "VARCHAR ARRAY in a new column of Phoenix." };
static const KvsqlPhoenixFault wrong_size
    = { "has another size than Phoenix's elements", "All elements of BINARY(n) have n bytes." };

static const KvsqlPhoenixFault *
check_slice (const KvsqlPhoenixArray *self, KvsqlSlice bytes)
{
  if (self->type == KVSQL_TYPE_DECIMAL)
    return kvsql_phoenix_decimal_fits (bytes) ? NULL : &too_many_digits;
  if (self->type == KVSQL_TYPE_BYTES)
    return bytes.size == self->size ? NULL : &wrong_size;
  if (self->size == 0)
    return bytes.size == 0 ? &empty_element : bytes.data[0] == SEPARATOR ? &zero_byte : NULL;
  if (bytes.size > self->size)
    return &out_of_range;
  if (!is_ascii (bytes))
    return &not_ascii;
  return bytes.size > 0 && bytes.data[bytes.size - 1] == ' ' ? &trailing_blank : NULL;
}

static const KvsqlPhoenixFault *
check_element (const KvsqlPhoenixArray *self, const KvsqlValue *value)
{
  if (kvsql_value_is_null (value))
    return self->size == 0 ? NULL : &null_element;
  switch (kvsql_type_get_class (self->type))
    {
    case KVSQL_CLASS_INTEGER:
      if (self->is_unsigned && number_of (self, value) < 0)
        return &below_zero;
      return number_of (self, value) >= least (self) && number_of (self, value) <= greatest (self)
                 ? NULL
                 : &out_of_range;
    case KVSQL_CLASS_REAL:
      return self->is_unsigned && value->real < 0 ? &below_zero : NULL;
    case KVSQL_CLASS_SLICE:
      return check_slice (self, value->bytes);
    default:
      return NULL;
    }
}

const KvsqlPhoenixFault *
kvsql_phoenix_array_check (const KvsqlPhoenixArray *self, const KvsqlValue *values, guint n,
                           guint *out_element)
{
  const KvsqlPhoenixFault *fault = n == 0 ? &empty_list : NULL;

  *out_element = 0;
  for (guint i = 0; i < n && fault == NULL; i++)
    {
      fault = check_element (self, &values[i]);
      *out_element = i + 1;
    }
  return fault;
}

/* ---- elements of their own size */

static void
append_nulls (guint n, KvsqlBuffer *out)
{
  if (n == 0)
    return;
  kvsql_buffer_append_byte (out, SEPARATOR);
  for (guint i = 0; i < n / NULLS_PER_BYTE; i++)
    kvsql_buffer_append_byte (out, 1);
  if (n % NULLS_PER_BYTE > 0)
    kvsql_buffer_append_byte (out, (guint8)(0xff - (n % NULLS_PER_BYTE - 1)));
}

static void
append_elements (const KvsqlPhoenixArray *self, const KvsqlValue *values, guint n, KvsqlBuffer *out)
{
  g_autofree gint32 *offsets = g_new (gint32, n);
  gsize start = out->size;
  guint nulls = 0;

  for (guint i = 0; i < n; i++)
    {
      gboolean is_null = kvsql_value_is_null (&values[i]);

      if (!is_null)
        append_nulls (nulls, out);
      nulls = is_null ? nulls + 1 : 0;
      offsets[i] = (gint32)(out->size - start);
      if (is_null)
        continue;
      if (self->type == KVSQL_TYPE_DECIMAL)
        kvsql_phoenix_decimal_append (values[i].bytes, out);
      else
        kvsql_buffer_append_slice (out, values[i].bytes);
      kvsql_buffer_append_byte (out, SEPARATOR);
    }
  for (guint i = 0; i < N_SEPARATORS; i++)
    kvsql_buffer_append_byte (out, SEPARATOR);
  kvsql_phoenix_offsets_append (KVSQL_PHOENIX_ARRAY, offsets, n, start, out);
}

/* Skips what append_nulls() would write at *inout_at. */
static gboolean
skip_nulls (KvsqlSlice bytes, guint n, gsize *inout_at)
{
  KvsqlBuffer nulls = { 0 };
  gboolean is_there;

  if (n == 0)
    return TRUE;
  append_nulls (n, &nulls);
  is_there = nulls.size <= bytes.size - *inout_at
             && kvsql_slice_equal (kvsql_slice (bytes.data + *inout_at, nulls.size),
                                   kvsql_buffer_slice (&nulls));
  *inout_at += nulls.size;
  kvsql_buffer_clear (&nulls);
  return is_there;
}

static gboolean
read_variable (const KvsqlPhoenixArray *self, KvsqlSlice bytes, KvsqlArena *arena, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = self->type, .bytes = bytes };
  if (self->type == KVSQL_TYPE_DECIMAL)
    return kvsql_phoenix_decimal_read (bytes, arena, &out->bytes);
  /* a zero byte within the text would be possible in Phoenix, but is not in a list */
  return memchr (bytes.data, 0, bytes.size) == NULL && kvsql_text_is_valid (bytes);
}

/* The bytes of the values, without the two separators at their end. */
static gboolean
find_elements (KvsqlSlice bytes, KvsqlPhoenixOffsets *offsets, KvsqlSlice *out)
{
  if (!kvsql_phoenix_offsets_read (KVSQL_PHOENIX_ARRAY, bytes, offsets)
      || !kvsql_phoenix_offsets_are_canonical (offsets)
      || offsets->n > KVSQL_COLLECTION_MAX_ELEMENTS)
    return FALSE;
  *out = offsets->elements;
  if (out->size < N_SEPARATORS)
    return FALSE;
  out->size -= N_SEPARATORS;
  return out->data[out->size] == SEPARATOR && out->data[out->size + 1] == SEPARATOR;
}

/* Follows the bytes from the first element to the last, and compares the offsets with where it
 * is. */
static gboolean
read_elements (const KvsqlPhoenixArray *self, KvsqlSlice bytes, KvsqlArena *arena, KvsqlValue **out,
               guint *out_n)
{
  KvsqlPhoenixOffsets offsets;
  KvsqlSlice elements;
  guint nulls = 0;
  gsize at = 0;

  if (!find_elements (bytes, &offsets, &elements))
    return FALSE;
  *out_n = offsets.n;
  *out = kvsql_arena_array (arena, KvsqlValue, offsets.n);
  for (guint i = 0; i < offsets.n; i++)
    {
      gint64 start = kvsql_phoenix_offsets_get (&offsets, i);
      gint64 end = i + 1 < offsets.n ? kvsql_phoenix_offsets_get (&offsets, i + 1) - 1
                                     : (gint64)elements.size - 1;

      if (start == (gint64)at && (at == elements.size || elements.data[at] == SEPARATOR))
        {
          (*out)[i] = KVSQL_VALUE_NULL;
          nulls++;
          continue;
        }
      if (!skip_nulls (elements, nulls, &at) || start != (gint64)at || end <= start
          || end >= (gint64)elements.size || elements.data[end] != SEPARATOR
          || !read_variable (self, kvsql_slice (elements.data + at, (gsize)(end - start)), arena,
                             &(*out)[i]))
        return FALSE;
      at = (gsize)end + 1;
      nulls = 0;
    }
  return at == elements.size;
}

/* ---- arrays */

void
kvsql_phoenix_array_append (const KvsqlPhoenixArray *self, const KvsqlValue *values, guint n,
                            KvsqlBuffer *out)
{
  if (self->size == 0)
    append_elements (self, values, n, out);
  else
    for (guint i = 0; i < n; i++)
      append_fixed (self, &values[i], out);
}

gboolean
kvsql_phoenix_array_read (const KvsqlPhoenixArray *self, KvsqlSlice bytes, KvsqlArena *arena,
                          KvsqlValue **out, guint *out_n)
{
  if (self->size == 0)
    return read_elements (self, bytes, arena, out, out_n);
  if (bytes.size == 0 || bytes.size % self->size != 0
      || bytes.size / self->size > KVSQL_COLLECTION_MAX_ELEMENTS)
    return FALSE;
  *out_n = (guint)(bytes.size / self->size);
  *out = kvsql_arena_array (arena, KvsqlValue, *out_n);
  for (guint i = 0; i < *out_n; i++)
    if (!read_fixed (self, kvsql_slice (bytes.data + i * self->size, self->size), arena,
                     &(*out)[i]))
      return FALSE;
  return TRUE;
}
