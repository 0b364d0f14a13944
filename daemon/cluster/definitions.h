/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * definitions.h: this daemon's copy of the catalog, kept up to date with the registry.
 *
 * A request takes a snapshot and keeps it until it ends. A watch reports changes by other daemons.
 * They are loaded on a thread of their own, never on the main loop. While the registry is away, the
 * last snapshot stays in use.
 *
 * Threads: all functions may be called by any thread.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "daemon/registry/registry.h"

G_BEGIN_DECLS

typedef struct _KvsqldDefinitions KvsqldDefinitions;

/* Opens the registry (thread-default main context) and loads once. An absent registry is no
 * error. */
KvsqldDefinitions *kvsqld_definitions_new (const gchar *registry_url, GError **error);
void kvsqld_definitions_free (KvsqldDefinitions *self); /* accepts NULL */

KvsqlCatalog *kvsqld_definitions_get (KvsqldDefinitions *self); /* (transfer full) */
KvsqldRegistry *kvsqld_definitions_get_registry (KvsqldDefinitions *self);

/* The same for a caller that uses these definitions until kvsqld_definitions_leave(): until then
 * this daemon does not acknowledge newer ones to the other daemons. (transfer full) */
KvsqlCatalog *kvsqld_definitions_enter (KvsqldDefinitions *self);
void kvsqld_definitions_leave (KvsqldDefinitions *self,
                               KvsqlCatalog *catalog); /* (transfer full) */

/**
 * kvsqld_definitions_await:
 *
 * Waits until definitions older than @epoch are no longer in use: neither by a statement of this
 * daemon nor by another live daemon. At the deadline: KVSQL_ERROR_UNAVAILABLE, which names the
 * daemons that still use them.
 */
gboolean kvsqld_definitions_await (KvsqldDefinitions *self, gint64 epoch, const KvsqlCall *call,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Reads the registry now. KVSQL_ERROR_UNAVAILABLE if a statement of this daemon uses older
 * definitions. @definitions: KvsqldDefinitions (a KvsqldReadyFunc, slots.h) */
gboolean kvsqld_definitions_confirm (gpointer definitions, const KvsqlCall *call,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The deadline of the loading thread's present work; 0: it is idle. */
gint64 kvsqld_definitions_get_load_deadline (KvsqldDefinitions *self);
/* (transfer full) (nullable). Definitions can be changed even if some entries could not be
 * parsed. */
gchar *kvsqld_definitions_describe_last_error (KvsqldDefinitions *self, gboolean *out_is_writable);

/* The key that authenticates this registry's cursors. A key of this process while the registry
 * cannot be read. */
GBytes *kvsqld_definitions_get_secret (KvsqldDefinitions *self, const KvsqlCall *call);

/* Reads the registry now, and uses its definitions. */
gboolean kvsqld_definitions_reload (KvsqldDefinitions *self, const KvsqlCall *call,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Reads the present content of the registry. (transfer full) */
KvsqldSnapshot *kvsqld_definitions_load (KvsqldDefinitions *self, const KvsqlCall *call,
                                         GError **error);

/* Commits changes that were decided on @catalog, and uses the result. @author (nullable): for the
 * history. KVSQL_ERROR_CONFLICT: another commit came first; this daemon uses its definitions
 * already, and the caller has to decide again on them. */
gboolean kvsqld_definitions_commit (KvsqldDefinitions *self, const KvsqlCatalog *catalog,
                                    const KvsqlDefinitionChange *changes, guint n_changes,
                                    const KvsqldAuthor *author, const KvsqlCall *call,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same for a change of the write protocol. */
gboolean kvsqld_definitions_change_protocol (KvsqldDefinitions *self, const KvsqlCatalog *catalog,
                                             const KvsqldWriteProtocol *protocol,
                                             const KvsqlCall *call,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Other daemons may write to the same store, so the write protocol of the registry counts from now
 * on. To be called before the first statement. */
void kvsqld_definitions_set_shared (KvsqldDefinitions *self);
/* Whether a statement on these definitions may write tuples, or change definitions (writable.h).
 * TRUE if the store is not shared. */
gboolean kvsqld_definitions_may_write (const KvsqldDefinitions *self, const KvsqlCatalog *catalog,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_definitions_may_change (const KvsqldDefinitions *self, const KvsqlCatalog *catalog,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* See KvsqldRegistryClass.list_daemons, list_history and list_exposed. */
GPtrArray *kvsqld_definitions_list_daemons (KvsqldDefinitions *self, const KvsqlCall *call,
                                            GError **error);
GPtrArray *kvsqld_definitions_list_history (KvsqldDefinitions *self, const gchar *name,
                                            const KvsqlCall *call, GError **error);
GPtrArray *kvsqld_definitions_list_exposed (KvsqldDefinitions *self, const KvsqlCall *call,
                                            GError **error);

G_END_DECLS
