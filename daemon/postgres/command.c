/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * command.c: see command.h.
 */
#include "config.h"

#include "daemon/postgres/command.h"

#include "daemon/postgres/catalogue/translate.h"
#include "daemon/postgres/settings.h"
#include "daemon/postgres/words.h"

typedef gboolean (*Reader) (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error);

/* ---- blocks */

/* ISOLATION LEVEL …, READ ONLY, READ WRITE, [NOT] DEFERRABLE; with or without commas. */
static gboolean
read_modes (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  while (!kvsqld_pg_words_at_end (words))
    {
      if (kvsqld_pg_words_accept (words, "ISOLATION") && kvsqld_pg_words_accept (words, "LEVEL"))
        {
          const gchar *level = kvsqld_pg_words_take_name (words);

          if (level == NULL)
            return kvsqld_pg_words_fail (words, error);
          if (strcmp (level, "serializable") != 0)
            {
              const gchar *second = kvsqld_pg_words_take_name (words);

              if (second == NULL)
                return kvsqld_pg_words_fail (words, error);
              level = kvsql_arena_printf (words->arena, "%s %s", level, second);
            }
          out->isolation = level;
        }
      else if (kvsqld_pg_words_accept (words, "READ"))
        {
          gboolean is_read_only = kvsqld_pg_words_accept (words, "ONLY");

          if (!is_read_only && !kvsqld_pg_words_accept (words, "WRITE"))
            return kvsqld_pg_words_fail (words, error);
          out->read_only = is_read_only ? "on" : "off";
        }
      else
        {
          kvsqld_pg_words_accept (words, "NOT");
          if (!kvsqld_pg_words_accept (words, "DEFERRABLE"))
            return kvsqld_pg_words_fail (words, error);
        }
      kvsqld_pg_words_accept_symbol (words, ',');
    }
  return TRUE;
}

static void
skip_noise (KvsqldPgWords *words)
{
  if (!kvsqld_pg_words_accept (words, "WORK"))
    kvsqld_pg_words_accept (words, "TRANSACTION");
}

static gboolean
read_begin (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  out->kind = KVSQLD_PG_BEGIN;
  out->tag = "BEGIN";
  skip_noise (words);
  return read_modes (words, out, error);
}

static gboolean
read_start (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  out->kind = KVSQLD_PG_BEGIN;
  out->tag = "START TRANSACTION";
  if (!kvsqld_pg_words_accept (words, "TRANSACTION"))
    return kvsqld_pg_words_fail (words, error);
  return read_modes (words, out, error);
}

static gboolean
read_chain (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  if (kvsqld_pg_words_accept (words, "AND"))
    {
      out->is_chained = !kvsqld_pg_words_accept (words, "NO");
      if (!kvsqld_pg_words_accept (words, "CHAIN"))
        return kvsqld_pg_words_fail (words, error);
    }
  return kvsqld_pg_words_end (words, error);
}

static gboolean
read_commit (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  out->kind = KVSQLD_PG_COMMIT;
  out->tag = "COMMIT";
  skip_noise (words);
  return read_chain (words, out, error);
}

static gboolean
read_savepoint_name (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  out->name = kvsqld_pg_words_take_name (words);
  if (out->name == NULL)
    return kvsqld_pg_words_fail (words, error);
  return kvsqld_pg_words_end (words, error);
}

static gboolean
read_rollback (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  out->tag = "ROLLBACK";
  skip_noise (words);
  if (!kvsqld_pg_words_accept (words, "TO"))
    {
      out->kind = KVSQLD_PG_ROLLBACK;
      return read_chain (words, out, error);
    }
  out->kind = KVSQLD_PG_ROLLBACK_TO;
  kvsqld_pg_words_accept (words, "SAVEPOINT");
  return read_savepoint_name (words, out, error);
}

static gboolean
read_savepoint (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  out->kind = KVSQLD_PG_SAVEPOINT;
  out->tag = "SAVEPOINT";
  return read_savepoint_name (words, out, error);
}

static gboolean
read_release (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  out->kind = KVSQLD_PG_RELEASE;
  out->tag = "RELEASE";
  kvsqld_pg_words_accept (words, "SAVEPOINT");
  return read_savepoint_name (words, out, error);
}

/* ---- settings */

static gboolean
fail_unsupported (const gchar *what, const gchar *hint, KvsqlSpan span, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, span, "%s is not supported", what);
  if (hint != NULL)
    kvsql_error_hint (error, "%s", hint);
  return FALSE;
}

/* TIME ZONE, and other names of two words; a name with a point is of an extension. */
static const gchar *
take_setting (KvsqldPgWords *words)
{
  const gchar *name = kvsqld_pg_words_take_name (words);

  if (name == NULL)
    return NULL;
  if (strcmp (name, "time") == 0 && kvsqld_pg_words_accept (words, "ZONE"))
    return "TimeZone";
  if (strcmp (name, "session") == 0 && kvsqld_pg_words_accept (words, "AUTHORIZATION"))
    return "session_authorization";
  if (kvsqld_pg_words_accept_symbol (words, '.'))
    {
      const gchar *next = kvsqld_pg_words_take_name (words);

      name = kvsql_arena_printf (words->arena, "%s.%s", name, next != NULL ? next : "");
    }
  return name;
}

/* A list that grows copies what it has. */
static gboolean
check_value_size (const gchar *value, KvsqlSpan span, GError **error)
{
  return strlen (value) <= KVSQLD_PG_MAX_SETTING_BYTES
         || kvsql_error_set (error, KVSQL_ERROR_LIMIT, span,
                             "the value of a parameter has at most %d bytes",
                             KVSQLD_PG_MAX_SETTING_BYTES);
}

static gboolean
read_set_value (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  if (kvsqld_pg_words_accept (words, "DEFAULT"))
    return kvsqld_pg_words_end (words, error);
  do
    {
      KvsqlSpan span = words->token.span;
      const gchar *value = kvsqld_pg_words_take_value (words);

      if (value == NULL)
        return kvsqld_pg_words_fail (words, error);
      out->value = out->value == NULL
                       ? value
                       : kvsql_arena_printf (words->arena, "%s, %s", out->value, value);
      if (!check_value_size (out->value, span, error))
        return FALSE;
    }
  while (kvsqld_pg_words_accept_symbol (words, ','));
  return kvsqld_pg_words_end (words, error);
}

/* SET ROLE, RESET ROLE and RESET STATEMENT STATISTICS, which the engine executes. They give no
 * table.
 */
static gboolean
give_to_engine (KvsqldPgCommand *out)
{
  out->kind = KVSQLD_PG_ENGINE;
  out->is_session = TRUE;
  return TRUE;
}

static gboolean
read_set (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  gboolean is_session = kvsqld_pg_words_accept (words, "SESSION");

  out->kind = KVSQLD_PG_SET;
  out->tag = "SET";
  if (is_session && kvsqld_pg_words_accept (words, "CHARACTERISTICS"))
    {
      out->kind = KVSQLD_PG_SET_MODES;
      out->is_lasting = TRUE;
      if (!kvsqld_pg_words_accept (words, "AS") || !kvsqld_pg_words_accept (words, "TRANSACTION"))
        return kvsqld_pg_words_fail (words, error);
      return read_modes (words, out, error);
    }
  out->is_local = !is_session && kvsqld_pg_words_accept (words, "LOCAL");
  if (kvsqld_pg_words_accept (words, "TRANSACTION"))
    {
      out->kind = KVSQLD_PG_SET_MODES;
      return read_modes (words, out, error);
    }
  if (out->is_local && kvsqld_pg_words_at (words, "ROLE"))
    return fail_unsupported ("SET LOCAL ROLE",
                             "SET ROLE, and RESET ROLE afterwards, does the same.",
                             words->token.span, error);
  if (kvsqld_pg_words_at (words, "ROLE")
      || (is_session && kvsqld_pg_words_at (words, "AUTHORIZATION")))
    return give_to_engine (out);
  if (kvsqld_pg_words_accept (words, "NAMES"))
    {
      out->name = "client_encoding";
      return read_set_value (words, out, error);
    }
  out->name = take_setting (words);
  if (out->name == NULL)
    return kvsqld_pg_words_fail (words, error);
  if (!kvsqld_pg_words_accept_symbol (words, '=') && !kvsqld_pg_words_accept (words, "TO")
      && strcmp (out->name, "TimeZone") != 0)
    return kvsqld_pg_words_fail (words, error);
  return read_set_value (words, out, error);
}

static gboolean
read_reset (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  out->kind = KVSQLD_PG_RESET;
  out->tag = "RESET";
  if (kvsqld_pg_words_at (words, "ROLE") || kvsqld_pg_words_at (words, "SESSION")
      || kvsqld_pg_words_at (words, "STATEMENT"))
    return give_to_engine (out);
  if (!kvsqld_pg_words_accept (words, "ALL") && (out->name = take_setting (words)) == NULL)
    return kvsqld_pg_words_fail (words, error);
  return kvsqld_pg_words_end (words, error);
}

/* Names that are no setting are those of the engine: SHOW RELATIONS and the like. */
static gboolean
read_show (KvsqldPgWords *words, KvsqldPgCommand *out, G_GNUC_UNUSED GError **error)
{
  const gchar *name;

  out->tag = "SHOW";
  out->is_shown = TRUE;
  if (kvsqld_pg_words_accept (words, "TRANSACTION") && kvsqld_pg_words_accept (words, "ISOLATION")
      && kvsqld_pg_words_accept (words, "LEVEL"))
    name = "transaction_isolation";
  else
    name = take_setting (words);
  if (name != NULL && kvsqld_pg_settings_exist (name) && kvsqld_pg_words_at_end (words))
    {
      out->kind = KVSQLD_PG_SHOW;
      out->name = name;
    }
  return TRUE;
}

/* ---- what belongs to the session */

static gboolean
read_discard (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  out->kind = KVSQLD_PG_DISCARD;
  out->is_all = kvsqld_pg_words_accept (words, "ALL");
  out->tag = "DISCARD ALL";
  if (out->is_all)
    return kvsqld_pg_words_end (words, error);
  if (kvsqld_pg_words_accept (words, "PLANS"))
    out->tag = "DISCARD PLANS";
  else if (kvsqld_pg_words_accept (words, "SEQUENCES"))
    out->tag = "DISCARD SEQUENCES";
  else if (kvsqld_pg_words_accept (words, "TEMP") || kvsqld_pg_words_accept (words, "TEMPORARY"))
    out->tag = "DISCARD TEMP";
  else
    return kvsqld_pg_words_fail (words, error);
  return kvsqld_pg_words_end (words, error);
}

static gboolean
read_name_or_all (KvsqldPgWords *words, KvsqldPgCommand *out, const gchar *tag,
                  const gchar *tag_of_all, GError **error)
{
  out->is_all = kvsqld_pg_words_accept (words, "ALL");
  out->tag = out->is_all ? tag_of_all : tag;
  if (!out->is_all && (out->name = kvsqld_pg_words_take_name (words)) == NULL)
    return kvsqld_pg_words_fail (words, error);
  return kvsqld_pg_words_end (words, error);
}

static gboolean
read_deallocate (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  out->kind = KVSQLD_PG_DEALLOCATE;
  kvsqld_pg_words_accept (words, "PREPARE");
  return read_name_or_all (words, out, "DEALLOCATE", "DEALLOCATE ALL", error);
}

static gboolean
read_close (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  out->kind = KVSQLD_PG_CLOSE;
  return read_name_or_all (words, out, "CLOSE CURSOR", "CLOSE CURSOR ALL", error);
}

/* ---- cursors */

static gboolean
fail_direction (const KvsqldPgWords *words, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, words->token.span, "cursors go forward only");
  return kvsql_error_hint (error, "Write FETCH, FETCH n, FETCH FORWARD n or FETCH ALL.");
}

/* The text from the next token to the end. */
static KvsqlSlice
get_rest (const KvsqldPgWords *words)
{
  gsize at = (gsize)words->token.span.offset;

  return kvsql_slice (words->lexer.text + at, words->lexer.size - at);
}

static gboolean
read_declare (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  out->kind = KVSQLD_PG_DECLARE;
  out->tag = "DECLARE CURSOR";
  out->name = kvsqld_pg_words_take_name (words);
  if (out->name == NULL)
    return kvsqld_pg_words_fail (words, error);
  while (kvsqld_pg_words_accept (words, "INSENSITIVE")
         || kvsqld_pg_words_accept (words, "ASENSITIVE"))
    ;
  if (kvsqld_pg_words_at (words, "SCROLL") || kvsqld_pg_words_at (words, "BINARY"))
    return fail_direction (words, error);
  if (kvsqld_pg_words_accept (words, "NO") && !kvsqld_pg_words_accept (words, "SCROLL"))
    return kvsqld_pg_words_fail (words, error);
  if (!kvsqld_pg_words_accept (words, "CURSOR"))
    return kvsqld_pg_words_fail (words, error);
  out->is_lasting = kvsqld_pg_words_accept (words, "WITH");
  if ((out->is_lasting || kvsqld_pg_words_accept (words, "WITHOUT"))
      && !kvsqld_pg_words_accept (words, "HOLD"))
    return kvsqld_pg_words_fail (words, error);
  if (!kvsqld_pg_words_accept (words, "FOR"))
    return kvsqld_pg_words_fail (words, error);
  out->inner = get_rest (words);
  return TRUE;
}

/* The number of rows: NEXT, n, ALL, or after FORWARD; one without any of them. */
static gboolean
read_limit (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  static const gchar *const others[]
      = { "PRIOR", "FIRST", "LAST", "ABSOLUTE", "RELATIVE", "BACKWARD", NULL };
  const gchar *number;
  guint64 limit;

  out->limit = 1;
  for (guint i = 0; others[i] != NULL; i++)
    if (kvsqld_pg_words_at (words, others[i]))
      return fail_direction (words, error);
  if (kvsqld_pg_words_accept (words, "NEXT"))
    return TRUE;
  kvsqld_pg_words_accept (words, "FORWARD");
  if (kvsqld_pg_words_accept (words, "ALL"))
    {
      out->limit = 0;
      return TRUE;
    }
  if (words->token.kind == KVSQL_TOKEN_SYMBOL)
    return fail_direction (words, error);
  if (words->token.kind != KVSQL_TOKEN_INTEGER)
    return TRUE;
  number = kvsqld_pg_words_take_value (words);
  if (!g_ascii_string_to_unsigned (number, 10, 1, G_MAXINT32, &limit, NULL))
    return fail_direction (words, error);
  out->limit = (guint)limit;
  return TRUE;
}

static gboolean
read_fetch (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  out->kind = KVSQLD_PG_FETCH;
  out->count = KVSQLD_PG_COUNT_ROWS;
  if (!read_limit (words, out, error))
    return FALSE;
  if (!kvsqld_pg_words_accept (words, "FROM"))
    kvsqld_pg_words_accept (words, "IN");
  out->name = kvsqld_pg_words_take_name (words);
  if (out->name == NULL)
    return kvsqld_pg_words_fail (words, error);
  return kvsqld_pg_words_end (words, error);
}

/* ---- PREPARE and EXECUTE */

/* The text from the next token to a ')', or to a ',' if @stops_at_comma, that is in no parentheses
 * or brackets. */
static gboolean
take_text (KvsqldPgWords *words, gboolean stops_at_comma, KvsqlSlice *out, GError **error)
{
  gsize start = (gsize)words->token.span.offset;
  guint depth = 0;

  while (!kvsqld_pg_words_at_end (words))
    {
      gint symbol = words->token.kind == KVSQL_TOKEN_SYMBOL ? words->token.symbol : 0;

      if (depth == 0 && (symbol == ')' || (symbol == ',' && stops_at_comma)))
        {
          *out = kvsql_slice (words->lexer.text + start, (gsize)words->token.span.offset - start);
          return out->size > 0 || kvsqld_pg_words_fail (words, error);
        }
      if (symbol == '(' || symbol == '[')
        depth++;
      else if (symbol == ')' || symbol == ']')
        {
          if (depth == 0)
            break;
          depth--;
        }
      kvsqld_pg_words_advance (words);
    }
  return kvsqld_pg_words_fail (words, error);
}

static gboolean
read_types (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  KvsqlSlice *types = NULL;

  do
    if (!take_text (words, TRUE, KVSQL_ARENA_ADD (words->arena, types, out->n_types), error))
      return FALSE;
  while (kvsqld_pg_words_accept_symbol (words, ','));
  out->types = types;
  return kvsqld_pg_words_accept_symbol (words, ')') || kvsqld_pg_words_fail (words, error);
}

static gboolean
read_prepare (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  if (kvsqld_pg_words_at (words, "TRANSACTION"))
    return fail_unsupported ("PREPARE TRANSACTION", NULL, words->token.span, error);
  out->kind = KVSQLD_PG_PREPARE;
  out->name = kvsqld_pg_words_take_name (words);
  if (out->name == NULL || out->name[0] == '\0')
    return kvsqld_pg_words_fail (words, error);
  if (kvsqld_pg_words_accept_symbol (words, '(') && !read_types (words, out, error))
    return FALSE;
  if (!kvsqld_pg_words_accept (words, "AS") || kvsqld_pg_words_at_end (words))
    return kvsqld_pg_words_fail (words, error);
  out->inner = get_rest (words);
  return TRUE;
}

static gboolean
read_execute (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  out->kind = KVSQLD_PG_EXECUTE;
  out->name = kvsqld_pg_words_take_name (words);
  if (out->name == NULL)
    return kvsqld_pg_words_fail (words, error);
  if (kvsqld_pg_words_accept_symbol (words, '('))
    {
      if (!take_text (words, FALSE, &out->inner, error))
        return FALSE;
      kvsqld_pg_words_advance (words); /* the ')' */
    }
  return kvsqld_pg_words_end (words, error);
}

/* ---- statements of the engine */

static KvsqlSlice
text_of (const KvsqldPgWords *words)
{
  return kvsql_slice (words->lexer.text, words->lexer.size);
}

static gboolean
read_select (KvsqldPgWords *words, KvsqldPgCommand *out, G_GNUC_UNUSED GError **error)
{
  out->tag = "SELECT";
  out->count = KVSQLD_PG_COUNT_ROWS;
  if (kvsqld_pg_is_of_catalogue (text_of (words)))
    out->kind = KVSQLD_PG_CATALOGUE;
  return TRUE;
}

static gboolean
read_insert (G_GNUC_UNUSED KvsqldPgWords *words, KvsqldPgCommand *out, G_GNUC_UNUSED GError **error)
{
  out->tag = "INSERT 0";
  out->count = KVSQLD_PG_COUNT_TUPLES;
  return TRUE;
}

static gboolean
read_update (G_GNUC_UNUSED KvsqldPgWords *words, KvsqldPgCommand *out, G_GNUC_UNUSED GError **error)
{
  out->tag = "UPDATE";
  out->count = KVSQLD_PG_COUNT_TUPLES;
  return TRUE;
}

static gboolean
read_delete (G_GNUC_UNUSED KvsqldPgWords *words, KvsqldPgCommand *out, G_GNUC_UNUSED GError **error)
{
  out->tag = "DELETE";
  out->count = KVSQLD_PG_COUNT_TUPLES;
  return TRUE;
}

static gboolean
read_explain (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  out->tag = "EXPLAIN";
  out->is_explain = TRUE;
  return !kvsqld_pg_is_of_catalogue (text_of (words))
         || fail_unsupported ("EXPLAIN of a query of the catalogue", NULL, words->token.span,
                              error);
}

static gboolean
read_describe (G_GNUC_UNUSED KvsqldPgWords *words, KvsqldPgCommand *out,
               G_GNUC_UNUSED GError **error)
{
  out->tag = "DESCRIBE";
  out->is_shown = TRUE;
  return TRUE;
}

/* The statement after the list, whose queries are in parentheses. */
static gboolean
read_with (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  guint depth = 0;

  for (; !kvsqld_pg_words_at_end (words); kvsqld_pg_words_advance (words))
    {
      gint symbol = words->token.kind == KVSQL_TOKEN_SYMBOL ? words->token.symbol : 0;

      if (symbol == '(')
        depth++;
      else if (symbol == ')' && depth > 0)
        depth--;
      else if (depth > 0)
        continue;
      else if (kvsqld_pg_words_at (words, "INSERT"))
        return read_insert (words, out, error);
      else if (kvsqld_pg_words_at (words, "UPDATE"))
        return read_update (words, out, error);
      else if (kvsqld_pg_words_at (words, "DELETE"))
        return read_delete (words, out, error);
      else if (kvsqld_pg_words_at (words, "SELECT") || kvsqld_pg_words_at (words, "VALUES")
               || kvsqld_pg_words_at (words, "TABLE"))
        break;
    }
  return read_select (words, out, error);
}

/* Definitions have the tag of their first words: DEFINE SCHEMA, CREATE INDEX. */
static gboolean
read_definition (KvsqldPgWords *words, KvsqldPgCommand *out, G_GNUC_UNUSED GError **error)
{
  static const gchar *const objects[]
      = { "RELATION", "SCHEMA", "TABLE", "INDEX", "VIEW", "SEQUENCE", "ROLE", "OWNED", NULL };

  out->is_definition = TRUE;
  if (!kvsqld_pg_words_accept (words, "PRIMARY"))
    kvsqld_pg_words_accept (words, "UNIQUE");
  if (kvsqld_pg_words_accept (words, "OR"))
    kvsqld_pg_words_accept (words, "REPLACE");
  for (guint i = 0; objects[i] != NULL; i++)
    if (kvsqld_pg_words_at (words, objects[i]))
      out->tag = kvsql_arena_printf (words->arena, "%s %s", out->tag, objects[i]);
  if (kvsqld_pg_words_at (words, "USER")) /* another word for it */
    out->tag = kvsql_arena_printf (words->arena, "%s ROLE", out->tag);
  return TRUE;
}

/* GRANT and REVOKE. */
static gboolean
read_grant (G_GNUC_UNUSED KvsqldPgWords *words, KvsqldPgCommand *out, G_GNUC_UNUSED GError **error)
{
  out->is_definition = TRUE;
  return TRUE;
}

static gboolean
read_truncate (G_GNUC_UNUSED KvsqldPgWords *words, KvsqldPgCommand *out,
               G_GNUC_UNUSED GError **error)
{
  out->tag = "TRUNCATE TABLE";
  out->is_write = TRUE;
  return TRUE;
}

/* "public", which is not a thing of its own here. Dumps of PostgreSQL say what it is for. */
static gboolean
at_public_schema (KvsqldPgWords *words)
{
  const gchar *name;

  if (!kvsqld_pg_words_accept (words, "ON") || !kvsqld_pg_words_accept (words, "SCHEMA"))
    return FALSE;
  name = kvsqld_pg_words_take_value (words);
  return name != NULL && g_ascii_strcasecmp (name, "public") == 0;
}

static gboolean
read_comment (KvsqldPgWords *words, KvsqldPgCommand *out, G_GNUC_UNUSED GError **error)
{
  if (at_public_schema (words))
    out->kind = KVSQLD_PG_DISCARD;
  else
    out->is_definition = TRUE;
  return TRUE;
}

static gboolean
read_other (G_GNUC_UNUSED KvsqldPgWords *words, G_GNUC_UNUSED KvsqldPgCommand *out,
            G_GNUC_UNUSED GError **error)
{
  return TRUE;
}

static gboolean
read_analyze (G_GNUC_UNUSED KvsqldPgWords *words, KvsqldPgCommand *out,
              G_GNUC_UNUSED GError **error)
{
  out->is_silent = TRUE;
  return TRUE;
}

/* The rest is read by the parser (statement.c). */
static gboolean
read_copy (G_GNUC_UNUSED KvsqldPgWords *words, KvsqldPgCommand *out, G_GNUC_UNUSED GError **error)
{
  out->kind = KVSQLD_PG_COPY;
  out->count = KVSQLD_PG_COUNT_ROWS;
  return TRUE;
}

/* There is nothing to do: stores remove what is deleted by themselves. */
static gboolean
read_vacuum (G_GNUC_UNUSED KvsqldPgWords *words, KvsqldPgCommand *out, G_GNUC_UNUSED GError **error)
{
  out->kind = KVSQLD_PG_DISCARD;
  out->tag = "VACUUM";
  return TRUE;
}

static gboolean
refuse (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  return fail_unsupported (out->tag, NULL, words->token.span, error);
}

/* LOCK … IN ACCESS SHARE MODE is what each SELECT has: it only keeps others from dropping the
 * relation, so nothing is promised that does not hold for a SELECT. pg_dump sends it. */
static gboolean
read_lock (KvsqldPgWords *words, KvsqldPgCommand *out, GError **error)
{
  KvsqlSpan span = words->token.span;

  while (!kvsqld_pg_words_at_end (words) && !kvsqld_pg_words_at (words, "ACCESS"))
    kvsqld_pg_words_advance (words);
  if (!kvsqld_pg_words_accept (words, "ACCESS") || !kvsqld_pg_words_accept (words, "SHARE"))
    return fail_unsupported (out->tag, NULL, span, error);
  out->kind = KVSQLD_PG_DISCARD;
  out->tag = "LOCK TABLE";
  return TRUE;
}

/* ---- all of them */

/* The word is the tag, unless its reader says otherwise. */
static const struct
{
  const gchar *word;
  Reader read;
} readers[] = {
  { "SELECT", read_select },
  { "INSERT", read_insert },
  { "UPDATE", read_update },
  { "DELETE", read_delete },
  { "BEGIN", read_begin },
  { "COMMIT", read_commit },
  { "ROLLBACK", read_rollback },
  { "SET", read_set },
  { "SHOW", read_show },
  { "EXPLAIN", read_explain },
  { "VALUES", read_select },
  { "WITH", read_with },
  { "TABLE", read_select },
  { "ABORT", read_rollback },
  { "ALTER", read_definition },
  { "ANALYZE", read_analyze },
  { "BACKFILL", read_other },
  { "BACKUP", read_other },
  { "CALIBRATE", read_other },
  { "CLOSE", read_close },
  { "COMMENT", read_comment },
  { "COPY", read_copy },
  { "CREATE", read_definition },
  { "DEALLOCATE", read_deallocate },
  { "DECLARE", read_declare },
  { "DEFINE", read_definition },
  { "DESC", read_describe },
  { "DESCRIBE", read_describe },
  { "DISCARD", read_discard },
  { "DROP", read_definition },
  { "EXECUTE", read_execute },
  { "END", read_commit },
  { "FETCH", read_fetch },
  { "GRANT", read_grant },
  { "KILL", read_other },
  { "LISTEN", refuse },
  { "LOCK", read_lock },
  { "MOVE", refuse },
  { "NOTIFY", refuse },
  { "PREPARE", read_prepare },
  { "REASSIGN", read_definition },
  { "RELEASE", read_release },
  { "REPAIR", read_other },
  { "RESET", read_reset },
  { "RESTORE", read_definition },
  { "REVOKE", read_grant },
  { "SAVEPOINT", read_savepoint },
  { "START", read_start },
  { "TRUNCATE", read_truncate },
  { "UNLISTEN", refuse },
  { "VACUUM", read_vacuum },
  { "VERIFY", read_other },
};

gboolean
kvsqld_pg_command_read (KvsqlSlice sql, KvsqlArena *arena, KvsqldPgCommand *out, GError **error)
{
  KvsqldPgWords words;

  *out = (KvsqldPgCommand){ .kind = KVSQLD_PG_ENGINE,
                            .tag = "SELECT",
                            .count = KVSQLD_PG_COUNT_ROWS };
  kvsqld_pg_words_begin (&words, sql, arena);
  while (kvsqld_pg_words_accept_symbol (&words, '('))
    ;
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    if (kvsqld_pg_words_accept (&words, readers[i].word))
      {
        out->tag = readers[i].word;
        out->count = KVSQLD_PG_COUNT_NOTHING;
        return readers[i].read (&words, out, error);
      }
  return TRUE; /* its parser says what is wrong */
}

/* ---- what a kind means */

gboolean
kvsqld_pg_command_only_shows (const KvsqldPgCommand *self)
{
  return self->kind == KVSQLD_PG_SHOW || (self->kind == KVSQLD_PG_ENGINE && self->is_shown);
}

gboolean
kvsqld_pg_command_gives_table (const KvsqldPgCommand *self)
{
  return kvsqld_pg_command_only_shows (self) || self->kind == KVSQLD_PG_FETCH
         || (self->kind == KVSQLD_PG_ENGINE && self->count == KVSQLD_PG_COUNT_NOTHING
             && !self->is_definition && !self->is_write && !self->is_session && !self->is_silent);
}

gboolean
kvsqld_pg_command_ends_failure (const KvsqldPgCommand *self)
{
  return self->kind == KVSQLD_PG_COMMIT || self->kind == KVSQLD_PG_ROLLBACK
         || self->kind == KVSQLD_PG_ROLLBACK_TO;
}
