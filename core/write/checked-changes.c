/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-changes.c: see the header.
 */
#include "config.h"

#include "core/write/checked-changes.h"

#include "core/write/checked-end.h"
#include "core/write/checked-move.h"
#include "core/write/checked-write.h"

static gboolean
move_all (const KvsqlCheckedWriter *self, KvsqlChange *changes, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (changes[i].target != NULL
        && !kvsql_checked_move (self, changes[i].before, changes[i].target, changes[i].new,
                                &changes[i].is_applied, error))
      return FALSE;
  return TRUE;
}

/* Those that keep their keys. */
static gboolean
write_all (const KvsqlCheckedWriter *self, KvsqlChange *changes, guint n, GError **error)
{
  g_autofree KvsqlCheckedChange *checked = g_new (KvsqlCheckedChange, n);
  guint n_checked = 0;
  gboolean ok;

  for (guint i = 0; i < n; i++)
    if (changes[i].target == NULL)
      checked[n_checked++]
          = (KvsqlCheckedChange){ .before = changes[i].before, .new = changes[i].new };
  ok = n_checked == 0 || kvsql_checked_apply (self, checked, n_checked, error);
  n_checked = 0;
  for (guint i = 0; i < n; i++)
    if (changes[i].target == NULL)
      changes[i].is_applied = checked[n_checked++].is_applied;
  return ok;
}

/* The keys of the changes, old and new. */
static KvsqlSlice *
list_keys (const KvsqlChange *changes, guint n, guint *out_n)
{
  KvsqlSlice *keys = g_new (KvsqlSlice, 2 * n);

  *out_n = 0;
  for (guint i = 0; i < n; i++)
    {
      keys[(*out_n)++] = changes[i].before->key;
      if (changes[i].target != NULL)
        keys[(*out_n)++] = changes[i].target->key;
    }
  return keys;
}

gboolean
kvsql_checked_changes_apply (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                             KvsqlChange *changes, guint n, const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqlCheckedClears) clears = kvsql_checked_clears_new ();
  const KvsqlCheckedWriter self = kvsql_checked_writer (storage, entry, call, clears);
  g_autofree KvsqlSlice *keys = NULL;
  GError *failure = NULL;
  KvsqlLogEntry logged;
  guint n_keys;

  for (guint i = 0; i < n; i++)
    changes[i].is_applied = FALSE;
  keys = list_keys (changes, n, &n_keys);
  if (!kvsql_checked_log (&self, keys, n_keys, &logged, error))
    return FALSE;
  if (write_all (&self, changes, n, &failure))
    move_all (&self, changes, n, &failure);
  return kvsql_checked_end (storage, g_steal_pointer (&clears), &logged, failure, error);
}
