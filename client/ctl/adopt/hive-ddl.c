/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-ddl.c: see the header.
 *
 * What is not CREATE TABLE is skipped up to its ';'. Answers of SHOW CREATE TABLE have no ';', so a
 * CREATE at the start of a line begins a statement, too.
 */
#include "config.h"

#include "client/ctl/adopt/hive-ddl.h"

#include <string.h>

#define DEFAULT_DATABASE "default"
#define SKIPPED_WORDS 2
#define HANDLER "HBaseStorageHandler"
#define HEADER "createtab_stmt" /* of the column that SHOW CREATE TABLE gives */

typedef struct
{
  const KvsqlctlHiveTokens *tokens;
  guint place;
  gchar *database; /* of the last USE */
  KvsqlctlTextError *error;
} Parser;

/* ---- structures */

static void
free_column (gpointer data)
{
  KvsqlctlHiveColumn *self = data;

  g_free (self->name);
  kvsqlctl_hive_type_free (self->type);
  g_free (self->comment);
  g_free (self);
}

static void
free_property (gpointer data)
{
  g_free (((KvsqlctlHiveProperty *)data)->value);
  g_free (data);
}

static void
free_table (gpointer data)
{
  KvsqlctlHiveTable *self = data;

  g_free (self->skipped);
  g_free (self->database);
  g_free (self->name);
  g_free (self->comment);
  g_ptr_array_unref (self->columns);
  g_hash_table_unref (self->serde_properties);
  g_hash_table_unref (self->table_properties);
  g_free (self);
}

static KvsqlctlHiveTable *
new_table (guint line)
{
  KvsqlctlHiveTable *self = g_new0 (KvsqlctlHiveTable, 1);

  self->line = line;
  self->columns = g_ptr_array_new_with_free_func (free_column);
  self->serde_properties = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_property);
  self->table_properties = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_property);
  return self;
}

gchar *
kvsqlctl_hive_table_get_full_name (const KvsqlctlHiveTable *self)
{
  return g_strdup_printf ("%s.%s", self->database, self->name);
}

const KvsqlctlHiveProperty *
kvsqlctl_hive_table_find (const KvsqlctlHiveTable *self, const gchar *name)
{
  const KvsqlctlHiveProperty *property = g_hash_table_lookup (self->table_properties, name);

  return property != NULL ? property : g_hash_table_lookup (self->serde_properties, name);
}

const gchar *
kvsqlctl_hive_table_get (const KvsqlctlHiveTable *self, const gchar *name)
{
  const KvsqlctlHiveProperty *property = kvsqlctl_hive_table_find (self, name);

  return property != NULL ? property->value : NULL;
}

/* ---- tokens */

static const KvsqlctlHiveToken *
ahead (const Parser *self, guint distance)
{
  return kvsqlctl_hive_tokens_at (self->tokens, self->place + distance);
}

static gboolean
fail (Parser *self, const gchar *hint, const gchar *expected)
{
  const KvsqlctlHiveToken *token = ahead (self, 0);

  if (hint == NULL)
    hint = "Give the statement as SHOW CREATE TABLE prints it.";

  if (token->kind == KVSQLCTL_HIVE_END)
    return kvsqlctl_text_error_set (self->error, token->start, 1, hint,
                                    "the text ends in a statement: expected %s", expected);
  return kvsqlctl_text_error_set (self->error, token->start, token->end - token->start, hint,
                                  "expected %s", expected);
}

static gboolean
is_word (const KvsqlctlHiveToken *token, const gchar *word)
{
  return token->kind == KVSQLCTL_HIVE_WORD && g_ascii_strcasecmp (token->value, word) == 0;
}

static gboolean
is_sign (const KvsqlctlHiveToken *token, gchar sign)
{
  return token->kind == KVSQLCTL_HIVE_SIGN && token->value[0] == sign;
}

static gboolean
accept_word (Parser *self, const gchar *word)
{
  if (!is_word (ahead (self, 0), word))
    return FALSE;
  self->place++;
  return TRUE;
}

/* All of them, or none is taken. */
static gboolean
accept_words (Parser *self, const gchar *first, const gchar *second, const gchar *third)
{
  guint n = third != NULL ? 3 : 2;

  if (!is_word (ahead (self, 0), first) || !is_word (ahead (self, 1), second)
      || (third != NULL && !is_word (ahead (self, 2), third)))
    return FALSE;
  self->place += n;
  return TRUE;
}

static gboolean
accept_sign (Parser *self, gchar sign)
{
  if (!is_sign (ahead (self, 0), sign))
    return FALSE;
  self->place++;
  return TRUE;
}

static gboolean
expect_sign (Parser *self, gchar sign)
{
  gchar expected[] = { '"', sign, '"', '\0' };

  return accept_sign (self, sign) || fail (self, NULL, expected);
}

/* Texts after one another are one, as in Hive. (transfer full) */
static gboolean
expect_text (Parser *self, gchar **out)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (ahead (self, 0)->kind != KVSQLCTL_HIVE_TEXT)
    return fail (self, NULL, "a text in quotes");
  for (; ahead (self, 0)->kind == KVSQLCTL_HIVE_TEXT; self->place++)
    g_string_append (text, ahead (self, 0)->value);
  g_free (*out);
  *out = g_string_free (g_steal_pointer (&text), FALSE);
  return TRUE;
}

/* From '(' to its ')'. */
static gboolean
skip_parentheses (Parser *self)
{
  guint depth = 0;

  if (!is_sign (ahead (self, 0), '('))
    return fail (self, NULL, "\"(\"");
  do
    {
      if (ahead (self, 0)->kind == KVSQLCTL_HIVE_END)
        return fail (self, NULL, "\")\"");
      depth += is_sign (ahead (self, 0), '(');
      depth -= is_sign (ahead (self, 0), ')');
      self->place++;
    }
  while (depth > 0);
  return TRUE;
}

/* ---- columns */

/* What is left of a column or of a constraint: NOT NULL, PRIMARY KEY (…) DISABLE, DEFAULT …. */
static gboolean
skip_constraints (Parser *self, gchar **comment)
{
  while (!is_sign (ahead (self, 0), ',') && !is_sign (ahead (self, 0), ')'))
    {
      if (comment != NULL && accept_word (self, "comment"))
        {
          if (!expect_text (self, comment))
            return FALSE;
        }
      else if (is_sign (ahead (self, 0), '('))
        {
          if (!skip_parentheses (self))
            return FALSE;
        }
      else if (ahead (self, 0)->kind == KVSQLCTL_HIVE_END)
        return fail (self, NULL, "\",\" or \")\" after a column");
      else
        self->place++;
    }
  return TRUE;
}

/* A constraint of the table in the list of columns. */
static gboolean
is_constraint (const Parser *self)
{
  return is_word (ahead (self, 0), "constraint")
         || (is_word (ahead (self, 0), "primary") && is_word (ahead (self, 1), "key"))
         || (is_word (ahead (self, 0), "foreign") && is_word (ahead (self, 1), "key"))
         || ((is_word (ahead (self, 0), "unique") || is_word (ahead (self, 0), "check"))
             && is_sign (ahead (self, 1), '('));
}

static gboolean
parse_column (Parser *self, KvsqlctlHiveTable *table)
{
  const KvsqlctlHiveToken *name = ahead (self, 0);
  KvsqlctlHiveColumn *column;

  if (is_constraint (self))
    return skip_constraints (self, NULL);
  if (name->kind != KVSQLCTL_HIVE_WORD && name->kind != KVSQLCTL_HIVE_QUOTED)
    return fail (self, "Names of columns have back-quotes, or none.", "the name of a column");
  self->place++;
  column = g_new0 (KvsqlctlHiveColumn, 1);
  g_ptr_array_add (table->columns, column);
  column->name = g_utf8_strdown (name->value, -1);
  column->type = kvsqlctl_hive_type_parse (self->tokens, &self->place, self->error);
  return column->type != NULL && skip_constraints (self, &column->comment);
}

static gboolean
parse_columns (Parser *self, KvsqlctlHiveTable *table)
{
  self->place++;
  do
    if (!parse_column (self, table))
      return FALSE;
  while (accept_sign (self, ','));
  return expect_sign (self, ')');
}

/* ---- properties */

static gboolean
parse_property (Parser *self, GHashTable *properties)
{
  g_autofree gchar *name = NULL;
  KvsqlctlHiveProperty *property;

  if (!expect_text (self, &name) || !expect_sign (self, '='))
    return FALSE;
  property = g_new0 (KvsqlctlHiveProperty, 1);
  property->position = ahead (self, 0)->start;
  property->length = MAX (ahead (self, 0)->end - ahead (self, 0)->start, 1);
  if (!expect_text (self, &property->value))
    {
      free_property (property);
      return FALSE;
    }
  g_hash_table_replace (properties, g_steal_pointer (&name), property);
  return TRUE;
}

static gboolean
parse_properties (Parser *self, GHashTable *properties)
{
  if (!expect_sign (self, '('))
    return FALSE;
  do
    if (!parse_property (self, properties))
      return FALSE;
  while (accept_sign (self, ','));
  return expect_sign (self, ')');
}

/* A clause of ROW FORMAT DELIMITED is a property of another name. */
static gboolean
parse_delimiter (Parser *self, KvsqlctlHiveTable *table, const gchar *name)
{
  KvsqlctlHiveProperty *property = g_new0 (KvsqlctlHiveProperty, 1);

  property->position = ahead (self, 0)->start;
  property->length = MAX (ahead (self, 0)->end - ahead (self, 0)->start, 1);
  if (!expect_text (self, &property->value))
    {
      free_property (property);
      return FALSE;
    }
  g_hash_table_replace (table->serde_properties, g_strdup (name), property);
  return TRUE;
}

static gboolean
parse_delimited (Parser *self, KvsqlctlHiveTable *table)
{
  while (TRUE)
    {
      const gchar *name = NULL;

      if (accept_words (self, "fields", "terminated", "by"))
        name = "field.delim";
      else if (accept_words (self, "escaped", "by", NULL))
        name = "escape.delim";
      else if (is_word (ahead (self, 0), "collection") && is_word (ahead (self, 1), "items"))
        {
          self->place += 2;
          if (!accept_words (self, "terminated", "by", NULL))
            return fail (self, NULL, "TERMINATED BY");
          name = "collection.delim";
        }
      else if (is_word (ahead (self, 0), "map") && is_word (ahead (self, 1), "keys"))
        {
          self->place += 2;
          if (!accept_words (self, "terminated", "by", NULL))
            return fail (self, NULL, "TERMINATED BY");
          name = "mapkey.delim";
        }
      else if (accept_words (self, "lines", "terminated", "by"))
        name = "line.delim";
      else if (accept_words (self, "null", "defined", "as"))
        name = "serialization.null.format";
      if (name == NULL)
        return TRUE;
      if (!parse_delimiter (self, table, name))
        return FALSE;
    }
}

/* ---- clauses */

static gboolean
parse_row_format (Parser *self, KvsqlctlHiveTable *table)
{
  g_autofree gchar *serde = NULL;

  if (accept_word (self, "serde"))
    return expect_text (self, &serde);
  return accept_word (self, "delimited") ? parse_delimited (self, table)
                                         : fail (self, NULL, "SERDE or DELIMITED");
}

static gboolean
parse_stored (Parser *self)
{
  g_autofree gchar *handler = NULL;

  return accept_word (self, "by") ? expect_text (self, &handler) : fail (self, NULL, "BY");
}

/* Whether a statement ends before the token there. */
static gboolean
is_end (const Parser *self, guint place)
{
  const KvsqlctlHiveToken *token = kvsqlctl_hive_tokens_at (self->tokens, place);

  return token->kind == KVSQLCTL_HIVE_END || is_sign (token, ';')
         || (place > 0 && is_word (token, "create")
             && kvsqlctl_hive_tokens_at (self->tokens, place - 1)->line < token->line);
}

static void
skip_statement (Parser *self)
{
  while (!is_end (self, self->place))
    self->place++;
}

static gboolean
is_end_of_table (Parser *self)
{
  const KvsqlctlHiveToken *token = ahead (self, 0);

  return token->kind == KVSQLCTL_HIVE_END || is_sign (token, ';') || is_word (token, "create")
         || is_word (token, HEADER);
}

/* One clause after the columns. */
static gboolean
parse_clause (Parser *self, KvsqlctlHiveTable *table)
{
  if (accept_word (self, "comment"))
    return expect_text (self, &table->comment);
  if (accept_words (self, "row", "format", NULL))
    return parse_row_format (self, table);
  if (accept_word (self, "stored"))
    return parse_stored (self);
  if (accept_words (self, "with", "serdeproperties", NULL))
    return parse_properties (self, table->serde_properties);
  if (accept_word (self, "tblproperties"))
    return parse_properties (self, table->table_properties);
  if (accept_words (self, "partitioned", "by", NULL))
    {
      table->is_partitioned = TRUE;
      return skip_parentheses (self);
    }
  if (accept_word (self, "location"))
    {
      g_autofree gchar *location = NULL;
      return expect_text (self, &location);
    }
  if (accept_word (self, "as") || accept_word (self, "like"))
    {
      skip_statement (self);
      return TRUE;
    }
  return fail (self,
               "Clauses of CREATE TABLE are COMMENT, ROW FORMAT, STORED BY, WITH SERDEPROPERTIES, "
               "TBLPROPERTIES and others.",
               "a clause of CREATE TABLE, or \";\"");
}

/* ---- statements */

/* The name of a table: name, database.name, or both in one pair of back-quotes. */
static gboolean
parse_name (Parser *self, KvsqlctlHiveTable *table)
{
  const KvsqlctlHiveToken *first = ahead (self, 0), *last = first;
  const gchar *point;

  if (first->kind != KVSQLCTL_HIVE_WORD && first->kind != KVSQLCTL_HIVE_QUOTED)
    return fail (self, NULL, "the name of a table");
  self->place++;
  point = first->kind == KVSQLCTL_HIVE_QUOTED ? strchr (first->value, '.') : NULL;
  if (accept_sign (self, '.'))
    {
      last = ahead (self, 0);
      if (last->kind != KVSQLCTL_HIVE_WORD && last->kind != KVSQLCTL_HIVE_QUOTED)
        return fail (self, NULL, "the name of a table");
      self->place++;
      table->database = g_utf8_strdown (first->value, -1);
    }
  else if (point != NULL)
    table->database = g_utf8_strdown (first->value, point - first->value);
  else
    table->database = g_strdup (self->database);
  table->name = g_utf8_strdown (last == first && point != NULL ? point + 1 : last->value, -1);
  table->position = first->start;
  table->length = last->end - first->start;
  return TRUE;
}

/* CREATE … TABLE. FALSE: it is another statement, and nothing is taken. */
static gboolean
accept_create_table (Parser *self)
{
  static const gchar *const kinds[] = { "external", "temporary", "managed", "transactional" };
  guint distance = 1;

  if (!is_word (ahead (self, 0), "create"))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    distance += is_word (ahead (self, distance), kinds[i]);
  if (!is_word (ahead (self, distance), "table"))
    return FALSE;
  self->place += distance + 1;
  accept_words (self, "if", "not", "exists");
  return TRUE;
}

/* Whether the statement has the handler of HBase. The clauses of other tables are not parsed, as
 * they may be of any version of Hive. */
static gboolean
has_handler (const Parser *self)
{
  for (guint i = self->place; !is_end (self, i); i++)
    {
      const KvsqlctlHiveToken *token = kvsqlctl_hive_tokens_at (self->tokens, i);

      if (token->kind == KVSQLCTL_HIVE_TEXT && g_str_has_suffix (token->value, HANDLER))
        return TRUE;
    }
  return FALSE;
}

static gboolean
parse_table (Parser *self, KvsqlctlHiveTable *table)
{
  if (!parse_name (self, table))
    return FALSE;
  table->is_in_hbase = has_handler (self);
  if (!table->is_in_hbase)
    {
      skip_statement (self);
      return TRUE;
    }
  if (is_sign (ahead (self, 0), '(') && !parse_columns (self, table))
    return FALSE;
  while (!is_end_of_table (self))
    if (!parse_clause (self, table))
      return FALSE;
  return TRUE;
}

/* USE database; */
static void
note_database (Parser *self)
{
  if (!is_word (ahead (self, 0), "use") || is_sign (ahead (self, 1), ';'))
    return;
  g_free (self->database);
  self->database = g_utf8_strdown (ahead (self, 1)->value, -1);
}

/* NULL: there is nothing to say of the statement. */
static KvsqlctlHiveTable *
skip_other (Parser *self)
{
  KvsqlctlHiveTable *table;
  g_autoptr (GString) words = g_string_new (NULL);
  gboolean is_said = !is_word (ahead (self, 0), "use");

  note_database (self);
  table = new_table (ahead (self, 0)->line);
  for (guint i = 0; i < SKIPPED_WORDS && ahead (self, i)->kind == KVSQLCTL_HIVE_WORD; i++)
    g_string_append_printf (words, "%s%s", i > 0 ? " " : "", ahead (self, i)->value);
  if (words->len == 0)
    g_string_append (words, ahead (self, 0)->value);
  self->place++;
  skip_statement (self);
  table->skipped = g_string_free (g_steal_pointer (&words), FALSE);
  if (is_said)
    return table;
  free_table (table);
  return NULL;
}

static gboolean
parse_statement (Parser *self, GPtrArray *tables)
{
  guint line = ahead (self, 0)->line;
  KvsqlctlHiveTable *table;

  if (accept_sign (self, ';') || accept_word (self, HEADER))
    return TRUE;
  if (!accept_create_table (self))
    {
      table = skip_other (self);
      if (table != NULL)
        g_ptr_array_add (tables, table);
      return TRUE;
    }
  table = new_table (line);
  g_ptr_array_add (tables, table);
  return parse_table (self, table);
}

GPtrArray *
kvsqlctl_hive_ddl_parse (const gchar *text, gsize size, KvsqlctlTextError *error)
{
  g_auto (KvsqlctlHiveTokens) tokens = { 0 };
  g_autoptr (GPtrArray) tables = g_ptr_array_new_with_free_func (free_table);
  Parser self = { .tokens = &tokens, .error = error };
  gboolean ok = kvsqlctl_hive_tokens_init (&tokens, text, size, error);

  self.database = g_strdup (DEFAULT_DATABASE);
  while (ok && ahead (&self, 0)->kind != KVSQLCTL_HIVE_END)
    ok = parse_statement (&self, tables);
  g_free (self.database);
  return ok ? g_steal_pointer (&tables) : NULL;
}
