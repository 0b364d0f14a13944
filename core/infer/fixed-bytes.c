/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fixed-bytes.c: bytes of one size of which nothing else is known, such as checksums.
 */
#include "config.h"

#include "core/infer/pieces.h"

/* More than the numbers that fit need. */
#define BITS_PER_BYTE 8.1
/* Fewer bytes are rather numbers. */
#define MIN_SIZE 4
#define MAX_SIZE 64
/* With fewer strings, it cannot be said where bytes end that look random. */
#define MIN_STRINGS 16

static void
offer (KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size)
{
  const KvsqlInferPiece piece
      = { .kind = KVSQL_INFER_ATTRIBUTE,
          .before = kvsql_arena_printf (self->arena, "fixed(%u){", (guint)size),
          .inner_before = "",
          .inner_after = "",
          .after = "}",
          .type = KVSQL_TYPE_BYTES,
          .stem = "b" };

  kvsql_infer_offer (self, &piece, kvsql_infer_skip (self, rests, size),
                     BITS_PER_BYTE * (gdouble)size * self->n);
}

/* Whether the bytes there are those of a hash: nearly all values are equally frequent. */
static gboolean
are_random (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize at)
{
  guint8 seen[256] = { 0 };
  guint n = MIN (self->n, 64), n_distinct = 0;

  for (guint i = 0; i < n; i++)
    {
      guint8 byte = rests[(gsize)i * self->n / n].data[at];

      n_distinct += seen[byte] == 0;
      seen[byte] = 1;
    }
  return n_distinct * 3 >= n * 2;
}

void
kvsql_infer_fixed_bytes (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  static const gsize sizes[] = { 4, 6, 8, 12, 16, 20, 24, 28, 32, 48, 64 };
  gsize n_random = 0;

  if (kvsql_infer_have_one_size (self, rests) && rests[0].size >= MIN_SIZE
      && rests[0].size <= MAX_SIZE && !kvsql_infer_are_printable (self, rests, rests[0].size))
    offer (self, rests, rests[0].size);
  if (self->n < MIN_STRINGS)
    return;
  while (n_random < MAX_SIZE && kvsql_infer_have (self, rests, n_random + 1)
         && are_random (self, rests, n_random))
    n_random++;
  for (guint i = 0; i < G_N_ELEMENTS (sizes) && sizes[i] <= n_random; i++)
    if (kvsql_infer_have (self, rests, sizes[i] + 1)
        && !kvsql_infer_are_printable (self, rests, sizes[i]))
      offer (self, rests, sizes[i]);
}
