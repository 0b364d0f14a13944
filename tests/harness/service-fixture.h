/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-fixture.h: a service on a store of its own and a new local registry; statements as
 * one-liners.
 */
#pragma once

#include "daemon/service/service.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqldService *service;
  gchar *directory;
  gchar *registry_url;
  gchar *store_url;
  KvsqldServiceLimits limits; /* of a service that is started: zeros for the defaults */
  gboolean is_shared;         /* the store is a server's, so the tables are dropped at the end */
  gboolean is_by_row;         /* the store says that only its rows are atomic, as HBase */
} ServiceFixture;

/* The HBase of the live tests, in a namespace that no other caller gets; NULL: there is none.
 * (transfer full) */
gchar *service_fixture_hbase_url (void);

/* @store_url: NULL is "memory:"; "rows" is the same without atomic batches, so that writes are made
 * as on HBase; "rocksdb" is a new directory; "hbase" is a namespace of its own in
 * the HBase of the live tests, which must run. */
void service_fixture_open (ServiceFixture *self, const gchar *store_url);
/* Another daemon, on the store and the registry of @first, which has to be closed later. */
void service_fixture_open_another (ServiceFixture *self, const ServiceFixture *first);
/* Starts a service on the fixture's store and registry, after the last one was freed. */
void service_fixture_start (ServiceFixture *self);
/* Closes and opens again with the same registry (and store, if it is persistent). */
void service_fixture_reopen (ServiceFixture *self);
void service_fixture_close (ServiceFixture *self);

/* For g_test_add(): opens @store_url, and closes. */
void service_fixture_set_up (ServiceFixture *self, gconstpointer store_url);
void service_fixture_tear_down (ServiceFixture *self, gconstpointer data);

typedef struct
{
  const gchar *name;
  void (*run) (ServiceFixture *self, gconstpointer data);
} ServiceFixtureTest;

/* Adds the tests PREFIX/STORE/NAME. @store: as for service_fixture_open(); "hbase" adds none if
 * there is no HBase. */
void service_fixture_add_tests (const gchar *prefix, const gchar *store,
                                const ServiceFixtureTest *tests, guint n_tests);

/* Runs a statement that must succeed; rows as text: values joined by '|', rows by '\n'; follows
 * cursors. (transfer full) */
gchar *service_fixture_run (ServiceFixture *self, const gchar *sql);
/* The same in pages of @max_rows. @is_cold: another daemon continues, so the store is persistent.
 */
gchar *service_fixture_run_pages (ServiceFixture *self, const gchar *sql, guint max_rows,
                                  gboolean is_cold, guint *out_n_pages);
/* Runs several statements, separated by ';', that must succeed. */
void service_fixture_script (ServiceFixture *self, const gchar *sql);
/* A relation r (k, v) with k from 0 up to @n_rows, a power of two, and one @value. */
void service_fixture_fill (ServiceFixture *self, guint n_rows, const gchar *value);
/* Runs a statement that must fail. (transfer full) */
GError *service_fixture_fail (ServiceFixture *self, const gchar *sql);
/* Appends the rows of a page in the same form. */
void service_fixture_append_page (const KvsqlResultPage *page, GString *out);

/* Runs a statement that must fail with this code. */
void service_fixture_assert_fails (ServiceFixture *self, const gchar *sql, gint code,
                                   const gchar *message);

#define service_fixture_assert(self, sql, expected)                                                \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree gchar *_got = service_fixture_run ((self), (sql));                                  \
    g_assert_cmpstr (_got, ==, (expected));                                                        \
  }                                                                                                \
  G_STMT_END

G_END_DECLS
