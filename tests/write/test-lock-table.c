/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-lock-table.c: locks are exclusive, and callers with other keys do not wait.
 */
#include "config.h"

#include "core/write/storage.h"
#include "core/write/lock-table.h"
#include "core/store/memory.h"

#include <stdlib.h>

#define N_THREADS 6
#define N_KEYS 40
#define N_ROUNDS 3000

/* ---- the set */

/* Compares with a GLib hash table; most keys share a few home slots. */
static void
test_model (void)
{
  g_autoptr (GHashTable) model = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  KvsqlLockTable table;

  kvsql_lock_table_init (&table);
  for (guint i = 0; i < 200000; i++)
    {
      guint64 key = ((guint64)g_test_rand_int_range (0, 40) << 32)
                    | (guint64)g_test_rand_int_range (1, i % 4000 < 2000 ? 200 : 20);
      gpointer bytes = g_memdup2 (&key, sizeof key);

      if (g_hash_table_remove (model, &key))
        {
          kvsql_lock_table_release (&table, &key, 1);
          g_free (bytes);
        }
      else
        {
          g_assert_true (kvsql_lock_table_acquire (&table, &key, 1, NULL, NULL));
          g_hash_table_add (model, bytes);
        }
      g_assert_cmpuint (table.n_held, ==, g_hash_table_size (model));
    }
  for (guint i = 0; i < table.n_slots; i++)
    g_assert_true (table.slots[i] == 0 || g_hash_table_contains (model, &table.slots[i]));
  kvsql_lock_table_clear (&table);
}

typedef struct
{
  KvsqlLockTable table;
  guint owners[N_KEYS + 1]; /* by key; changed only by the owner of its lock */
} Shared;

typedef struct
{
  Shared *shared;
  guint32 seed;
  guint most; /* the most keys at a time */
} Worker;

static guint
choose_keys (GRand *random, guint most, guint64 *out)
{
  guint wanted = (guint)g_rand_int_range (random, 1, (gint)most + 1), n = 0;

  for (guint64 key = 1; key <= N_KEYS && n < wanted; key++)
    if (g_rand_int_range (random, 0, N_KEYS) < (gint)wanted)
      out[n++] = key;
  return n;
}

static gpointer
work (gpointer data)
{
  Worker *self = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (self->seed);

  for (guint round = 0; round < N_ROUNDS; round++)
    {
      guint64 keys[N_KEYS];
      guint n = choose_keys (random, self->most, keys);

      g_assert_true (kvsql_lock_table_acquire (&self->shared->table, keys, n, NULL, NULL));
      for (guint i = 0; i < n; i++)
        g_assert_cmpuint (self->shared->owners[keys[i]]++, ==, 0);
      if (round % 64 == 0)
        g_usleep (100);
      for (guint i = 0; i < n; i++)
        self->shared->owners[keys[i]]--;
      kvsql_lock_table_release (&self->shared->table, keys, n);
    }
  return NULL;
}

/* Some threads need one key, others nearly all: all of them end. */
static void
test_threads (void)
{
  Shared shared = { 0 };
  Worker workers[N_THREADS];
  GThread *threads[N_THREADS];

  kvsql_lock_table_init (&shared.table);
  for (guint i = 0; i < N_THREADS; i++)
    {
      workers[i] = (Worker){ &shared, (guint32)g_test_rand_int (), i % 3 == 0 ? N_KEYS : 2 };
      threads[i] = g_thread_new ("worker", work, &workers[i]);
    }
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (shared.table.n_held, ==, 0);
  g_assert_cmpuint (shared.table.waiting.length, ==, 0);
  kvsql_lock_table_clear (&shared.table);
}

/* ---- turns */

#define N_TURNS 8

typedef struct
{
  KvsqlLockTable table;
  guint order[N_TURNS]; /* the threads, as they got the key */
  guint n;
} Turns;

typedef struct
{
  Turns *turns;
  guint number;
} Caller;

static gpointer
take_turn (gpointer data)
{
  const Caller *self = data;
  const guint64 key = 7;

  g_assert_true (kvsql_lock_table_acquire (&self->turns->table, &key, 1, NULL, NULL));
  self->turns->order[self->turns->n++] = self->number;
  kvsql_lock_table_release (&self->turns->table, &key, 1);
  return NULL;
}

static guint
count_waiting (KvsqlLockTable *table)
{
  guint n;

  g_mutex_lock (&table->mutex);
  n = table->waiting.length;
  g_mutex_unlock (&table->mutex);
  return n;
}

/* Callers get a key in the order in which they came. */
static void
test_turns (void)
{
  Turns turns = { 0 };
  Caller callers[N_TURNS];
  GThread *threads[N_TURNS];
  const guint64 key = 7;

  kvsql_lock_table_init (&turns.table);
  g_assert_true (kvsql_lock_table_acquire (&turns.table, &key, 1, NULL, NULL));
  for (guint i = 0; i < N_TURNS; i++)
    {
      callers[i] = (Caller){ &turns, i };
      threads[i] = g_thread_new ("caller", take_turn, &callers[i]);
      while (count_waiting (&turns.table) <= i)
        g_usleep (100);
    }
  kvsql_lock_table_release (&turns.table, &key, 1);
  for (guint i = 0; i < N_TURNS; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < N_TURNS; i++)
    g_assert_cmpuint (turns.order[i], ==, i);
  kvsql_lock_table_clear (&turns.table);
}

/* A statement that has to end does not wait any more, and holds nothing. */
static void
test_deadline (void)
{
  KvsqlLockTable table;
  const guint64 held = 7, keys[] = { 5, 7, 9 };
  const KvsqlCall late = { .deadline_us = g_get_monotonic_time () + 80 * 1000 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const KvsqlCall killed = { .cancellable = cancellable };
  const KvsqlCall *calls[] = { &late, &killed };

  g_cancellable_cancel (cancellable);
  kvsql_lock_table_init (&table);
  g_assert_true (kvsql_lock_table_acquire (&table, &held, 1, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (kvsql_lock_table_acquire (&table, keys, 3, calls[i], &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
      g_assert_cmpstr (kvsql_error_get_detail (error), ==,
                       "It waited for a key that another statement was writing.");
      g_assert_cmpuint (table.n_held, ==, 1);
      g_assert_cmpuint (table.waiting.length, ==, 0);
    }
  kvsql_lock_table_release (&table, &held, 1);
  g_assert_true (kvsql_lock_table_acquire (&table, keys, 3, &killed, NULL));
  kvsql_lock_table_release (&table, keys, 3);
  kvsql_lock_table_clear (&table);
}

/* ---- locks of an engine */

static void
add_keys (KvsqlKeyLocks *locks, guint first, guint n)
{
  for (guint i = first; i < first + n; i++)
    {
      guint8 key[4];

      kvsql_put_be32 (key, i);
      kvsql_key_locks_add (locks, kvsql_slice (key, sizeof key));
    }
}

/* Chunks of a bulk load run in parallel with each other and with writers of single tuples. */
static void
test_apart (void)
{
  KvsqlStore *store = kvsql_memory_store_new ();
  KvsqlStorage *storage = kvsql_storage_new (store);
  KvsqlKeyLocks chunks[4] = { 0 }, one = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      add_keys (&chunks[i], i * 1000, 1000);
      add_keys (&chunks[i], i * 1000 + 300, 300); /* keys that were added before */
      g_assert_true (kvsql_storage_lock (storage, &chunks[i], NULL, NULL));
      g_assert_cmpuint (chunks[i].n, ==, 1000);
    }
  for (guint i = 0; i < 100; i++)
    {
      add_keys (&one, 10000 + i, 1);
      g_assert_true (kvsql_storage_lock (storage, &one, NULL, NULL));
      kvsql_storage_unlock (storage, &one);
      g_assert_cmpuint (one.n, ==, 0);
    }
  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    kvsql_storage_unlock (storage, &chunks[i]);
  kvsql_storage_free (storage);
  kvsql_store_close (store);
}

static void
test_contain (void)
{
  g_auto (KvsqlKeyLocks) all = { 0 }, some = { 0 }, other = { 0 };

  add_keys (&all, 0, 100);
  add_keys (&some, 20, 2);
  g_assert_null (some.many);
  g_assert_true (kvsql_key_locks_contain (&all, &some));
  g_assert_false (kvsql_key_locks_contain (&some, &all));
  add_keys (&other, 99, 2);
  g_assert_false (kvsql_key_locks_contain (&all, &other));
}

/* Timestamps of a key never decrease, whatever is written in between. */
static void
test_newest (void)
{
  KvsqlStore *store = kvsql_memory_store_new ();
  KvsqlStorage *storage = kvsql_storage_new (store);
  gint64 last[50] = { 0 };

  for (guint i = 0; i < 5000; i++)
    {
      g_auto (KvsqlKeyLocks) locks = { 0 };
      guint first = (guint)g_test_rand_int_range (0, 50), n = MIN (1 + i % 20, 50 - first);
      gboolean deletes = g_test_rand_bit ();
      gint64 timestamp;

      add_keys (&locks, first, n);
      timestamp = kvsql_storage_next_timestamp (storage, &locks, deletes, NULL);
      for (guint key = first; key < first + n; key++)
        {
          g_assert_cmpint (timestamp, >=, last[key] + (deletes ? 1 : 0));
          last[key] = timestamp;
        }
    }
  kvsql_storage_free (storage);
  kvsql_store_close (store);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exec/lock-table/model", test_model);
  g_test_add_func ("/exec/lock-table/threads", test_threads);
  g_test_add_func ("/exec/lock-table/turns", test_turns);
  g_test_add_func ("/exec/lock-table/deadline", test_deadline);
  g_test_add_func ("/exec/lock-table/apart", test_apart);
  g_test_add_func ("/exec/lock-table/contain", test_contain);
  g_test_add_func ("/exec/lock-table/newest", test_newest);
  return g_test_run ();
}
