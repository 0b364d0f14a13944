/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * holders.c: see the header.
 */
#include "config.h"

#include "daemon/cluster/holders.h"

#include "daemon/cluster/slot-table.h"

static const KvsqldPeer *
find_daemon (const GPtrArray *daemons, const gchar *peer)
{
  for (guint i = 0; i < daemons->len; i++)
    if (g_strcmp0 (((const KvsqldPeer *)daemons->pdata[i])->name, peer) == 0)
      return daemons->pdata[i];
  return NULL;
}

gboolean
kvsqld_daemons_have (const GPtrArray *daemons, const gchar *peer)
{
  return find_daemon (daemons, peer) != NULL;
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const KvsqldHolder *first = a, *second = b;

  return first->daemon_id < second->daemon_id ? -1 : first->daemon_id > second->daemon_id;
}

GArray *
kvsqld_holders_read (KvsqldRegistry *registry, const KvsqlCall *call, GError **error)
{
  /* before the table: a daemon has its session before it has its slot */
  g_autoptr (GPtrArray) daemons = registry->klass->list_daemons (registry, call, error);
  g_autoptr (KvsqldSlotTable) table = NULL;
  g_autofree gchar *text = NULL;
  gint64 version;
  GArray *holders;

  if (daemons == NULL || !registry->klass->read_slots (registry, &text, &version, call, error))
    return NULL;
  table = kvsqld_slot_table_parse (text, error);
  if (table == NULL)
    return NULL;
  holders = g_array_new (FALSE, FALSE, sizeof (KvsqldHolder));
  for (guint i = 0; i < table->holders->len; i++)
    {
      const KvsqldSlotHolder *holder = table->holders->pdata[i];
      const KvsqldPeer *daemon = find_daemon (daemons, holder->peer);
      const KvsqldHolder value = { .daemon_id = kvsqld_slot_holder_id_to_daemon_id (holder->id),
                                   .has_session = daemon != NULL,
                                   .epoch = daemon != NULL ? daemon->epoch : -1 };

      g_array_append_val (holders, value);
    }
  g_array_sort (holders, compare);
  return holders;
}

static gboolean
check_epoch (const KvsqldHolder *self, gint64 epoch, GError **error)
{
  if (!self->has_session)
    return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                            "a daemon that cannot reach the registry may still write")
           || kvsql_error_hint (error, "Repeat the statement when it is back, or when its lease "
                                       "has ended (timestamp_lease_s).");
  return self->epoch >= epoch
         || kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                             "a daemon that has been without the registry does not know the "
                             "definitions yet");
}

gboolean
kvsqld_holders_check_epoch (KvsqldRegistry *registry, gint64 epoch, const KvsqlCall *call,
                            GError **error)
{
  g_autoptr (GArray) holders = kvsqld_holders_read (registry, call, error);

  for (guint i = 0; holders != NULL && i < holders->len; i++)
    if (!check_epoch (&g_array_index (holders, KvsqldHolder, i), epoch, error))
      return FALSE;
  return holders != NULL;
}

const KvsqldHolder *
kvsqld_holders_find (const GArray *self, guint64 daemon_id)
{
  for (guint i = 0; i < self->len; i++)
    if (g_array_index (self, KvsqldHolder, i).daemon_id == daemon_id)
      return &g_array_index (self, KvsqldHolder, i);
  return NULL;
}
