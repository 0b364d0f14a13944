/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-params.h: values for the `?` and `:name` of a statement.
 *
 * Add values in order for `?` (name %NULL), or by name for `:name`. A list has values of one of the
 * two kinds. A second value of a name replaces the first. Names are compared without regard to the
 * case of ASCII letters.
 *
 * Types: kvsqld converts a value to the type of its place. Text is valid for each type, in the form
 * of kvsql_result_get_text(). For BYTES, x'00ff' is hexadecimal, and any other text is its own
 * bytes. Integers are valid for all types of numbers, for DATE (days since 1970-01-01) and for
 * TIMESTAMP (milliseconds since 1970-01-01T00:00:00Z). A value that does not fit is an error of the
 * call that uses the list: %KVSQL_CLIENT_ERROR_TYPE or %KVSQL_CLIENT_ERROR_VALUE.
 *
 * Ownership: a list copies its values. It is reference-counted and may be used for many statements.
 *
 * Threads: one thread at a time may add values. After the last value was added, several threads may
 * use the list. Any thread may call kvsql_params_ref() and kvsql_params_unref().
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

/**
 * KVSQL_TYPE_PARAMS:
 *
 * The #GType of #KvsqlParams, a boxed type.
 *
 * Since: 0.1
 */
#define KVSQL_TYPE_PARAMS (kvsql_params_get_type ())

/**
 * kvsql_params_get_type:
 *
 * The function of the macro %KVSQL_TYPE_PARAMS.
 *
 * Returns: the type
 *
 * Since: 0.1
 */
GType kvsql_params_get_type (void);

/**
 * kvsql_params_new:
 *
 * Makes a list without values.
 *
 * Returns: (transfer full): an empty list
 *
 * Since: 0.1
 */
KvsqlParams *kvsql_params_new (void);

/**
 * kvsql_params_ref:
 * @self: a list
 *
 * Adds a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
KvsqlParams *kvsql_params_ref (KvsqlParams *self);

/**
 * kvsql_params_unref:
 * @self: (nullable): a list
 *
 * Releases a reference. The last one frees the list with its values.
 *
 * Since: 0.1
 */
void kvsql_params_unref (KvsqlParams *self); /* accepts NULL */

/**
 * kvsql_params_add_null:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 *
 * Adds a NULL.
 *
 * Since: 0.1
 */
void kvsql_params_add_null (KvsqlParams *self, const gchar *name);

/**
 * kvsql_params_add_boolean:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 * @value: a boolean
 *
 * Adds a boolean.
 *
 * Since: 0.1
 */
void kvsql_params_add_boolean (KvsqlParams *self, const gchar *name, gboolean value);

/**
 * kvsql_params_add_int64:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 * @value: an integer; days since 1970-01-01 for DATE, milliseconds since then for TIMESTAMP
 *
 * Adds an integer.
 *
 * Since: 0.1
 */
void kvsql_params_add_int64 (KvsqlParams *self, const gchar *name, gint64 value);

/**
 * kvsql_params_add_double:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 * @value: a number
 *
 * Adds a number, for FLOAT and DOUBLE.
 *
 * Since: 0.1
 */
void kvsql_params_add_double (KvsqlParams *self, const gchar *name, gdouble value);

/**
 * kvsql_params_add_string:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 * @value: (nullable): UTF-8 text; %NULL adds a NULL
 *
 * Adds a text. It is not checked here: for text that is not UTF-8 the call that uses the list fails
 * with %KVSQL_CLIENT_ERROR_PROTOCOL.
 *
 * Since: 0.1
 */
void kvsql_params_add_string (KvsqlParams *self, const gchar *name, const gchar *value);

/**
 * kvsql_params_add_bytes:
 * @self: a list
 * @name: (nullable): the name without its colon, or %NULL for the next `?`
 * @value: (array length=size) (element-type guint8) (nullable): bytes; %NULL with a size of 0 is
 * the empty value, not NULL
 * @size: number of bytes
 *
 * Adds bytes, for BYTES.
 *
 * Since: 0.1
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
 * Adds a value that the program has as text, from a command line or a form. BOOLEAN is true, t,
 * false or f. BYTES is x'00ff', or the bytes of any other text. DATE, TIMESTAMP, DECIMAL, MAP,
 * LIST, UUID, JSON and JSONB are sent as text and read by kvsqld, as is the text for a type that is
 * not in #KvsqlColumnType.
 *
 * Errors: %KVSQL_CLIENT_ERROR_VALUE if @text is not a value of @type, or not UTF-8. Nothing is
 * added then.
 *
 * Returns: %TRUE, or %FALSE with @error set
 *
 * Since: 0.1
 */
gboolean kvsql_params_add_text (KvsqlParams *self, const gchar *name, KvsqlColumnType type,
                                const gchar *text, GError **error);

/**
 * kvsql_params_get_n_values:
 * @self: a list
 *
 * Gives the number of values.
 *
 * Returns: the number of values
 *
 * Since: 0.1
 */
guint kvsql_params_get_n_values (const KvsqlParams *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlParams, kvsql_params_unref)

G_END_DECLS
