/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * distinct-counter.c: see the header. The functions are called sigma and tau in Ertl's paper.
 */
#include "config.h"

#include "core/base/distinct-counter.h"

#include <math.h>

#define HASH_BITS 52 /* of a hash of 64, without the number of the register */

/* The part of the registers that no hash has reached. */
static gdouble
sigma (gdouble x)
{
  gdouble y = 1, z = x, before;

  if (x == 1)
    return INFINITY;
  do
    {
      x *= x;
      before = z;
      z += x * y;
      y += y;
    }
  while (z != before);
  return z;
}

/* The part of the registers that cannot rise any more. */
static gdouble
tau (gdouble x)
{
  gdouble y = 1, z = 1 - x, before;

  if (x == 0 || x == 1)
    return 0;
  do
    {
      x = sqrt (x);
      before = z;
      y *= 0.5;
      z -= (1 - x) * (1 - x) * y;
    }
  while (z != before);
  return z / 3;
}

gdouble
kvsql_distinct_counter_estimate (const KvsqlDistinctCounter *self)
{
  const gdouble m = KVSQL_DISTINCT_REGISTERS;
  guint counts[HASH_BITS + 2] = { 0 };
  gdouble z;

  for (guint i = 0; i < KVSQL_DISTINCT_REGISTERS; i++)
    counts[self->ranks[i]]++;
  z = m * tau (1 - counts[HASH_BITS + 1] / m);
  for (guint rank = HASH_BITS; rank >= 1; rank--)
    z = 0.5 * (z + counts[rank]);
  z += m * sigma (counts[0] / m);
  return m * m / (2 * G_LN2 * z);
}
