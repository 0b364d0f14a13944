/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pieces.c: see pieces.h.
 */
#include "config.h"

#include "core/infer/pieces.h"

/* The most telling first: a good layout that is found early ends the search of others early. */
static const KvsqlInferFunc finders[] = {
  kvsql_infer_uuids,           kvsql_infer_salts,
  kvsql_infer_hashes,          kvsql_infer_numbers,
  kvsql_infer_open_texts,      kvsql_infer_open_bytes,
  kvsql_infer_fixed_texts,     kvsql_infer_constants,
  kvsql_infer_separated_texts, NULL,
};

gboolean
kvsql_infer_layout (const KvsqlSlice *strings, guint n, KvsqlArena *arena, KvsqlInferLayout *out)
{
  return kvsql_infer_search (finders, strings, n, arena, out);
}
