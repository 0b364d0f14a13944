/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * contract.h: store.h as a program: one suite of tests that every store has to pass.
 *
 * A test program opens its store, adds the suite under a prefix and runs it. Each
 * test makes a table of its own, with families f, fa and g, and drops it.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

/* How the tests get at their store; @store is opened by the first test. */
typedef struct
{
  KvsqlStore *(*open) (const gchar *url, GError **error);
  const gchar *url;
  guint flags; /* KvsqlStoreFlags that it must have, exactly: they say which tests there are */
  KvsqlStore *store;
} KvsqlContractFixture;

/* @fixture lives until the tests have run. */
void kvsql_contract_add_tests (const gchar *prefix, KvsqlContractFixture *fixture);
/* Adds the suite, runs it and closes the store: the main() of most test programs. */
gint kvsql_contract_run (const gchar *prefix, KvsqlContractFixture *fixture);

G_END_DECLS
