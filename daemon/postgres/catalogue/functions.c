/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * functions.c: see functions.h: functions of names, types and the session.
 */
#include "config.h"

#include "daemon/postgres/catalogue/functions-private.h"

#include <string.h>

#include "core/base/interrupt.h"
#include "core/sql/lexer.h"
#include "daemon/postgres/catalogue/array.h"
#include "daemon/postgres/catalogue/facts.h"

#define MAX_NAME 1000

/* ---- names */

/* The parts of a name that may be qualified and quoted. */
static KvsqlSlice *
split_name (const gchar *text, KvsqlArena *arena, guint *out_n)
{
  KvsqlSlice *parts = kvsql_arena_array (arena, KvsqlSlice, strlen (text) + 1);

  *out_n = 0;
  if (strlen (text) > MAX_NAME) /* no object has such a name */
    text = "";
  for (;;)
    {
      gchar *part = kvsql_arena_alloc (arena, strlen (text) + 1);
      gsize size = 0;
      gboolean is_quoted = *text == '"';

      if (is_quoted)
        text++;
      for (; *text != '\0' && (is_quoted || *text != '.'); text++)
        {
          if (is_quoted && *text == '"' && *++text != '"')
            break;
          part[size++] = is_quoted ? *text : g_ascii_tolower (*text);
        }
      part[size] = '\0';
      parts[(*out_n)++] = kvsql_slice (part, size);
      if (*text != '.')
        return parts;
      text++;
    }
}

FUNCTION (name_of)
{
  guint n_parts;
  const KvsqlSlice *parts = split_name (string_of (&arguments[0], arena), arena, &n_parts);

  return give_text (parts[n_parts - 1], out);
}

FUNCTION (qualifier_of)
{
  guint n_parts;
  const KvsqlSlice *parts = split_name (string_of (&arguments[0], arena), arena, &n_parts);

  return n_parts < 2 || give_text (parts[n_parts - 2], out);
}

FUNCTION (parse_ident)
{
  guint n_parts;
  const KvsqlSlice *parts = split_name (string_of (&arguments[0], arena), arena, &n_parts);

  return give_text (kvsqld_pg_array_write (parts, n_parts, arena), out);
}

/* The number that is the whole text; else NULL. */
FUNCTION (number_of)
{
  const gchar *text = string_of (&arguments[0], arena);

  if (*text == '\0' || strspn (text, "0123456789") != strlen (text))
    return TRUE;
  return give_integer ((gint64)g_ascii_strtoull (text, NULL, 10), out);
}

FUNCTION (fail)
{
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE, "%s \"%s\" does not exist",
                   string_of (&arguments[1], arena), string_of (&arguments[2], arena));
  return kvsql_error_sqlstate (error, string_of (&arguments[0], arena));
}

/* ---- types */

static const gchar *
spell_type (const KvsqldPgTypeFacts *type)
{
  static const struct
  {
    guint32 oid;
    const gchar *name;
  } spellings[] = { { KVSQLD_PGT_BOOL, "boolean" },
                    { KVSQLD_PGT_CHAR, "\"char\"" },
                    { KVSQLD_PGT_INT8, "bigint" },
                    { KVSQLD_PGT_INT2, "smallint" },
                    { KVSQLD_PGT_INT4, "integer" },
                    { KVSQLD_PGT_FLOAT4, "real" },
                    { KVSQLD_PGT_FLOAT8, "double precision" },
                    { KVSQLD_PGT_BPCHAR, "character" },
                    { KVSQLD_PGT_VARCHAR, "character varying" },
                    { KVSQLD_PGT_TIME, "time without time zone" },
                    { KVSQLD_PGT_TIMESTAMP, "timestamp without time zone" },
                    { KVSQLD_PGT_TIMESTAMPTZ, "timestamp with time zone" },
                    { 1266, "time with time zone" },
                    { 1562, "bit varying" },
                    { 2276, "\"any\"" } };

  for (guint i = 0; i < G_N_ELEMENTS (spellings); i++)
    if (spellings[i].oid == type->oid)
      return spellings[i].name;
  return type->name;
}

gchar *
kvsqld_pg_format_type (guint32 oid, gint64 modifier, gboolean has_modifier)
{
  const KvsqldPgTypeFacts *type = kvsqld_pg_facts_find_type (oid);
  const KvsqldPgTypeFacts *element;

  if (oid == 0)
    return g_strdup ("-");
  if (type == NULL)
    return g_strdup ("???");
  element = type->name[0] == '_' ? kvsqld_pg_facts_find_type (type->element) : NULL;
  if (element != NULL)
    {
      g_autofree gchar *inner = kvsqld_pg_format_type (element->oid, modifier, has_modifier);

      return g_strconcat (inner, "[]", NULL);
    }
  if (has_modifier && modifier >= 4)
    {
      gint64 size = modifier - 4;

      if (oid == KVSQLD_PGT_VARCHAR || oid == KVSQLD_PGT_BPCHAR)
        return g_strdup_printf ("%s(%" G_GINT64_FORMAT ")", spell_type (type), size);
      if (oid == KVSQLD_PGT_NUMERIC)
        return g_strdup_printf ("numeric(%d,%d)", (gint)(size >> 16), (gint)(size & 0xffff));
    }
  if (has_modifier && modifier >= 0
      && (oid == KVSQLD_PGT_TIMESTAMP || oid == KVSQLD_PGT_TIMESTAMPTZ || oid == KVSQLD_PGT_TIME))
    return g_strdup_printf ("%s(%d) %s time zone", oid == KVSQLD_PGT_TIME ? "time" : "timestamp",
                            (gint)modifier, oid == KVSQLD_PGT_TIMESTAMPTZ ? "with" : "without");
  /* without a limit the name would mean character(1) */
  return g_strdup (oid == KVSQLD_PGT_BPCHAR && has_modifier ? "bpchar" : spell_type (type));
}

FUNCTION (format_type)
{
  g_autofree gchar *name = NULL;

  if (kvsql_value_is_null (&arguments[0]))
    return TRUE;
  name = kvsqld_pg_format_type ((guint32)integer_of (&arguments[0]), integer_of (&arguments[1]),
                                !kvsql_value_is_null (&arguments[1]));
  return give_string (name, arena, out);
}

/* The type of a name as it is written in SQL; 0: there is none. */
static guint32
find_type (const gchar *text, KvsqlArena *arena)
{
  guint n_parts;
  const KvsqlSlice *parts = split_name (text, arena, &n_parts);
  g_autofree gchar *name = NULL;
  const KvsqldPgTypeFacts *type;
  gboolean is_array = g_str_has_suffix (text, "[]");

  name = g_strndup ((const gchar *)parts[n_parts - 1].data,
                    parts[n_parts - 1].size - (is_array ? 2 : 0));
  type = kvsqld_pg_facts_find_type_name (name);
  for (guint32 oid = 16; type == NULL && oid < 2000; oid++)
    {
      const KvsqldPgTypeFacts *each = kvsqld_pg_facts_find_type (oid);

      if (each != NULL
          && (g_str_equal (spell_type (each), name)
              || (oid == KVSQLD_PGT_INT4 && g_str_equal (name, "int"))))
        type = each;
    }
  return type == NULL ? 0 : is_array ? type->array : type->oid;
}

FUNCTION (type_named)
{
  guint32 type = find_type (string_of (&arguments[0], arena), arena);

  return type == 0 || give_integer (type, out);
}

/* {int,text} as {23,25} */
FUNCTION (type_numbers)
{
  guint n_elements;
  KvsqlSlice *elements;

  if (!_kvsqld_pg_read_array (&arguments[0], arena, &elements, &n_elements, error))
    return FALSE;
  for (guint i = 0; i < n_elements; i++)
    {
      const gchar *name;
      guint32 type;

      if (!kvsql_interrupt_poll (error))
        return FALSE;
      if (elements[i].data == NULL)
        continue;
      name = kvsql_arena_strndup (arena, (const gchar *)elements[i].data, elements[i].size);
      if (*name != '\0' && strspn (name, "0123456789") == strlen (name))
        continue;
      type = find_type (name, arena);
      if (type == 0)
        {
          kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE,
                           "type \"%s\" does not exist", name);
          return kvsql_error_sqlstate (error, "42704");
        }
      elements[i] = kvsql_slice_from_text (kvsql_arena_printf (arena, "%u", type));
    }
  return give_text (kvsqld_pg_array_write (elements, n_elements, arena), out);
}

FUNCTION (type_names)
{
  guint n_elements;
  KvsqlSlice *elements;

  if (!_kvsqld_pg_read_array (&arguments[0], arena, &elements, &n_elements, error))
    return FALSE;
  for (guint i = 0; i < n_elements; i++)
    {
      g_autofree gchar *name = NULL;

      if (elements[i].data == NULL)
        continue;
      name = g_strndup ((const gchar *)elements[i].data, elements[i].size);
      g_autofree gchar *spelt
          = kvsqld_pg_format_type ((guint32)g_ascii_strtoull (name, NULL, 10), 0, FALSE);

      elements[i] = kvsql_slice_from_text (kvsql_arena_strdup (arena, spelt));
    }
  return give_text (kvsqld_pg_array_write (elements, n_elements, arena), out);
}

/* ---- casts */

static gboolean
fail_input (const gchar *type, const gchar *text, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "invalid input syntax for type %s: \"%.40s\"", type, text);
  return kvsql_error_sqlstate (error, "22P02");
}

FUNCTION (to_integer)
{
  g_autofree gchar *text = g_strstrip (g_strdup (string_of (&arguments[0], arena)));
  gchar *end;
  gint64 value = g_ascii_strtoll (text, &end, 10);

  if (*text == '\0' || *end != '\0')
    return fail_input ("integer", text, error);
  return give_integer (value, out);
}

FUNCTION (to_real)
{
  g_autofree gchar *text = g_strstrip (g_strdup (string_of (&arguments[0], arena)));
  gchar *end;
  gdouble value = g_ascii_strtod (text, &end);

  if (*text == '\0' || *end != '\0')
    return fail_input ("double precision", text, error);
  *out = (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE, .real = value };
  return TRUE;
}

FUNCTION (to_boolean)
{
  static const gchar *const yes[] = { "t", "true", "y", "yes", "on", "1", NULL };
  static const gchar *const no[] = { "f", "false", "n", "no", "off", "0", NULL };
  g_autofree gchar *text = g_ascii_strdown (string_of (&arguments[0], arena), -1);

  if (!g_strv_contains (yes, text) && !g_strv_contains (no, text))
    return fail_input ("boolean", text, error);
  return give_integer (g_strv_contains (yes, text), out);
}

/* ---- the session */

FUNCTION (session)
{
  const KvsqldPgCatalogueSession *self = data;
  const gchar *what = string_of (&arguments[0], arena);

  if (g_str_equal (what, "user"))
    return give_string (self->user, arena, out);
  if (g_str_equal (what, "role"))
    return give_string (self->role, arena, out);
  if (g_str_equal (what, "database"))
    return give_string (self->database, arena, out);
  if (g_str_equal (what, "version"))
    return give_string (self->version, arena, out);
  return give_string (kvsql_arena_printf (arena, "%u", self->process_id), arena, out);
}

/* What drivers and tools ask for, and SHOW has not. */
static const struct
{
  const gchar *name, *value;
} constants[] = {
  { "default_table_access_method", "heap" },
  { "default_tablespace", "" },
  { "lc_collate", "C.UTF-8" },
  { "lc_ctype", "C.UTF-8" },
  { "max_identifier_length", "63" },
  { "max_index_keys", "32" },
};

static const gchar *
find_setting (const KvsqldPgCatalogueSession *session, const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (constants); i++)
    if (g_str_equal (constants[i].name, name))
      return constants[i].value;
  return session->get_setting (session->settings, name);
}

FUNCTION (setting)
{
  const gchar *name = string_of (&arguments[0], arena), *value = find_setting (data, name);

  if (value != NULL)
    return give_string (value, arena, out);
  if (integer_of (&arguments[1]) != 0)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE,
                   "unrecognized configuration parameter \"%s\"", name);
  return kvsql_error_sqlstate (error, "42704");
}

FUNCTION (set_config)
{
  const KvsqldPgCatalogueSession *self = data;
  const gchar *name = string_of (&arguments[0], arena);
  const gchar *value = string_of (&arguments[1], arena);

  if (!self->set_setting (self->settings, name, value, integer_of (&arguments[2]) != 0, error))
    return FALSE;
  return give_string (value, arena, out);
}

/* ---- all of them */

static const KvsqldPgFunctionEntry functions[] = {
  { "kvsql_boolean", 1, TRUE, to_boolean },
  { "kvsql_fail", 3, TRUE, fail },
  { "kvsql_format_type", 2, FALSE, format_type },
  { "kvsql_integer", 1, TRUE, to_integer },
  { "kvsql_name", 1, TRUE, name_of },
  { "kvsql_number", 1, TRUE, number_of },
  { "kvsql_parse_ident", 1, TRUE, parse_ident },
  { "kvsql_qualifier", 1, TRUE, qualifier_of },
  { "kvsql_real", 1, TRUE, to_real },
  { "kvsql_session", 1, TRUE, session },
  { "kvsql_set_config", 3, TRUE, set_config },
  { "kvsql_setting", 2, TRUE, setting },
  { "kvsql_type", 1, TRUE, type_named },
  { "kvsql_type_names", 1, TRUE, type_names },
  { "kvsql_type_numbers", 1, TRUE, type_numbers },
  { NULL, 0, FALSE, NULL },
};

static gboolean
add_all (KvsqldPgDatabase *database, const KvsqldPgFunctionEntry *entries, GError **error)
{
  for (; entries->name != NULL; entries++)
    if (!kvsqld_pg_database_add_function (database, entries->name, entries->n_arguments,
                                          entries->is_strict, entries->function, error))
      return FALSE;
  return TRUE;
}

gboolean
kvsqld_pg_functions_add (KvsqldPgDatabase *database, GError **error)
{
  const KvsqldPgAggregateEntry *aggregate = _kvsqld_pg_aggregates_of_arrays;

  for (; aggregate->name != NULL; aggregate++)
    if (!kvsqld_pg_database_add_aggregate (database, aggregate->name, aggregate->function, error))
      return FALSE;
  return add_all (database, functions, error)
         && add_all (database, _kvsqld_pg_functions_of_arrays, error)
         && add_all (database, _kvsqld_pg_functions_of_texts, error);
}
