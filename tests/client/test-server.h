/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-server.h: a server of the service Sql inside a test, for behaviour that a kvsqld never
 * shows.
 *
 * It uses the code that thrift generates, so that the two ends of the wire are independent
 * implementations. Its statements are:
 *
 *   ROWS n       n rows of (n BIGINT, name STRING with NULLs, even BOOLEAN), in pages
 *   PREPARED     a row; its column is called "prepared" and the number of prepares so far
 *   TYPES        a row with a value of each type, and a row of NULLs
 *   ECHO         the parameters as text
 *   WRITE        affected 3, two warnings
 *   FAIL         an error with all fields
 *   DROP         closes the connection instead of answering
 *   HANG         answers when the server stops
 *   CODE n       fails with that error code
 *   BAD what     an inconsistent page: length, bitmap, kind, utf8, columns, empty
 */
#pragma once

#include <gio/gio.h>

typedef struct _TestServer TestServer;

TestServer *test_server_new (void);
/* Closes all connections and waits for its threads. */
void test_server_free (TestServer *self);

guint16 test_server_get_port (TestServer *self);
/* "kvsql://127.0.0.1:port" and @options; free it. */
gchar *test_server_uri (TestServer *self, const gchar *options);

/* Closes every connection, like a restart. */
void test_server_drop_connections (TestServer *self);

/* The number of calls of a method, or of "connect". */
guint test_server_count (TestServer *self, const gchar *what);
/* The rows of the last insertRows: "1,a|2,NULL". */
gchar *test_server_inserted (TestServer *self);
/* The largest number of rows of an insertRows. */
guint test_server_largest_insert (TestServer *self);
/* The next @n insertRows fail with a LIMIT error, and write nothing. */
void test_server_refuse_inserts (TestServer *self, guint n);
/* From now on insertRows wait until they are released. */
void test_server_hold_inserts (TestServer *self);
void test_server_release_inserts (TestServer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestServer, test_server_free)
