/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-size.c: size{…} and size(n){…}: the length of the value in n bytes big-endian, then the value.
 */
#include "config.h"

#include "core/layout/inner.h"
#include "core/layout/element-classes.h"

#include "core/layout/automata/nfa.h"
#include "core/sql/ast-definition.h"

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  self->width = 1;
  if (!kvsql_element_expect (node, 0, 1, TRUE, error)
      || (node->n_arguments == 1
          && !kvsql_element_integer_argument (node, 0, 1, 4, &self->width, error)))
    return FALSE;
  if (!kvsql_element_compile_inner (self, compiler, node, error))
    return FALSE;
  if (self->inner->fixed_size >= 0)
    self->fixed_size = self->inner->fixed_size + self->width;
  self->is_prefix_free = TRUE;
  return TRUE;
}

static void
put_length (guint8 *at, guint width, gsize length)
{
  for (guint i = width; i-- > 0; length >>= 8)
    at[i] = length & 0xff;
}

static guint64
longest (guint width)
{
  return (G_GUINT64_CONSTANT (1) << (8 * width)) - 1;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  gsize start = out->size, length;

  kvsql_buffer_extend (out, self->width);
  if (!kvsql_sequence_encode (self->inner, encoder, out, error))
    return FALSE;
  length = out->size - start - self->width;
  if (length > longest (self->width))
    {
      kvsql_encode_error (encoder, self, error,
                          "is %" G_GSIZE_FORMAT
                          " bytes long, but size(%u) holds at most %" G_GUINT64_FORMAT,
                          length, self->width, longest (self->width));
      return kvsql_error_hint (error, "Use size(%u){…} in a new schema.", MIN (self->width + 1, 4));
    }
  put_length (out->data + start, self->width, length);
  return TRUE;
}

static gsize
get_length (const KvsqlElement *self, KvsqlSlice bytes)
{
  gsize length = 0;

  for (guint i = 0; i < self->width; i++)
    length = length << 8 | bytes.data[i];
  return length;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  guint steps = decoder->steps;
  gboolean ok
      = bytes.size >= self->width && get_length (self, bytes) == bytes.size - self->width
        && kvsql_sequence_decode (
            self->inner, kvsql_slice (bytes.data + self->width, bytes.size - self->width), decoder);

  decoder->steps += steps;
  return ok;
}

static gssize
next_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous)
{
  gsize length;

  if (previous >= 0 || rest.size < self->width)
    return -1;
  length = get_length (self, rest);
  return length > rest.size - self->width ? -1 : (gssize)(length + self->width);
}

/* Point lookups only: the length comes first, so longer values sort after shorter ones. */
static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  kvsql_sequence_constrain (self->inner, constrainer,
                            (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_END }, out);
  for (guint i = 0; i < out->n_ranges; i++)
    if (!out->ranges[i].is_point)
      {
        *out = (KvsqlByteRanges){ .is_open = TRUE };
        return;
      }
  guint n = 0;
  for (guint i = 0; i < out->n_ranges; i++)
    {
      KvsqlSlice value = out->ranges[i].low;
      guint8 *bytes;
      if (value.size > longest (self->width))
        continue; /* such a value cannot be stored */
      bytes = kvsql_arena_alloc (constrainer->arena, value.size + self->width);
      put_length (bytes, self->width, value.size);
      if (value.size > 0)
        memcpy (bytes + self->width, value.data, value.size);
      out->ranges[n] = out->ranges[i];
      out->ranges[n++].low = kvsql_slice (bytes, value.size + self->width);
    }
  out->n_ranges = n;
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  if (self->inner->n_elements == 1 && self->inner->elements[0]->is_open && self->attribute >= 0)
    return kvsql_nfa_length_prefixed (
        nfa, self->width, kvsql_element_get_mark (self->inner->elements[0]), G_MAXUINT64);
  /* Several inner elements: the automaton ignores the length. It accepts too much, which is
   * safe. */
  return kvsql_nfa_sequence (nfa, kvsql_nfa_any_bytes (nfa, self->width),
                             kvsql_sequence_automaton (self->inner, nfa));
}

/* The length comes first, so only values of the same length sort as values do. */
static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  return self->inner->fixed_size >= 0 ? kvsql_sequence_inner_order (self->inner)
                                      : KVSQL_BYTE_ORDER_NONE;
}

const KvsqlElementClass kvsql_element_size = {
  .name = "size",
  .has_length = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .next_length = next_length,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
