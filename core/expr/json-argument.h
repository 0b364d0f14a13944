/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * json-argument.h: what the functions of JSON take and return.
 */
#pragma once

#include "core/base/json.h"
#include "core/expr/function.h"

G_BEGIN_DECLS

/* A path or several keys: the texts of a list's elements. */
typedef struct
{
  KvsqlSlice *steps;
  gboolean *is_null; /* of each step */
  guint n;
} KvsqlJsonPath;

/* @list: of any type of elements. All is in @arena. */
void kvsql_json_path_read (const KvsqlValue *list, KvsqlArena *arena, KvsqlJsonPath *out);
/* A step as the index of an element. FALSE: it is not a whole number. */
gboolean kvsql_json_path_index (KvsqlSlice step, gint64 *out);

/* A value of any type as JSON text, as PostgreSQL's to_json() gives it; NULL is null. */
void kvsql_json_append_value (const KvsqlValue *value, GString *out);

/* The result: JSON text that is right, or JSONB of any JSON text. Errors: LIMIT. */
gboolean kvsql_json_set_text (const KvsqlFunctionCall *call, const GString *text, KvsqlValue *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The result: a normalised tree as JSONB. */
gboolean kvsql_json_set_tree (const KvsqlFunctionCall *call, const KvsqlJson *tree, KvsqlValue *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
