/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * settings.h: the settings of a session: SET, SHOW, RESET, and what the client gives at the start.
 *
 * The names are those of PostgreSQL that clients use. A value that would change what the daemon
 * sends, and cannot, is refused. As in PostgreSQL, ROLLBACK takes back the SETs of its block, and a
 * SET LOCAL ends with the block.
 *
 * Threads: that of the connection.
 */
#pragma once

#include "core/base/error.h"
#include "daemon/postgres/output.h"

G_BEGIN_DECLS

/* A session keeps the values of its settings several times. */
#define KVSQLD_PG_MAX_SETTING_BYTES 8192

typedef struct _KvsqldPgSettings KvsqldPgSettings;

KvsqldPgSettings *kvsqld_pg_settings_new (void);
void kvsqld_pg_settings_free (KvsqldPgSettings *self);

gboolean kvsqld_pg_settings_exist (const gchar *name); /* in any case */
const gchar *const *kvsqld_pg_settings_list (void);    /* their names, up to NULL */
/* @name: in any case. NULL: there is no such setting. */
const gchar *kvsqld_pg_settings_get (const KvsqldPgSettings *self, const gchar *name);
/* The name as PostgreSQL writes it. @name is known. */
const gchar *kvsqld_pg_settings_spell (const gchar *name);

/* @value: (nullable): %NULL: the value at the start of the session */
gboolean kvsqld_pg_settings_set (KvsqldPgSettings *self, const gchar *name, const gchar *value,
                                 gboolean is_local, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Gives a setting that no client sets, such as session_authorization. */
void kvsqld_pg_settings_give (KvsqldPgSettings *self, const gchar *name, const gchar *value);
/* All values are now those at the start of the session. */
void kvsqld_pg_settings_begin_session (KvsqldPgSettings *self);
void kvsqld_pg_settings_reset_all (KvsqldPgSettings *self);

void kvsqld_pg_settings_begin_block (KvsqldPgSettings *self);
void kvsqld_pg_settings_end_block (KvsqldPgSettings *self, gboolean is_commit);

/* statement_timeout; 0: none */
gint64 kvsqld_pg_settings_get_timeout_ms (const KvsqldPgSettings *self);

/* Writes ParameterStatus of settings that clients are told of: of all, or of those that have
 * changed since the last call. */
void kvsqld_pg_settings_report (KvsqldPgSettings *self, gboolean is_all, KvsqldPgOutput *out);

G_END_DECLS
