/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * byte-set.h: a set of bytes.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Bit b % 32 of word b / 32. */
typedef struct
{
  guint32 words[8];
} KvsqlByteSet;

#define KVSQL_BYTE_SET_EMPTY ((KvsqlByteSet){ { 0 } })

static inline void
kvsql_byte_set_add_range (KvsqlByteSet *self, guint8 first, guint8 last)
{
  for (guint byte = first; byte <= last; byte++)
    self->words[byte / 32] |= 1u << (byte % 32);
}

static inline gboolean
kvsql_byte_set_contains (const KvsqlByteSet *self, guint8 byte)
{
  return (self->words[byte / 32] >> (byte % 32)) & 1;
}

static inline KvsqlByteSet
kvsql_byte_set_range (guint8 first, guint8 last)
{
  KvsqlByteSet set = KVSQL_BYTE_SET_EMPTY;

  kvsql_byte_set_add_range (&set, first, last);
  return set;
}

G_END_DECLS
