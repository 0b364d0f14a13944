/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * held-keys.h: which keys are locked now.
 *
 * A set of numbers, each a key's hash, under one mutex. Who wants several takes them in ascending
 * order and keeps what he has while he waits: nobody waits for each other in a circle, and who
 * wants many is not passed by for ever by those who want one.
 *
 * Threads: all functions but init and clear may be called by all threads.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  GMutex mutex;
  GCond given_back;
  guint64 *slots; /* open addressing, linear probing; 0: free */
  guint n_slots;  /* a power of two */
  guint n_held;
  guint n_waiting; /* threads */
} KvsqlHeldKeys;

void kvsql_held_keys_init (KvsqlHeldKeys *self);
void kvsql_held_keys_clear (KvsqlHeldKeys *self);

/* @keys: ascending, distinct, none of them 0. Waits until all are the caller's. */
void kvsql_held_keys_take (KvsqlHeldKeys *self, const guint64 *keys, guint n);
void kvsql_held_keys_give_back (KvsqlHeldKeys *self, const guint64 *keys, guint n);

G_END_DECLS
