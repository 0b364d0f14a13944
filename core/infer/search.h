/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * search.h: finds layouts for byte strings whose layout is not known.
 *
 * A layout is a sequence of pieces. Each piece takes the beginning of every string, and has a cost
 * in bits: what it takes to say which piece it is, and, for all strings, which values they have.
 * The layout with the smallest sum explains the strings best (the principle of the minimum
 * description length, Rissanen 1978): a number whose values lie close together is cheaper than the
 * same bytes as text, and a constant costs nothing for each string.
 *
 * Everything lives in the arena of the search. Threads: one at a time.
 */
#pragma once

#include "core/base/arena.h"
#include "core/base/slice.h"
#include "core/base/type.h"

G_BEGIN_DECLS

#define KVSQL_INFER_MAX_PIECES 12
/* So many of the best layouts are kept. */
#define KVSQL_INFER_MAX_LAYOUTS 4

typedef enum
{
  KVSQL_INFER_CONSTANT,
  KVSQL_INFER_ATTRIBUTE,
  KVSQL_INFER_OF_REST, /* a hash or salt of all pieces that follow */
  KVSQL_INFER_OF_NEXT, /* of the value of the piece that follows */
  KVSQL_INFER_OF_LAST, /* of the value of the last piece */
} KvsqlInferKind;

typedef struct
{
  KvsqlInferKind kind;
  const gchar *before;                     /* the layout is @before, what is inside, @after */
  const gchar *inner_before, *inner_after; /* of an attribute: around its name */
  const gchar *after;
  KvsqlType type;        /* of an ATTRIBUTE */
  const gchar *stem;     /* of the attribute's name: "day" */
  const gchar *name;     /* nullable: it is an attribute of another field, with this name */
  const gchar *remark;   /* nullable: what the reader should know of the attribute */
  gboolean is_number;    /* a whole number or time; then: */
  gint64 min, max, step; /* the values are multiples of @step; 0: not known */
  gint64 bucket;         /* the width of the bucket or offset that it is; 0: none */
} KvsqlInferPiece;

typedef struct
{
  KvsqlInferPiece pieces[KVSQL_INFER_MAX_PIECES];
  guint n;
  gdouble bits; /* of all strings */
} KvsqlInferLayout;

typedef struct _KvsqlInferSearch KvsqlInferSearch;

/* Finds pieces that all strings begin with, and offers them. */
typedef void (*KvsqlInferFunc) (KvsqlInferSearch *search, const KvsqlSlice *rests);

struct _KvsqlInferSearch
{
  const KvsqlInferFunc *finders; /* NULL-terminated */
  KvsqlArena *arena;
  guint n; /* strings */
  KvsqlInferLayout now;
  KvsqlInferLayout *best; /* (array length=n_best): ascending by bits */
  guint n_best;
  GHashTable *arrivals; /* places that were reached: hash of the rests -> Arrivals */
  guint n_offers;       /* so far: it is bounded */
  gboolean is_certain;  /* a finder sets it: nothing else is looked for at this place */
};

/* @rests: what the piece leaves of each string. @bits: of all values of the piece */
void kvsql_infer_offer (KvsqlInferSearch *self, const KvsqlInferPiece *piece,
                        const KvsqlSlice *rests, gdouble bits);

/* @strings: @n, at least one. @out: KVSQL_INFER_MAX_LAYOUTS. Returns the number of layouts, the
 * best first; 0: none fits all strings. */
guint kvsql_infer_search (const KvsqlInferFunc *finders, const KvsqlSlice *strings, guint n,
                          KvsqlArena *arena, KvsqlInferLayout *out);

/* At most 300 of the strings (element-type KvsqlSlice), from all over the array. */
KvsqlSlice *kvsql_infer_choose_strings (const GArray *all, KvsqlArena *arena, guint *out_n);

/* ---- for pieces */

/* Bits of a number for each string. */
gdouble kvsql_infer_bits_of_range (const KvsqlInferSearch *self, gint64 min, gint64 max);
/* Bits of texts: their characters, or a list of those that are repeated. @values: n of the search
 */
gdouble kvsql_infer_bits_of_texts (const KvsqlInferSearch *self, const KvsqlSlice *values);
/* The rests without their first @size bytes. */
KvsqlSlice *kvsql_infer_skip (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size);
/* The first @size bytes of each. */
KvsqlSlice *kvsql_infer_take (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size);
/* Nothing of each. */
KvsqlSlice *kvsql_infer_take_all (const KvsqlInferSearch *self);
/* Whether every string has so many bytes. */
gboolean kvsql_infer_have (const KvsqlInferSearch *self, const KvsqlSlice *rests, gsize size);
/* Whether all strings are so long, as those are that have only pieces of a fixed size. */
gboolean kvsql_infer_have_one_size (const KvsqlInferSearch *self, const KvsqlSlice *rests);
/* Whether the first @size bytes of all strings are printable ASCII. */
gboolean kvsql_infer_are_printable (const KvsqlInferSearch *self, const KvsqlSlice *rests,
                                    gsize size);

G_END_DECLS
