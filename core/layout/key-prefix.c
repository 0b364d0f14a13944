/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key-prefix.c: measures the first elements of a field from left to right, without reading the
 * rest.
 */
#include "config.h"

#include "core/layout/key-prefix.h"

#include "core/layout/element-classes.h"

gboolean
kvsql_element_ends_for_sure (const KvsqlElement *self)
{
  return self->fixed_size >= 0 || self->is_prefix_free
         || (self->is_restricted && self->attribute >= 0);
}

/* Whether only the constant after the element shows where the element ends. */
static gboolean
needs_next (const KvsqlElement *self)
{
  return self->is_open && self->fixed_size < 0 && !self->is_prefix_free;
}

gboolean
kvsql_sequence_has_key_prefix (const KvsqlSequence *self, guint n_elements)
{
  if (n_elements == 0 || n_elements > self->n_elements)
    return FALSE;
  for (guint i = 0; i < n_elements; i++)
    if (!kvsql_element_ends_for_sure (self->elements[i])
        || (needs_next (self->elements[i])
            && (i + 1 == n_elements || self->elements[i + 1]->klass != &kvsql_element_constant)))
      return FALSE;
  return TRUE;
}

/* The length of the shortest value at the start of @rest. It is the only possible one, since the
 * element shows where it ends. */
static gssize
measure (const KvsqlElement *self, KvsqlSlice rest, KvsqlDecoder *decoder)
{
  gssize length = self->fixed_size;

  if (length >= 0)
    return (gsize)length <= rest.size
                   && self->klass->decode (self, kvsql_slice (rest.data, length), decoder)
               ? length
               : -1;
  for (;;)
    {
      length = self->klass->next_length != NULL
                   ? self->klass->next_length (self, rest, length)
                   : kvsql_element_next_open_length (self, rest, length);
      if (length < 0 || kvsql_element_is_forbidden (self, kvsql_slice (rest.data, length)))
        return -1;
      if (self->klass->decode (self, kvsql_slice (rest.data, length), decoder))
        return length;
    }
}

gssize
kvsql_sequence_measure_key_prefix (const KvsqlSequence *self, guint n_elements, KvsqlSlice bytes,
                                   KvsqlDecoder *decoder)
{
  KvsqlSlice rest = bytes;

  decoder->steps = 0;
  for (guint i = 0; i < n_elements; i++)
    {
      gssize length = measure (self->elements[i], rest, decoder);
      if (length < 0)
        return -1;
      rest = kvsql_slice (rest.data + length, rest.size - length);
    }
  return rest.data - bytes.data;
}
