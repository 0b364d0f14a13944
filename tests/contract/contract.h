/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * contract.h: the contract of core/store/store.h as a suite of tests that every store must pass.
 *
 * A test program opens its store, adds the suite under a prefix and runs it. Each test makes a
 * table of its own, with families f, fa and g, and drops it.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

/* How the tests open the store; @store is opened by the first test. */
typedef struct
{
  KvsqlStore *(*open) (const gchar *url, GError **error);
  const gchar *url;
  guint flags; /* the exact KvsqlStoreFlags that it must have: they select the tests */
  KvsqlStore *store;
} KvsqlContractFixture;

/* @fixture must live until the tests have run. */
void kvsql_contract_add_tests (const gchar *prefix, KvsqlContractFixture *fixture);
/* Adds the suite, runs it and closes the store: the main() of most test programs. */
gint kvsql_contract_run (const gchar *prefix, KvsqlContractFixture *fixture);

G_END_DECLS
