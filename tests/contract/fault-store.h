/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fault-store.h: a store that fails on demand and forwards all other calls to an inner store.
 *
 * A test that runs its code with n = 1, 2, 3 … until there is no failure any more has seen each
 * call of the code fail once. Calls of all threads are counted together.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_FAULT_BEFORE, /* the call has no effect and fails */
  KVSQL_FAULT_AFTER,  /* the call takes effect and then fails: a lost answer */
} KvsqlFaultWhen;

/* @inner is closed with the store. No call fails before kvsql_fault_store_arm(). */
KvsqlStore *kvsql_fault_store_new (KvsqlStore *inner);

/* Only the @n-th call from now (1: the next) fails, with @code; 0: none. The count starts again. */
void kvsql_fault_store_arm (KvsqlStore *self, guint n, KvsqlFaultWhen when, KvsqlErrorCode code);

/* Calls since the store was armed. The fault has happened if that is at least n. */
guint kvsql_fault_store_get_calls (KvsqlStore *self);

G_END_DECLS
