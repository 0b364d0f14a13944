/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * decode-plan.c: makes the steps of a decode plan, and runs them.
 */
#include "config.h"

#include "core/base/text.h"
#include "core/layout/decode-plan.h"
#include "core/layout/element-classes.h"
#include "core/layout/encoding/scalar.h"

/* How the length of a step's bytes is found. */
typedef enum
{
  REACH_SIZE,  /* @size bytes */
  REACH_REST,  /* all bytes except the last @size */
  REACH_FIRST, /* up to the first separator */
  REACH_OWN,   /* the first result of next_length() */
  REACH_SIZED, /* as the @size bytes before it say */
} Reach;

typedef enum
{
  READ_INT, /* the next four: numbers of a fixed size that go directly to their column */
  READ_DATE,
  READ_BIGINT,
  READ_DOUBLE,
  READ_TEXT_TO,   /* a STRING up to a separator of one byte */
  READ_TEXT_REST, /* a STRING up to the last @size bytes, with or without a separator of one byte */
  READ_CONSTANT,
  READ_SCALAR,
  READ_ELEMENT, /* with the decode() of its class */
} Read;

typedef struct
{
  Reach reach;
  Read read;
  gboolean is_ended;  /* scalars: the separator belongs to the step, not to the value */
  gboolean is_single; /* the separator may not occur in the value */
  gboolean is_copy;
  gboolean is_strict;
  KvsqlType type;
  guint attribute;
  gsize size;
  gsize place;          /* if is_placed: the offset from the start, or from the end */
  gboolean is_from_end; /* @place is counted from the end */
  KvsqlSlice separator; /* or the constant */
  const KvsqlElement *element;
} Step;

struct _KvsqlDecodePlan
{
  gssize fixed_size; /* -1: variable */
  gboolean is_columnar;
  gboolean is_placed; /* columnar, and all places depend only on the size of the field */
  gsize least_size;   /* the least size of a field */
  gsize most_size;    /* the greatest size of a field */
  guint n_steps;
  Step steps[];
};

/* ---- compiling */

/* The attribute of a bare attribute, also within suffix{}; NULL for all other elements. */
static const KvsqlElement *
bare_attribute (const KvsqlElement *element)
{
  if (element->klass == &kvsql_element_suffix && element->inner->n_elements == 1)
    element = element->inner->elements[0];
  return element->klass == &kvsql_element_attribute ? element : NULL;
}

/* The attribute of size{a}; NULL for all other elements. */
static const KvsqlElement *
sized_attribute (const KvsqlElement *element)
{
  const KvsqlElement *inner;

  if (element->klass != &kvsql_element_size || element->inner->n_elements != 1)
    return NULL;
  inner = element->inner->elements[0];
  return inner->klass == &kvsql_element_attribute && !inner->is_restricted ? inner : NULL;
}

/* How a bare attribute is read, if only its type is needed for that. */
static Read
how_to_read (const KvsqlElement *element)
{
  if (element->is_copy)
    return READ_SCALAR;
  switch (element->type)
    {
    case KVSQL_TYPE_INT:
      return READ_INT;
    case KVSQL_TYPE_DATE:
      return READ_DATE;
    case KVSQL_TYPE_BIGINT:
      return READ_BIGINT;
    case KVSQL_TYPE_DOUBLE:
      return element->is_cell_key ? READ_SCALAR : READ_DOUBLE; /* only one form of NaN */
    default:
      return READ_SCALAR;
    }
}

static gboolean
find_reach (const KvsqlSequence *sequence, guint index, Step *out)
{
  const KvsqlElement *element = sequence->elements[index];

  if (sequence->tail_sizes[index] >= 0)
    {
      out->reach = REACH_REST;
      out->size = (gsize)sequence->tail_sizes[index];
    }
  else if (element->fixed_size >= 0)
    {
      out->reach = REACH_SIZE;
      out->size = (gsize)element->fixed_size;
    }
  else if (element->is_restricted)
    out->reach = out->read == READ_SCALAR && element->is_delimited && !element->may_end_field
                     ? REACH_FIRST
                     : REACH_OWN;
  else
    return FALSE;
  return TRUE;
}

/* Text for which only the end has to be found. */
static Read
how_to_read_text (const Step *step)
{
  if (step->reach == REACH_FIRST && step->separator.size == 1)
    return READ_TEXT_TO;
  if (step->reach == REACH_REST && !step->is_single
      && (!step->is_ended || step->separator.size == 1))
    return READ_TEXT_REST;
  return READ_SCALAR;
}

static gboolean
make_step (const KvsqlSequence *sequence, guint index, Step *out)
{
  const KvsqlElement *element = sequence->elements[index], *bare = bare_attribute (element);
  const KvsqlElement *sized = sized_attribute (element);

  *out = (Step){ .read = READ_ELEMENT, .element = element, .separator = element->separator };
  if (element->klass == &kvsql_element_constant)
    {
      out->read = READ_CONSTANT;
      out->separator = element->constant;
    }
  else if (bare != NULL)
    {
      out->read = bare == element ? how_to_read (bare) : READ_SCALAR;
      out->type = bare->type;
      out->attribute = (guint)bare->attribute;
      out->is_copy = bare->is_copy;
      out->is_strict = bare->is_cell_key;
      out->is_ended = bare != element;
      out->is_single = element->is_restricted && (out->is_ended || element->is_open);
    }
  else if (sized != NULL)
    {
      *out = (Step){ .reach = REACH_SIZED,
                     .read = READ_SCALAR,
                     .size = element->width,
                     .type = sized->type,
                     .attribute = (guint)sized->attribute,
                     .is_copy = sized->is_copy,
                     .is_strict = sized->is_cell_key };
      return TRUE;
    }
  if (!find_reach (sequence, index, out))
    return FALSE;
  if (out->read == READ_SCALAR && out->type == KVSQL_TYPE_STRING && !out->is_copy)
    out->read = how_to_read_text (out);
  return TRUE;
}

static inline gsize
size_of_number (Read read)
{
  return read >= READ_BIGINT ? 8 : 4;
}

/* Finds the places of numbers, which are before and after one text at most. */
static gboolean
find_places (KvsqlDecodePlan *self)
{
  gboolean is_from_end = FALSE;

  self->least_size = 0;
  for (guint i = 0; i < self->n_steps; i++)
    {
      Step *step = &self->steps[i];

      if (step->read == READ_TEXT_TO || (step->read == READ_TEXT_REST && is_from_end))
        return FALSE;
      step->is_from_end = is_from_end;
      step->place = self->least_size;
      is_from_end = is_from_end || step->read == READ_TEXT_REST;
      self->least_size
          += step->read == READ_TEXT_REST ? step->is_ended != FALSE : size_of_number (step->read);
    }
  self->most_size = is_from_end ? G_MAXSIZE : self->least_size;
  for (guint i = 0, size = 0; i < self->n_steps; i++)
    {
      Step *step = &self->steps[self->n_steps - 1 - i];

      if (!step->is_from_end)
        break;
      size += size_of_number (step->read);
      step->place = size;
    }
  return TRUE;
}

void
kvsql_decode_plan_make (KvsqlSequence *self, KvsqlArena *arena)
{
  KvsqlDecodePlan *plan
      = kvsql_arena_alloc (arena, sizeof (KvsqlDecodePlan) + self->n_elements * sizeof (Step));
  gboolean is_straight = TRUE;

  plan->fixed_size = self->fixed_size;
  plan->n_steps = self->n_elements;
  plan->is_columnar = TRUE;
  for (guint i = 0; i < self->n_elements; i++)
    {
      is_straight = make_step (self, i, &plan->steps[i]) && is_straight;
      plan->is_columnar = plan->is_columnar && plan->steps[i].read <= READ_TEXT_REST;
      if (self->elements[i]->inner != NULL)
        kvsql_decode_plan_make (self->elements[i]->inner, arena);
    }
  plan->is_placed = is_straight && plan->is_columnar && find_places (plan);
  /* fields of other sizes are not read at these places */
  g_assert (!plan->is_placed || plan->least_size <= plan->most_size);
  g_assert (!plan->is_placed || plan->fixed_size < 0
            || (gsize)plan->fixed_size == plan->least_size);
  self->plan = is_straight ? plan : NULL;
}

/* ---- running */

static inline const guint8 *
find_separator (KvsqlSlice bytes, KvsqlSlice separator)
{
  return separator.size == 1 ? memchr (bytes.data, separator.data[0], bytes.size)
                             : memmem (bytes.data, bytes.size, separator.data, separator.size);
}

/* Removes the separator from the value, and checks that it does not occur before. */
static inline gboolean
end_value (const Step *step, KvsqlSlice *value)
{
  gsize n = step->separator.size;

  if (step->is_ended)
    {
      if (value->size < n || memcmp (value->data + value->size - n, step->separator.data, n) != 0)
        return FALSE;
      /* an earlier separator may overlap the one at the end */
      if (step->is_single
          && find_separator (*value, step->separator) != value->data + value->size - n)
        return FALSE;
      value->size -= n;
      return TRUE;
    }
  return !step->is_single || find_separator (*value, step->separator) == NULL;
}

/* Takes a length of @width bytes, and as many bytes. */
static inline gboolean
take_sized (gsize width, KvsqlSlice *rest, KvsqlSlice *out)
{
  gsize length = 0;

  if (rest->size < width)
    return FALSE;
  for (gsize i = 0; i < width; i++)
    length = length << 8 | rest->data[i];
  if (length > rest->size - width)
    return FALSE;
  *out = kvsql_slice (rest->data + width, length);
  *rest = kvsql_slice (rest->data + width + length, rest->size - width - length);
  return TRUE;
}

static inline gboolean
take (const Step *step, KvsqlSlice *rest, KvsqlSlice *out)
{
  gsize length = step->size;
  const guint8 *found;
  gssize own;

  switch (step->reach)
    {
    case REACH_SIZE:
      break;
    case REACH_REST:
      if (rest->size < length)
        return FALSE;
      length = rest->size - length;
      break;
    case REACH_FIRST:
      found = find_separator (*rest, step->separator);
      if (found == NULL)
        return FALSE;
      length = (gsize)(found - rest->data);
      *out = kvsql_slice (rest->data, length);
      length += step->is_ended ? step->separator.size : 0;
      *rest = kvsql_slice (rest->data + length, rest->size - length);
      return TRUE;
    case REACH_OWN:
      own = step->element->klass->next_length != NULL
                ? step->element->klass->next_length (step->element, *rest, -1)
                : kvsql_element_next_open_length (step->element, *rest, -1);
      if (own < 0)
        return FALSE;
      length = (gsize)own;
      break;
    case REACH_SIZED:
      return take_sized (step->size, rest, out);
    }
  if (length > rest->size)
    return FALSE;
  *out = kvsql_slice (rest->data, length);
  *rest = kvsql_slice (rest->data + length, rest->size - length);
  return step->read != READ_SCALAR || end_value (step, out);
}

static inline gboolean
read_scalar (const Step *step, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlVector *column;

  /* only a sequence of constants is read without columns */
  g_assert (decoder->batch != NULL);
  column = &decoder->batch->columns[step->attribute];
  if (step->is_copy || column->type == KVSQL_TYPE_NULL)
    return kvsql_scalar_check (step->type, bytes, step->is_strict, decoder->arena);
  return kvsql_scalar_decode_into (step->type, bytes, step->is_strict, decoder->arena, column,
                                   decoder->row);
}

/* Reads a step that the main loop does not handle itself. */
static gboolean
read_other (const Step *step, KvsqlSlice *rest, KvsqlDecoder *decoder)
{
  KvsqlSlice value;

  if (!take (step, rest, &value))
    return FALSE;
  if (step->read == READ_CONSTANT)
    return kvsql_slice_equal (value, step->separator);
  if (step->read == READ_SCALAR)
    return read_scalar (step, value, decoder);
  return (step->reach == REACH_OWN || !kvsql_element_is_forbidden (step->element, value))
         && step->element->klass->decode (step->element, value, decoder);
}

/* Most columns are wanted. A column that is not wanted has no array. */
#define SET(member, value)                                                                         \
  if (column->type != KVSQL_TYPE_NULL)                                                             \
  column->member[row] = (value)

/* Stores a text. Returns its length with the separator, or -1 if there is no end. */
G_ALWAYS_INLINE static inline gssize
read_text (const Step *step, Read read, KvsqlSlice bytes, KvsqlVector *column, guint row)
{
  gsize end, size;

  if (read == READ_TEXT_TO)
    {
      if (!kvsql_text_is_valid_to (bytes, step->separator.data[0], &size))
        return -1;
      end = size + (step->is_ended != FALSE);
    }
  else
    {
      end = bytes.size - step->size;
      size = end - (step->is_ended != FALSE);
      if (bytes.size < step->size || end < size
          || (step->is_ended && bytes.data[size] != step->separator.data[0])
          || !kvsql_text_is_valid (kvsql_slice (bytes.data, size)))
        return -1;
    }
  SET (slices, kvsql_slice (bytes.data, size));
  return (gssize)end;
}

/* Stores a number. Returns its size, or -1 if the bytes are too few. */
G_ALWAYS_INLINE static inline gssize
read_number (Read read, KvsqlSlice bytes, KvsqlVector *column, guint row)
{
  gsize size = size_of_number (read);
  gint64 integer;
  guint64 bits;

  if (bytes.size < size)
    return -1;
  if (size == 8)
    {
      bits = kvsql_get_be64 (bytes.data);
      if (column->type != KVSQL_TYPE_NULL)
        memcpy (&column->integers[row], &bits, sizeof bits); /* also for reals */
      return 8;
    }
  integer = (gint32)kvsql_get_be32 (bytes.data);
  SET (integers, integer);
  if (read == READ_DATE && (integer < KVSQL_DATE_MIN || integer > KVSQL_DATE_MAX))
    return -1;
  return 4;
}

gboolean
kvsql_decode_plan_run (const KvsqlDecodePlan *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  const Step *end = self->steps + self->n_steps;
  /* a sequence of constants, such as a constant table name, needs no columns */
  KvsqlVector *columns = decoder->batch != NULL ? decoder->batch->columns : NULL;
  guint row = decoder->row;

  if (self->fixed_size >= 0 && (gsize)self->fixed_size != bytes.size)
    return FALSE;
  for (const Step *step = self->steps; step < end; step++)
    {
      gssize size;

      if (step->read > READ_TEXT_REST)
        {
          KvsqlSlice rest = bytes; /* a copy, since taking the address of @bytes would keep it out
                                      of registers */

          if (!read_other (step, &rest, decoder))
            return FALSE;
          bytes = rest;
          continue;
        }
      size = step->read >= READ_TEXT_TO
                 ? read_text (step, step->read, bytes, &columns[step->attribute], row)
                 : read_number (step->read, bytes, &columns[step->attribute], row);
      if (size < 0)
        return FALSE;
      bytes = kvsql_slice (bytes.data + size, bytes.size - (gsize)size);
    }
  return bytes.size == 0;
}

/* ---- many fields, one column at a time */

gboolean
kvsql_decode_plan_is_columnar (const KvsqlDecodePlan *self)
{
  return self != NULL && self->is_columnar;
}

/* Inlined for each kind of step, with a constant @read, so that each loop contains only the code of
 * its kind. */
G_ALWAYS_INLINE static inline gboolean
read_column (const Step *step, Read read, KvsqlSlice *fields, guint n, KvsqlVector *column,
             guint row)
{
  for (guint i = 0; i < n; i++)
    {
      KvsqlSlice field = fields[i];
      gssize size = read >= READ_TEXT_TO ? read_text (step, read, field, column, row + i)
                                         : read_number (read, field, column, row + i);

      if (size < 0)
        return FALSE;
      fields[i] = kvsql_slice (field.data + size, field.size - (gsize)size);
    }
  return TRUE;
}

static gboolean
run_step (const Step *step, KvsqlSlice *fields, guint n, KvsqlVector *column, guint row)
{
  switch (step->read)
    {
    case READ_INT:
      return read_column (step, READ_INT, fields, n, column, row);
    case READ_DATE:
      return read_column (step, READ_DATE, fields, n, column, row);
    case READ_BIGINT:
    case READ_DOUBLE:
      return read_column (step, READ_BIGINT, fields, n, column, row);
    case READ_TEXT_TO:
      return read_column (step, READ_TEXT_TO, fields, n, column, row);
    default:
      return read_column (step, READ_TEXT_REST, fields, n, column, row);
    }
}

/* ---- many fields, fixed places */

/* The integer, or the bits of a real, at @bytes. */
G_ALWAYS_INLINE static inline gint64
get_number (Read read, const guint8 *at)
{
  return size_of_number (read) == 8 ? (gint64)kvsql_get_be64 (at) : (gint32)kvsql_get_be32 (at);
}

/* As read_column(): one loop for each kind of number, before and after the text. */
G_ALWAYS_INLINE static inline gboolean
read_numbers_at (Read read, gboolean is_from_end, gsize place, const KvsqlSlice *fields, guint n,
                 const KvsqlVector *column, guint row)
{
  gint64 *out = column->type != KVSQL_TYPE_NULL ? column->integers + row
                                                : NULL; /* also the bits of reals */
  gint64 unfit = 0;

  if (out == NULL && read != READ_DATE)
    return TRUE;
  for (guint i = 0; i < n; i++)
    {
      gint64 number = get_number (read, is_from_end ? fields[i].data + fields[i].size - place
                                                    : fields[i].data + place);

      if (read == READ_DATE)
        unfit |= number < KVSQL_DATE_MIN || number > KVSQL_DATE_MAX;
      if (out != NULL)
        out[i] = number;
    }
  return unfit == 0;
}

G_ALWAYS_INLINE static inline gboolean
read_numbers (Read read, const Step *step, const KvsqlSlice *fields, guint n,
              const KvsqlVector *column, guint row)
{
  return step->is_from_end ? read_numbers_at (read, TRUE, step->place, fields, n, column, row)
                           : read_numbers_at (read, FALSE, step->place, fields, n, column, row);
}

/* The text between the numbers. */
static gboolean
read_texts (const Step *step, const KvsqlSlice *fields, guint n, const KvsqlVector *column,
            guint row)
{
  KvsqlSlice *out = column->type != KVSQL_TYPE_NULL ? column->slices + row : NULL;
  gsize place = step->place, n_ended = step->is_ended != FALSE, n_others = place + step->size;
  guint8 separator = step->is_ended ? step->separator.data[0] : 0;

  n_others += n_ended;
  for (guint i = 0; i < n; i++)
    {
      KvsqlSlice text = kvsql_slice (fields[i].data + place, fields[i].size - n_others);

      if ((n_ended > 0 && text.data[text.size] != separator) || !kvsql_text_is_valid (text))
        return FALSE;
      if (out != NULL)
        out[i] = text;
    }
  return TRUE;
}

static gboolean
run_step_at_place (const Step *step, const KvsqlSlice *fields, guint n, const KvsqlVector *column,
                   guint row)
{
  switch (step->read)
    {
    case READ_INT:
      return read_numbers (READ_INT, step, fields, n, column, row);
    case READ_DATE:
      return read_numbers (READ_DATE, step, fields, n, column, row);
    case READ_BIGINT:
    case READ_DOUBLE:
      return read_numbers (READ_BIGINT, step, fields, n, column, row);
    default:
      return read_texts (step, fields, n, column, row);
    }
}

static gboolean
run_placed (const KvsqlDecodePlan *self, const KvsqlSlice *fields, guint n,
            const KvsqlDecoder *decoder)
{
  for (guint i = 0; i < n; i++)
    if (fields[i].size < self->least_size || fields[i].size > self->most_size)
      return FALSE;
  for (guint i = 0; i < self->n_steps; i++)
    if (!run_step_at_place (&self->steps[i], fields, n,
                            &decoder->batch->columns[self->steps[i].attribute], decoder->row))
      return FALSE;
  return TRUE;
}

gboolean
kvsql_decode_plan_run_many (const KvsqlDecodePlan *self, KvsqlSlice *fields, guint n,
                            const KvsqlDecoder *decoder)
{
  g_assert (self->is_columnar && decoder->row + n <= decoder->batch->capacity);
  if (self->is_placed)
    return run_placed (self, fields, n, decoder);
  for (guint i = 0; i < self->n_steps; i++)
    if (!run_step (&self->steps[i], fields, n, &decoder->batch->columns[self->steps[i].attribute],
                   decoder->row))
      return FALSE;
  for (guint i = 0; i < n; i++)
    if (fields[i].size > 0)
      return FALSE;
  return TRUE;
}
