/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sequence.c: elements one after another.
 *
 * Decoding goes from left to right while elements show where they end. After the first element
 * whose tail has a fixed size, lengths follow from the end of the field. Only where a separator may
 * occur inside a value (the definition proof finds these places) does the decoder search: it tries
 * the next separator if the rest of the field does not match.
 */
#include "config.h"

#include "core/layout/sequence.h"

#include "core/base/interrupt.h"
#include "core/layout/automata/nfa.h"
#include "core/layout/decode-plan.h"
#include "core/layout/element.h"
#include "core/layout/readings.h"

#include <string.h>

/* For the automaton of an element, which takes some 10 us. */
#define TICKS_FOR_AUTOMATON 4
/* After this number of steps in one field, its bytes are not accepted. */
#define MAX_STEPS 1000000

/* ---- encoding */

/* Whether the separator that follows @value begins within it: "::" after "x:" begins at the colon.
 */
static gboolean
ends_in_separator (KvsqlSlice value, KvsqlSlice separator, gsize *out_at)
{
  for (gsize n = MIN (separator.size - 1, value.size); n > 0; n--)
    if (memcmp (value.data + value.size - n, separator.data, n) == 0
        && memcmp (separator.data, separator.data + n, separator.size - n) == 0)
      {
        *out_at = value.size - n;
        return TRUE;
      }
  return FALSE;
}

/* The value of an open element, from @start on, must not contain its separator; suffix checks its
 * own. -1: it does not. */
static gssize
find_separator (const KvsqlElement *element, KvsqlSlice written, gsize start)
{
  const KvsqlSlice separator = element->separator;
  const guint8 *found;
  KvsqlSlice value;
  gsize at;

  start += element->constant.size;
  if (written.size == start) /* its pointer may be NULL */
    return -1;
  value = kvsql_slice (written.data + start, written.size - start);
  found = memmem (value.data, value.size, separator.data, separator.size);
  if (found != NULL)
    return found - value.data;
  return ends_in_separator (value, separator, &at) ? (gssize)at : -1;
}

gboolean
kvsql_sequence_encode (const KvsqlSequence *self, const KvsqlEncoder *encoder, KvsqlBuffer *out,
                       GError **error)
{
  for (guint i = 0; i < self->n_elements; i++)
    {
      const KvsqlElement *element = self->elements[i];
      gsize start = out->size;
      if (!element->klass->encode (element, encoder, out, error))
        return FALSE;
      if (element->is_restricted && element->is_open)
        {
          const gssize at = find_separator (element, kvsql_slice (out->data, out->size), start);

          if (at >= 0)
            return kvsql_encode_separator_error (encoder, element, error, (gsize)at);
        }
    }
  return TRUE;
}

/* ---- decoding */

static gboolean decode_from (const KvsqlSequence *self, guint index, KvsqlSlice rest,
                             KvsqlDecoder *decoder);

/* As decode_by_search(), but only with the end that the reading chooses. */
static gboolean
decode_as_chosen (const KvsqlSequence *self, guint index, KvsqlSlice rest, KvsqlDecoder *decoder)
{
  const KvsqlElement *element = self->elements[index];
  gint choice = kvsql_readings_choose (decoder->readings);
  gssize length = -1;

  if (choice < 0)
    return FALSE;
  for (gint i = 0; i <= choice; i++)
    {
      length = element->klass->next_length != NULL
                   ? element->klass->next_length (element, rest, length)
                   : kvsql_element_next_open_length (element, rest, length);
      if (length < 0 || ++decoder->steps > MAX_STEPS || (i > 0 && element->is_restricted))
        {
          decoder->readings->is_past_end = TRUE;
          return FALSE;
        }
    }
  return element->klass->decode (element, kvsql_slice (rest.data, length), decoder)
         && decode_from (self, index + 1, kvsql_slice (rest.data + length, rest.size - length),
                         decoder);
}

static gboolean
decode_by_search (const KvsqlSequence *self, guint index, KvsqlSlice rest, KvsqlDecoder *decoder)
{
  const KvsqlElement *element = self->elements[index];
  gssize length = -1;

  for (;;)
    {
      length = element->klass->next_length != NULL
                   ? element->klass->next_length (element, rest, length)
                   : kvsql_element_next_open_length (element, rest, length);
      if (length < 0 || ++decoder->steps > MAX_STEPS)
        return FALSE;
      if (element->klass->decode (element, kvsql_slice (rest.data, length), decoder)
          && decode_from (self, index + 1, kvsql_slice (rest.data + length, rest.size - length),
                          decoder))
        return TRUE;
      if (element->is_restricted)
        return FALSE;
    }
}

static gboolean
decode_from (const KvsqlSequence *self, guint index, KvsqlSlice rest, KvsqlDecoder *decoder)
{
  for (; index < self->n_elements; index++)
    {
      const KvsqlElement *element = self->elements[index];
      gssize tail = self->tail_sizes[index], length;

      if (tail >= 0)
        {
          if (rest.size < (gsize)tail)
            return FALSE;
          length = rest.size - tail;
        }
      else if (element->fixed_size >= 0)
        length = element->fixed_size;
      else if (decoder->readings != NULL)
        return decode_as_chosen (self, index, rest, decoder);
      else
        return decode_by_search (self, index, rest, decoder);
      if ((gsize)length > rest.size
          || kvsql_element_is_forbidden (element, kvsql_slice (rest.data, length))
          || !element->klass->decode (element, kvsql_slice (rest.data, length), decoder))
        return FALSE;
      rest = kvsql_slice (rest.data + length, rest.size - length);
    }
  return rest.size == 0;
}

gboolean
kvsql_sequence_decode (const KvsqlSequence *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  if (bytes.size == 0)
    bytes = kvsql_slice ("", 0); /* an empty slice may have a NULL pointer */
  decoder->steps = 0; /* also without a search, since outer elements add their own steps to it */
  if (self->plan != NULL && decoder->readings == NULL)
    return kvsql_decode_plan_run (self->plan, bytes, decoder);
  if (self->fixed_size >= 0 && (gsize)self->fixed_size != bytes.size)
    return FALSE;
  return decode_from (self, 0, bytes, decoder);
}

/* ---- automaton */

KvsqlNfaFragment
kvsql_sequence_automaton (const KvsqlSequence *self, KvsqlNfa *nfa)
{
  KvsqlNfaFragment result = kvsql_nfa_literal (nfa, KVSQL_SLICE_EMPTY);

  for (guint i = 0; i < self->n_elements && kvsql_nfa_check (nfa, NULL)
                    && kvsql_interrupt_spend (TICKS_FOR_AUTOMATON);
       i++)
    result = kvsql_nfa_sequence (nfa, result,
                                 self->elements[i]->klass->automaton (self->elements[i], nfa));
  return result;
}

/* ---- order */

/* Whether the next element sorts before each byte with which a longer value could continue. */
static gboolean
ends_below (const KvsqlSequence *self, guint index)
{
  const KvsqlElement *next;

  if (index + 1 == self->n_elements)
    return TRUE;
  next = self->elements[index + 1];
  if (self->elements[index]->may_end_field)
    return next->front.data[0] < self->elements[index]->least_byte;
  return next->constant.size > 0 && next->constant.data[0] < self->elements[index]->least_byte;
}

KvsqlByteOrder
kvsql_sequence_byte_order (const KvsqlSequence *self, guint index)
{
  KvsqlByteOrder order = kvsql_element_byte_order (self->elements[index]);

  return order.is_last_only && !ends_below (self, index) ? KVSQL_BYTE_ORDER_NONE : order;
}
