/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * registry.h: stores definitions, shared by all kvsqld with the same registry.
 *
 * A registry holds named entries (a relation, a schema, or the progress of filling a schema), each
 * a text with a version, and one epoch that grows with every change. The registry knows no SQL:
 * texts are opaque here.
 *
 * Threads: load() and commit() may be called from any thread. They block no longer than the call's
 * deadline. The watch callback runs in the main context that was the thread-default one at open().
 */
#pragma once

#include "core/catalog/stored-definition.h"
#include "core/store/call.h"
#include "daemon/registry/write-protocol.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlDefinitionKind kind;
  gchar *name; /* lower-cased by the caller, or exact if quoted; any UTF-8: the registry escapes */
  gchar *text; /* of a relation or schema the canonical definition; UTF-8 */
  gint64
      version; /* of this entry, from load(): grows when the entry changes; has no other meaning */
} KvsqldEntry;

typedef struct
{
  gint64 epoch;
  KvsqldWriteProtocol protocol; /* since that epoch or an earlier one */
  KvsqldEntry *entries;
  guint n_entries;
} KvsqldSnapshot;

void kvsqld_snapshot_free (KvsqldSnapshot *self);
KvsqldSnapshot *kvsqld_snapshot_new (gint64 epoch, guint n_entries); /* entries zeroed */

/* The author of a change, and its statement. */
typedef struct
{
  const gchar *by;        /* the peer that asked, or "" */
  const gchar *daemon;    /* that got the request */
  const gchar *statement; /* cut to KVSQLD_STATEMENT_MAX_BYTES */
  gint64 at_ms;
} KvsqldAuthor;

#define KVSQLD_STATEMENT_MAX_BYTES 4096

typedef enum
{
  KVSQLD_REGISTRY_CONNECTED,
  KVSQLD_REGISTRY_AWAY, /* cannot be reached now; the registry keeps trying */
} KvsqldRegistryState;

typedef struct _KvsqldRegistry KvsqldRegistry;

/* Reports a change: of the state, or (with @definitions_changed) of the epoch; the receiver calls
 * load(). A handle's own commits are reported, too. ZooKeeper starts AWAY, and reports when it is
 * reached. A directory starts CONNECTED, without a report. Reports that have not been delivered yet
 * are merged into one. */
typedef void (*KvsqldRegistryWatch) (KvsqldRegistry *registry, KvsqldRegistryState state,
                                     gboolean definitions_changed, gpointer user_data);

/* A live daemon, and the epoch that it acknowledged last. */
typedef struct
{
  gchar *name; /* host-process…, for display */
  gint64 epoch;
  gboolean is_self;
} KvsqldPeer;

void kvsqld_peer_free (gpointer self);

#define KVSQLD_MAX_CLOCK_TEXT 100

typedef struct
{
  gchar text[KVSQLD_MAX_CLOCK_TEXT
             + 1];  /* common knowledge of all daemons about their clock; "": none yet */
  gint64 version;   /* of the entry */
  gint64 server_ms; /* the registry's clock during the call */
  gint64 term;      /* if it changes, the clock may be another one */
} KvsqldClockReading;

typedef struct
{
  const gchar *scheme; /* "local", "zookeeper" */
  /* Succeeds even if the registry is away. Fails only on a URL that can never work. */
  KvsqldRegistry *(*open) (const gchar *url, KvsqldRegistryWatch watch, gpointer user_data,
                           GError **error);
  /* To be called from the thread of that main context, with no other call running. No report comes
   * afterwards. */
  void (*close) (KvsqldRegistry *self);
  /* A consistent snapshot. KVSQL_ERROR_UNAVAILABLE while away. */
  KvsqldSnapshot *(*load) (KvsqldRegistry *self, const KvsqlCall *call, GError **error);
  /* Makes all changes or none. No name occurs twice. Removing an entry that does not exist is no
   * error. With @author (nullable), the new states of relations and schemas are added to the
   * history, as part of the change. Errors: KVSQL_ERROR_CONFLICT if the epoch is no longer
   * @expected_epoch. KVSQL_ERROR_UNAVAILABLE while away, KVSQL_ERROR_DEADLINE if cancelled or late
   * before it began: nothing was changed. KVSQL_ERROR_UNKNOWN_OUTCOME if the outcome is not
   * known. */
  gboolean (*commit) (KvsqldRegistry *self, gint64 expected_epoch,
                      const KvsqlDefinitionChange *changes, guint n_changes,
                      const KvsqldAuthor *author, const KvsqlCall *call, gint64 *out_epoch,
                      GError **error);
  /* Makes a new epoch with the same definitions and another write protocol. Errors: as of
   * commit(). */
  gboolean (*change_protocol) (KvsqldRegistry *self, gint64 expected_epoch,
                               const KvsqldWriteProtocol *protocol, const KvsqlCall *call,
                               GError **error);
  /* (element-type KvsqlDefinitionRecord) (transfer full): the oldest first. @name: only of
   * relations and schemas with this name; NULL: of all. */
  GPtrArray *(*list_history) (KvsqldRegistry *self, const gchar *name, const KvsqlCall *call,
                              GError **error);
  /* (element-type gchar*) (transfer full): the entries that others than this daemon's user may read
   * or write, each with who and what. NULL (of the class): the registry's files are its own. */
  GPtrArray *(*list_exposed) (KvsqldRegistry *self, const KvsqlCall *call, GError **error);
  /* Announces that this daemon serves @epoch now (an ephemeral node in ZooKeeper). Best effort. */
  void (*acknowledge) (KvsqldRegistry *self, gint64 epoch);
  /* Waits until other daemons can see the last acknowledgement. FALSE: that is not known. */
  gboolean (*await_acknowledged) (KvsqldRegistry *self, const KvsqlCall *call);
  /* (element-type KvsqldPeer) (transfer full): all live daemons of this registry that have
   * acknowledged an epoch, this one included. The epoch of a daemon is never older than the one it
   * uses: a daemon with an acknowledgement in progress is listed with its last one. */
  GPtrArray *(*list_daemons) (KvsqldRegistry *self, const KvsqlCall *call, GError **error);
  /* 32 random bytes shared by all daemons of this registry, made at first use: the key that
   * authenticates cursors. */
  GBytes *(*get_secret) (KvsqldRegistry *self, const KvsqlCall *call, GError **error);
  /* Reads the clock's entry, and the registry's own clock (of ZooKeeper's leader, or of this
   * machine), which may be set back. Slow, because it needs a write. The epoch does not change. */
  gboolean (*read_clock) (KvsqldRegistry *self, KvsqldClockReading *out, const KvsqlCall *call,
                          GError **error);
  /* Writes @text if the entry was not written since @reading, else *out_is_written is FALSE. After
   * an error the entry may have been written. */
  gboolean (*write_clock) (KvsqldRegistry *self, const KvsqldClockReading *reading,
                           const gchar *text, gboolean *out_is_written, const KvsqlCall *call,
                           GError **error);
  /* Reads the entry that assigns timestamps to daemons (daemon/cluster/slot-table.h); "" if there
   * is none.
   */
  gboolean (*read_slots) (KvsqldRegistry *self, gchar **out_text, gint64 *out_version,
                          const KvsqlCall *call, GError **error);
  /* Writes @text if the entry still has @version, else *out_is_written is FALSE. After an error the
   * entry may have been written. */
  gboolean (*write_slots) (KvsqldRegistry *self, gint64 version, const gchar *text,
                           gboolean *out_is_written, const KvsqlCall *call, GError **error);
  /* NULL if there is no error, else the error, for status. (transfer full) */
  gchar *(*describe_last_error) (KvsqldRegistry *self);
} KvsqldRegistryClass;

struct _KvsqldRegistry
{
  const KvsqldRegistryClass *klass;
  /* The write protocol of a registry that gets its first definitions; 0: none. A registry in
   * ZooKeeper is always for several daemons, and gets KVSQLD_WRITE_PROTOCOL when it is made. Set
   * before the first commit. */
  guint first_protocol;
};

/* Makes @directory, which must not exist, a registry that local:// can open: with these
 * definitions, and without a secret. */
gboolean kvsqld_snapshot_export (const KvsqldSnapshot *self, const gchar *directory,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Chooses the implementation by the URL's scheme. */
KvsqldRegistry *kvsqld_registry_open (const gchar *url, KvsqldRegistryWatch watch,
                                      gpointer user_data, GError **error);
void kvsqld_registry_close (KvsqldRegistry *self); /* accepts NULL */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldSnapshot, kvsqld_snapshot_free)

G_END_DECLS
