/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * padded-texts.c: texts that are filled to a fixed size, as in CHAR columns.
 */
#include "config.h"

#include "core/infer/pieces.h"
#include "core/infer/text-value.h"

#define MAX_SIZE 64
/* Fewer strings have their blanks at one place by chance. */
#define MIN_STRINGS 8

/* The texts without the bytes @pad after them, if they end at @size: there is another byte there,
 * or the end, and some texts are shorter. NULL: they do not. */
static KvsqlSlice *
take_padded (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size, guint8 pad)
{
  KvsqlSlice *values = kvsql_arena_array (self->arena, KvsqlSlice, self->n);
  gsize shortest = size, longest = 0;

  for (guint i = 0; i < self->n; i++)
    {
      gsize n = size;

      if (rests[i].size < size || (rests[i].size > size && rests[i].data[size] == pad))
        return NULL;
      while (n > 0 && rests[i].data[n - 1] == pad)
        n--;
      values[i] = kvsql_slice (rests[i].data, n);
      shortest = MIN (shortest, n);
      longest = MAX (longest, n);
    }
  return shortest < longest && shortest > 0 && shortest < size ? values : NULL;
}

static void
try_size (KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size, guint8 pad)
{
  KvsqlSlice *values = take_padded (self, rests, size, pad);
  KvsqlInferPiece piece = { 0 };
  gdouble bits;

  if (values == NULL)
    return;
  bits = kvsql_infer_text_value (self, values, &piece);
  if (bits < 0)
    return;
  piece.before = kvsql_arena_printf (self->arena, "fixed(%u, %s){", (guint)size,
                                     pad == ' ' ? "' '" : "x'00'");
  piece.after = "}";
  kvsql_infer_offer (self, &piece, kvsql_infer_skip (self, rests, size), bits);
}

void
kvsql_infer_padded_texts (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  static const guint8 pads[] = { ' ', 0 };

  if (self->n < MIN_STRINGS)
    return;
  for (guint p = 0; p < G_N_ELEMENTS (pads); p++)
    for (gsize size = 2; size <= MAX_SIZE && kvsql_infer_have (self, rests, size); size++)
      try_size (self, rests, size, pads[p]);
}
