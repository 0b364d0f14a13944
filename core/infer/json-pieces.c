/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * json-pieces.c: JSON documents, which are text that is not to be taken apart.
 */
#include "config.h"

#include "core/infer/json-text.h"
#include "core/infer/pieces.h"

void
kvsql_infer_documents (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  const gchar *remark = kvsql_infer_describe_json (self->arena, rests, self->n);
  const KvsqlInferPiece piece = { .kind = KVSQL_INFER_ATTRIBUTE,
                                  .before = "",
                                  .inner_before = "",
                                  .inner_after = "",
                                  .after = "",
                                  .type = KVSQL_TYPE_STRING,
                                  .stem = "doc",
                                  .remark = remark };

  if (remark == NULL)
    return;
  kvsql_infer_offer (self, &piece, kvsql_infer_take_all (self),
                     0.3 * kvsql_infer_bits_of_texts (self, rests));
  self->is_certain = TRUE;
}
