/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * encode-plan.c: makes the steps of an encode plan, and runs them.
 */
#include "config.h"

#include "core/base/text.h"
#include "core/layout/element-classes.h"
#include "core/layout/encode-plan.h"
#include "core/base/uuid.h"
#include "core/layout/encoding/scalar.h"

#include <math.h>

typedef struct
{
  gint attribute; /* -1: a constant */
  KvsqlSlice constant;
  KvsqlType type;
  gboolean is_single; /* text: it may not contain @separator, which is one byte */
  gboolean is_ended;  /* text: @separator is written after it */
  KvsqlSlice separator;
} Step;

struct _KvsqlEncodePlan
{
  gsize fixed_size; /* the size of all steps without texts */
  guint n_texts;
  guint *texts; /* the attributes of the texts */
  guint n_steps;
  Step steps[];
};

/* ---- compiling */

static gboolean
is_text (KvsqlType type)
{
  return type == KVSQL_TYPE_STRING || type == KVSQL_TYPE_BYTES;
}

/* Whether the decoder certainly finds the end of the text. The end must follow from sizes, or be a
 * separator of one byte that cannot occur in the value. */
static gboolean
end_is_certain (const KvsqlSequence *sequence, guint index)
{
  const KvsqlElement *element = sequence->elements[index];

  if (element->is_restricted && element->separator.size != 1)
    return FALSE;
  return sequence->tail_sizes[index] >= 0 || (element->is_restricted && element->is_delimited);
}

static gboolean
make_step (const KvsqlSequence *sequence, guint index, Step *out)
{
  const KvsqlElement *element = sequence->elements[index], *bare = element;

  *out = (Step){ .attribute = -1, .separator = element->separator };
  if (element->klass == &kvsql_element_constant)
    {
      out->constant = element->constant;
      return TRUE;
    }
  if (element->klass == &kvsql_element_suffix && element->inner->n_elements == 1)
    bare = element->inner->elements[0];
  if (bare->klass != &kvsql_element_attribute)
    return FALSE;
  out->attribute = bare->attribute;
  out->type = bare->type;
  out->is_ended = bare != element;
  out->is_single = element->is_restricted;
  if (is_text (bare->type))
    return end_is_certain (sequence, index);
  return bare == element && kvsql_scalar_get_size (bare->type) >= 0;
}

static gsize
fixed_size_of (const Step *step)
{
  if (step->attribute < 0)
    return step->constant.size;
  if (is_text (step->type))
    return step->is_ended ? step->separator.size : 0;
  return (gsize)kvsql_scalar_get_size (step->type);
}

void
kvsql_encode_plan_make (KvsqlSequence *self, KvsqlArena *arena)
{
  KvsqlEncodePlan *plan;

  self->encode_plan = NULL;
  if (self->plan == NULL)
    return;
  plan = kvsql_arena_alloc (arena, sizeof (KvsqlEncodePlan) + self->n_elements * sizeof (Step));
  plan->fixed_size = 0;
  plan->n_texts = 0;
  plan->texts = kvsql_arena_array (arena, guint, self->n_elements);
  plan->n_steps = self->n_elements;
  for (guint i = 0; i < self->n_elements; i++)
    {
      if (!make_step (self, i, &plan->steps[i]))
        return;
      plan->fixed_size += fixed_size_of (&plan->steps[i]);
      if (plan->steps[i].attribute >= 0 && is_text (plan->steps[i].type))
        plan->texts[plan->n_texts++] = (guint)plan->steps[i].attribute;
    }
  /* texts have no fixed size */
  g_assert (self->fixed_size < 0
            || (plan->n_texts == 0 && (gsize)self->fixed_size == plan->fixed_size));
  self->encode_plan = plan;
}

/* ---- running */

/* Whether the text round-trips: the decoder must not reject it, and must not read another text. */
static inline gboolean
text_round_trips (const Step *step, KvsqlSlice text)
{
  if (step->type == KVSQL_TYPE_STRING
      && kvsql_text_is_plain (text, step->is_single ? step->separator.data[0] : 0))
    return TRUE;
  if (step->is_single && text.size > 0
      && memchr (text.data, step->separator.data[0], text.size) != NULL)
    return FALSE;
  return step->type == KVSQL_TYPE_BYTES || kvsql_text_is_valid (text);
}

static inline guint8 *
write_slice (guint8 *to, KvsqlSlice bytes)
{
  kvsql_copy_bytes (to, bytes.data, bytes.size);
  return to + bytes.size;
}

static inline guint8 *
write_32 (guint8 *to, guint32 bits)
{
  kvsql_put_be32 (to, bits);
  return to + 4;
}

static inline guint8 *
write_64 (guint8 *to, guint64 bits)
{
  kvsql_put_be64 (to, bits);
  return to + 8;
}

static inline guint8 *
write_text (guint8 *to, const Step *step, KvsqlSlice text)
{
  if (!text_round_trips (step, text))
    return NULL;
  to = write_slice (to, text);
  return step->is_ended ? write_slice (to, step->separator) : to;
}

/* NULL: the value does not round-trip. */
static inline guint8 *
write_value (guint8 *to, const Step *step, const KvsqlValue *value)
{
  if (value->type != step->type)
    return NULL;
  switch (step->type)
    {
    case KVSQL_TYPE_STRING:
    case KVSQL_TYPE_BYTES:
      return write_text (to, step, value->bytes);
    case KVSQL_TYPE_BOOLEAN:
      *to = value->boolean ? 0xff : 0x00;
      return value->boolean == TRUE || value->boolean == FALSE ? to + 1 : NULL;
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_DATE:
    case KVSQL_TYPE_TIME:
      return kvsql_type_has_integer (step->type, value->integer)
                 ? write_32 (to, (guint32)value->integer)
                 : NULL;
    case KVSQL_TYPE_TIMESTAMP:
      return kvsql_type_has_integer (step->type, value->integer)
                 ? write_64 (to, (guint64)value->integer)
                 : NULL;
    case KVSQL_TYPE_BIGINT:
      return write_64 (to, (guint64)value->integer);
    case KVSQL_TYPE_FLOAT:
      if (!isnan (value->real) && (gdouble)(gfloat)value->real != value->real)
        return NULL;
      return write_32 (to, (guint32)kvsql_scalar_get_real_bits (step->type, value->real));
    case KVSQL_TYPE_DOUBLE:
      return write_64 (to, kvsql_scalar_get_real_bits (step->type, value->real));
    case KVSQL_TYPE_UUID:
      return kvsql_uuid_read (value->bytes, to) ? to + KVSQL_UUID_BYTES : NULL;
    default:
      return NULL;
    }
}

/* The sizes of texts give the size of the buffer. Other values are tested while they are written;
 * if a test fails, the buffer stays in @arena unused. */
gboolean
kvsql_encode_plan_run (const KvsqlEncodePlan *self, const KvsqlValue *tuple, KvsqlArena *arena,
                       KvsqlSlice *out)
{
  const Step *end = self->steps + self->n_steps;
  gsize size = self->fixed_size;
  guint8 *bytes, *to;

  for (guint i = 0; i < self->n_texts; i++)
    {
      const KvsqlValue *text = &tuple[self->texts[i]];

      if (!is_text (text->type))
        return FALSE;
      size += text->bytes.size;
    }
  bytes = to = kvsql_arena_alloc (arena, size);
  for (const Step *step = self->steps; step < end; step++)
    {
      to = step->attribute < 0 ? write_slice (to, step->constant)
                               : write_value (to, step, &tuple[step->attribute]);
      if (to == NULL)
        return FALSE;
    }
  g_assert (to == bytes + size);
  *out = kvsql_slice (bytes, size);
  return TRUE;
}
