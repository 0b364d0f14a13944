/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuple-map.h: tuples in memory, found by their key.
 *
 * For assembling tuples from several cells, and for the old tuples of a write. The order of
 * insertion is kept.
 */
#pragma once

#include "core/schema/relation.h"

G_BEGIN_DECLS

typedef struct _KvsqlTupleMap KvsqlTupleMap;

/* Timestamps of the cells of a tuple. */
typedef struct
{
  gint64 oldest; /* G_MAXINT64: no cells */
  gint64 newest;
} KvsqlTimes;

#define KVSQL_NO_TIMES ((KvsqlTimes){ G_MAXINT64, 0 })

static inline void
kvsql_times_add (KvsqlTimes *self, gint64 timestamp)
{
  self->oldest = MIN (self->oldest, timestamp);
  self->newest = MAX (self->newest, timestamp);
}

/* @max_bytes: KVSQL_ERROR_LIMIT beyond; 0: no limit. */
KvsqlTupleMap *kvsql_tuple_map_new (const KvsqlRelation *relation, gsize max_bytes);
void kvsql_tuple_map_free (KvsqlTupleMap *self); /* accepts NULL */
void kvsql_tuple_map_clear (KvsqlTupleMap *self);
guint kvsql_tuple_map_get_size (const KvsqlTupleMap *self);
/* By attribute; valid until clear or free. */
KvsqlValue *kvsql_tuple_map_get (const KvsqlTupleMap *self, guint index);
/* NULL: not found. Only the KEY attributes of @key matter. */
KvsqlValue *kvsql_tuple_map_find (KvsqlTupleMap *self, const KvsqlValue *key);
/* The tuple of that key. A new tuple has its key; its other attributes are NULL. Returns NULL on
 * KVSQL_ERROR_LIMIT. */
KvsqlValue *kvsql_tuple_map_obtain (KvsqlTupleMap *self, const KvsqlValue *key, GError **error);
/* Notes the timestamp of a cell of the tuple. */
void kvsql_tuple_map_add_time (const KvsqlTupleMap *self, KvsqlValue *tuple, gint64 timestamp);
KvsqlTimes kvsql_tuple_map_get_times (const KvsqlTupleMap *self, const KvsqlValue *tuple);
/* The oldest noted timestamp; G_MAXINT64 if there is none. */
gint64 kvsql_tuple_map_get_oldest (const KvsqlTupleMap *self, const KvsqlValue *tuple);
/* Sets one attribute; bytes are copied. */
void kvsql_tuple_map_set (KvsqlTupleMap *self, KvsqlValue *tuple, guint attribute,
                          const KvsqlValue *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlTupleMap, kvsql_tuple_map_free)

G_END_DECLS
