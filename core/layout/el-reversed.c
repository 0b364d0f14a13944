/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-reversed.c: reversed(s){a}: the parts of a text between separators s, in opposite order.
 *
 * Each byte string is split at each s that it contains, and the reversed parts are split at the
 * same places. So the element is its own inverse, and any bytes without NUL may be written, as for
 * a bare STRING. This needs an s whose occurrences cannot overlap: with "..", the parts of "a..b."
 * would be written as "b...a", which has other parts.
 */
#include "config.h"

#include "core/layout/inner.h"
#include "core/layout/element-classes.h"

#include "core/layout/automata/nfa.h"
#include "core/sql/ast-definition.h"

/* Not @self->separator, which is that of the next element. */
static KvsqlSlice
separator_of (const KvsqlElement *self)
{
  return *(const KvsqlSlice *)self->own;
}

#define MAX_SEPARATOR 255

/* Whether an occurrence of @separator can begin inside another one. */
static gboolean
can_overlap (KvsqlSlice separator)
{
  for (gsize n = 1; n < separator.size; n++)
    if (memcmp (separator.data, separator.data + separator.size - n, n) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  KvsqlSlice separator;

  if (!kvsql_element_expect (node, 1, 1, TRUE, error)
      || !kvsql_element_bytes_argument (node, 0, compiler->arena, &separator, error)
      || !kvsql_element_bind_inner_attribute (self, compiler, node, error))
    return FALSE;
  if (self->type != KVSQL_TYPE_STRING)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "reversed holds a STRING, not %s", kvsql_type_get_name (self->type));
  if (separator.size > MAX_SEPARATOR)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->arguments[0].span,
                            "separator of reversed has more than %d bytes", MAX_SEPARATOR);
  if (can_overlap (separator))
    {
      kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->arguments[0].span,
                       "separator of reversed ends with the bytes with which it begins");
      return kvsql_error_hint (error, "Two of them could overlap. Use a single character.");
    }
  self->own = kvsql_arena_copy (compiler->arena, &separator, sizeof separator);
  self->is_open = TRUE;
  self->least_byte = 1;
  return TRUE;
}

/* ---- bytes */

/* The offset of the first separator in @text from @from on; the size of @text if there is none. */
static gsize
find_end (KvsqlSlice text, gsize from, KvsqlSlice separator)
{
  const guint8 *found = from == text.size ? NULL
                                          : memmem (text.data + from, text.size - from,
                                                    separator.data, separator.size);

  return found == NULL ? text.size : (gsize)(found - text.data);
}

/* @out has room for as many bytes as @text has. */
static void
reverse (KvsqlSlice text, KvsqlSlice separator, guint8 *out)
{
  gsize from = 0, end = text.size;

  while (end > 0)
    {
      gsize to = find_end (text, from, separator);

      end -= to - from;
      if (to > from)
        memcpy (out + end, text.data + from, to - from);
      if (to == text.size)
        break;
      end -= separator.size;
      memcpy (out + end, separator.data, separator.size);
      from = to + separator.size;
    }
  g_assert (end == 0);
}

static KvsqlSlice
reversed (KvsqlSlice text, KvsqlSlice separator, KvsqlArena *arena)
{
  guint8 *bytes = kvsql_arena_alloc (arena, text.size + 1);

  reverse (text, separator, bytes);
  return kvsql_slice (bytes, text.size);
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlValue *value = kvsql_encoder_get_value (encoder, self, error);

  if (value == NULL)
    return FALSE;
  if (value->bytes.size > 0)
    reverse (value->bytes, separator_of (self), kvsql_buffer_extend (out, value->bytes.size));
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlValue value = { .type = KVSQL_TYPE_STRING };

  decoder->steps += bytes.size / 64; /* long values count as several steps */
  value.bytes = reversed (bytes, separator_of (self), decoder->arena);
  return g_utf8_validate_len ((const gchar *)value.bytes.data, value.bytes.size, NULL)
         && kvsql_decoder_set (decoder, self, &value);
}

/* ---- ranges */

/* The bytes of a text begin with the parts with which it ends: those after the first separator of
 * the ending. FALSE: the ending has no whole part. */
static gboolean
add_ending (KvsqlSlice ending, KvsqlSlice separator, KvsqlArena *arena, KvsqlByteRanges *out)
{
  gsize from = find_end (ending, 0, separator) + separator.size;
  KvsqlSlice low, high = KVSQL_SLICE_EMPTY;
  gboolean has_high;

  if (from > ending.size)
    return FALSE;
  low = reversed (kvsql_slice (ending.data + from, ending.size - from), separator, arena);
  low = kvsql_slice_join (arena, low, separator);
  has_high = kvsql_slice_successor (arena, low, &high);
  kvsql_byte_ranges_add_range (out, low, has_high, high, FALSE);
  return TRUE;
}

/* The bytes do not sort as the texts. So a range of texts bounds them only by its ending. */
static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  const KvsqlConstraint *constraint = &constrainer->constraints[self->attribute];
  KvsqlSlice separator = separator_of (self);

  *out = (KvsqlByteRanges){ .is_open = TRUE };
  if (!constraint->is_constrained)
    return;
  kvsql_byte_ranges_init (out, constrainer, constraint->n_intervals);
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      const KvsqlInterval *interval = &constraint->intervals[i];

      if (!kvsql_interval_is_point (interval))
        {
          out->n_ranges = 0;
          if (!add_ending (constraint->ending, separator, constrainer->arena, out))
            *out = (KvsqlByteRanges){ .is_open = TRUE };
          return;
        }
      kvsql_byte_ranges_add_point (out,
                                   reversed (interval->low.bytes, separator, constrainer->arena));
    }
  kvsql_byte_ranges_sort (out);
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  return kvsql_element_mark (self, nfa, kvsql_element_any_value (self, nfa));
}

const KvsqlElementClass kvsql_element_reversed = {
  .name = "reversed",
  .takes_attribute = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
};
