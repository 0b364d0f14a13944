/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * account.h: memory accounting.
 *
 * A thread enters an account. The account counts the memory of the arenas and batches that the
 * thread creates, until any thread frees them. The parent of an account counts it, too. The unit is
 * the block, not the allocation.
 *
 * Threads: any thread may use an account.
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

/* The bytes of all blocks of this size or larger that were ever freed. */
#define KVSQL_ACCOUNT_LARGE_BLOCK (64 * 1024)
guint64 kvsql_account_get_freed (const KvsqlAccount *self);

/* From now on @parent counts @self, too, with what it has. Its own parent is that of @self. Only
 * one thread may use @self until then. */
void kvsql_account_join (KvsqlAccount *self, KvsqlAccount *parent);

/* Makes @self the account of this thread; NULL: none. Returns: (transfer none) (nullable): the
 * previous one. The caller keeps @self alive while it is entered. */
KvsqlAccount *kvsql_account_enter (KvsqlAccount *self);
KvsqlAccount *kvsql_account_get_current (void);

/* For owners of memory. @self: nullable. */
void kvsql_account_add (KvsqlAccount *self, gssize bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlAccount, kvsql_account_unref)

G_END_DECLS
