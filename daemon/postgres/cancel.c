/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cancel.c: see cancel.h.
 */
#include "config.h"

#include "daemon/postgres/cancel.h"

#include <errno.h>
#include <sys/random.h>

struct _KvsqldPgCancels
{
  GMutex lock;
  GHashTable *entries; /* process id -> KvsqldPgCancel */
  guint32 last_id;
};

KvsqldPgCancels *
kvsqld_pg_cancels_new (void)
{
  KvsqldPgCancels *self = g_new0 (KvsqldPgCancels, 1);

  g_mutex_init (&self->lock);
  self->entries = g_hash_table_new (NULL, NULL);
  return self;
}

void
kvsqld_pg_cancels_free (KvsqldPgCancels *self)
{
  if (self == NULL)
    return;
  g_assert (g_hash_table_size (self->entries) == 0);
  g_hash_table_unref (self->entries);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static guint32
random_key (void)
{
  guint32 key;

  while (getrandom (&key, sizeof key, 0) != (gssize)sizeof key)
    g_assert (errno == EINTR); /* so few bytes are always there */
  return key;
}

void
kvsqld_pg_cancels_add (KvsqldPgCancels *self, KvsqldPgCancel *entry, KvsqldSession *session)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  do
    self->last_id = self->last_id % G_MAXINT32 + 1; /* positive: clients read it as signed */
  while (g_hash_table_contains (self->entries, GUINT_TO_POINTER (self->last_id)));
  *entry
      = (KvsqldPgCancel){ .process_id = self->last_id, .key = random_key (), .session = session };
  g_hash_table_insert (self->entries, GUINT_TO_POINTER (entry->process_id), entry);
}

void
kvsqld_pg_cancels_remove (KvsqldPgCancels *self, KvsqldPgCancel *entry)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  g_hash_table_remove (self->entries, GUINT_TO_POINTER (entry->process_id));
}

void
kvsqld_pg_cancels_fire (KvsqldPgCancels *self, guint32 process_id, guint32 key)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  KvsqldPgCancel *entry = g_hash_table_lookup (self->entries, GUINT_TO_POINTER (process_id));

  if (entry == NULL || entry->key != key)
    return;
  g_atomic_int_set (&entry->is_cancelled, TRUE);
  if (entry->session != NULL)
    kvsqld_session_cancel (entry->session);
}
