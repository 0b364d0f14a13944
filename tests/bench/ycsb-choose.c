/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "tests/bench/ycsb-choose.h"

#include <math.h>

#define THETA 0.99
#define ALPHA (1 / (1 - THETA))

/* The scrambled generator draws from ten billion items, whose zeta is known, and hashes the result.
 */
#define SCRAMBLED_ITEMS (G_GUINT64_CONSTANT (10000000000) + 1)
#define SCRAMBLED_ZETA 26.46902820178302

#define FNV_OFFSET G_GUINT64_CONSTANT (0xCBF29CE484222325)
#define FNV_PRIME G_GUINT64_CONSTANT (1099511628211)

guint64
ycsb_hash (guint64 number)
{
  guint64 hash = FNV_OFFSET;

  for (guint i = 0; i < 8; i++, number >>= 8)
    hash = (hash ^ (number & 0xff)) * FNV_PRIME;
  return (gint64)hash < 0 ? -hash : hash;
}

void
ycsb_key (guint64 record, gchar *out)
{
  g_snprintf (out, 32, "user%" G_GUINT64_FORMAT, ycsb_hash (record));
}

/* SplitMix64. */
static guint64
next_random (YcsbChooser *self)
{
  guint64 z = self->state += G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);

  z = (z ^ z >> 30) * G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * G_GUINT64_CONSTANT (0x94D049BB133111EB);
  return z ^ z >> 31;
}

gdouble
ycsb_chooser_share (YcsbChooser *self)
{
  return (gdouble)(next_random (self) >> 11) * 0x1p-53;
}

guint64
ycsb_chooser_below (YcsbChooser *self, guint64 n)
{
  return next_random (self) % n;
}

/* ---- zipfian numbers, after J. Gray et al., "Quickly Generating Billion-Record Synthetic
 * Databases", SIGMOD 1994 */

static void
zipfian_update (YcsbZipfian *self, guint64 items)
{
  self->items = items;
  self->eta = (1 - pow (2.0 / (gdouble)items, 1 - THETA)) / (1 - self->zeta_of_two / self->zeta);
}

/* Continues the sum of zeta for more items. */
static void
zipfian_count (YcsbZipfian *self, guint64 items)
{
  if (items <= self->counted)
    return;
  for (; self->counted < items; self->counted++)
    self->zeta += 1 / pow ((gdouble)(self->counted + 1), THETA);
  zipfian_update (self, items);
}

static void
zipfian_init (YcsbZipfian *self, guint64 items)
{
  *self = (YcsbZipfian){ .zeta_of_two = 1 + pow (0.5, THETA) };
  zipfian_count (self, items);
}

static guint64
zipfian_next (const YcsbZipfian *self, gdouble share)
{
  gdouble scaled = share * self->zeta;

  if (scaled < 1)
    return 0;
  if (scaled < self->zeta_of_two)
    return 1;
  return MIN ((guint64)((gdouble)self->items * pow (self->eta * share - self->eta + 1, ALPHA)),
              self->items - 1);
}

/* ---- choosing */

void
ycsb_chooser_init (YcsbChooser *self, YcsbDistribution distribution, guint64 n_records,
                   guint64 n_new, guint64 seed)
{
  *self = (YcsbChooser){ .distribution = distribution,
                         .n_expected = n_records + 2 * n_new,
                         .state = seed };
  if (distribution == YCSB_LATEST)
    zipfian_init (&self->zipfian, n_records);
  else if (distribution == YCSB_ZIPFIAN)
    {
      self->zipfian = (YcsbZipfian){ .zeta = SCRAMBLED_ZETA, .zeta_of_two = 1 + pow (0.5, THETA) };
      zipfian_update (&self->zipfian, SCRAMBLED_ITEMS);
    }
}

/* Draws from the records at the end of the run, and repeats while the record does not exist yet. */
static guint64
next_scrambled (YcsbChooser *self, guint64 n_records)
{
  guint64 record;

  do
    record
        = ycsb_hash (zipfian_next (&self->zipfian, ycsb_chooser_share (self))) % self->n_expected;
  while (record >= n_records);
  return record;
}

guint64
ycsb_chooser_next (YcsbChooser *self, guint64 n_records)
{
  switch (self->distribution)
    {
    case YCSB_ZIPFIAN:
      return next_scrambled (self, n_records);
    case YCSB_LATEST:
      zipfian_count (&self->zipfian, n_records);
      return n_records - 1 - zipfian_next (&self->zipfian, ycsb_chooser_share (self));
    default:
      return ycsb_chooser_below (self, n_records);
    }
}
