/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-connection.h: a connection to kvsqld.
 *
 * A connection opens itself when it is first used, and again when it was lost.
 * After a timeout or a cancelled call the line is closed, because a late reply
 * could be taken for the next one; the next call opens a new one.
 *
 * URIs: `kvsql://host[:port][,host[:port]…][?protocol=binary|compact][&framed=true|false]`, tried
 * in order until one answers, and `kvsql+unix:///path`; `tcp://` and `unix://`, as kvsqld's
 * `--listen` has them, do as well. An IPv6 address stands in brackets. `spin_us=N`: where answers
 * come soon, the next is waited for awake for so many microseconds (50), which saves to be woken;
 * one thread in two processors does so at a time.
 *
 * Threads: may be used by several at once; their calls take turns on the one line.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

#define KVSQL_TYPE_CONNECTION (kvsql_connection_get_type ())
G_DECLARE_FINAL_TYPE (KvsqlConnection, kvsql_connection, KVSQL, CONNECTION, GObject)

/**
 * kvsql_connection_new:
 * @uri: (nullable): where kvsqld is; %NULL for kvsql_get_default_uri()
 * @error: return location, or %NULL; only for a malformed URI
 *
 * Opens nothing yet.
 *
 * Returns: (transfer full): a connection, or %NULL with @error set
 */
KvsqlConnection *kvsql_connection_new (const gchar *uri, GError **error);

/**
 * kvsql_get_default_uri:
 *
 * Returns: (transfer full): the environment's KVSQL_URI; else the local UNIX socket if there is
 * one; else TCP on this host
 */
gchar *kvsql_get_default_uri (void);

const gchar *kvsql_connection_get_uri (KvsqlConnection *self);

/**
 * kvsql_connection_open:
 * @self: a connection
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Connects now instead of at the first call. Nothing happens if it is open.
 *
 * Returns: %FALSE with @error set if no host answers
 */
gboolean kvsql_connection_open (KvsqlConnection *self, GCancellable *cancellable, GError **error);
void kvsql_connection_open_async (KvsqlConnection *self, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data);
gboolean kvsql_connection_open_finish (KvsqlConnection *self, GAsyncResult *result, GError **error);

/**
 * kvsql_connection_close:
 * @self: a connection
 *
 * Closes the line once the call under way, if any, has ended. The next call opens it again.
 */
void kvsql_connection_close (KvsqlConnection *self);

gboolean kvsql_connection_is_open (KvsqlConnection *self);

/**
 * kvsql_connection_get_peer:
 * @self: a connection
 *
 * Returns: (transfer full) (nullable): the address that is connected, %NULL if none is
 */
gchar *kvsql_connection_get_peer (KvsqlConnection *self);

/**
 * kvsql_connection_set_timeout:
 * @self: a connection
 * @timeout_ms: the longest that one call may take, at least 1; the default is
 * %KVSQL_DEFAULT_TIMEOUT_MS
 *
 * kvsqld stops working on a request after this time. If it says nothing at all, the
 * call ends one second later.
 */
void kvsql_connection_set_timeout (KvsqlConnection *self, guint timeout_ms);
guint kvsql_connection_get_timeout (KvsqlConnection *self);

/**
 * kvsql_connection_set_page_size:
 * @self: a connection
 * @max_rows: how many rows kvsqld sends at once, 0 for its own choice
 * @max_bytes: how many bytes, roughly, 0 for its own choice
 */
void kvsql_connection_set_page_size (KvsqlConnection *self, guint max_rows, guint max_bytes);

/**
 * kvsql_connection_set_progress:
 * @self: a connection
 * @progress: whether kvsqld is to say with each page how far the result is
 *
 * Costs kvsqld two short requests to its store for a result of several pages. Read what it says by
 * kvsql_result_get_progress().
 */
void kvsql_connection_set_progress (KvsqlConnection *self, gboolean progress);

/**
 * kvsql_connection_set_read_only:
 * @self: a connection
 * @read_only: whether kvsqld is to refuse everything that writes
 */
void kvsql_connection_set_read_only (KvsqlConnection *self, gboolean read_only);

/**
 * kvsql_connection_query:
 * @self: a connection
 * @sql: one statement
 * @params: (nullable): values of its `?` or `:name`
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL; carries the position in @sql
 *
 * Runs a statement. Named parameters cost another round trip, in which their order is asked for.
 *
 * Returns: (transfer full): the result, or %NULL with @error set
 */
KvsqlResult *kvsql_connection_query (KvsqlConnection *self, const gchar *sql, KvsqlParams *params,
                                     GCancellable *cancellable, GError **error);
void kvsql_connection_query_async (KvsqlConnection *self, const gchar *sql, KvsqlParams *params,
                                   GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data);
KvsqlResult *kvsql_connection_query_finish (KvsqlConnection *self, GAsyncResult *result,
                                            GError **error);

/**
 * kvsql_connection_prepare:
 * @self: a connection
 * @sql: one statement
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL; carries the position in @sql
 *
 * Returns: (transfer full): a statement to run many times, or %NULL with @error set
 */
KvsqlStatement *kvsql_connection_prepare (KvsqlConnection *self, const gchar *sql,
                                          GCancellable *cancellable, GError **error);
void kvsql_connection_prepare_async (KvsqlConnection *self, const gchar *sql,
                                     GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);
KvsqlStatement *kvsql_connection_prepare_finish (KvsqlConnection *self, GAsyncResult *result,
                                                 GError **error);

/**
 * KvsqlExplainFlags:
 * @KVSQL_EXPLAIN_TEXT: as text for people
 * @KVSQL_EXPLAIN_JSON: as JSON for programs
 * @KVSQL_EXPLAIN_ANALYZE: run the statement too, and say what it took
 *
 * How kvsql_connection_explain() explains.
 */
typedef enum
{
  KVSQL_EXPLAIN_TEXT = 0,
  KVSQL_EXPLAIN_JSON = 1 << 0,
  KVSQL_EXPLAIN_ANALYZE = 1 << 1
} KvsqlExplainFlags;

/**
 * kvsql_connection_explain:
 * @self: a connection
 * @sql: the statement to explain, without EXPLAIN
 * @params: (nullable): values of its `?` or `:name`
 * @flags: how
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL; carries the position in @sql
 *
 * Returns: (transfer full): how kvsqld would run @sql, or %NULL with @error set
 */
gchar *kvsql_connection_explain (KvsqlConnection *self, const gchar *sql, KvsqlParams *params,
                                 KvsqlExplainFlags flags, GCancellable *cancellable,
                                 GError **error);

/**
 * kvsql_connection_get_server_info:
 * @self: a connection
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Asks kvsqld how it is.
 *
 * Returns: (transfer full): its answer, or %NULL with @error set
 */
KvsqlServerInfo *kvsql_connection_get_server_info (KvsqlConnection *self, GCancellable *cancellable,
                                                   GError **error);

/* ---- what kvsqld says about itself; texts belong to the info */

#define KVSQL_TYPE_SERVER_INFO (kvsql_server_info_get_type ())
GType kvsql_server_info_get_type (void);

KvsqlServerInfo *kvsql_server_info_ref (KvsqlServerInfo *self);
void kvsql_server_info_unref (KvsqlServerInfo *self); /* accepts NULL */

const gchar *kvsql_server_info_get_version (const KvsqlServerInfo *self);
gint kvsql_server_info_get_api_version (const KvsqlServerInfo *self);
const gchar *kvsql_server_info_get_store (const KvsqlServerInfo *self);
const gchar *kvsql_server_info_get_registry (const KvsqlServerInfo *self);

/**
 * kvsql_server_info_get_epoch:
 * @self: an info
 *
 * Returns: a number that grows with each change of the definitions
 */
gint64 kvsql_server_info_get_epoch (const KvsqlServerInfo *self);
gboolean kvsql_server_info_get_definitions_writable (const KvsqlServerInfo *self);

/**
 * kvsql_server_info_get_message:
 * @self: an info
 *
 * Returns: (transfer none) (nullable): what is wrong now, if anything is
 */
const gchar *kvsql_server_info_get_message (const KvsqlServerInfo *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlServerInfo, kvsql_server_info_unref)

G_END_DECLS
