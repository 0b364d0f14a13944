/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pieces.h: the pieces of layouts that are looked for.
 */
#pragma once

#include "core/infer/search.h"

G_BEGIN_DECLS

/* json-pieces.c */
void kvsql_infer_documents (KvsqlInferSearch *search, const KvsqlSlice *rests);
/* web-pieces.c */
void kvsql_infer_web_texts (KvsqlInferSearch *search, const KvsqlSlice *rests);
/* time-pieces.c */
void kvsql_infer_times (KvsqlInferSearch *search, const KvsqlSlice *rests);
/* text-pieces.c */
void kvsql_infer_constants (KvsqlInferSearch *search, const KvsqlSlice *rests);
void kvsql_infer_fixed_texts (KvsqlInferSearch *search, const KvsqlSlice *rests);
void kvsql_infer_separated_texts (KvsqlInferSearch *search, const KvsqlSlice *rests);
void kvsql_infer_open_texts (KvsqlInferSearch *search, const KvsqlSlice *rests);
/* padded-texts.c */
void kvsql_infer_padded_texts (KvsqlInferSearch *search, const KvsqlSlice *rests);
/* binary-pieces.c */
void kvsql_infer_numbers (KvsqlInferSearch *search, const KvsqlSlice *rests);
void kvsql_infer_uuids (KvsqlInferSearch *search, const KvsqlSlice *rests);
void kvsql_infer_open_bytes (KvsqlInferSearch *search, const KvsqlSlice *rests);
/* ordered-pieces.c */
void kvsql_infer_ordered (KvsqlInferSearch *search, const KvsqlSlice *rests);
/* fixed-bytes.c */
void kvsql_infer_fixed_bytes (KvsqlInferSearch *search, const KvsqlSlice *rests);
/* derived-pieces.c */
void kvsql_infer_salts (KvsqlInferSearch *search, const KvsqlSlice *rows);
void kvsql_infer_hashes (KvsqlInferSearch *search, const KvsqlSlice *rows);

/* All of them. @strings: @n, at least one. @out: KVSQL_INFER_MAX_LAYOUTS. Returns the number of
 * layouts, the best first. Their bits are those of a string, in the mean. A layout may be one that
 * a few strings do not fit. */
guint kvsql_infer_layouts (const KvsqlSlice *strings, guint n, KvsqlArena *arena,
                           KvsqlInferLayout *out);

G_END_DECLS
