/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * definitions.h: the catalog as this daemon knows it, kept in step with the registry.
 *
 * Readers take a snapshot and keep it for their request. A watch brings other daemons' changes;
 * they are loaded on a thread of their own, never on the main loop. While the registry is away the
 * last snapshot goes on serving.
 *
 * Threads: all calls from any thread.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "daemon/registry/registry.h"

G_BEGIN_DECLS

typedef struct _KvsqldDefinitions KvsqldDefinitions;

/* Opens the registry (thread-default main context) and loads once; an absent registry is no error.
 */
KvsqldDefinitions *kvsqld_definitions_new (const gchar *registry_url, GError **error);
void kvsqld_definitions_free (KvsqldDefinitions *self); /* accepts NULL */

KvsqlCatalog *kvsqld_definitions_get (KvsqldDefinitions *self); /* (transfer full) */
KvsqldRegistry *kvsqld_definitions_get_registry (KvsqldDefinitions *self);

/* The same for somebody who works by these definitions until kvsqld_definitions_leave(): the other
 * daemons are not told that this one serves newer ones before. (transfer full) */
KvsqlCatalog *kvsqld_definitions_enter (KvsqldDefinitions *self);
void kvsqld_definitions_leave (KvsqldDefinitions *self,
                               KvsqlCatalog *catalog); /* (transfer full) */

/**
 * kvsqld_definitions_await:
 *
 * Waits until nobody works by definitions older than @epoch any more: neither a statement of this
 * daemon nor another daemon that lives. KVSQL_ERROR_UNAVAILABLE names who lags at the deadline.
 */
gboolean kvsqld_definitions_await (KvsqldDefinitions *self, gint64 epoch, const KvsqlCall *call,
                                   GError **error);
/* When what the reloading thread does now has to be over; 0: it does nothing. */
gint64 kvsqld_definitions_get_load_deadline (KvsqldDefinitions *self);
/* (transfer full) (nullable). They can be changed though some could not be understood. */
gchar *kvsqld_definitions_describe_trouble (KvsqldDefinitions *self, gboolean *out_is_writable);

/* The key of this registry's cursors; a key of this process while the registry cannot be asked. */
GBytes *kvsqld_definitions_get_secret (KvsqldDefinitions *self, const KvsqlCall *call);

/* Reads the registry now and serves what it says. */
gboolean kvsqld_definitions_reload (KvsqldDefinitions *self, const KvsqlCall *call, GError **error);

/* What the registry holds now. (transfer full) */
KvsqldSnapshot *kvsqld_definitions_load (KvsqldDefinitions *self, const KvsqlCall *call,
                                         GError **error);

/* Commits changes that were decided on @catalog and serves the result; @author (nullable): for the
 * history. KVSQL_ERROR_CONFLICT:
 * somebody else committed first; the newer definitions are served by now, decide again on those. */
gboolean kvsqld_definitions_commit (KvsqldDefinitions *self, const KvsqlCatalog *catalog,
                                    const KvsqldChange *changes, guint n_changes,
                                    const KvsqldAuthor *author, const KvsqlCall *call,
                                    GError **error);

/* See KvsqldRegistryClass.list_daemons and list_history. */
GPtrArray *kvsqld_definitions_list_daemons (KvsqldDefinitions *self, const KvsqlCall *call,
                                            GError **error);
GPtrArray *kvsqld_definitions_list_history (KvsqldDefinitions *self, const gchar *name,
                                            const KvsqlCall *call, GError **error);

G_END_DECLS
