/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-base64.c: base64{…}: the inner bytes in the standard alphabet of RFC 4648, with padding.
 *
 * The alphabet does not sort as the 6-bit numbers do. So there are point lookups, but no ranges.
 */
#include "config.h"

#include "core/layout/inner.h"
#include "core/layout/element-classes.h"

#include "core/layout/automata/nfa.h"
#include "core/sql/ast-definition.h"

static const gchar alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static gint
number_of (guint8 byte)
{
  if (byte >= 'A' && byte <= 'Z')
    return byte - 'A';
  if (byte >= 'a' && byte <= 'z')
    return byte - 'a' + 26;
  if (byte >= '0' && byte <= '9')
    return byte - '0' + 52;
  return byte == '+' ? 62 : byte == '/' ? 63 : -1;
}

static gsize
text_size (gsize size)
{
  return (size + 2) / 3 * 4;
}

/* Writes four characters for three bytes. @out has room for text_size(). */
static void
write_text (KvsqlSlice bytes, guint8 *out)
{
  for (gsize i = 0; i < bytes.size; i += 3, out += 4)
    {
      gsize n = MIN (bytes.size - i, 3);
      guint32 bits = bytes.data[i] << 16 | (n > 1 ? bytes.data[i + 1] << 8 : 0)
                     | (n > 2 ? bytes.data[i + 2] : 0);
      for (gsize j = 0; j < 4; j++)
        out[j] = j <= n ? alphabet[bits >> (18 - 6 * j) & 63] : '=';
    }
}

/* FALSE if write_text() would write another text. */
static gboolean
read_group (const guint8 *text, gboolean is_last, guint8 *out, gsize *inout_size)
{
  guint32 bits = 0;
  gsize n = 0;

  for (gsize i = 0; i < 4; i++)
    {
      gint number = number_of (text[i]);
      if (number < 0 && !(text[i] == '=' && is_last && i >= 2))
        return FALSE;
      if (number >= 0 && n != i)
        return FALSE; /* after the padding */
      n += number >= 0;
      bits = bits << 6 | (number < 0 ? 0 : number);
    }
  for (gsize i = 0; i + 1 < n; i++)
    out[(*inout_size)++] = bits >> (16 - 8 * i) & 0xff;
  return n == 4 || (bits & (n == 2 ? 0xffff : 0xff)) == 0;
}

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  if (!kvsql_element_expect (node, 0, 0, TRUE, error)
      || !kvsql_element_compile_inner (self, compiler, node, error))
    return FALSE;
  if (self->attribute < 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                       "base64 applies to one attribute");
      return kvsql_error_hint (error, "Use hex{…} around several, or base64{…} around each.");
    }
  self->least_byte = '+';
  if (self->inner->fixed_size >= 0)
    self->fixed_size = text_size (self->inner->fixed_size);
  else
    self->is_open = TRUE;
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  gsize start = out->size, size;
  g_autofree guint8 *inside = NULL;

  if (!kvsql_sequence_encode (self->inner, encoder, out, error))
    return FALSE;
  size = out->size - start;
  inside = g_memdup2 (out->data + start, size);
  kvsql_buffer_extend (out, text_size (size) - size);
  write_text (kvsql_slice (inside, size), out->data + start);
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  guint steps = decoder->steps + bytes.size / 64; /* long values count as several steps */
  guint8 *inside;
  gsize size = 0;
  gboolean ok;

  if (bytes.size % 4 != 0)
    return FALSE;
  inside = kvsql_arena_alloc (decoder->arena, bytes.size / 4 * 3 + 1);
  for (gsize i = 0; i < bytes.size; i += 4)
    if (!read_group (bytes.data + i, i + 4 == bytes.size, inside, &size))
      return FALSE;
  ok = kvsql_sequence_decode (self->inner, kvsql_slice (inside, size), decoder);
  decoder->steps += steps;
  return ok;
}

/* Decodes complete groups of four characters. */
static gssize
next_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous)
{
  do
    {
      previous = kvsql_element_next_open_length (self, rest, previous);
      if (previous > 4 && rest.data[previous - 5] == '=')
        return -1; /* the text ended before */
    }
  while (previous > 0 && previous % 4 != 0 && !self->is_restricted);
  return previous % 4 == 0 ? previous : -1;
}

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
  for (guint i = 0; i < out->n_ranges; i++)
    {
      KvsqlSlice value = out->ranges[i].low;
      guint8 *text = kvsql_arena_alloc (constrainer->arena, text_size (value.size) + 1);
      write_text (value, text);
      out->ranges[i].low = kvsql_slice (text, text_size (value.size));
    }
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  KvsqlNfaFragment value;

  if (self->is_restricted)
    value = kvsql_nfa_any_without (nfa, self->separator);
  else if (!kvsql_nfa_regexp (
               nfa,
               kvsql_slice_from_text ("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"),
               &value, NULL))
    value = kvsql_nfa_any (nfa);
  return kvsql_element_mark (self->inner->elements[0], nfa, value);
}

const KvsqlElementClass kvsql_element_base64 = {
  .name = "base64",
  .is_text = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .next_length = next_length,
  .constrain = constrain,
  .automaton = automaton,
};
