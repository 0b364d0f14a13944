/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key-locks.c: lists of keys to lock, locking, and the ages of stripes.
 */
#include "config.h"

#include "core/write/storage-private.h"

#include "core/base/hash.h"
#include "core/scan/tuple-key.h"

#define FEW_TO_SORT 32

/* ---- lists of keys */

static inline guint64 *
hashes_of (const KvsqlKeyLocks *self)
{
  return self->many != NULL ? self->many : (guint64 *)self->few;
}

void
kvsql_key_locks_clear (KvsqlKeyLocks *self)
{
  g_free (self->many);
  *self = (KvsqlKeyLocks){ 0 };
}

void
kvsql_key_locks_reserve (KvsqlKeyLocks *self, guint n)
{
  guint needed = self->n + n;

  if (needed <= KVSQL_FEW_KEYS || needed <= self->capacity)
    return;
  self->capacity = MAX (needed, 2 * self->capacity);
  if (self->many != NULL)
    self->many = g_renew (guint64, self->many, self->capacity);
  else
    {
      self->many = g_new (guint64, self->capacity);
      memcpy (self->many, self->few, self->n * sizeof *self->few);
    }
}

void
kvsql_key_locks_add_hash (KvsqlKeyLocks *self, guint64 hash)
{
  kvsql_key_locks_reserve (self, 1);
  hashes_of (self)[self->n++] = hash != 0 ? hash : 1; /* lock-table.h uses 0 for a free slot */
}

void
kvsql_key_locks_add (KvsqlKeyLocks *self, KvsqlSlice key)
{
  kvsql_key_locks_add_hash (self, kvsql_slice_hash (key));
}

void
kvsql_key_locks_add_tuples (KvsqlKeyLocks *self, const KvsqlRelation *relation,
                            const KvsqlValue *const *tuples, guint n_tuples)
{
  KvsqlBuffer key = { 0 };

  kvsql_key_locks_reserve (self, n_tuples);
  for (guint i = 0; i < n_tuples; i++)
    {
      key.size = 0;
      kvsql_tuple_append_key (relation, tuples[i], &key);
      kvsql_key_locks_add (self, kvsql_buffer_slice (&key));
    }
  kvsql_buffer_clear (&key);
}

void
kvsql_tuple_locks (const KvsqlRelation *relation, const KvsqlValue *const *tuples, guint n_tuples,
                   KvsqlKeyLocks *out_locks)
{
  *out_locks = (KvsqlKeyLocks){ 0 };
  kvsql_key_locks_add_tuples (out_locks, relation, tuples, n_tuples);
}

gboolean
kvsql_key_locks_contain (const KvsqlKeyLocks *self, const KvsqlKeyLocks *other)
{
  for (guint i = 0, j; i < other->n; i++)
    {
      for (j = 0; j < self->n && hashes_of (self)[j] != hashes_of (other)[i]; j++)
        ;
      if (j == self->n)
        return FALSE;
    }
  return TRUE;
}

/* ---- order */

/* Distributes hashes by their first byte. Hashes are uniform, so little sorting is left. (For 1,000
 * hashes qsort() takes six times as long as this and the rest, a tenth of the cost of a load.) */
static void
distribute (KvsqlKeyLocks *self)
{
  guint64 *sorted = g_new (guint64, self->n);
  guint ends[257] = { 0 };

  for (guint i = 0; i < self->n; i++)
    ends[(self->many[i] >> 56) + 1]++;
  for (guint i = 1; i < 256; i++)
    ends[i] += ends[i - 1];
  for (guint i = 0; i < self->n; i++)
    sorted[ends[self->many[i] >> 56]++] = self->many[i];
  g_free (self->many);
  self->many = sorted;
  self->capacity = self->n;
}

/* Makes the hashes ascending and distinct. */
static void
sort (KvsqlKeyLocks *self)
{
  guint64 *hashes;
  guint n = 0;

  if (self->n > FEW_TO_SORT)
    distribute (self);
  hashes = hashes_of (self);
  for (guint i = 1; i < self->n; i++)
    {
      guint64 hash = hashes[i];
      guint at = i;

      for (; at > 0 && hashes[at - 1] > hash; at--)
        hashes[at] = hashes[at - 1];
      hashes[at] = hash;
    }
  for (guint i = 0; i < self->n; i++)
    if (n == 0 || hashes[n - 1] != hashes[i])
      hashes[n++] = hashes[i];
  self->n = n;
}

/* ---- locks */

gboolean
kvsql_storage_lock (KvsqlStorage *self, KvsqlKeyLocks *locks, const KvsqlCall *call, GError **error)
{
  sort (locks);
  if (kvsql_lock_table_acquire (&self->locks, hashes_of (locks), locks->n, call, error))
    return TRUE;
  kvsql_key_locks_clear (locks);
  return FALSE;
}

gboolean
kvsql_storage_try_lock (KvsqlStorage *self, KvsqlKeyLocks *locks)
{
  g_return_val_if_fail (locks->n == 1, FALSE);
  return kvsql_lock_table_try (&self->locks, hashes_of (locks)[0]);
}

gboolean
kvsql_lock_tuples (KvsqlStorage *self, const KvsqlRelation *relation,
                   const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                   KvsqlKeyLocks *out_locks, GError **error)
{
  kvsql_tuple_locks (relation, tuples, n_tuples, out_locks);
  return kvsql_storage_lock (self, out_locks, call, error);
}

void
kvsql_storage_unlock_unchanged (KvsqlStorage *self, KvsqlKeyLocks *locks)
{
  kvsql_lock_table_release (&self->locks, hashes_of (locks), locks->n);
  kvsql_key_locks_clear (locks);
}

void
kvsql_storage_unlock (KvsqlStorage *self, KvsqlKeyLocks *locks)
{
  guint64 touched[KVSQL_N_STRIPES / 64] = { 0 };

  for (guint i = 0; i < locks->n; i++)
    {
      guint stripe = kvsql_stripe_of (hashes_of (locks)[i]);
      guint64 bit = G_GUINT64_CONSTANT (1) << (stripe % 64);

      if ((touched[stripe / 64] & bit) != 0)
        continue;
      touched[stripe / 64] |= bit;
      __atomic_fetch_add (&self->stripes[stripe].age, 1, __ATOMIC_RELEASE);
    }
  kvsql_storage_unlock_unchanged (self, locks);
}

/* ---- writes since */

void
kvsql_storage_get_ages (KvsqlStorage *self, KvsqlKeyAges *out)
{
  G_STATIC_ASSERT (G_N_ELEMENTS (out->ages) == KVSQL_N_STRIPES);
  for (guint i = 0; i < KVSQL_N_STRIPES; i++)
    out->ages[i] = __atomic_load_n (&self->stripes[i].age, __ATOMIC_ACQUIRE);
}

gboolean
kvsql_storage_is_untouched (KvsqlStorage *self, const KvsqlKeyAges *ages, KvsqlSlice key)
{
  guint stripe = kvsql_stripe_of (kvsql_slice_hash (key));

  return __atomic_load_n (&self->stripes[stripe].age, __ATOMIC_ACQUIRE) == ages->ages[stripe];
}

/* ---- timestamps */

gint64
kvsql_storage_advance_newest (KvsqlStorage *self, const KvsqlKeyLocks *locks, gint64 clock,
                              gint64 newest, gboolean above, GError **error)
{
  const guint64 *hashes = hashes_of (locks);
  gint64 result;

  g_mutex_lock (&self->newest_mutex);
  for (guint i = 0; i < locks->n; i++)
    newest = MAX (newest, self->stripes[kvsql_stripe_of (hashes[i])].newest);
  result = MAX (clock, newest + (above ? 1 : 0));
  /* under the mutex: two writes of a key must not get the same timestamp */
  if (self->stamp != NULL)
    result = self->stamp (result, self->time_data, error);
  for (guint i = 0; i < locks->n && result != 0; i++)
    self->stripes[kvsql_stripe_of (hashes[i])].newest = result;
  g_mutex_unlock (&self->newest_mutex);
  return result;
}
