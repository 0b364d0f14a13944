/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-server.h: a server of the service Sql inside a test, for what a kvsqld would never do.
 *
 * It speaks through the code that thrift generates, so that both sides of the wire come from
 * different hands. Statements are words of its own:
 *
 *   ROWS n       n rows of (n BIGINT, name STRING with NULLs, even BOOLEAN), in pages
 *   PREPARED     a row; its column is called "prepared" and how often anything was prepared
 *   TYPES        a row with a value of each type, and a row of NULLs
 *   ECHO         the parameters as text
 *   WRITE        affected 3, two warnings
 *   FAIL         an error with everything
 *   DROP         closes the connection instead of answering
 *   HANG         answers when the server stops
 *   BAD what     a page that contradicts itself: length, bitmap, kind, utf8, columns, empty
 */
#pragma once

#include <gio/gio.h>

typedef struct _TestServer TestServer;

TestServer *test_server_new (void);
/* Closes all connections, waits for its threads. */
void test_server_free (TestServer *self);

guint16 test_server_get_port (TestServer *self);
/* "kvsql://127.0.0.1:port" and what follows; free it. */
gchar *test_server_uri (TestServer *self, const gchar *options);

/* Closes every connection there is, as a restart would. */
void test_server_drop_connections (TestServer *self);

/* How often a method was called, or "connect". */
guint test_server_count (TestServer *self, const gchar *what);
/* What the last insertRows brought, row after row: "1,a|2,NULL". */
gchar *test_server_inserted (TestServer *self);
/* Bytes of the largest insertRows, in rows. */
guint test_server_largest_insert (TestServer *self);
/* The next @n insertRows fail, by a limit, and write nothing. */
void test_server_refuse_inserts (TestServer *self, guint n);
/* From now on insertRows wait, until they are released. */
void test_server_hold_inserts (TestServer *self);
void test_server_release_inserts (TestServer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestServer, test_server_free)
