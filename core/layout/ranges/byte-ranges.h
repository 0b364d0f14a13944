/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * byte-ranges.h: the bytes that an element or a field may have under a constraint.
 *
 * A range may be too wide, but never too narrow.
 */
#pragma once

#include "core/base/arena.h"
#include "core/layout/ranges/constraint.h"

G_BEGIN_DECLS

/* What follows an element in its field. It decides how far the byte range of "less than v"
 * reaches. */
typedef enum
{
  KVSQL_DELIMITER_END,   /* nothing: the end of the field */
  KVSQL_DELIMITER_BYTES, /* these bytes */
  KVSQL_DELIMITER_FIXED, /* unknown bytes, but all values of the element have the same length */
  KVSQL_DELIMITER_UNKNOWN,
} KvsqlDelimiterKind;

typedef struct
{
  KvsqlDelimiterKind kind;
  KvsqlSlice bytes; /* BYTES */
  gsize size;       /* FIXED: the length of all values */
  guint8 least;     /* BYTES: no byte of a value is less than this; 0: unknown */
} KvsqlDelimiter;

/* A point is the complete bytes of an element. A range bounds the bytes of the element and of
 * everything after it. */
typedef struct
{
  gboolean is_point;
  gboolean is_exact; /* all of it satisfies the constraint on this element */
  KvsqlSlice low;    /* the point, or the inclusive lower bound */
  gboolean has_high;
  KvsqlSlice high; /* exclusive */
} KvsqlByteRange;

typedef struct _KvsqlByteRanges KvsqlByteRanges;
struct _KvsqlByteRanges
{
  gboolean is_open;    /* no bound: each byte string is possible */
  gboolean is_fan_out; /* no bound either, but these points are all possible values */
  KvsqlByteRange *ranges;
  guint n_ranges;
  guint n_fixed; /* leading elements that are points: breaks ties between access paths */
  KvsqlByteRanges *as_points; /* nullable: the same values as points, if a range contains few */
};

#define KVSQL_MAX_BYTE_RANGES 4096
/* Of as_points: the days of a year, and some more. */
#define KVSQL_MAX_STEPS_AS_POINTS 400

typedef struct
{
  const KvsqlConstraint *constraints; /* by attribute */
  KvsqlArena *arena;
  gboolean wants_points; /* the caller cannot use ranges: return as_points where possible */
} KvsqlConstrainer;

/* Ranges of values that are stored as their own bytes: STRING, BYTES, and text forms that sort as
 * their values. */
void kvsql_byte_ranges_from_slices (const KvsqlConstraint *constraint,
                                    const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
                                    KvsqlByteRanges *out);
void kvsql_byte_ranges_add_point (KvsqlByteRanges *self, KvsqlSlice bytes);
void kvsql_byte_ranges_add_range (KvsqlByteRanges *self, KvsqlSlice low, gboolean has_high,
                                  KvsqlSlice high, gboolean is_exact);
/* Cuts a bound of an element of exactly @size bytes: further bytes of the bound are not about the
 * bytes after the element. */
void kvsql_byte_range_cut (KvsqlByteRange *self, gsize size, const KvsqlConstrainer *constrainer);
/* Allocates @n byte ranges. */
void kvsql_byte_ranges_init (KvsqlByteRanges *self, const KvsqlConstrainer *constrainer, guint n);
/* Sorts the ranges, and merges those that overlap. */
void kvsql_byte_ranges_sort (KvsqlByteRanges *self);

G_END_DECLS
