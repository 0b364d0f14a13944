/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * handler-fixture.h: calls in bytes, answered by a mock of the service.
 *
 * The service is a mock, because the translation is tested: the statement determines its answer.
 */
#pragma once

#include "daemon/rpc/processor.h"
#include "tests/wire/wire-fixture.h"

#include "kvsql_rpc_sql.h"

#define HANDLER_FIXTURE_ROWS 601 /* more than one chunk of the writer */

typedef struct
{
  ThriftDispatchProcessor *processor;
  const KvsqlWireFormat *format;
} HandlerFixture;

/* @data: the KvsqlWireFormat */
void handler_fixture_set_up (HandlerFixture *self, gconstpointer data);
void handler_fixture_tear_down (HandlerFixture *self, gconstpointer data);

/* The number of columns of the mock's pages, and the type of each: first one of the type of a bare
 * NULL, then two of each type. */
guint handler_fixture_get_n_columns (void);
KvsqlType handler_fixture_get_type (guint column);
/* Whether a row of the mock's pages has NULL in each column that can have NULL. */
gboolean handler_fixture_is_null (guint row);
/* The arguments of the last call, as the service got them; NULL: it was not called. */
const gchar *handler_fixture_get_said (void);
void handler_fixture_forget_said (void);

/* The reply to a request, in bytes. (transfer full) */
guint8 *handler_fixture_dispatch (HandlerFixture *self, const gchar *method, const guint8 *request,
                                  gsize request_size, gsize *out_size);
/* @arguments: (transfer full). Returns a struct of type @result. (transfer full) */
gpointer handler_fixture_call (HandlerFixture *self, const gchar *method, gpointer arguments,
                               GType result);
KvsqlRpcSqlQueryResult *handler_fixture_query (HandlerFixture *self, const gchar *sql);
