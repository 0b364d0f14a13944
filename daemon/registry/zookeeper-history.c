/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zookeeper-history.c: the history of changes: a node /history/KIND.NAME.EPOCH for each record.
 *
 * All records have one parent, so one list of names shows which records exist and which are over
 * the limits.
 */
#include "config.h"

#include <string.h>

#include "daemon/registry/history.h"
#include "daemon/registry/registry-private.h"
#include "daemon/registry/zookeeper-private.h"

#define MAX_ATTEMPTS 30
/* Records read at once. */
#define BATCH 200

/* ---- names of nodes ---- */

static gchar *
path_of (const KvsqlDefinitionRecord *record)
{
  g_autofree gchar *name = _kvsqld_registry_escape (record->name);

  return g_strdup_printf ("/history/%s.%s.%" G_GINT64_FORMAT,
                          _kvsqld_entry_kind_name (record->kind), name, record->epoch);
}

/* Escaping leaves no dot in a name. */
static KvsqlDefinitionRecord *
parse_name (const gchar *node)
{
  g_autoptr (KvsqlDefinitionRecord) record = g_new0 (KvsqlDefinitionRecord, 1);
  g_auto (GStrv) words = g_strsplit (node, ".", 4);

  if (g_strv_length (words) != 3
      || !g_ascii_string_to_signed (words[2], 10, 0, G_MAXINT64, &record->epoch, NULL))
    return NULL;
  while (record->kind < KVSQL_N_DEFINITION_KINDS
         && strcmp (words[0], _kvsqld_entry_kind_name (record->kind)) != 0)
    record->kind++;
  record->name = _kvsqld_registry_unescape (words[1]);
  return record->kind < KVSQL_N_DEFINITION_KINDS && record->name != NULL ? g_steal_pointer (&record)
                                                                         : NULL;
}

GPtrArray *
_kvsqld_zk_history_keys (gchar **names)
{
  GPtrArray *records = g_ptr_array_new_with_free_func (kvsql_definition_record_free);

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      KvsqlDefinitionRecord *record = parse_name (names[i]);

      if (record != NULL)
        g_ptr_array_add (records, record);
    }
  g_ptr_array_sort (records, _kvsqld_record_compare);
  return records;
}

/* ---- writing ---- */

static void
add_write (KvsqldZookeeper *self, const KvsqlDefinitionRecord *record, gboolean exists,
           GPtrArray *strings, GArray *ops)
{
  g_autofree gchar *below = path_of (record);
  gchar *path = g_strconcat (self->root, below, NULL);
  gchar *text = _kvsqld_record_print (record);
  zoo_op_t op;

  g_ptr_array_add (strings, path);
  g_ptr_array_add (strings, text);
  /* there is one of this epoch only if the epoch was set back by hand */
  if (exists)
    zoo_set_op_init (&op, path, text, (int)strlen (text), -1, NULL);
  else
    zoo_create_op_init (&op, path, text, (int)strlen (text), _kvsqld_zk_get_acl (self),
                        ZOO_PERSISTENT, NULL, 0);
  g_array_append_val (ops, op);
}

static gboolean
is_known (const GPtrArray *keys, const KvsqlDefinitionRecord *record)
{
  for (guint i = 0; i < keys->len; i++)
    if (_kvsqld_record_compare (&keys->pdata[i], &record) == 0)
      return TRUE;
  return FALSE;
}

void
_kvsqld_zk_history_add_ops (KvsqldZookeeper *self, const GPtrArray *keys, const GPtrArray *records,
                            GPtrArray *strings, GArray *ops)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autoptr (GPtrArray) surplus = NULL;

  for (guint i = 0; i < keys->len; i++)
    g_ptr_array_add (all, keys->pdata[i]);
  for (guint i = 0; i < records->len; i++)
    {
      gboolean exists = is_known (keys, records->pdata[i]);

      add_write (self, records->pdata[i], exists, strings, ops);
      if (!exists)
        g_ptr_array_add (all, records->pdata[i]);
    }
  g_ptr_array_sort (all, _kvsqld_record_compare);
  surplus = _kvsqld_history_find_surplus (all);
  for (guint i = 0; i < surplus->len; i++)
    if (!is_known (records, surplus->pdata[i]))
      {
        g_autofree gchar *below = path_of (surplus->pdata[i]);
        gchar *path = g_strconcat (self->root, below, NULL);
        zoo_op_t op;

        g_ptr_array_add (strings, path);
        zoo_delete_op_init (&op, path, -1);
        g_array_append_val (ops, op);
      }
}

/* ---- reading ---- */

typedef enum
{
  LIST_DONE,
  LIST_AGAIN,
  LIST_FAILED,
} ListResult;

static ListResult
evaluate (KvsqldZookeeper *self, gint rc, GError **error)
{
  if (rc == ZOK)
    return LIST_DONE;
  if (rc == ZTHROTTLEDOP || _kvsqld_zk_is_link_failure (rc))
    return LIST_AGAIN;
  _kvsqld_zk_fail (self, rc, "read the history", error);
  return LIST_FAILED;
}

/* Fills in @n records from @first on. Records that are gone by now lose their name. */
static ListResult
read_records (KvsqldZookeeper *self, GPtrArray *records, guint first, guint n, gint64 end_us,
              const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree gchar *path = path_of (records->pdata[first + i]);

      _kvsqld_zk_get (self, batch, i, path);
    }
  if (!_kvsqld_zk_wait (batch, end_us, call, "reading the history", error))
    return LIST_FAILED;
  for (guint i = 0; i < n; i++)
    {
      KvsqlDefinitionRecord *record = records->pdata[first + i];
      const KvsqldZkReply *reply = &batch->replies[i];
      ListResult result = reply->rc == ZNONODE ? LIST_DONE : evaluate (self, reply->rc, error);

      if (result != LIST_DONE)
        return result;
      if (reply->rc == ZNONODE || !g_utf8_validate_len (reply->data, (gsize)reply->length, NULL)
          || !_kvsqld_record_parse (record, reply->data))
        g_clear_pointer (&record->name, g_free);
    }
  return LIST_DONE;
}

static ListResult
list_once (KvsqldZookeeper *self, const gchar *name, gint64 end_us, const KvsqlCall *call,
           GPtrArray **out, GError **error)
{
  g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (2);
  g_autoptr (GPtrArray) records = NULL;
  ListResult result;

  _kvsqld_zk_sync (self, batch, 0);
  _kvsqld_zk_get_children (self, batch, 1, "/history");
  if (!_kvsqld_zk_wait (batch, end_us, call, "reading the history", error))
    return LIST_FAILED;
  result
      = batch->replies[1].rc == ZNONODE ? LIST_DONE : evaluate (self, batch->replies[1].rc, error);
  records = _kvsqld_zk_history_keys (batch->replies[1].children);
  for (guint i = name != NULL ? records->len : 0; i > 0; i--)
    if (strcmp (((const KvsqlDefinitionRecord *)records->pdata[i - 1])->name, name) != 0)
      g_ptr_array_remove_index (records, i - 1);
  for (guint i = 0; i < records->len && result == LIST_DONE; i += BATCH)
    result = read_records (self, records, i, MIN (BATCH, records->len - i), end_us, call, error);
  for (guint i = records->len; i > 0; i--)
    if (((const KvsqlDefinitionRecord *)records->pdata[i - 1])->name == NULL)
      g_ptr_array_remove_index (records, i - 1);
  *out = g_steal_pointer (&records);
  return result;
}

GPtrArray *
_kvsqld_zk_list_history (KvsqldRegistry *registry, const gchar *name, const KvsqlCall *call,
                         GError **error)
{
  KvsqldZookeeper *self = (KvsqldZookeeper *)registry;
  gint64 end_us = _kvsqld_call_end (call, KVSQLD_ZK_LONGEST_CALL_US);

  if (!kvsql_call_check (call, error))
    return NULL;
  for (gulong attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
    {
      g_autoptr (GPtrArray) records = NULL;
      ListResult result;

      if (!_kvsqld_zk_await_ready (self, end_us, KVSQLD_ZK_MAX_AWAY_US,
                                   call != NULL ? call->cancellable : NULL, error))
        return NULL;
      result = list_once (self, name, end_us, call, &records, error);
      if (result == LIST_DONE)
        return g_steal_pointer (&records);
      if (result == LIST_FAILED)
        return NULL;
      g_usleep (attempt * 1000);
    }
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "ZooKeeper at %s went away while the history was read", self->servers);
  return NULL;
}
