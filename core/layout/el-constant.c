/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-constant.c: 'text' and x'00ff'.
 */
#include "config.h"

#include "core/layout/element-classes.h"

#include "core/layout/automata/nfa.h"
#include "core/sql/ast-definition.h"

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  self->constant = kvsql_slice_dup (compiler->arena, node->constant);
  self->fixed_size = node->constant.size;
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  kvsql_buffer_append_slice (out, self->constant);
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  return kvsql_slice_equal (bytes, self->constant);
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  kvsql_byte_ranges_init (out, constrainer, 1);
  kvsql_byte_ranges_add_point (out, self->constant);
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  return kvsql_nfa_literal (nfa, self->constant);
}

const KvsqlElementClass kvsql_element_constant = {
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
};
