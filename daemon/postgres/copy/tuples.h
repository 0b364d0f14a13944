/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuples.h: the tuples of the binary format.
 */
#pragma once

#include "daemon/postgres/copy/fields.h"

G_BEGIN_DECLS

/* Zeroed at first, but for the number of fields. */
typedef struct
{
  guint n_fields;
  gboolean has_header; /* it was read */
  gboolean is_done;    /* the trailer was read */
  guint64 number;      /* of the tuple that was read last, or is being read */
  gboolean is_inside;  /* that tuple has begun */
  guint field;         /* of a bad tuple: the field that is bad, from 1; 0: none */
} KvsqldPgTuples;

typedef enum
{
  KVSQLD_PG_TUPLE_WHOLE,
  KVSQLD_PG_TUPLE_PART, /* more bytes are needed */
  KVSQLD_PG_TUPLE_NONE, /* the end of the data */
  KVSQLD_PG_TUPLE_BAD,
} KvsqldPgTupleState;

extern const guint8 kvsqld_pg_tuples_header[]; /* of data without extensions */
#define KVSQLD_PG_TUPLES_HEADER_BYTES 19
#define KVSQLD_PG_TUPLES_TRAILER 0xffff

/**
 * kvsqld_pg_tuples_next:
 * @bytes: all bytes after those that were used
 * @is_last: no more bytes will come
 * @out_used: (out): the bytes of the tuple; after KVSQLD_PG_TUPLE_PART those of a header
 * @out: (out): n_fields fields, borrowed from @bytes
 */
KvsqldPgTupleState kvsqld_pg_tuples_next (KvsqldPgTuples *self, KvsqlSlice bytes, gboolean is_last,
                                          gsize *out_used, KvsqldPgField *out, GError **error);

G_END_DECLS
