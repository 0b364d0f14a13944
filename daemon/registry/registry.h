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

/* Who changes definitions, and by what. */
typedef struct
{
  const gchar *by;        /* the peer that asked, or "" */
  const gchar *daemon;    /* that it asked */
  const gchar *statement; /* kept up to KVSQLD_STATEMENT_MAX_BYTES */
  gint64 at_ms;
} KvsqldAuthor;

#define KVSQLD_STATEMENT_MAX_BYTES 4096

/* What a commit made of a relation or a schema. Kept are the last KVSQLD_HISTORY_PER_NAME of each
 * name, also of one that is gone, and the last KVSQLD_HISTORY_TOTAL of all. */
typedef struct
{
  KvsqldEntryKind kind;
  gchar *name;
  gint64 epoch; /* that the commit made: the version of the definition */
  gint64 at_ms; /* 0: before there was a history, as the next ones are "" */
  gchar *by;
  gchar *daemon;
  gchar *statement;
  gchar *text; /* NULL: removed */
} KvsqldRecord;

#define KVSQLD_HISTORY_PER_NAME 100
#define KVSQLD_HISTORY_TOTAL 5000

void kvsqld_record_free (gpointer self);

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
  gboolean is_self;
} KvsqldPeer;

void kvsqld_peer_free (gpointer self);

#define KVSQLD_MAX_CLOCK_TEXT 100

typedef struct
{
  gchar text[KVSQLD_MAX_CLOCK_TEXT + 1]; /* what all daemons know of their clock; "": nothing yet */
  gint64 version;                        /* of the entry */
  gint64 server_ms;                      /* the registry's clock during the call */
  gint64 term;                           /* another one: it may be another clock */
} KvsqldClockReading;

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
  /* All changes or none; no name twice; removing what is not there is no error. With @author
   * (nullable) what became of relations and schemas is added to the history, as part of the change.
   * KVSQL_ERROR_CONFLICT if the epoch is no longer @expected_epoch; nothing changed:
   * KVSQL_ERROR_UNAVAILABLE while away, KVSQL_ERROR_DEADLINE if cancelled or late before it began;
   * KVSQL_ERROR_UNKNOWN_OUTCOME if it cannot be known. */
  gboolean (*commit) (KvsqldRegistry *self, gint64 expected_epoch, const KvsqldChange *changes,
                      guint n_changes, const KvsqldAuthor *author, const KvsqlCall *call,
                      gint64 *out_epoch, GError **error);
  /* (element-type KvsqldRecord) (transfer full): the oldest first; @name: only of relations and
   * schemas that are called so; NULL: of all. */
  GPtrArray *(*list_history) (KvsqldRegistry *self, const gchar *name, const KvsqlCall *call,
                              GError **error);
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
  /* The clock's entry, and the registry's own clock (of ZooKeeper's leader, of this machine), which
   * may go back. It asks for a write, so it is slow; the epoch does not move. */
  gboolean (*read_clock) (KvsqldRegistry *self, KvsqldClockReading *out, const KvsqlCall *call,
                          GError **error);
  /* Puts @text there if nobody has written the entry since @reading, else *out_is_written is
   * FALSE. After an error it may have been written. */
  gboolean (*write_clock) (KvsqldRegistry *self, const KvsqldClockReading *reading,
                           const gchar *text, gboolean *out_is_written, const KvsqlCall *call,
                           GError **error);
  /* NULL when all is well, else what is wrong, for status. (transfer full) */
  gchar *(*describe_trouble) (KvsqldRegistry *self);
} KvsqldRegistryClass;

struct _KvsqldRegistry
{
  const KvsqldRegistryClass *klass;
};

/* Makes @directory, which must not be there, a registry that local:// opens: with these
 * definitions, and no secret yet. */
gboolean kvsqld_snapshot_export (const KvsqldSnapshot *self, const gchar *directory,
                                 GError **error);

/* Chooses the implementation by the URL's scheme. */
KvsqldRegistry *kvsqld_registry_open (const gchar *url, KvsqldRegistryWatch watch,
                                      gpointer user_data, GError **error);
void kvsqld_registry_close (KvsqldRegistry *self); /* accepts NULL */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldSnapshot, kvsqld_snapshot_free)

G_END_DECLS
