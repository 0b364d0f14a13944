/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * message.h: one call of the service, written and read by hand.
 *
 * The generated client makes a GObject of every struct and a heap block of every
 * cell; here a call is a name, a writer of the arguments and a reader of the answer,
 * and the small structs of kvsql.thrift are tables of fields.
 */
#pragma once

#include "idl/wire/protocol.h"

G_BEGIN_DECLS

/* A field of a struct: T_I32 goes to a gint32, T_I64 to a gint64, T_BOOL to a gboolean, T_STRING to
 * a gchar *. */
typedef struct
{
  gint16 id;
  ThriftType type;
  gsize offset;
  gboolean is_required;
} KvsqlField;

/* Fills @out, which starts zeroed, and passes over fields it does not know. On failure @out may
 * hold texts. */
gboolean _kvsql_message_read_struct (KvsqlProtocol *protocol, const KvsqlField *fields,
                                     guint n_fields, gpointer out, GError **error);

/* A list of structs of @size bytes each, appended to @out. */
gboolean _kvsql_message_read_structs (KvsqlProtocol *protocol, const KvsqlField *fields,
                                      guint n_fields, GArray *out, GError **error);

/* Reads the next field's header; *@out_type is T_STOP at the end of the struct. */
gboolean _kvsql_message_next_field (KvsqlProtocol *protocol, gint16 *out_id, ThriftType *out_type,
                                    GError **error);
gboolean _kvsql_message_skip (KvsqlProtocol *protocol, ThriftType type, GError **error);
/* Begin and end of a struct, when its fields are read by hand. */
gboolean _kvsql_message_enter (KvsqlProtocol *protocol, GError **error);
gboolean _kvsql_message_leave (KvsqlProtocol *protocol, GError **error);

/* Whole fields of the struct that is being written. */
gboolean _kvsql_message_put_i32 (KvsqlProtocol *protocol, gint16 id, gint32 value, GError **error);
gboolean _kvsql_message_put_i64 (KvsqlProtocol *protocol, gint16 id, gint64 value, GError **error);
gboolean _kvsql_message_put_bool (KvsqlProtocol *protocol, gint16 id, gboolean value,
                                  GError **error);
gboolean _kvsql_message_put_text (KvsqlProtocol *protocol, gint16 id, const gchar *value,
                                  GError **error);
gboolean _kvsql_message_put_bytes (KvsqlProtocol *protocol, gint16 id, KvsqlSlice value,
                                   GError **error);
gboolean _kvsql_message_put_header (KvsqlProtocol *protocol, gint16 id, ThriftType type,
                                    GError **error);
gboolean _kvsql_message_put_list (KvsqlProtocol *protocol, gint16 id, ThriftType element, gsize n,
                                  GError **error);
gboolean _kvsql_message_put_struct_begin (KvsqlProtocol *protocol, GError **error);
gboolean _kvsql_message_put_struct_end (KvsqlProtocol *protocol, GError **error);

/* ---- calls */

typedef struct
{
  const gchar *name; /* of the method */
  /* Whether a call that was sent may be sent again when its answer is lost. */
  gboolean is_repeatable;
  /* Writes the fields of the arguments; NULL: there are none. */
  gboolean (*write) (KvsqlProtocol *protocol, gpointer data, GError **error);
  /* Reads the value of the answer, which is of @answer_type; NULL: the method is void. May be
   * called twice. */
  ThriftType answer_type;
  gboolean (*read) (KvsqlProtocol *protocol, gpointer data, GError **error);
  gpointer data;
} KvsqlCall;

typedef enum
{
  KVSQL_CALL_DONE,
  KVSQL_CALL_REFUSED, /* kvsqld answered with an error; the line is in order */
  KVSQL_CALL_UNSENT,  /* not all of it left this host: nothing was done */
  KVSQL_CALL_LOST,    /* sent, and then the line failed */
} KvsqlCallOutcome;

/* The request, to its last byte; FALSE: it was not sent. */
gboolean _kvsql_call_send (const KvsqlCall *call, KvsqlProtocol *protocol, gint32 sequence,
                           GError **error);
/* Its answer. Never UNSENT. */
KvsqlCallOutcome _kvsql_call_receive (const KvsqlCall *call, KvsqlProtocol *protocol,
                                      gint32 sequence, GError **error);

G_END_DECLS
