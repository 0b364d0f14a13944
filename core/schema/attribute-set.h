/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * attribute-set.h: a set of attributes of a relation, by their index.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KVSQL_MAX_ATTRIBUTES 256

typedef struct
{
  guint64 bits[KVSQL_MAX_ATTRIBUTES / 64];
} KvsqlAttributeSet;

static inline void
kvsql_attribute_set_add (KvsqlAttributeSet *self, guint attribute)
{
  self->bits[attribute / 64] |= G_GUINT64_CONSTANT (1) << (attribute % 64);
}

static inline void
kvsql_attribute_set_remove (KvsqlAttributeSet *self, guint attribute)
{
  self->bits[attribute / 64] &= ~(G_GUINT64_CONSTANT (1) << (attribute % 64));
}

static inline gboolean
kvsql_attribute_set_has (const KvsqlAttributeSet *self, guint attribute)
{
  return self->bits[attribute / 64] >> (attribute % 64) & 1;
}

static inline void
kvsql_attribute_set_add_all (KvsqlAttributeSet *self, const KvsqlAttributeSet *other)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->bits); i++)
    self->bits[i] |= other->bits[i];
}

static inline void
kvsql_attribute_set_remove_all (KvsqlAttributeSet *self, const KvsqlAttributeSet *other)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->bits); i++)
    self->bits[i] &= ~other->bits[i];
}

static inline void
kvsql_attribute_set_keep_all (KvsqlAttributeSet *self, const KvsqlAttributeSet *other)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->bits); i++)
    self->bits[i] &= other->bits[i];
}

static inline gboolean
kvsql_attribute_set_is_empty (const KvsqlAttributeSet *self)
{
  guint64 any = 0;

  for (guint i = 0; i < G_N_ELEMENTS (self->bits); i++)
    any |= self->bits[i];
  return any == 0;
}

/* The next attribute after @attribute (-1: the first one), or -1. */
static inline gint
kvsql_attribute_set_next (const KvsqlAttributeSet *self, gint attribute)
{
  guint from = (guint)(attribute + 1);

  for (guint i = from / 64; i < G_N_ELEMENTS (self->bits); i++, from = 0)
    {
      guint64 bits = self->bits[i] >> (from % 64) << (from % 64);

      if (bits != 0)
        return (gint)(i * 64) + __builtin_ctzll (bits);
    }
  return -1;
}

static inline gboolean
kvsql_attribute_set_contains (const KvsqlAttributeSet *self, const KvsqlAttributeSet *other)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->bits); i++)
    if ((other->bits[i] & ~self->bits[i]) != 0)
      return FALSE;
  return TRUE;
}

static inline gboolean
kvsql_attribute_set_intersects (const KvsqlAttributeSet *a, const KvsqlAttributeSet *b)
{
  for (guint i = 0; i < G_N_ELEMENTS (a->bits); i++)
    if ((a->bits[i] & b->bits[i]) != 0)
      return TRUE;
  return FALSE;
}

G_END_DECLS
