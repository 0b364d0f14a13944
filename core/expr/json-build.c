/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * json-build.c: see the header.
 */
#include "config.h"

#include "core/expr/json-build.h"

#include "core/expr/function.h"
#include "core/expr/json-argument.h"

void
kvsql_json_build_element (const KvsqlValue *value, guint index, gboolean has_lines, GString *out)
{
  g_string_append (out, index > 0 ? ", " : "");
  if (index > 0 && has_lines && kvsql_type_is_collection (value->type))
    g_string_append (out, "\n ");
  kvsql_json_append_value (value, out);
}

gboolean
kvsql_json_build_member (const KvsqlValue *key, const KvsqlValue *value, guint index, GString *out,
                         GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_json = kvsql_type_is_json (key->type);

  if (kvsql_value_is_null (key))
    {
      kvsql_function_fail (error, "field name must not be null");
      return kvsql_error_sqlstate (error, "22023");
    }
  kvsql_json_append_value (key, text);
  if (kvsql_type_is_collection (key->type)
      || (is_json && (text->str[0] == '{' || text->str[0] == '[')))
    {
      kvsql_function_fail (error, "key value must be scalar, not array, composite, or json");
      return kvsql_error_sqlstate (error, "22023");
    }
  g_string_append (out, index > 0 ? ", " : "");
  if (text->str[0] == '"')
    g_string_append_len (out, text->str, (gssize)text->len);
  else
    kvsql_json_append_string (kvsql_slice (text->str, text->len), out);
  g_string_append (out, " : ");
  kvsql_json_append_value (value, out);
  return TRUE;
}
