/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fault-store.h: a store that fails on demand, around one that works.
 *
 * A test that calls for n = 1, 2, 3 … until nothing fails any more has seen each
 * call of the code under test fail once. Calls are counted over all threads.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_FAULT_BEFORE, /* the call does nothing and fails */
  KVSQL_FAULT_AFTER,  /* the call takes effect, and then fails: an answer that got lost */
} KvsqlFaultWhen;

/* @inner is closed with the store. Nothing fails until kvsql_fault_store_arm(). */
KvsqlStore *kvsql_fault_store_new (KvsqlStore *inner);

/* The @n-th call from now (1: the next) fails with @code, and only that; 0: none. The count starts
 * anew. */
void kvsql_fault_store_arm (KvsqlStore *self, guint n, KvsqlFaultWhen when, KvsqlErrorCode code);

/* Calls since the store was armed; the fault has happened if that is at least n. */
guint kvsql_fault_store_get_calls (KvsqlStore *self);

G_END_DECLS
