/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * message.h: reads and writes calls of the service without generated code.
 *
 * The generated client creates a GObject for every struct and allocates every cell. Here a call is
 * a name, a function that writes the arguments and a function that reads the answer. The small
 * structs of kvsql.thrift are described by tables of fields.
 */
#pragma once

#include "idl/wire/protocol.h"

G_BEGIN_DECLS

/* A field of a struct. T_I32 is stored in a gint32, T_I64 in a gint64, T_BOOL in a gboolean,
 * T_STRING in a gchar *. */
typedef struct
{
  gint16 id;
  ThriftType type;
  gsize offset;
  gboolean is_required;
} KvsqlMessageField;

/* Fills @out, which must be zeroed, and skips unknown fields. After a failure @out may own
 * texts. */
gboolean _kvsql_message_read_struct (KvsqlProtocol *protocol, const KvsqlMessageField *fields,
                                     guint n_fields, gpointer out,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Appends the structs of a list to @out; each has @size bytes. */
gboolean _kvsql_message_read_structs (KvsqlProtocol *protocol, const KvsqlMessageField *fields,
                                      guint n_fields, GArray *out,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Reads the header of the next field. *@out_type is T_STOP at the end of the struct. */
gboolean _kvsql_message_next_field (KvsqlProtocol *protocol, gint16 *out_id, ThriftType *out_type,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsql_message_skip (KvsqlProtocol *protocol, ThriftType type,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Begin and end of a struct whose fields the caller reads one by one. */
gboolean _kvsql_message_enter (KvsqlProtocol *protocol, GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsql_message_leave (KvsqlProtocol *protocol, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Write a field of the current struct: header and value. */
gboolean _kvsql_message_put_i32 (KvsqlProtocol *protocol, gint16 id, gint32 value,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsql_message_put_i64 (KvsqlProtocol *protocol, gint16 id, gint64 value,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsql_message_put_bool (KvsqlProtocol *protocol, gint16 id, gboolean value,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsql_message_put_text (KvsqlProtocol *protocol, gint16 id, const gchar *value,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsql_message_put_bytes (KvsqlProtocol *protocol, gint16 id, KvsqlSlice value,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsql_message_put_gbytes (KvsqlProtocol *protocol, gint16 id, GBytes *value,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsql_message_put_header (KvsqlProtocol *protocol, gint16 id, ThriftType type,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsql_message_put_list (KvsqlProtocol *protocol, gint16 id, ThriftType element, gsize n,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsql_message_put_struct_begin (KvsqlProtocol *protocol,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsql_message_put_struct_end (KvsqlProtocol *protocol,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- calls */

typedef struct
{
  const gchar *name; /* of the method */
  /* A call that was sent may be sent again if its answer is lost. */
  gboolean is_repeatable;
  /* Writes the fields of the arguments; NULL: no arguments. */
  gboolean (*write) (KvsqlProtocol *protocol, gpointer data, GError **error);
  /* Reads the value of the answer, which is of type @answer_type; NULL: the method is void. May be
   * called twice. */
  ThriftType answer_type;
  gboolean (*read) (KvsqlProtocol *protocol, gpointer data, GError **error);
  gpointer data;
} KvsqlMessageCall;

typedef enum
{
  KVSQL_MESSAGE_DONE,
  KVSQL_MESSAGE_REFUSED, /* kvsqld answered with an error; the channel is usable */
  KVSQL_MESSAGE_UNSENT,  /* the request did not leave this host completely: it was not executed */
  KVSQL_MESSAGE_LOST,    /* the channel failed after the request was sent */
} KvsqlMessageOutcome;

/* Sends the whole request. FALSE: it was not sent completely. */
gboolean _kvsql_call_send (const KvsqlMessageCall *call, KvsqlProtocol *protocol, gint32 sequence,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Receives the answer. Never returns UNSENT. */
KvsqlMessageOutcome _kvsql_call_receive (const KvsqlMessageCall *call, KvsqlProtocol *protocol,
                                         gint32 sequence, GError **error);

G_END_DECLS
