/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * client-fixture.h: a connection of libkvsql to a test server, for the tests of the library.
 */
#pragma once

#include "client/kvsql.h"
#include "tests/client/test-server.h"

typedef struct
{
  TestServer *server;
  KvsqlConnection *connection;
} ClientFixture;

/* @options: of the URI, from "?" on, or "". */
KvsqlConnection *client_fixture_connect (TestServer *server, const gchar *options);
/* @data: options, or NULL. */
void client_fixture_set_up (ClientFixture *fixture, gconstpointer data);
void client_fixture_tear_down (ClientFixture *fixture, gconstpointer data);

/* A GAsyncReadyCallback; @data: address of the result. */
void client_fixture_keep_result (GObject *source, GAsyncResult *result, gpointer data);
/* Runs the main loop until the result is set. */
void client_fixture_run_until (GAsyncResult **result);

/* The result of a statement that succeeds. (transfer full) */
KvsqlResult *client_fixture_query (ClientFixture *fixture, const gchar *sql, KvsqlParams *params);
/* Asserts that a statement fails with @code. */
void client_fixture_fail (ClientFixture *fixture, const gchar *sql, KvsqlClientError code);
