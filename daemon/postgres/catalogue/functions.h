/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * functions.h: functions of PostgreSQL that SQLite has not, with the prefix kvsql_.
 *
 * Threads: those of the database.
 */
#pragma once

#include "daemon/postgres/catalogue/database.h"
#include "daemon/postgres/catalogue/facts.h"

G_BEGIN_DECLS

typedef struct _KvsqlAuthority KvsqlAuthority; /* core/catalog/rights.h */
typedef struct _KvsqlRelation KvsqlRelation;   /* core/schema/relation.h */
typedef struct _KvsqlView KvsqlView;           /* core/catalog/view.h */

typedef struct
{
  const gchar *name;
  KvsqldPgColumnType type;
} KvsqldPgViewColumn;

/* What functions ask of the session; the data of the database. */
typedef struct
{
  const gchar *user;
  const gchar *role;               /* of SET ROLE, or @user */
  const KvsqlAuthority *authority; /* which relations there are */
  const gchar *database;
  const gchar *version;
  guint32 process_id;
  gpointer settings;
  /* NULL: there is no such setting. */
  const gchar *(*get_setting) (gpointer settings, const gchar *name);
  gboolean (*set_setting) (gpointer settings, const gchar *name, const gchar *value,
                           gboolean is_local, GError **error);
  const gchar *const *(*list_settings) (gpointer settings); /* up to NULL */
  gconstpointer definitions;
  /* What ANALYZE has counted; -1: it has not. */
  gint64 (*count_tuples) (gconstpointer definitions, const KvsqlRelation *relation);
  /* It exists for the role. */
  gboolean (*has_view) (gconstpointer definitions, const KvsqlView *view);
  /* In @arena. *@out_n is 0 if what the view reads is gone. */
  const KvsqldPgViewColumn *(*list_view_columns) (gconstpointer definitions, const KvsqlView *view,
                                                  KvsqlArena *arena, guint *out_n);
} KvsqldPgCatalogueSession;

gboolean kvsqld_pg_functions_add (KvsqldPgDatabase *database,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The name of a type with its modifier, as PostgreSQL writes it. (transfer full) */
gchar *kvsqld_pg_format_type (guint32 oid, gint64 modifier, gboolean has_modifier);

/* A name as it is written in SQL: in double quotes, if it needs them. (transfer full) */
gchar *kvsqld_pg_quote_ident (const gchar *name);

G_END_DECLS
