/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * t2-reply.h: an answer of HBase's Thrift2 server, decoded without copying.
 *
 * A reply owns the received bytes and the arrays that refer to them. Both are reused by the next
 * reply that is read into it, so that a long scan allocates nothing per batch.
 *
 * Threads: a reply belongs to one thread.
 */
#pragma once

#include "core/store/store.h"
#include "daemon/stores/hbase/t2-reader.h"

G_BEGIN_DECLS

/* The result type of a method. */
typedef enum
{
  KVSQLD_T2_RETURNS_NOTHING,
  KVSQLD_T2_RETURNS_BOOLEAN,
  KVSQLD_T2_RETURNS_NUMBER,
  KVSQLD_T2_RETURNS_ROW,         /* TResult */
  KVSQLD_T2_RETURNS_ROWS,        /* list<TResult> */
  KVSQLD_T2_RETURNS_COUNT,       /* a list of any type: only its length */
  KVSQLD_T2_RETURNS_TABLE_NAMES, /* list<TTableName> */
  KVSQLD_T2_RETURNS_FAMILIES,    /* TTableDescriptor: the names of its families */
  KVSQLD_T2_RETURNS_REGIONS,     /* list<THRegionLocation>: the names are the first keys */
} KvsqldT2Returns;

/* The effect of a method, even if no answer arrives. */
typedef enum
{
  KVSQLD_T2_READS,   /* nothing */
  KVSQLD_T2_SETS,    /* repeatable with the same effect: cells with explicit timestamps */
  KVSQLD_T2_CHECKS,  /* repeatable with the same effect, but with another answer: see condition.c */
  KVSQLD_T2_CHANGES, /* not repeatable: the effect of two requests is greater than that of one */
} KvsqldT2Effect;

typedef struct
{
  const gchar *name;
  KvsqldT2Returns returns;
  KvsqldT2Effect effect;
} KvsqldT2Method;

typedef enum
{
  KVSQLD_T2_OK,
  KVSQLD_T2_IO_ERROR,          /* TIOError */
  KVSQLD_T2_ILLEGAL_ARGUMENT,  /* TIllegalArgument */
  KVSQLD_T2_APPLICATION_ERROR, /* TApplicationException: the server rejected the request or failed
                                */
} KvsqldT2Status;

typedef struct
{
  KvsqlSlice namespace_name; /* empty: the default namespace */
  KvsqlSlice name;
} KvsqldT2Name;

/* The cells of a read of all versions: values and delete markers. The numbers are HBase's. */
typedef enum
{
  KVSQLD_T2_CELL_PUT = 4,
  KVSQLD_T2_CELL_DELETE = 8, /* deletes one version */
  KVSQLD_T2_CELL_DELETE_FAMILY_VERSION = 10,
  KVSQLD_T2_CELL_DELETE_COLUMN = 12, /* deletes all versions up to this one */
  KVSQLD_T2_CELL_DELETE_FAMILY = 14,
} KvsqldT2CellType;

typedef struct
{
  KvsqldT2Status status;
  KvsqlSlice message; /* of an exception */
  gboolean boolean;
  gint32 number; /* also the length of KVSQLD_T2_RETURNS_COUNT */
  KvsqlRows rows;
  KvsqldT2Name *names;
  guint n_names;
  GByteArray *types; /* nullable: set by the caller; gets the KvsqldT2CellType of each cell, 0 if
                        the server did not send it */
  gint64 served_us;  /* upper bound of the time in the server: without the time on the network */

  KvsqlBuffer bytes;
  guint rows_capacity;
  guint cells_capacity;
  guint names_capacity;
} KvsqldT2Reply;

void kvsqld_t2_reply_clear (KvsqldT2Reply *self); /* starts zeroed ({0}) */

/**
 * kvsqld_t2_reply_read:
 * @sequence: the request's number; the answer to another request is a failure
 * @fill: receives more bytes
 *
 * Reads the next reply. An exception of the server is not a failure: see @self->status. All members
 * of
 * @self are valid until the next read into it.
 *
 * Returns: %FALSE with @fill's error or KVSQL_ERROR_PROTOCOL: the connection is unusable
 */
gboolean kvsqld_t2_reply_read (KvsqldT2Reply *self, KvsqldT2Transport transport,
                               const KvsqldT2Method *method, guint32 sequence, KvsqldT2Fill fill,
                               gpointer source, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqldT2Reply, kvsqld_t2_reply_clear)

G_END_DECLS
