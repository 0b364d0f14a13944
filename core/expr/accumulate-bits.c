/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * accumulate-bits.c: bit_and, bit_or and bit_xor of whole numbers.
 */
#include "config.h"

#include "core/expr/aggregate-private.h"

typedef struct
{
  gint64 bits;
  gboolean has_value;
} Bits;

static void
take (const KvsqlAccumulator *self, Bits *state, gint64 value)
{
  if (!state->has_value)
    state->bits = value;
  else if (self->bits == KVSQL_BITS_AND)
    state->bits &= value;
  else if (self->bits == KVSQL_BITS_OR)
    state->bits |= value;
  else
    state->bits ^= value;
  state->has_value = TRUE;
}

static gboolean
bits_add (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
          const guint32 *groups, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      guint row;
      Bits *state = kvsql_accumulator_find (self, values, rows, groups, i, sizeof (Bits), &row);

      if (state != NULL)
        take (self, state, values->integers[row]);
    }
  return TRUE;
}

static gboolean
bits_merge (KvsqlAccumulator *self, gpointer state, gpointer other, GError **error)
{
  const Bits *from = other;

  if (from->has_value)
    take (self, state, from->bits);
  return TRUE;
}

static gboolean
bits_get (const KvsqlAccumulator *self, gconstpointer opaque, KvsqlArena *arena, KvsqlValue *out,
          GError **error)
{
  const Bits *state = opaque;

  *out = state->has_value ? (KvsqlValue){ .type = self->type, .integer = state->bits }
                          : KVSQL_VALUE_NULL;
  return TRUE;
}

const KvsqlAccumulatorClass kvsql_accumulator_bits
    = { sizeof (Bits), bits_add, bits_merge, bits_get, NULL, NULL };
