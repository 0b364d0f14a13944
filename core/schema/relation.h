/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * relation.h: what a relation is: named, typed attributes, some of them its key.
 *
 * Attributes are known by their index everywhere below the binder; sets of them
 * are bit sets. A relation is immutable and reference-counted; any thread may use it.
 */
#pragma once

#include "core/sql/ast.h"

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

/* The first one behind @attribute (-1: of all), or -1. */
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

typedef struct
{
  const gchar *name;
  guint32 name_hash; /* kvsql_name_hash() of it */
  gboolean is_quoted;
  KvsqlType type;
  gboolean is_key;
  gboolean is_not_null;     /* KEY or NOT NULL */
  KvsqlValue default_value; /* NULL if none was given */
  const gchar *comment;     /* nullable */
} KvsqlAttribute;

typedef struct
{
  KvsqlArena *arena;
  const gchar *name;
  gboolean is_quoted;
  KvsqlAttribute *attributes;
  guint n_attributes;
  KvsqlAttributeSet keys;
  KvsqlAttributeSet all;
  const gchar *comment; /* nullable */
  const gchar *text;    /* canonical definition */
} KvsqlRelation;

/* The text of a COMMENT; NULL: none. */
const gchar *kvsql_comment_dup (const KvsqlValue *comment, KvsqlArena *arena);

/**
 * kvsql_relation_new:
 *
 * Checks a definition (types known, names unique, a key exists, defaults fit) and builds the
 * relation.
 */
KvsqlRelation *kvsql_relation_new (const KvsqlDefineRelation *definition, GError **error);
KvsqlRelation *kvsql_relation_ref (KvsqlRelation *self);
void kvsql_relation_unref (KvsqlRelation *self); /* accepts NULL */

/* Whether a name as written means the thing defined as @defined. */
gboolean kvsql_name_means (const KvsqlName *name, const gchar *defined, gboolean defined_is_quoted);
/* Names that may mean the same thing have the same one. */
guint32 kvsql_name_hash (const gchar *text);
/* The key of a name in registries and tables: lower case, or exact if quoted. (transfer full) */
gchar *kvsql_name_fold (const gchar *text, gboolean is_quoted);

/* The attribute's index; KVSQL_ERROR_UNKNOWN_NAME with a suggestion otherwise. */
gboolean kvsql_relation_find (const KvsqlRelation *self, const KvsqlName *name,
                              guint *out_attribute, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlRelation, kvsql_relation_unref)

G_END_DECLS
