/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * differential.h: what the differential test makes up: relations, layouts, tuples, predicates.
 *
 * The model below knows nothing of the engine but its values: it keeps tuples in a list and
 * evaluates predicates one by one with SQL's three truth values.
 */
#pragma once

#include "core/base/value.h"

G_BEGIN_DECLS

#define MAX_ATTRIBUTES 5

/* Everything random comes from here; lives as long as one relation. */
typedef struct
{
  GRand *random;
  KvsqlArena *arena;
} Source;

guint source_pick (Source *self, guint n);            /* 0 .. n - 1 */
gboolean source_chance (Source *self, guint percent); /* TRUE so often */

typedef struct
{
  const gchar *name;
  KvsqlType type;
  gboolean is_key;
  gboolean is_not_null;
  gboolean needs_null; /* its layout has to have a form for NULL */
  gboolean is_uuid;    /* a STRING, most of whose values are UUIDs */
} ModelAttribute;

typedef struct
{
  ModelAttribute attributes[MAX_ATTRIBUTES];
  guint n_attributes;
  gboolean is_tame;         /* few values that a layout would refuse */
  gboolean has_collections; /* set before it is made: maps and lists, too */
  gboolean has_nulls;       /* every attribute that is no key may be NULL in every schema */
} ModelRelation;

typedef struct
{
  gchar *name;
  gchar *sql; /* its definition */
  gboolean is_primary;
  gboolean holds[MAX_ATTRIBUTES];
  gboolean is_fanned[MAX_ATTRIBUTES]; /* has a cell of its own */
  gboolean has_fan;
  gint map_attribute; /* has a cell for each entry; -1: none */
  gboolean has_marker;
  gboolean has_cells;                 /* CELLS, in place of FAMILY, QUALIFIER and VALUE */
  guint line[MAX_ATTRIBUTES];         /* of CELLS, from 1; 0: in the row key */
  gboolean is_mapped[MAX_ATTRIBUTES]; /* has a cell for each entry in its line */
  guint n_lines;
} ModelSchema;

void model_relation_make (ModelRelation *self, Source *source);
gchar *model_relation_to_sql (const ModelRelation *self, Source *source);
/* A definition that has a fair chance of being accepted. @number makes its names differ from
 * others'. */
void model_schema_make (ModelSchema *self, const ModelRelation *relation, guint number,
                        Source *source);
/* Cells that a tuple becomes. */
guint model_schema_count_cells (const ModelSchema *self, const ModelRelation *relation,
                                const KvsqlValue *tuple);

KvsqlValue model_random_value (const ModelRelation *relation, guint attribute, Source *source);

/* ---- maps and lists (differential-collection.c) */

KvsqlType model_collection_type (Source *source);
/* The text of one; @is_tame: one that every layout can hold. */
KvsqlSlice model_collection_make (KvsqlType type, gboolean is_tame, Source *source);
guint model_collection_size (const KvsqlValue *value);
/* How one of its elements is asked for, and that element. */
const gchar *model_collection_subscript (KvsqlType type);
KvsqlValue model_collection_element (const KvsqlValue *value);

/* ---- several attributes in one value (differential-members.c) */

/* The attributes in @list, as a whole VALUE. */
void model_append_members (const ModelRelation *relation, const guint *list, guint n, GString *out,
                           Source *source);

/* ---- predicates */

typedef enum
{
  MODEL_FALSE,
  MODEL_TRUE,
  MODEL_UNKNOWN,
} ModelTruth;

typedef struct _ModelPredicate ModelPredicate;

ModelPredicate *model_predicate_make (const ModelRelation *relation, const gboolean *usable,
                                      guint depth, Source *source);
ModelTruth model_predicate_evaluate (const ModelPredicate *self, const ModelRelation *relation,
                                     const KvsqlValue *tuple);
void model_predicate_append_sql (const ModelPredicate *self, const ModelRelation *relation,
                                 GString *out);
void model_predicate_collect (const ModelPredicate *self, gboolean *used);
/* Nearer to nothing, for test-case reduction: number @which of the simpler forms; NULL if there are
 * no more.
 */
ModelPredicate *model_predicate_simplify (const ModelPredicate *self, guint which, Source *source);

/* Order of two values of one type, NULLs last. */
gint model_compare (const KvsqlValue *a, const KvsqlValue *b);

G_END_DECLS
