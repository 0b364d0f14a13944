/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * role-usage.c: see role-usage.h.
 *
 * An entry of a role without sessions stays as long as its account has memory, such as that of a
 * cached plan. It is removed when a session of another new role joins.
 */
#include "config.h"

#include "daemon/session/role-usage.h"

struct _KvsqldRoleUsages
{
  KvsqlAccount *account;
  GMutex mutex;
  GHashTable *roles; /* name -> KvsqldRoleUsage */
};

static void
usage_free (gpointer data)
{
  KvsqldRoleUsage *self = data;

  kvsql_account_unref (self->account);
  g_free (self->name);
  g_free (self);
}

KvsqldRoleUsages *
kvsqld_role_usages_new (KvsqlAccount *account)
{
  KvsqldRoleUsages *self = g_new0 (KvsqldRoleUsages, 1);

  g_mutex_init (&self->mutex);
  self->account = kvsql_account_ref (account);
  self->roles = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, usage_free);
  return self;
}

void
kvsqld_role_usages_free (KvsqldRoleUsages *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->roles);
  kvsql_account_unref (self->account);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static gboolean
is_unused (gpointer name G_GNUC_UNUSED, gpointer value, gpointer data G_GNUC_UNUSED)
{
  const KvsqldRoleUsage *usage = value;

  return usage->n_sessions == 0 && kvsql_account_get_used (usage->account) == 0;
}

/* The caller holds the lock. */
static KvsqldRoleUsage *
add (KvsqldRoleUsages *self, const gchar *role)
{
  KvsqldRoleUsage *usage = g_new0 (KvsqldRoleUsage, 1);

  g_hash_table_foreach_remove (self->roles, is_unused, NULL);
  usage->name = g_strdup (role);
  usage->all = self;
  usage->account = kvsql_account_new (self->account);
  g_hash_table_insert (self->roles, usage->name, usage);
  return usage;
}

KvsqldRoleUsage *
kvsqld_role_usages_join (KvsqldRoleUsages *self, const gchar *role, gint64 max_sessions)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  KvsqldRoleUsage *usage = g_hash_table_lookup (self->roles, role);

  if (max_sessions >= 0 && (usage != NULL ? usage->n_sessions : 0) >= max_sessions)
    return NULL;
  if (usage == NULL)
    usage = add (self, role);
  usage->n_sessions++;
  return usage;
}

void
kvsqld_role_usage_leave (KvsqldRoleUsage *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->all->mutex);
  g_assert (self->n_sessions > 0);
  self->n_sessions--;
  g_mutex_unlock (&self->all->mutex);
}
