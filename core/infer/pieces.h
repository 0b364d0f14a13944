/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pieces.h: the pieces of layouts that are looked for.
 */
#pragma once

#include "core/infer/search.h"

G_BEGIN_DECLS

/* text-pieces.c */
void kvsql_infer_constants (KvsqlInferSearch *search, const KvsqlSlice *rests);
void kvsql_infer_fixed_texts (KvsqlInferSearch *search, const KvsqlSlice *rests);
void kvsql_infer_separated_texts (KvsqlInferSearch *search, const KvsqlSlice *rests);
void kvsql_infer_open_texts (KvsqlInferSearch *search, const KvsqlSlice *rests);
/* binary-pieces.c */
void kvsql_infer_numbers (KvsqlInferSearch *search, const KvsqlSlice *rests);
void kvsql_infer_uuids (KvsqlInferSearch *search, const KvsqlSlice *rests);
void kvsql_infer_open_bytes (KvsqlInferSearch *search, const KvsqlSlice *rests);
/* derived-pieces.c */
void kvsql_infer_salts (KvsqlInferSearch *search, const KvsqlSlice *rows);
void kvsql_infer_hashes (KvsqlInferSearch *search, const KvsqlSlice *rows);

/* All of them. @strings: @n, at least one. FALSE: no layout fits all of them. */
gboolean kvsql_infer_layout (const KvsqlSlice *strings, guint n, KvsqlArena *arena,
                             KvsqlInferLayout *out);

G_END_DECLS
