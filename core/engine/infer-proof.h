/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * infer-proof.h: whether a proposed definition is possible, and which rows of a sample fit it.
 */
#pragma once

#include "core/infer/definition.h"
#include "core/infer/sample.h"

G_BEGIN_DECLS

#define KVSQL_INFER_MAX_UNDECODABLE 3
#define KVSQL_INFER_MAX_SHOWN 3

typedef struct
{
  const KvsqlInferredDefinition *definition;
  gchar *error;           /* nullable: the definition is not possible, and why */
  guint n_fit;            /* rows all of whose cells are read, or left out as a note says */
  gdouble bits;           /* of all rows: the description, and the bytes of rows that do not fit */
  GPtrArray *undecodable; /* (element-type utf8): some cells that do not fit, and why */
  GPtrArray *shown;       /* (element-type utf8): some cells, and what they are read as */
} KvsqlInferProof;

/* @table: its name in the store. @step: every so many rows are proved; 1: all of them. Reads
 * nothing. It uses @definition and @sample. */
KvsqlInferProof *kvsql_infer_proof_new (const KvsqlInferredDefinition *definition, KvsqlSlice table,
                                        const KvsqlInferSample *sample, guint step);
void kvsql_infer_proof_free (KvsqlInferProof *self); /* accepts NULL */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlInferProof, kvsql_infer_proof_free)

G_END_DECLS
