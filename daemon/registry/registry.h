/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * registry.h: where definitions live, shared by every kvsqld that uses the same one.
 *
 * A registry holds named entries (a relation, a schema, or how far a schema is filled), each a text
 * with a version, and one epoch that grows with every change. It knows nothing of SQL: texts are
 * opaque here.
 *
 * Threads: load() and commit() may be called from any thread and block, no longer
 * than the call's deadline.
 * The watch callback runs in the main context that was the thread-default one at open().
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLD_ENTRY_RELATION,
  KVSQLD_ENTRY_SCHEMA,
  KVSQLD_ENTRY_BACKFILL, /* of a schema, by its name: how far it is filled */
} KvsqldEntryKind;

#define KVSQLD_N_ENTRY_KINDS 3

typedef struct
{
  KvsqldEntryKind kind;
  gchar *name; /* lower-cased by the caller, or exact if quoted; any UTF-8: the registry escapes */
  gchar *text; /* of a relation or schema the canonical definition; UTF-8 */
  gint64 version; /* of this entry, from load(): grows when it changes; means nothing else */
} KvsqldEntry;

typedef struct
{
  gint64 epoch;
  KvsqldEntry *entries;
  guint n_entries;
} KvsqldSnapshot;

void kvsqld_snapshot_free (KvsqldSnapshot *self);
KvsqldSnapshot *kvsqld_snapshot_new (gint64 epoch, guint n_entries); /* entries zeroed */

/* A change that commit() makes atomically with the epoch. */
typedef struct
{
  KvsqldEntryKind kind;
  const gchar *name;
  const gchar *text; /* NULL: remove */
} KvsqldChange;

typedef enum
{
  KVSQLD_REGISTRY_CONNECTED,
  KVSQLD_REGISTRY_AWAY, /* cannot be reached now; it keeps trying */
} KvsqldRegistryState;

typedef struct _KvsqldRegistry KvsqldRegistry;

/* Something changed: the state, or (with @definitions_changed) the epoch; the receiver calls
 * load(). A handle's own commits are reported too. ZooKeeper starts out AWAY and reports when it is
 * reached; a directory starts out CONNECTED and has nothing to report then. Reports that have not
 * been delivered yet melt into one. */
typedef void (*KvsqldRegistryWatch) (KvsqldRegistry *registry, KvsqldRegistryState state,
                                     gboolean definitions_changed, gpointer user_data);

/* A daemon that lives, and the epoch that it told last. */
typedef struct
{
  gchar *name; /* host-process…, for people */
  gint64 epoch;
} KvsqldPeer;

void kvsqld_peer_free (gpointer self);

typedef struct
{
  const gchar *scheme; /* "local", "zookeeper" */
  /* Opens even if the registry is away; fails only on a URL that can never work. */
  KvsqldRegistry *(*open) (const gchar *url, KvsqldRegistryWatch watch, gpointer user_data,
                           GError **error);
  /* From the thread of that main context, with no other call going on; no report comes afterwards.
   */
  void (*close) (KvsqldRegistry *self);
  /* A consistent snapshot. KVSQL_ERROR_UNAVAILABLE while away. */
  KvsqldSnapshot *(*load) (KvsqldRegistry *self, const KvsqlCall *call, GError **error);
  /* All changes or none; no name twice; removing what is not there is no error.
   * KVSQL_ERROR_CONFLICT if the epoch is no longer @expected_epoch; nothing changed:
   * KVSQL_ERROR_UNAVAILABLE while away, KVSQL_ERROR_DEADLINE if cancelled or late before it began;
   * KVSQL_ERROR_UNKNOWN_OUTCOME if it cannot be known. */
  gboolean (*commit) (KvsqldRegistry *self, gint64 expected_epoch, const KvsqldChange *changes,
                      guint n_changes, const KvsqlCall *call, gint64 *out_epoch, GError **error);
  /* Tells the others that this daemon serves @epoch now (an ephemeral node in ZooKeeper). Best
   * effort. */
  void (*acknowledge) (KvsqldRegistry *self, gint64 epoch);
  /* Waits until the others can see what was acknowledged last. FALSE: that is not known. */
  gboolean (*await_told) (KvsqldRegistry *self, const KvsqlCall *call);
  /* (element-type KvsqldPeer) (transfer full): all daemons of this registry that live and have
   * acknowledged an epoch, this one included. Never an older epoch than they work by: one whose
   * acknowledgement is on its way is told with the last one. */
  GPtrArray *(*list_daemons) (KvsqldRegistry *self, const KvsqlCall *call, GError **error);
  /* 32 random bytes shared by all daemons of this registry, made at first use: the key that
   * authenticates cursors. */
  GBytes *(*get_secret) (KvsqldRegistry *self, const KvsqlCall *call, GError **error);
  /* NULL when all is well, else what is wrong, for status. (transfer full) */
  gchar *(*describe_trouble) (KvsqldRegistry *self);
} KvsqldRegistryClass;

struct _KvsqldRegistry
{
  const KvsqldRegistryClass *klass;
};

/* Chooses the implementation by the URL's scheme. */
KvsqldRegistry *kvsqld_registry_open (const gchar *url, KvsqldRegistryWatch watch,
                                      gpointer user_data, GError **error);
void kvsqld_registry_close (KvsqldRegistry *self); /* accepts NULL */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldSnapshot, kvsqld_snapshot_free)

G_END_DECLS
