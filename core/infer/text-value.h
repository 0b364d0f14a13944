/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * text-value.h: what values written as text are: numbers, or any text.
 */
#pragma once

#include "core/infer/search.h"

G_BEGIN_DECLS

/* Fills type, stem and the layout around the name of @piece with the narrowest type that all values
 * (@n of the search) have as text, and returns the bits of the values. Negative: not all are
 * UTF-8. */
gdouble kvsql_infer_text_value (const KvsqlInferSearch *search, const KvsqlSlice *values,
                                KvsqlInferPiece *piece);

/* A literal of the layout language for these bytes. In the arena. */
const gchar *kvsql_infer_literal (KvsqlArena *arena, KvsqlSlice bytes);

G_END_DECLS
