/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-params.h: values for the `?` and `:name` of a statement.
 *
 * Values are added in order for `?` (name %NULL), or by name for `:name`; one list
 * holds one kind. Types: text serves for STRING, DECIMAL, DATE and TIMESTAMP; integers
 * for INT, BIGINT, DATE (days) and TIMESTAMP (milliseconds).
 *
 * Ownership: a list copies what it is given. It is reference-counted and may be
 * used for many statements.
 * Threads: a list may be read by several threads once nobody adds to it.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

#define KVSQL_TYPE_PARAMS (kvsql_params_get_type ())
GType kvsql_params_get_type (void);

/**
 * kvsql_params_new:
 *
 * Returns: (transfer full): an empty list
 */
KvsqlParams *kvsql_params_new (void);
KvsqlParams *kvsql_params_ref (KvsqlParams *self);
void kvsql_params_unref (KvsqlParams *self); /* accepts NULL */

/**
 * kvsql_params_add_null:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 *
 * A name that is already there gets the new value.
 */
void kvsql_params_add_null (KvsqlParams *self, const gchar *name);
void kvsql_params_add_boolean (KvsqlParams *self, const gchar *name, gboolean value);
void kvsql_params_add_int64 (KvsqlParams *self, const gchar *name, gint64 value);
void kvsql_params_add_double (KvsqlParams *self, const gchar *name, gdouble value);

/**
 * kvsql_params_add_string:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 * @value: (nullable): UTF-8; %NULL is NULL
 */
void kvsql_params_add_string (KvsqlParams *self, const gchar *name, const gchar *value);

/**
 * kvsql_params_add_bytes:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 * @value: (array length=size) (element-type guint8) (nullable): bytes; %NULL with a size of 0 is
 * empty, not NULL
 * @size: how many
 */
void kvsql_params_add_bytes (KvsqlParams *self, const gchar *name, gconstpointer value, gsize size);

/**
 * kvsql_params_add_text:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 * @type: what @text is to be read as
 * @text: the text form of a value of @type, as kvsql_result_get_text() gives it
 * @error: return location, or %NULL
 *
 * For programs that take values as text, from a command line or a form. DATE, TIMESTAMP,
 * DECIMAL, MAP and LIST travel as text and kvsqld reads them.
 *
 * Returns: %FALSE with @error set if @text is no value of @type
 */
gboolean kvsql_params_add_text (KvsqlParams *self, const gchar *name, KvsqlColumnType type,
                                const gchar *text, GError **error);

/**
 * kvsql_params_get_n_values:
 * @self: a list
 *
 * Returns: how many values it holds
 */
guint kvsql_params_get_n_values (const KvsqlParams *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlParams, kvsql_params_unref)

G_END_DECLS
