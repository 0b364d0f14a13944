/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * element-classes.h: all kinds of elements.
 */
#pragma once

#include "core/layout/element.h"

G_BEGIN_DECLS

extern const KvsqlElementClass kvsql_element_constant;
extern const KvsqlElementClass kvsql_element_attribute;
extern const KvsqlElementClass kvsql_element_suffix;
extern const KvsqlElementClass kvsql_element_prefix;
extern const KvsqlElementClass kvsql_element_size;
extern const KvsqlElementClass kvsql_element_fixed;
extern const KvsqlElementClass kvsql_element_regexp;
extern const KvsqlElementClass kvsql_element_text;
extern const KvsqlElementClass kvsql_element_hash;
extern const KvsqlElementClass kvsql_element_salt;
extern const KvsqlElementClass kvsql_element_short;
extern const KvsqlElementClass kvsql_element_byte;
extern const KvsqlElementClass kvsql_element_bucket;
extern const KvsqlElementClass kvsql_element_offset;
extern const KvsqlElementClass kvsql_element_format;
extern const KvsqlElementClass kvsql_element_json;
extern const KvsqlElementClass kvsql_element_json_member;
extern const KvsqlElementClass kvsql_element_json_document;
extern const KvsqlElementClass kvsql_element_optional;
extern const KvsqlElementClass kvsql_element_ordered;
extern const KvsqlElementClass kvsql_element_desc;
extern const KvsqlElementClass kvsql_element_null;
extern const KvsqlElementClass kvsql_element_hex;
extern const KvsqlElementClass kvsql_element_hive;
extern const KvsqlElementClass kvsql_element_base64;
extern const KvsqlElementClass kvsql_element_unsigned;
extern const KvsqlElementClass kvsql_element_flipped;
extern const KvsqlElementClass kvsql_element_phoenix;
extern const KvsqlElementClass kvsql_element_phoenix_array;
extern const KvsqlElementClass kvsql_element_phoenix_column;
extern const KvsqlElementClass kvsql_element_phoenix_decimal;
extern const KvsqlElementClass kvsql_element_phoenix_row;
extern const KvsqlElementClass kvsql_element_uuid;
extern const KvsqlElementClass kvsql_element_reversed;
extern const KvsqlElementClass kvsql_element_seconds;
extern const KvsqlElementClass kvsql_element_tsdb_offset;
extern const KvsqlElementClass kvsql_element_tsdb_value;

/* The class of `name (…){…}`, or NULL. */
const KvsqlElementClass *kvsql_element_class_find (const gchar *name);
/* The names of all classes, NULL-terminated, and also attr_name, attr_value, map_key and map_value,
 * which cell.c and map-cells.c expand. */
const gchar *const *kvsql_element_class_list (void);

G_END_DECLS
