/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * column-types.h: how the values of columns are encoded, and their types.
 */
#pragma once

#include "core/infer/search.h"

G_BEGIN_DECLS

/* Of a column, or of all columns of a family: an element around the attribute, attr_value or
 * map_value. */
typedef enum
{
  KVSQL_INFER_AS_BYTES,   /* as HBase's Bytes.toBytes () */
  KVSQL_INFER_AS_TEXT,    /* numbers in decimal */
  KVSQL_INFER_AS_PHOENIX, /* as Apache Phoenix's types */
  KVSQL_INFER_AS_ORDERED, /* HBase's OrderedBytes */
  KVSQL_INFER_AS_SHORT,   /* two bytes, two's complement */
  KVSQL_INFER_AS_BYTE,
  KVSQL_INFER_AS_UNSIGNED_SHORT,
  KVSQL_INFER_AS_UNSIGNED_BYTE,
  KVSQL_INFER_AS_FLIPPED_SHORT, /* Phoenix's SMALLINT: with the first bit inverted */
  KVSQL_INFER_AS_FLIPPED_BYTE,  /* Phoenix's TINYINT */
  KVSQL_INFER_AS_UUID,          /* 16 bytes */
  KVSQL_INFER_N_ENCODINGS,
} KvsqlInferEncoding;

typedef struct
{
  KvsqlType type;
  gdouble bits;        /* of all values */
  const gchar *remark; /* nullable: what the reader should know */
} KvsqlInferColumnType;

/* Appends the element around @inner, or @inner alone. */
void kvsql_infer_append_encoded (KvsqlInferEncoding encoding, const gchar *inner, GString *out);
/* Whether only Phoenix writes it. */
gboolean kvsql_infer_is_of_phoenix (KvsqlInferEncoding encoding);

/* The type of the values in that encoding that explains them best. FALSE: they do not have this
 * encoding. Values of no bytes do not count, but they are no numbers in text. */
gboolean kvsql_infer_column_type (KvsqlInferEncoding encoding, const KvsqlSlice *values, guint n,
                                  KvsqlArena *arena, KvsqlInferColumnType *out);
/* The same in the encoding that explains the values best: bytes if no other does. @is_phoenix:
 * Phoenix has written the table. */
KvsqlInferEncoding kvsql_infer_best_encoding (const KvsqlSlice *values, guint n,
                                              gboolean is_phoenix, KvsqlArena *arena,
                                              KvsqlInferColumnType *out);

/* Whether more of the values are printable ASCII than numbers are by chance, and whether
 * they are much smaller numbers with the lowest byte first, as C programs write them. @is_flipped:
 * the first bit is inverted in big-endian ones. */
gboolean kvsql_infer_are_partly_text (const KvsqlSlice *values, guint n);
gboolean kvsql_infer_are_little_endian (const KvsqlSlice *values, guint n, gboolean is_flipped);
/* Whether bytes that mostly could be a BIGINT are rather Bytes.toBytes (BigDecimal): the scale, the
 * same in all, and a number of one to five bytes. */
gboolean kvsql_infer_are_amounts (const KvsqlSlice *values, guint n);

/* Whether values of 8 bytes are DOUBLEs, of 4 bytes FLOATs, that people use: neither tiny nor huge,
 * and not the bytes of a number or time that is as likely. */
gboolean kvsql_infer_are_doubles (const KvsqlSlice *values, guint n);
gboolean kvsql_infer_are_floats (const KvsqlSlice *values, guint n);
/* Whether values of 4 bytes are FLOATs that people have written: 0.125, but not 0.13274856. */
gboolean kvsql_infer_have_few_digits (const KvsqlSlice *values, guint n);
/* Whether that many milliseconds since 1970 are a time of our years. */
gboolean kvsql_infer_is_time (gint64 ms);

G_END_DECLS
