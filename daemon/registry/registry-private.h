/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * registry-private.h: shared by the kinds of registry.
 */
#pragma once

#include "daemon/registry/registry.h"

G_BEGIN_DECLS

#define KVSQLD_SECRET_BYTES 32
#define KVSQLD_NAME_MAX_BYTES 1024

/* A name as a word of a node or a line: all characters except ASCII letters, digits, '_', '-' and a
 * fixed range of other letters become %XX. A name has one escaped form, on every machine. */
gchar *_kvsqld_registry_escape (const gchar *name);
/* NULL if @escaped is not a result of _kvsqld_registry_escape(). */
gchar *_kvsqld_registry_unescape (const gchar *escaped);

/* "relation", "schema", "backfill". */
const gchar *_kvsqld_entry_kind_name (KvsqlDefinitionKind kind);

/* Checks what no registry accepts: empty, overlong or non-UTF-8 names, a name that is changed
 * twice, texts that together with their history exceed @max_bytes. */
gboolean _kvsqld_changes_check (const KvsqlDefinitionChange *changes, guint n_changes,
                                const KvsqldAuthor *author, gsize max_bytes,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The snapshot of the next epoch. Its entries are sorted by kind and name. */
KvsqldSnapshot *_kvsqld_snapshot_change (const KvsqldSnapshot *old,
                                         const KvsqlDefinitionChange *changes, guint n_changes);

/* Fills @bytes from the kernel's generator. */
gboolean _kvsqld_random_bytes (guint8 *bytes, gsize n_bytes,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The deadline of a call: its own, or @longest_us from now if it has none. */
gint64 _kvsqld_call_end (const KvsqlCall *call, gint64 longest_us);
gboolean _kvsqld_call_is_cancelled (const KvsqlCall *call);

KvsqldRegistry *_kvsqld_local_registry_open (const gchar *url, KvsqldRegistryWatch watch,
                                             gpointer user_data, GError **error);
KvsqldRegistry *_kvsqld_zookeeper_registry_open (const gchar *url, KvsqldRegistryWatch watch,
                                                 gpointer user_data, GError **error);

G_END_DECLS
