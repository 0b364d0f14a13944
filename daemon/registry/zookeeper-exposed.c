/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zookeeper-exposed.c: which nodes of the registry others than our user may read or write.
 *
 * A registry may be older than its auth_file, and each node keeps the permissions with which it was
 * made. The nodes are the root, those below it, and those below these: there are no deeper ones.
 */
#include "config.h"

#include <string.h>

#include "daemon/registry/registry-private.h"
#include "daemon/registry/zookeeper-private.h"

#define NODES_AT_ONCE 256
/* Enough to find out that permissions are wrong, and bounded: a registry may have more nodes. */
#define MAX_NODES 20000

typedef struct
{
  KvsqldZookeeper *registry;
  const KvsqlCall *call;
  gint64 end_us;
  gchar *own; /* the id of our user; NULL: there is none */
  GPtrArray *found;
} Search;

/* ZooKeeper's form of a user: user:base64(sha1(user:password)). */
static gchar *
make_own_id (const gchar *auth)
{
  guint8 hash[20];
  gsize size = sizeof hash;
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA1);
  g_autofree gchar *text = NULL;

  if (auth == NULL)
    return NULL;
  g_checksum_update (checksum, (const guchar *)auth, -1);
  g_checksum_get_digest (checksum, hash, &size);
  text = g_base64_encode (hash, size);
  return g_strdup_printf ("digest:%.*s:%s", (gint)strcspn (auth, ":"), auth, text);
}

static const gchar *
describe_id (const gchar *id)
{
  return g_str_equal (id, "world:anyone") ? "everyone" : id;
}

/* What the item "PERMISSIONS SCHEME:ID" allows to others. (transfer full) (nullable) */
static gchar *
describe_item (const Search *self, const gchar *item)
{
  const gchar *id = strchr (item, ' ');
  gint64 permissions = g_ascii_strtoll (item, NULL, 10);
  gboolean may_read = (permissions & ZOO_PERM_READ) != 0;
  gboolean may_write
      = (permissions & (ZOO_PERM_WRITE | ZOO_PERM_CREATE | ZOO_PERM_DELETE | ZOO_PERM_ADMIN)) != 0;

  if (id == NULL || g_strcmp0 (id + 1, self->own) == 0 || (!may_read && !may_write))
    return NULL;
  return g_strdup_printf ("%.100s may %s", describe_id (id + 1),
                          !may_write  ? "read"
                          : !may_read ? "write"
                                      : "read and write");
}

static void
add_node (Search *self, const gchar *path, gchar **items)
{
  for (guint i = 0; items[i] != NULL; i++)
    {
      g_autofree gchar *text = describe_item (self, items[i]);

      if (text != NULL)
        g_ptr_array_add (self->found, g_strdup_printf ("%s (%s)", path, text));
    }
}

static gboolean
await_batch (const Search *self, KvsqldZkBatch *batch, GError **error)
{
  if (!_kvsqld_zk_wait (batch, self->end_us, self->call, "reading permissions", error))
    return FALSE;
  for (guint i = 0; i < batch->n_replies; i++)
    if (batch->replies[i].rc != ZOK && batch->replies[i].rc != ZNONODE)
      return _kvsqld_zk_fail (self->registry, batch->replies[i].rc, "read permissions", error);
  return TRUE;
}

/* @paths: from ZooKeeper's root */
static gboolean
check_some (Search *self, GPtrArray *paths, guint from, guint to, GError **error)
{
  g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (to - from);

  for (guint i = from; i < to; i++)
    _kvsqld_zk_read_acl (self->registry, batch, i - from, paths->pdata[i]);
  if (!await_batch (self, batch, error))
    return FALSE;
  for (guint i = from; i < to; i++)
    if (batch->replies[i - from].rc == ZOK)
      add_node (self, paths->pdata[i], batch->replies[i - from].children);
  return TRUE;
}

/* Adds the children of @path, below the registry's root, to @paths. */
static gboolean
add_children (Search *self, const gchar *path, GPtrArray *paths, GError **error)
{
  g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (1);

  _kvsqld_zk_get_children (self->registry, batch, 0, path);
  if (!await_batch (self, batch, error))
    return FALSE;
  for (guint i = 0; batch->replies[0].rc == ZOK && batch->replies[0].children[i] != NULL; i++)
    if (paths->len < MAX_NODES)
      g_ptr_array_add (paths, g_strconcat (self->registry->root, path, "/",
                                           batch->replies[0].children[i], NULL));
  return TRUE;
}

static GPtrArray *
list_paths (Search *self, GError **error)
{
  /* that of roles first: it is the one that matters most */
  static const gchar *const folders[]
      = { "/roles", "/relations", "/schemas", "/backfills", "/history" };
  static const gchar *const others[] = { "/epoch", "/secret", "/clock", "/slots", "/daemons" };
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (paths, g_strdup (self->registry->root[0] != '\0' ? self->registry->root : "/"));
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    g_ptr_array_add (paths, g_strconcat (self->registry->root, folders[i], NULL));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_ptr_array_add (paths, g_strconcat (self->registry->root, others[i], NULL));
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    if (!add_children (self, folders[i], paths, error))
      return NULL;
  return g_steal_pointer (&paths);
}

GPtrArray *
_kvsqld_zk_list_exposed (KvsqldRegistry *registry, const KvsqlCall *call, GError **error)
{
  KvsqldZookeeper *self = (KvsqldZookeeper *)registry;
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free), paths = NULL;
  g_autofree gchar *own = make_own_id (self->auth);
  Search search = { .registry = self,
                    .call = call,
                    .end_us = _kvsqld_call_end (call, KVSQLD_ZK_LONGEST_CALL_US),
                    .own = own,
                    .found = found };

  if (!_kvsqld_zk_await_ready (self, search.end_us, G_MAXINT64,
                               call != NULL ? call->cancellable : NULL, error))
    return NULL;
  paths = list_paths (&search, error);
  for (guint at = 0; paths != NULL && at < paths->len; at += NODES_AT_ONCE)
    if (!check_some (&search, paths, at, MIN (at + NODES_AT_ONCE, paths->len), error))
      return NULL;
  return paths != NULL ? g_steal_pointer (&found) : NULL;
}
