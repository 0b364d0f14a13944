/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service.h: the methods of the service Sql in kvsql.thrift, as C functions.
 *
 * All block, and fail like _kvsql_connection_call().
 */
#pragma once

#include "client/connection-private.h"
#include "client/page.h"
#include "client/params-private.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *name; /* nullable */
  gint32 type;
} KvsqlParameterInfo;

typedef struct
{
  gint64 id;
  GArray *parameters; /* KvsqlParameterInfo */
  GArray *columns;    /* KvsqlColumnInfo */
} KvsqlStatementInfo;

void _kvsql_statement_info_clear (KvsqlStatementInfo *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlStatementInfo, _kvsql_statement_info_clear)

/* @values: (nullable): pointers to KvsqlParam, in the statement's order */
gboolean _kvsql_service_query (KvsqlConnection *connection, const gchar *sql, GPtrArray *values,
                               KvsqlPage *out, GCancellable *cancellable,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsql_service_prepare (KvsqlConnection *connection, const gchar *sql,
                                 KvsqlStatementInfo *out, guint64 *out_generation,
                                 GCancellable *cancellable,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsql_service_execute (KvsqlConnection *connection, gint64 id, guint64 generation,
                                 GPtrArray *values, gboolean knows_columns, KvsqlPage *out,
                                 GCancellable *cancellable,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsql_service_fetch (KvsqlConnection *connection, GBytes *cursor, KvsqlPage *out,
                               GCancellable *cancellable, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* (element-type GBytes) (transfer full) */
GPtrArray *_kvsql_service_partition (KvsqlConnection *connection, const gchar *sql,
                                     GPtrArray *values, guint n_wanted, GCancellable *cancellable,
                                     GError **error);

typedef struct
{
  gchar *text;
  gchar *json;
} KvsqlPlanTexts;

gboolean _kvsql_service_explain (KvsqlConnection *connection, const gchar *sql, GPtrArray *values,
                                 gboolean analyze, KvsqlPlanTexts *out, GCancellable *cancellable,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Writes the list<Column> of insertRows, with its header. */
typedef gboolean (*KvsqlWriteColumns) (KvsqlProtocol *protocol, gpointer data, GError **error);

gboolean _kvsql_service_insert_rows (KvsqlConnection *connection, const gchar *relation,
                                     const gchar *const *columns, gint32 n_rows,
                                     KvsqlWriteColumns write_columns, gpointer data,
                                     gint64 *out_written, GCancellable *cancellable,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Only sends the request, like _kvsql_connection_begin(); @data is not needed afterwards. */
KvsqlPending *_kvsql_service_begin_insert_rows (KvsqlConnection *connection, const gchar *relation,
                                                const gchar *const *columns, gint32 n_rows,
                                                KvsqlWriteColumns write_columns, gpointer data,
                                                const KvsqlPending *after,
                                                GCancellable *cancellable, GError **error);

G_END_DECLS
