/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-uuid.c: uuid{a}: a UUID, or a STRING that is its canonical text, as its 16 bytes
 * (core/base/uuid.h). The bytes sort as the texts do.
 */
#include "config.h"

#include "core/layout/inner.h"
#include "core/layout/element-classes.h"

#include "core/base/uuid.h"
#include "core/layout/automata/nfa.h"
#include "core/layout/encoding/uuid-ranges.h"
#include "core/sql/ast-definition.h"

#define UUID_SIZE KVSQL_UUID_BYTES

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  if (!kvsql_element_expect (node, 0, 0, TRUE, error)
      || !kvsql_element_bind_inner_attribute (self, compiler, node, error))
    return FALSE;
  if (self->type != KVSQL_TYPE_STRING && self->type != KVSQL_TYPE_UUID)
    {
      kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                       "uuid holds a UUID or a STRING, not %s", kvsql_type_get_name (self->type));
      if (self->type == KVSQL_TYPE_BYTES)
        return kvsql_error_hint (error, "Write fixed(16){…} for a UUID that is BYTES.");
      return FALSE;
    }
  self->fixed_size = UUID_SIZE;
  self->is_prefix_free = TRUE;
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlValue *value = kvsql_encoder_get_value (encoder, self, error);
  guint8 bytes[UUID_SIZE];

  if (value == NULL)
    return FALSE;
  if (!kvsql_uuid_read (value->bytes, bytes))
    {
      kvsql_encode_error (encoder, self, error, "is not the canonical text of a UUID");
      return kvsql_error_hint (error, "It has 32 digits 0-9 and a-f, in lower case, such as "
                                      "123e4567-e89b-12d3-a456-426614174000.");
    }
  kvsql_buffer_append (out, bytes, UUID_SIZE);
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlValue value = { .type = self->type };

  if (bytes.size != UUID_SIZE)
    return FALSE;
  value.bytes = kvsql_uuid_to_text (bytes.data, decoder->arena);
  return kvsql_decoder_set (decoder, self, &value);
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  kvsql_uuid_constrain (&constrainer->constraints[self->attribute], constrainer, out);
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  return kvsql_element_mark (self, nfa, kvsql_nfa_any_bytes (nfa, UUID_SIZE));
}

static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING };
}

const KvsqlElementClass kvsql_element_uuid = {
  .name = "uuid",
  .takes_attribute = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
