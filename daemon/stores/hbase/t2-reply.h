/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * t2-reply.h: what HBase's Thrift2 server answered, decoded without copying.
 *
 * A reply owns the bytes it was received into and the arrays over them; both are used again
 * by the next reply read into it, so that a long scan allocates nothing per batch.
 *
 * Threads: a reply belongs to one thread.
 */
#pragma once

#include "core/store/store.h"
#include "daemon/stores/hbase/t2-reader.h"

G_BEGIN_DECLS

/* What a method returns. */
typedef enum
{
  KVSQLD_T2_RETURNS_NOTHING,
  KVSQLD_T2_RETURNS_BOOLEAN,
  KVSQLD_T2_RETURNS_NUMBER,
  KVSQLD_T2_RETURNS_ROW,         /* TResult */
  KVSQLD_T2_RETURNS_ROWS,        /* list<TResult> */
  KVSQLD_T2_RETURNS_COUNT,       /* a list of anything: only its length */
  KVSQLD_T2_RETURNS_TABLE_NAMES, /* list<TTableName> */
  KVSQLD_T2_RETURNS_FAMILIES,    /* TTableDescriptor: names of its families */
  KVSQLD_T2_RETURNS_REGIONS,     /* list<THRegionLocation>: names are their first keys */
} KvsqldT2Returns;

/* What a method leaves behind, even if no answer comes. */
typedef enum
{
  KVSQLD_T2_READS,   /* nothing */
  KVSQLD_T2_SETS,    /* the same whether done once or twice: cells with timestamps of their own */
  KVSQLD_T2_CHANGES, /* more, done twice, than done once; or another answer */
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
  KVSQLD_T2_APPLICATION_ERROR, /* TApplicationException: the server refused or broke */
} KvsqldT2Status;

typedef struct
{
  KvsqlSlice namespace_name; /* empty: the default one */
  KvsqlSlice name;
} KvsqldT2Name;

typedef struct
{
  KvsqldT2Status status;
  KvsqlSlice message; /* of an error */
  gboolean boolean;
  gint32 number; /* also the length of KVSQLD_T2_RETURNS_COUNT */
  KvsqlRows rows;
  KvsqldT2Name *names;
  guint n_names;

  KvsqlBuffer bytes;
  guint rows_capacity;
  guint cells_capacity;
  guint names_capacity;
} KvsqldT2Reply;

void kvsqld_t2_reply_clear (KvsqldT2Reply *self); /* starts zeroed ({0}) */

/**
 * kvsqld_t2_reply_read:
 * @sequence: the request's number; the answer to another one is a failure
 * @fill: gets more bytes
 *
 * Reads the one reply that must come next. An exception of the server is no failure: see
 * @self->status. Everything in @self is good until the next read into it.
 *
 * Returns: %FALSE with @fill's error or KVSQL_ERROR_PROTOCOL: the connection is of no more use
 */
gboolean kvsqld_t2_reply_read (KvsqldT2Reply *self, KvsqldT2Transport transport,
                               const KvsqldT2Method *method, guint32 sequence, KvsqldT2Fill fill,
                               gpointer source, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqldT2Reply, kvsqld_t2_reply_clear)

G_END_DECLS
