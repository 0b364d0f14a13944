/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * account.h: who pays for memory.
 *
 * Arenas and batches that a thread makes are counted in the account that it has entered, until
 * they are freed, by whichever thread. What is counted in an account is counted in its parent too.
 * Blocks are counted, not allocations.
 *
 * Threads: an account may be used by all.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KvsqlAccount KvsqlAccount;

/* @parent: (nullable): kept alive */
KvsqlAccount *kvsql_account_new (KvsqlAccount *parent);
KvsqlAccount *kvsql_account_ref (KvsqlAccount *self);    /* accepts NULL */
void kvsql_account_unref (KvsqlAccount *self);           /* accepts NULL */
gsize kvsql_account_get_used (const KvsqlAccount *self); /* bytes */

/* Of this thread from now on; NULL: none. Returns: (transfer none) (nullable): the one before. The
 * caller keeps it alive until it leaves it. */
KvsqlAccount *kvsql_account_enter (KvsqlAccount *self);
KvsqlAccount *kvsql_account_get_current (void);

/* For what holds memory; @self may be NULL. */
void kvsql_account_add (KvsqlAccount *self, gssize bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlAccount, kvsql_account_unref)

G_END_DECLS
