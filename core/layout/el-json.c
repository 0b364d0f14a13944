/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-json.c: json{a}: an attribute as JSON; NULL is null. With a path it is el-json-path.c's.
 *
 * Values are written in the one form of collection.h. Values of other programs are read in any
 * form, except in cell keys, where each value must have exactly one form.
 */
#include "config.h"

#include "core/base/collection.h"
#include "core/layout/el-json-path.h"
#include "core/layout/inner.h"
#include "core/layout/element-classes.h"
#include "core/layout/automata/nfa.h"
#include "core/schema/relation.h"
#include "core/sql/ast-definition.h"

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  if (!kvsql_element_expect (node, 0, 1, TRUE, error))
    return FALSE;
  if (node->n_arguments > 0)
    return kvsql_json_member_compile (self, compiler, node, error);
  if (!kvsql_element_bind_inner_attribute (self, compiler, node, error))
    return FALSE;
  self->holds_null = !compiler->relation->attributes[self->attribute].is_not_null;
  self->is_open = TRUE;
  self->least_byte = 1; /* control characters are escaped */
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlValue *value = &encoder->tuple[self->attribute];
  g_autoptr (GString) text = NULL;

  if (kvsql_value_is_null (value) && !self->holds_null)
    return kvsql_encoder_get_value (encoder, self, error) != NULL;
  text = g_string_new (NULL);
  kvsql_value_append_json (value, text);
  kvsql_buffer_append (out, text->str, text->len);
  return TRUE;
}

static gboolean
is_canonical (const KvsqlValue *value, KvsqlSlice bytes)
{
  g_autoptr (GString) text = g_string_new (NULL);

  kvsql_value_append_json (value, text);
  return kvsql_slice_equal (kvsql_slice (text->str, text->len), bytes);
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlValue value;

  return kvsql_value_parse_json (self->type, bytes, decoder->arena, &value)
         && (self->holds_null || !kvsql_value_is_null (&value))
         && (!self->is_cell_key || is_canonical (&value, bytes))
         && kvsql_decoder_set (decoder, self, &value);
}

static void
add_point (KvsqlByteRanges *out, const KvsqlConstrainer *constrainer, const KvsqlValue *value)
{
  g_autoptr (GString) text = g_string_new (NULL);

  kvsql_value_append_json (value, text);
  kvsql_byte_ranges_add_point (
      out, kvsql_slice_dup (constrainer->arena, kvsql_slice (text->str, text->len)));
}

/* Point lookups only: JSON does not sort as the values do. */
static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  const KvsqlConstraint *constraint = &constrainer->constraints[self->attribute];

  *out = (KvsqlByteRanges){ .is_open = TRUE };
  if (!self->is_cell_key || !constraint->is_constrained
      || kvsql_type_get_class (self->type) == KVSQL_CLASS_REAL) /* -0 and 0 have different forms */
    return;
  for (guint i = 0; i < constraint->n_intervals; i++)
    if (!kvsql_interval_is_point (&constraint->intervals[i]))
      return;
  kvsql_byte_ranges_init (out, constrainer, constraint->n_intervals + 1);
  for (guint i = 0; i < constraint->n_intervals; i++)
    add_point (out, constrainer, &constraint->intervals[i].low);
  if (constraint->allows_null && self->holds_null)
    add_point (out, constrainer, &KVSQL_VALUE_NULL);
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  return kvsql_element_mark (self, nfa,
                             self->is_restricted ? kvsql_nfa_any_without (nfa, self->separator)
                                                 : kvsql_nfa_any (nfa));
}

const KvsqlElementClass kvsql_element_json = {
  .name = "json",
  .is_text = TRUE,
  .takes_attribute = TRUE,
  .takes_list = TRUE,
  .takes_map = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
};
