/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * output.h: messages to the client, collected in a bounded buffer.
 *
 * A full buffer is sent, so a client that reads slowly blocks its own session only, until the write
 * time-out. After a failure to send, nothing more is sent, and kvsqld_pg_output_flush() returns the
 * error.
 *
 * Threads: that of the connection.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/slice.h"
#include "idl/wire/transport.h"

G_BEGIN_DECLS

/* Types of messages to the client. */
#define KVSQLD_PG_AUTHENTICATION 'R'
#define KVSQLD_PG_BACKEND_KEY_DATA 'K'
#define KVSQLD_PG_BIND_COMPLETE '2'
#define KVSQLD_PG_CLOSE_COMPLETE '3'
#define KVSQLD_PG_COMMAND_COMPLETE 'C'
#define KVSQLD_PG_COPY_DATA 'd'
#define KVSQLD_PG_COPY_DONE 'c'
#define KVSQLD_PG_COPY_IN 'G'
#define KVSQLD_PG_COPY_OUT 'H'
#define KVSQLD_PG_DATA_ROW 'D'
#define KVSQLD_PG_EMPTY_QUERY 'I'
#define KVSQLD_PG_ERROR 'E'
#define KVSQLD_PG_NEGOTIATE_VERSION 'v'
#define KVSQLD_PG_NO_DATA 'n'
#define KVSQLD_PG_NOTICE 'N'
#define KVSQLD_PG_PARAMETER_DESCRIPTION 't'
#define KVSQLD_PG_PARAMETER_STATUS 'S'
#define KVSQLD_PG_PARSE_COMPLETE '1'
#define KVSQLD_PG_PORTAL_SUSPENDED 's'
#define KVSQLD_PG_READY 'Z'
#define KVSQLD_PG_ROW_DESCRIPTION 'T'

/* Zeroed at first, but for the transport, which is borrowed. */
typedef struct
{
  KvsqlTransport *transport;
  KvsqlBuffer buffer;
  gsize length_at;    /* of the message that is written: the position of its length */
  GError *error;      /* nullable: why nothing more is sent */
  KvsqlBuffer unsent; /* after an error: the rest of the messages that were being sent */
  gboolean hides_notices, hides_warnings; /* as the client wishes */
} KvsqldPgOutput;

void kvsqld_pg_output_clear (KvsqldPgOutput *self);

void kvsqld_pg_output_begin (KvsqldPgOutput *self, gchar type);
/* Ends the message, and sends the buffer if it is full. */
void kvsqld_pg_output_end (KvsqldPgOutput *self);
/* A message without contents. */
void kvsqld_pg_output_put_empty (KvsqldPgOutput *self, gchar type);

/* For the last message: after a failure to send, sending goes on where it has ended. What was
 * written since is dropped. */
void kvsqld_pg_output_resume (KvsqldPgOutput *self);

void kvsqld_pg_put_int16 (KvsqlBuffer *out, guint16 value);
void kvsqld_pg_put_int32 (KvsqlBuffer *out, guint32 value);
void kvsqld_pg_put_int64 (KvsqlBuffer *out, guint64 value);
/* With a NUL byte at the end. Bytes that are not UTF-8 are replaced. */
void kvsqld_pg_put_text (KvsqlBuffer *out, const gchar *text);

/* Sends what was written. Returns %FALSE if a message could not be sent, now or before. */
gboolean kvsqld_pg_output_flush (KvsqldPgOutput *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
