/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-params.h: values for the `?` and `:name` of a statement.
 *
 * Add values in order for `?` (name %NULL), or by name for `:name`; a list has values of one of the
 * two kinds. Types: text is valid for STRING, DECIMAL, DATE and TIMESTAMP; integers for INT,
 * BIGINT, DATE (days) and TIMESTAMP (milliseconds).
 *
 * Ownership: a list copies its values. It is reference-counted and may be used for many statements.
 * Threads: several threads may read a list after the last value was added.
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

/**
 * kvsql_params_ref:
 * @self: a list
 *
 * Returns: (transfer full): @self with one more reference
 */
KvsqlParams *kvsql_params_ref (KvsqlParams *self);

/**
 * kvsql_params_unref:
 * @self: (nullable): a list
 *
 * Releases a reference. The last one frees the list with its values.
 */
void kvsql_params_unref (KvsqlParams *self); /* accepts NULL */

/**
 * kvsql_params_add_null:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 *
 * If the list has a value of this name, the new value replaces it.
 */
void kvsql_params_add_null (KvsqlParams *self, const gchar *name);

/**
 * kvsql_params_add_boolean:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 * @value: a boolean
 */
void kvsql_params_add_boolean (KvsqlParams *self, const gchar *name, gboolean value);

/**
 * kvsql_params_add_int64:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 * @value: an integer; days since 1970-01-01 for DATE, milliseconds since then for TIMESTAMP
 */
void kvsql_params_add_int64 (KvsqlParams *self, const gchar *name, gint64 value);

/**
 * kvsql_params_add_double:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 * @value: a number
 */
void kvsql_params_add_double (KvsqlParams *self, const gchar *name, gdouble value);

/**
 * kvsql_params_add_string:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 * @value: (nullable): UTF-8 text; %NULL adds a NULL
 */
void kvsql_params_add_string (KvsqlParams *self, const gchar *name, const gchar *value);

/**
 * kvsql_params_add_bytes:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 * @value: (array length=size) (element-type guint8) (nullable): bytes; %NULL with a size of 0 is
 * the empty value, not NULL
 * @size: number of bytes
 */
void kvsql_params_add_bytes (KvsqlParams *self, const gchar *name, gconstpointer value, gsize size);

/**
 * kvsql_params_add_text:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 * @type: the type as which @text is read
 * @text: the text form of a value of @type, as kvsql_result_get_text() returns it
 * @error: return location, or %NULL
 *
 * For programs that get their values as text, from a command line or a form. DATE, TIMESTAMP,
 * DECIMAL, MAP and LIST are sent as text and read by kvsqld.
 *
 * Returns: %FALSE with @error set if @text is not a value of @type
 */
gboolean kvsql_params_add_text (KvsqlParams *self, const gchar *name, KvsqlColumnType type,
                                const gchar *text, GError **error);

/**
 * kvsql_params_get_n_values:
 * @self: a list
 *
 * Returns: the number of values
 */
guint kvsql_params_get_n_values (const KvsqlParams *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlParams, kvsql_params_unref)

G_END_DECLS
