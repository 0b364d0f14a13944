/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * translate-cast.c: types: their names, casts, and what literals and parameters become.
 *
 * In SQLite a bool is 0 or 1; numbers of objects (oid, regclass and the like) are integers; regproc
 * is the name; arrays are PostgreSQL's text of them; all else is text.
 */
#include "config.h"

#include "daemon/postgres/catalogue/translate-private.h"

/* ---- names */

/* Names of SQL that are not those of the catalogue. A second word may follow. */
static const struct
{
  const gchar *word;
  const gchar *second; /* nullable */
  const gchar *name;
} aliases[] = {
  { "bigint", NULL, "int8" },
  { "bit", NULL, "bit" },
  { "boolean", NULL, "bool" },
  { "char", NULL, "bpchar" },
  { "character", "varying", "varchar" },
  { "character", NULL, "bpchar" },
  { "dec", NULL, "numeric" },
  { "decimal", NULL, "numeric" },
  { "double", "precision", "float8" },
  { "float", NULL, "float8" },
  { "int", NULL, "int4" },
  { "integer", NULL, "int4" },
  { "nchar", NULL, "bpchar" },
  { "real", NULL, "float4" },
  { "smallint", NULL, "int2" },
};

static const gchar *
read_type_name (KvsqldPgTranslator *self, const KvsqldPgToken *token)
{
  for (guint i = 0; token->kind == KVSQLD_PG_TOKEN_WORD && i < G_N_ELEMENTS (aliases); i++)
    if (strcmp (aliases[i].word, token->text) == 0
        && (aliases[i].second == NULL || kvsqld_pg_accept_word (self, aliases[i].second)))
      return aliases[i].name;
  if (token->kind == KVSQLD_PG_TOKEN_WORD
      && (strcmp (token->text, "timestamp") == 0 || strcmp (token->text, "time") == 0))
    {
      gboolean is_with = kvsqld_pg_accept_word (self, "with");

      if (is_with || kvsqld_pg_accept_word (self, "without"))
        {
          kvsqld_pg_accept_word (self, "time");
          kvsqld_pg_accept_word (self, "zone");
        }
      return is_with ? kvsqld_pg_write (self, "%stz", token->text) : token->text;
    }
  return token->text;
}

/* (10, 2) */
static gboolean
skip_modifier (KvsqldPgTranslator *self)
{
  if (!kvsqld_pg_accept_symbol (self, "("))
    return TRUE;
  while (kvsqld_pg_next (self, 0)->kind == KVSQLD_PG_TOKEN_NUMBER
         || kvsqld_pg_at_symbol (self, ","))
    self->at++;
  return kvsqld_pg_expect_symbol (self, ")");
}

gboolean
kvsqld_pg_read_type (KvsqldPgTranslator *self, guint32 *out, const gchar **out_name)
{
  const KvsqldPgToken *token = kvsqld_pg_next (self, 0);
  const KvsqldPgTypeFacts *type;
  const gchar *name;

  if (!kvsqld_pg_token_is_name (token))
    return kvsqld_pg_fail_syntax (self);
  self->at++;
  if (kvsqld_pg_accept_symbol (self, "."))
    {
      token = kvsqld_pg_next (self, 0);
      if (!kvsqld_pg_token_is_name (token))
        return kvsqld_pg_fail_syntax (self);
      self->at++;
    }
  name = read_type_name (self, token);
  type = kvsqld_pg_facts_find_type_name (name);
  if (type == NULL && strcmp (name, "sql_identifier") == 0)
    type = kvsqld_pg_facts_find_type (KVSQLD_PGT_NAME);
  if (type == NULL)
    {
      kvsql_error_set (&self->error, KVSQL_ERROR_UNKNOWN_NAME, token->span,
                       "type \"%s\" does not exist", name);
      return kvsql_error_sqlstate (&self->error, "42704");
    }
  if (!skip_modifier (self))
    return FALSE;
  *out = type->oid;
  *out_name = type->name;
  while (kvsqld_pg_accept_symbol (self, "["))
    {
      if (kvsqld_pg_next (self, 0)->kind == KVSQLD_PG_TOKEN_NUMBER)
        self->at++;
      if (!kvsqld_pg_expect_symbol (self, "]"))
        return FALSE;
      *out = type->array != 0 ? type->array : *out;
    }
  return TRUE;
}

/* ---- literals and parameters */

static gboolean
fail_literal (KvsqldPgTranslator *self, const KvsqldPgExpression *value, guint32 type)
{
  const KvsqldPgTypeFacts *facts = kvsqld_pg_facts_find_type (type);

  kvsql_error_set (&self->error, KVSQL_ERROR_VALUE, value->span,
                   "invalid input syntax for type %s: \"%.40s\"",
                   type == KVSQLD_PGT_BOOL   ? "boolean"
                   : type == KVSQLD_PGT_INT4 ? "integer"
                   : type == KVSQLD_PGT_INT8 ? "bigint"
                                             : facts->name,
                   value->literal);
  return kvsql_error_sqlstate (&self->error, "22P02");
}

static gboolean
is_number (const gchar *text)
{
  gchar *end;

  if (*text == '\0')
    return FALSE;
  g_ascii_strtoll (text, &end, 10);
  return *end == '\0';
}

static const gchar *
pattern_of_input (guint32 type)
{
  switch (type)
    {
    case KVSQLD_PGT_REGCLASS:
      return "coalesce (kvsql_number ($1), (SELECT kv_.oid FROM {pg_class} kv_ WHERE kv_.relname = "
             "kvsql_name ($1) AND kv_.relnamespace IN (SELECT kvn_.oid FROM {pg_namespace} kvn_ "
             "WHERE kvn_.nspname = coalesce (kvsql_qualifier ($1), kvn_.nspname) AND "
             "(kvsql_qualifier ($1) IS NOT NULL OR kvn_.nspname IN ('public', 'pg_catalog')))), "
             "kvsql_fail ('42P01', 'relation', $1))";
    case KVSQLD_PGT_REGTYPE:
      return "coalesce (kvsql_number ($1), kvsql_type ($1), kvsql_fail ('42704', 'type', $1))";
    case KVSQLD_PGT_REGTYPE_ARRAY:
      return "kvsql_type_numbers ($1)";
    case KVSQLD_PGT_REGNAMESPACE:
      return "coalesce (kvsql_number ($1), (SELECT kv_.oid FROM {pg_namespace} kv_ WHERE "
             "kv_.nspname = kvsql_name ($1)), kvsql_fail ('3F000', 'schema', $1))";
    case KVSQLD_PGT_REGROLE:
      return "coalesce (kvsql_number ($1), (SELECT kv_.oid FROM {pg_roles} kv_ WHERE kv_.rolname = "
             "kvsql_name ($1)), kvsql_fail ('42704', 'role', $1))";
    default:
      return NULL;
    }
}

static gboolean
read_literal (KvsqldPgTranslator *self, KvsqldPgExpression *inout, guint32 type)
{
  const gchar *text = inout->literal, *pattern = pattern_of_input (type);

  if (text == NULL) /* NULL */
    {
      inout->type = type;
      return TRUE;
    }
  inout->literal = NULL;
  inout->type = KVSQLD_PGT_TEXT;
  if (pattern != NULL)
    inout->sql = kvsqld_pg_fill_pattern (self, pattern, inout, 1);
  else if (type == KVSQLD_PGT_REGPROC || type == KVSQLD_PGT_REGPROCEDURE)
    inout->sql = kvsqld_pg_fill_pattern (self, "kvsql_name ($1)", inout, 1);
  else if (type == KVSQLD_PGT_BOOL)
    {
      g_autofree gchar *lower = g_ascii_strdown (text, -1);
      static const gchar *const yes[] = { "t", "true", "y", "yes", "on", "1", NULL };
      static const gchar *const no[] = { "f", "false", "n", "no", "off", "0", NULL };

      g_strstrip (lower);
      if (!g_strv_contains (yes, lower) && !g_strv_contains (no, lower))
        {
          inout->literal = text;
          return fail_literal (self, inout, type);
        }
      inout->sql = g_strv_contains (yes, lower) ? "1" : "0";
    }
  else if (kvsqld_pg_is_integer (type) || kvsqld_pg_is_real (type))
    {
      g_autofree gchar *stripped = g_strstrip (g_strdup (text));
      gchar *end;

      g_ascii_strtod (stripped, &end);
      if (*stripped == '\0' || *end != '\0'
          || (kvsqld_pg_is_integer (type) && !is_number (stripped)))
        {
          inout->literal = text;
          return fail_literal (self, inout, type);
        }
      inout->sql
          = kvsqld_pg_write (self, "CAST (%s AS %s)", kvsqld_pg_write_quoted (self, '\'', stripped),
                             kvsqld_pg_is_integer (type) ? "INTEGER" : "REAL");
    }
  inout->type = type;
  return TRUE;
}

gboolean
kvsqld_pg_coerce (KvsqldPgTranslator *self, KvsqldPgExpression *inout, guint32 type)
{
  if (inout->type != KVSQLD_PGT_UNKNOWN || type == KVSQLD_PGT_UNKNOWN)
    return TRUE;
  if (inout->parameter > 0)
    {
      guint32 *known = &g_array_index (self->parameters, guint32, inout->parameter - 1);

      if (*known == 0 || *known == KVSQLD_PGT_UNKNOWN)
        *known = type;
      inout->type = *known;
      inout->parameter = 0;
      /* the text of a regclass and the like is a name */
      if (pattern_of_input (*known) != NULL)
        inout->sql = kvsqld_pg_fill_pattern (self, pattern_of_input (*known), inout, 1);
      return self->error == NULL;
    }
  return read_literal (self, inout, type);
}

gboolean
kvsqld_pg_settle (KvsqldPgTranslator *self, KvsqldPgExpression *inout)
{
  return kvsqld_pg_coerce (self, inout, KVSQLD_PGT_TEXT);
}

gboolean
kvsqld_pg_unify (KvsqldPgTranslator *self, KvsqldPgExpression *a, KvsqldPgExpression *b)
{
  return kvsqld_pg_coerce (self, a, b->type) && kvsqld_pg_coerce (self, b, a->type)
         && kvsqld_pg_settle (self, a) && kvsqld_pg_settle (self, b);
}

/* ---- casts */

/* The name of what has a number; NULL: the type is no such number. */
static const gchar *
pattern_of_output (guint32 type)
{
  switch (type)
    {
    case KVSQLD_PGT_REGCLASS:
      return "coalesce ((SELECT CASE WHEN kv_.relnamespace IN (11, 2200) THEN '' ELSE "
             "'information_schema.' END || kvsql_quote_ident (kv_.relname) FROM {pg_class} kv_ "
             "WHERE kv_.oid = $1), CASE $1 WHEN 0 THEN '-' ELSE CAST ($1 AS TEXT) END)";
    case KVSQLD_PGT_REGTYPE:
      return "CASE $1 WHEN 0 THEN '-' ELSE kvsql_format_type ($1, NULL) END";
    case KVSQLD_PGT_REGNAMESPACE:
      return "coalesce ((SELECT kv_.nspname FROM {pg_namespace} kv_ WHERE kv_.oid = $1), CASE $1 "
             "WHEN 0 THEN '-' ELSE CAST ($1 AS TEXT) END)";
    case KVSQLD_PGT_REGROLE:
      return "coalesce ((SELECT kv_.rolname FROM {pg_roles} kv_ WHERE kv_.oid = $1), CASE $1 WHEN "
             "0 "
             "THEN '-' ELSE CAST ($1 AS TEXT) END)";
    case KVSQLD_PGT_REGTYPE_ARRAY:
      return "kvsql_type_names ($1)";
    default:
      return NULL;
    }
}

gboolean
kvsqld_pg_write_output (KvsqldPgTranslator *self, KvsqldPgExpression *inout)
{
  const gchar *pattern = pattern_of_output (inout->type);

  if (pattern != NULL)
    inout->sql = kvsqld_pg_fill_pattern (self, pattern, inout, 1);
  return self->error == NULL;
}

static const gchar *
pattern_to_text (guint32 from)
{
  if (from == KVSQLD_PGT_BOOL)
    return "CASE $1 WHEN 1 THEN 'true' WHEN 0 THEN 'false' END";
  return pattern_of_output (from) != NULL ? pattern_of_output (from) : "CAST ($1 AS TEXT)";
}

static const gchar *
pattern_to_integer (guint32 from)
{
  if (kvsqld_pg_is_integer (from) || from == KVSQLD_PGT_BOOL)
    return "$1";
  if (kvsqld_pg_is_real (from))
    return "CAST (round ($1) AS INTEGER)";
  if (from == KVSQLD_PGT_REGPROC || from == KVSQLD_PGT_REGPROCEDURE)
    return "coalesce ((SELECT min (kv_.oid) FROM {pg_proc} kv_ WHERE kv_.proname = $1), 0)";
  return "kvsql_integer ($1)";
}

/* NULL: there is no such cast. "$1": the value stays as it is. */
static const gchar *
pattern_of_cast (guint32 from, guint32 to)
{
  if (kvsqld_pg_is_text (from) && pattern_of_input (to) != NULL)
    return pattern_of_input (to);
  if (kvsqld_pg_is_integer (to))
    return pattern_to_integer (from);
  if (kvsqld_pg_is_text (to))
    return pattern_to_text (from);
  if (to == KVSQLD_PGT_BOOL)
    return kvsqld_pg_is_integer (from) ? "($1 <> 0)" : "kvsql_boolean ($1)";
  if (kvsqld_pg_is_real (to))
    return kvsqld_pg_is_text (from) ? "kvsql_real ($1)" : "CAST ($1 AS REAL)";
  if (to == KVSQLD_PGT_REGPROC || to == KVSQLD_PGT_REGPROCEDURE)
    return kvsqld_pg_is_integer (from)
               ? "(SELECT kv_.proname FROM {pg_proc} kv_ WHERE kv_.oid = $1)"
               : "kvsql_name ($1)";
  if (from == KVSQLD_PGT_INT2VECTOR || from == KVSQLD_PGT_OIDVECTOR)
    return kvsqld_pg_is_array (to) ? "kvsql_vector_array ($1)" : NULL;
  if (from == KVSQLD_PGT_REGTYPE_ARRAY && to != KVSQLD_PGT_OID_ARRAY)
    return "kvsql_type_names ($1)";
  return "$1";
}

gboolean
kvsqld_pg_cast (KvsqldPgTranslator *self, KvsqldPgExpression *inout, guint32 type)
{
  const gchar *pattern;

  inout->chain = NULL;
  if (inout->type == KVSQLD_PGT_UNKNOWN)
    {
      if (!kvsqld_pg_coerce (self, inout, type))
        return FALSE;
      if (inout->type == type)
        return TRUE;
    }
  if (inout->type == type)
    return TRUE;
  pattern = pattern_of_cast (inout->type, type);
  if (pattern == NULL)
    return kvsqld_pg_fail_unsupported (self, inout->span, "this cast");
  if (strcmp (pattern, "$1") != 0)
    inout->sql = kvsqld_pg_fill_pattern (self, pattern, inout, 1);
  inout->type = type;
  return self->error == NULL;
}

/* ---- patterns */

/* {relation} at @at; NULL: it is something else in braces. */
static const KvsqldPgTableFacts *
find_table_at (KvsqldPgTranslator *self, const gchar *at)
{
  gsize size = strspn (at + 1, "abcdefghijklmnopqrstuvwxyz_");

  return at[0] == '{' && at[1 + size] == '}'
             ? kvsqld_pg_facts_find_table (kvsql_arena_strndup (self->arena, at + 1, size))
             : NULL;
}

const gchar *
kvsqld_pg_fill_pattern (KvsqldPgTranslator *self, const gchar *pattern,
                        const KvsqldPgExpression *arguments, guint n)
{
  g_autoptr (GString) out = g_string_new ("(");
  const KvsqldPgTableFacts *table;

  for (const gchar *at = pattern; *at != '\0'; at++)
    if (at[0] == '$' && g_ascii_isdigit (at[1]) && (guint)(at[1] - '0') <= n)
      g_string_append (out, arguments[*++at - '1'].sql);
    else if ((table = find_table_at (self, at)) != NULL)
      {
        kvsqld_pg_use_table (self, table->name);
        g_string_append_printf (out, "\"%s\"", table->name);
        at = strchr (at, '}');
      }
    else
      g_string_append_c (out, *at);
  g_string_append_c (out, ')');
  return kvsqld_pg_write (self, "%s", out->str);
}
