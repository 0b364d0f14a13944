/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * database.h: an SQLite database in memory, which queries can only read.
 *
 * The only file that knows SQLite. While a database is filled it may be written; a query may do
 * nothing but read its tables and call functions: no PRAGMA, ATTACH or writes, no files, no
 * extensions. It is bounded in length, depth, memory and steps, and ends when its thread is
 * interrupted (core/base/interrupt.h).
 *
 * Values are NULL, BIGINT, DOUBLE or STRING.
 *
 * Threads: a database is used by one thread at a time.
 */
#pragma once

#include "core/base/value.h"

G_BEGIN_DECLS

typedef struct _KvsqldPgDatabase KvsqldPgDatabase;
typedef struct _KvsqldPgRead KvsqldPgRead;

/* @data: that of kvsqld_pg_database_set_data(). Results may live in @arena. FALSE: the query fails
 * with the error. */
typedef gboolean (*KvsqldPgFunction) (const KvsqlValue *arguments, guint n, gpointer data,
                                      KvsqlArena *arena, KvsqlValue *out, GError **error);

/* The result of the arguments of all calls for a group: @rows has n_rows times n_arguments
 * values. */
typedef gboolean (*KvsqldPgAggregate) (const KvsqlValue *rows, guint n_rows, guint n_arguments,
                                       KvsqlArena *arena, KvsqlValue *out, GError **error);

KvsqldPgDatabase *kvsqld_pg_database_new (GError **error);
void kvsqld_pg_database_free (KvsqldPgDatabase *self); /* accepts NULL */

/* @n_arguments: -1: any number. @is_strict: NULL, if an argument is */
gboolean kvsqld_pg_database_add_function (KvsqldPgDatabase *self, const gchar *name,
                                          gint n_arguments, gboolean is_strict,
                                          KvsqldPgFunction function,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_pg_database_add_aggregate (KvsqldPgDatabase *self, const gchar *name,
                                           KvsqldPgAggregate aggregate,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqld_pg_database_set_data (KvsqldPgDatabase *self, gpointer data);

/* Statements that fill the database. @values: for the parameters of @sql */
gboolean kvsqld_pg_database_write (KvsqldPgDatabase *self, const gchar *sql,
                                   const KvsqlValue *values, guint n_values,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- queries */

/* The query of a client: at most one of a database at a time. */
KvsqldPgRead *kvsqld_pg_read_new (KvsqldPgDatabase *self, const gchar *sql,
                                  const KvsqlValue *values, guint n_values, GError **error);
/* FALSE without an error: there are no more rows. */
gboolean kvsqld_pg_read_next (KvsqldPgRead *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Of the current row. Borrowed until the next. */
KvsqlValue kvsqld_pg_read_get (KvsqldPgRead *self, guint column);
void kvsqld_pg_read_free (KvsqldPgRead *self); /* accepts NULL */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPgDatabase, kvsqld_pg_database_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPgRead, kvsqld_pg_read_free)

G_END_DECLS
