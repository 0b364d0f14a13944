/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-definition.c: DEFINE, DROP, RESTORE, SHOW and KILL.
 */
#include "config.h"

#include "core/sql/parser-private.h"

#include "core/sql/printer.h"

/* A relation may be called `if`; then no word follows it, or FOR of a schema, or ON of an index. */
gboolean
kvsql_parser_if_exists (KvsqlParser *self, gboolean with_not, gboolean *out, GError **error)
{
  KvsqlToken next;

  *out = FALSE;
  if (!kvsql_parser_at_keyword (self, KVSQL_KEYWORD_IF))
    return TRUE;
  next = kvsql_parser_peek (self);
  if (next.kind != KVSQL_TOKEN_WORD || next.keyword == KVSQL_KEYWORD_FOR
      || next.keyword == KVSQL_KEYWORD_ON)
    return TRUE;
  kvsql_parser_advance (self);
  *out = TRUE;
  return (!with_not || kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_NOT, error))
         && kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_EXISTS, error);
}

/* The brace or parenthesis that opens a definition. Returns the closing one. */
static gboolean
parse_opening (KvsqlParser *self, gint *out_closing, GError **error)
{
  if (kvsql_parser_accept_symbol (self, '{'))
    *out_closing = '}';
  else if (kvsql_parser_accept_symbol (self, '('))
    *out_closing = ')';
  else
    return kvsql_parser_fail_unexpected (self, "\"{\"", NULL, error);
  return TRUE;
}

/* After an entry. *@out_more: whether another one follows. */
static gboolean
parse_separator (KvsqlParser *self, gint closing, const gchar *expected, const gchar *const *words,
                 gboolean *out_more, GError **error)
{
  g_autofree gchar *all = NULL;

  *out_more = kvsql_parser_accept_symbol (self, ',');
  if (*out_more && kvsql_parser_at_symbol (self, closing))
    return kvsql_parser_fail_unexpected (self, NULL, NULL, error);
  if (*out_more || kvsql_parser_accept_symbol (self, closing))
    return TRUE;
  all = g_strdup_printf ("%s\",\" or \"%c\"", expected, closing);
  return kvsql_parser_fail_unexpected (self, all, words, error);
}

/* ---- options */

static gboolean
parse_option_value (KvsqlParser *self, KvsqlOption *out, GError **error)
{
  if (kvsql_parser_at_literal (self))
    return kvsql_parser_literal (self, &out->value, error);
  if (self->token.kind != KVSQL_TOKEN_WORD || !kvsql_parser_at_name (self))
    return kvsql_parser_fail_unexpected (self, "a literal or a word", NULL, error);
  out->value_is_name = TRUE;
  out->value.type = KVSQL_TYPE_STRING;
  out->value.bytes = kvsql_slice_from_text (kvsql_parser_take_word (self).text);
  return TRUE;
}

static gboolean
parse_option (KvsqlParser *self, KvsqlOptions *options, GError **error)
{
  gint32 start = self->token.span.offset;
  KvsqlOption *out = KVSQL_PARSER_ADD (self, options->items, options->n);

  if (!kvsql_parser_name (self, "the name of an option", &out->name, error)
      || !kvsql_parser_expect_symbol (self, '=', error) || !parse_option_value (self, out, error))
    return FALSE;
  out->span = kvsql_parser_span_from (self, start);
  return TRUE;
}

gboolean
kvsql_parser_options (KvsqlParser *self, KvsqlOptions *out, GError **error)
{
  gboolean more = TRUE;

  if (!kvsql_parser_expect_symbol (self, '(', error))
    return FALSE;
  while (more)
    if (!parse_option (self, out, error) || !parse_separator (self, ')', "", NULL, &more, error))
      return FALSE;
  return TRUE;
}

/* An optional WITH (name = value, …). */
static gboolean
parse_with (KvsqlParser *self, KvsqlOptions *out, GError **error)
{
  static const gchar *const words_at_end[] = { "WITH", "COMMENT", NULL };

  self->words_at_end = words_at_end;
  if (!kvsql_parser_at_with_schema (self) && kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_WITH))
    return kvsql_parser_options (self, out, error);
  self->expected_at_end = "WITH or the end of the statement";
  return TRUE;
}

/* ---- DEFINE RELATION */

static gboolean
given_twice (KvsqlSpan span, const gchar *what, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, span, "%s is given twice", what);
}

/* An optional COMMENT 'text'. */
static gboolean
parse_comment (KvsqlParser *self, KvsqlValue *out, GError **error)
{
  KvsqlSpan span = self->token.span;

  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_COMMENT))
    return TRUE;
  if (!kvsql_value_is_null (out))
    return given_twice (span, "COMMENT", error);
  if (self->token.kind != KVSQL_TOKEN_STRING)
    return kvsql_parser_fail_unexpected (self, "a text in quotes", NULL, error);
  return kvsql_parser_literal (self, out, error);
}

/* LABEL 'text' */
static gboolean
parse_label (KvsqlParser *self, KvsqlAttributeDefinition *out, GError **error)
{
  KvsqlSpan span = self->token.span;

  kvsql_parser_advance (self);
  if (!kvsql_value_is_null (&out->label))
    return given_twice (span, "LABEL", error);
  if (self->token.kind != KVSQL_TOKEN_STRING)
    return kvsql_parser_fail_unexpected (self, "a text in quotes", NULL, error);
  return kvsql_parser_literal (self, &out->label, error);
}

/* An optional constraint. *@out_more: whether there was one. */
static gboolean
parse_constraint (KvsqlParser *self, KvsqlAttributeDefinition *out, gboolean *is_nullable,
                  gboolean *out_more, GError **error)
{
  KvsqlSpan span = self->token.span;

  *out_more = TRUE;
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_PRIMARY))
    {
      if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_KEY, error))
        return FALSE;
      if (out->is_key)
        return given_twice (kvsql_parser_span_from (self, span.offset), "KEY", error);
      out->is_key = TRUE;
      return TRUE;
    }
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_KEY))
    {
      if (out->is_key)
        return given_twice (span, "KEY", error);
      out->is_key = TRUE;
      return TRUE;
    }
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_NOT))
    {
      if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_NULL, error))
        return FALSE;
      if (out->is_not_null)
        return given_twice (kvsql_parser_span_from (self, span.offset), "NOT NULL", error);
      out->is_not_null = TRUE;
    }
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_NULL))
    {
      if (*is_nullable)
        return given_twice (span, "NULL", error);
      *is_nullable = TRUE;
    }
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_DEFAULT))
    {
      if (out->default_value != NULL)
        return given_twice (span, "DEFAULT", error);
      out->default_value = kvsql_parser_expression (self, error);
      return out->default_value != NULL;
    }
  else if (kvsql_parser_at_word (self, "GENERATED"))
    return out->identity != NULL ? given_twice (span, "GENERATED", error)
                                 : kvsql_parser_identity (self, out, error);
  else if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_COMMENT))
    return parse_comment (self, &out->comment, error);
  else if (kvsql_parser_at_word (self, "LABEL"))
    return parse_label (self, out, error);
  else if (!kvsql_parser_attribute_constraint (self, out, out_more, error))
    return FALSE;
  if (*is_nullable && (out->is_not_null || out->is_key))
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX,
                            *out_more ? kvsql_parser_span_from (self, span.offset) : out->span,
                            "attribute \"%s\" is both NULL and %s", out->name.text,
                            out->is_not_null ? "NOT NULL" : "KEY");
  return TRUE;
}

gboolean
kvsql_parser_attribute (KvsqlParser *self, KvsqlAttributeDefinition *out, GError **error)
{
  gint32 start = self->token.span.offset;
  gboolean is_nullable = FALSE, more = TRUE;

  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_PRIMARY)
      && kvsql_parser_peek (self).keyword == KVSQL_KEYWORD_KEY)
    {
      kvsql_parser_fail_unexpected (self, "the name of an attribute", NULL, error);
      return kvsql_error_hint (error, "Write KEY after the type of each key attribute.");
    }
  if (!kvsql_parser_name (self, "the name of an attribute", &out->name, error)
      || !kvsql_parser_declared_type (self, &out->type_name, error))
    return FALSE;
  while (more)
    {
      out->span = kvsql_parser_span_from (self, start);
      if (!parse_constraint (self, out, &is_nullable, &more, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
parse_item (KvsqlParser *self, KvsqlDefineRelation *out, GError **error)
{
  gboolean is_constraint;

  return kvsql_parser_constraint (self, &out->constraints, &out->n_constraints, &is_constraint,
                                  error)
         && (is_constraint
             || kvsql_parser_attribute (
                 self, KVSQL_PARSER_ADD (self, out->attributes, out->n_attributes), error));
}

static gboolean
parse_relation (KvsqlParser *self, KvsqlDefineRelation *out, GError **error)
{
  static const gchar *const words[]
      = { "KEY", "PRIMARY", "NOT", "NULL", "DEFAULT", "COMMENT", NULL };
  gboolean more = TRUE;
  gint closing = 0;

  kvsql_parser_advance (self);
  if (!kvsql_parser_if_exists (self, TRUE, &out->if_not_exists, error)
      || !kvsql_parser_name (self, "the name of a relation", &out->name, error)
      || !parse_opening (self, &closing, error))
    return FALSE;
  while (more)
    if (!parse_item (self, out, error)
        || !parse_separator (self, closing, "KEY, NOT NULL, DEFAULT, ", words, &more, error))
      return FALSE;
  return parse_with (self, &out->options, error) && parse_comment (self, &out->comment, error);
}

/* ---- DEFINE SCHEMA */

static const KvsqlKeyword field_keywords[KVSQL_N_FIELDS] = {
  [KVSQL_FIELD_TABLE] = KVSQL_KEYWORD_TABLE,   [KVSQL_FIELD_ROW] = KVSQL_KEYWORD_ROW,
  [KVSQL_FIELD_FAMILY] = KVSQL_KEYWORD_FAMILY, [KVSQL_FIELD_QUALIFIER] = KVSQL_KEYWORD_QUALIFIER,
  [KVSQL_FIELD_VALUE] = KVSQL_KEYWORD_VALUE,
};

/* OTHERS before = is the keyword. */
static gboolean
parse_line (KvsqlParser *self, KvsqlCellLine *out, GError **error)
{
  gint32 start = self->token.span.offset;
  gboolean is_others = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_OTHERS)
                       && kvsql_parser_peek (self).symbol == '=';

  if (is_others)
    kvsql_parser_advance (self);
  else if (!kvsql_parser_layout (self, &out->column, error))
    return FALSE;
  if (!kvsql_parser_accept_symbol (self, '='))
    return kvsql_parser_fail_unexpected (self, "\":\" or \"=\"", NULL, error);
  if (is_others ? !kvsql_parser_name (self, "the name of an attribute", &out->others, error)
                : !kvsql_parser_layout (self, &out->value, error))
    return FALSE;
  out->span = kvsql_parser_span_from (self, start);
  return TRUE;
}

static gboolean
parse_cells (KvsqlParser *self, KvsqlSpan span, KvsqlDefineSchema *out, GError **error)
{
  gboolean more = TRUE;

  if (out->n_lines > 0)
    return given_twice (span, "CELLS", error);
  if (!kvsql_parser_expect_symbol (self, '{', error))
    return FALSE;
  while (more)
    if (!parse_line (self, KVSQL_PARSER_ADD (self, out->lines, out->n_lines), error)
        || !parse_separator (self, '}', "\":\", ", NULL, &more, error))
      return FALSE;
  for (guint i = KVSQL_FIELD_FAMILY; i < KVSQL_N_FIELDS; i++)
    if (!out->has_field[i])
      out->fields[i].span = span;
  return TRUE;
}

static gboolean
parse_field (KvsqlParser *self, KvsqlDefineSchema *out, GError **error)
{
  static const gchar *const words[]
      = { "TABLE", "ROW", "FAMILY", "QUALIFIER", "VALUE", "CELLS", "TIMESTAMP", NULL };
  KvsqlSpan span = self->token.span;

  for (guint i = 0; i < KVSQL_N_FIELDS; i++)
    if (kvsql_parser_accept_keyword (self, field_keywords[i]))
      {
        if (out->has_field[i])
          return given_twice (span, kvsql_field_get_name (i), error);
        out->has_field[i] = TRUE;
        return kvsql_parser_layout (self, &out->fields[i], error);
      }
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_CELLS))
    return parse_cells (self, span, out, error);
  if (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_TIMESTAMP))
    return kvsql_parser_fail_unexpected (
        self, "TABLE, ROW, FAMILY, QUALIFIER, VALUE, CELLS or TIMESTAMP", words, error);
  if (out->timestamp.text != NULL)
    return given_twice (span, "TIMESTAMP", error);
  return kvsql_parser_name (self, "the name of an attribute", &out->timestamp, error);
}

static gboolean
complete_fields (KvsqlParser *self, KvsqlDefineSchema *out, GError **error)
{
  for (guint i = 0; i < KVSQL_N_FIELDS; i++)
    {
      if (out->n_lines > 0 && i >= KVSQL_FIELD_FAMILY)
        {
          if (out->has_field[i])
            return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, out->fields[i].span,
                                    "a schema has either %s or CELLS", kvsql_field_get_name (i))
                   || kvsql_error_hint (error, "A line of CELLS is family:qualifier = value.");
          continue;
        }
      if (out->has_field[i])
        continue;
      if (i != KVSQL_FIELD_QUALIFIER && i != KVSQL_FIELD_VALUE)
        {
          KvsqlSpan brace = { self->previous_end - 1, 1 };
          kvsql_error_set (error, KVSQL_ERROR_SYNTAX, brace, "schema \"%s\" has no %s",
                           out->name.text, kvsql_field_get_name (i));
          return kvsql_error_hint (error, i == KVSQL_FIELD_FAMILY
                                              ? "TABLE, ROW and FAMILY, or CELLS, have to be given."
                                              : "TABLE, ROW and FAMILY have to be given.");
        }
      out->fields[i].span = KVSQL_SPAN_NONE;
      out->fields[i].n_nodes = 1;
      out->fields[i].nodes = kvsql_arena_new0 (self->arena, KvsqlLayoutNode);
      out->fields[i].nodes->kind = KVSQL_LAYOUT_CONSTANT;
      out->fields[i].nodes->span = KVSQL_SPAN_NONE;
    }
  return TRUE;
}

/* The fields in braces, and options. */
static gboolean
parse_layout (KvsqlParser *self, KvsqlDefineSchema *out, GError **error)
{
  gboolean more = TRUE;
  gint closing = 0;

  if (!parse_opening (self, &closing, error))
    return FALSE;
  while (more)
    if (!parse_field (self, out, error)
        || !parse_separator (self, closing, "\":\", ", NULL, &more, error))
      return FALSE;
  return complete_fields (self, out, error) && parse_with (self, &out->options, error);
}

static gboolean
parse_schema (KvsqlParser *self, KvsqlDefineSchema *out, GError **error)
{
  kvsql_parser_advance (self);
  return kvsql_parser_if_exists (self, TRUE, &out->if_not_exists, error)
         && kvsql_parser_name (self, "the name of a schema", &out->name, error)
         && kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_FOR, error)
         && kvsql_parser_name (self, "the name of a relation", &out->relation, error)
         && parse_layout (self, out, error) && parse_comment (self, &out->comment, error);
}

gboolean
kvsql_parser_at_with_schema (const KvsqlParser *self)
{
  KvsqlKeyword next = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_WITH)
                          ? kvsql_parser_peek (self).keyword
                          : KVSQL_KEYWORD_NONE;

  return next == KVSQL_KEYWORD_SCHEMA || next == KVSQL_KEYWORD_PRIMARY;
}

gboolean
kvsql_parser_with_schema (KvsqlParser *self, KvsqlDefineSchema *out, GError **error)
{
  kvsql_parser_advance (self);
  out->is_primary = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_PRIMARY);
  return kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_SCHEMA, error)
         && kvsql_parser_name (self, "the name of a schema", &out->name, error)
         && (!kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_FOR)
             || kvsql_parser_name (self, "the name of a relation", &out->relation, error))
         && parse_layout (self, out, error);
}

gboolean
kvsql_parser_define (KvsqlParser *self, KvsqlAstStatement *out, GError **error)
{
  static const gchar *const words[] = { "RELATION", "SCHEMA", "PRIMARY", NULL };

  kvsql_parser_advance (self);
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_RELATION))
    {
      out->kind = KVSQL_STATEMENT_DEFINE_RELATION;
      return parse_relation (self, &out->define_relation, error);
    }
  out->kind = KVSQL_STATEMENT_DEFINE_SCHEMA;
  out->define_schema.is_primary = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_PRIMARY);
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_SCHEMA))
    return parse_schema (self, &out->define_schema, error);
  if (out->define_schema.is_primary)
    return kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_SCHEMA, error);
  kvsql_parser_fail_unexpected (self, "RELATION or [PRIMARY] SCHEMA", words, error);
  if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_TABLE))
    kvsql_error_hint (error, "Use DEFINE RELATION; tables are named by its schemas.");
  return FALSE;
}

/* ---- DROP, RESTORE, SHOW, KILL */

/* DROP TABLE is DROP RELATION. A schema that is dropped as an INDEX is not the primary. */
static gboolean
parse_dropped_kind (KvsqlParser *self, KvsqlDrop *out, const gchar **out_what, GError **error)
{
  static const gchar *const words[]
      = { "RELATION", "SCHEMA", "TABLE", "INDEX", "VIEW", "SEQUENCE", NULL };
  static const struct
  {
    KvsqlKeyword keyword;
    gboolean is_schema, is_index;
    const gchar *what;
  } kinds[] = {
    { KVSQL_KEYWORD_RELATION, FALSE, FALSE, "the name of a relation" },
    { KVSQL_KEYWORD_SCHEMA, TRUE, FALSE, "the name of a schema" },
    { KVSQL_KEYWORD_TABLE, FALSE, FALSE, "the name of a table" },
    { KVSQL_KEYWORD_INDEX, TRUE, TRUE, "the name of an index" },
  };

  if (kvsql_parser_at_word (self, "VIEW"))
    {
      kvsql_parser_advance (self);
      out->is_view = TRUE;
      *out_what = "the name of a view";
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kvsql_parser_accept_keyword (self, kinds[i].keyword))
      {
        out->is_schema = kinds[i].is_schema;
        out->is_index = kinds[i].is_index;
        *out_what = kinds[i].what;
        return TRUE;
      }
  if (kvsql_parser_at_word (self, "SEQUENCE"))
    {
      kvsql_parser_advance (self);
      out->is_sequence = TRUE;
      *out_what = "the name of a sequence";
      return TRUE;
    }
  return kvsql_parser_fail_unexpected (self, "RELATION, SCHEMA, TABLE, INDEX, VIEW or SEQUENCE",
                                       words, error);
}

static gboolean
parse_other_names (KvsqlParser *self, const gchar *what, KvsqlDrop *out, GError **error)
{
  while (kvsql_parser_accept_symbol (self, ','))
    {
      KvsqlName *name;

      if (!kvsql_parser_check_items (self, "DROP", out->n_others, error))
        return FALSE;
      name = KVSQL_PARSER_ADD (self, out->others, out->n_others);
      if (!kvsql_parser_name (self, what, name, error))
        return FALSE;
      if (out->is_view)
        kvsql_parser_make_defined (name);
    }
  return TRUE;
}

gboolean
kvsql_parser_drop (KvsqlParser *self, KvsqlDrop *out, GError **error)
{
  const gchar *what = NULL;
  static const gchar *const words_at_end[] = { "CASCADE", "RESTRICT", NULL };

  kvsql_parser_advance (self);
  if (!parse_dropped_kind (self, out, &what, error)
      || !kvsql_parser_if_exists (self, FALSE, &out->if_exists, error)
      || !kvsql_parser_name (self, what, &out->name, error))
    return FALSE;
  if (out->is_view)
    kvsql_parser_make_defined (&out->name);
  /* no view depends on a schema */
  if (out->is_schema && !out->is_index)
    return TRUE;
  if (!out->is_index && !parse_other_names (self, what, out, error))
    return FALSE;
  self->words_at_end = words_at_end;
  out->is_cascade = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_CASCADE);
  if (!out->is_cascade)
    kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_RESTRICT);
  return TRUE;
}

gboolean
kvsql_parser_restore (KvsqlParser *self, KvsqlRestore *out, GError **error)
{
  static const gchar *const words[] = { "RELATION", "SCHEMA", NULL };
  KvsqlValue version;

  kvsql_parser_advance (self);
  out->is_schema = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_SCHEMA);
  if (!out->is_schema && !kvsql_parser_at_keyword (self, KVSQL_KEYWORD_RELATION))
    return kvsql_parser_fail_unexpected (self, "RELATION or SCHEMA", words, error);
  kvsql_parser_advance (self);
  if (!kvsql_parser_name (self, out->is_schema ? "the name of a schema" : "the name of a relation",
                          &out->name, error)
      || !kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_TO, error)
      || !kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_VERSION, error))
    return FALSE;
  out->version_span = self->token.span;
  if (self->token.kind != KVSQL_TOKEN_INTEGER)
    return kvsql_parser_fail_unexpected (self, "the number of a version", NULL, error);
  if (!kvsql_parser_literal (self, &version, error))
    return FALSE;
  if (version.type != KVSQL_TYPE_BIGINT)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, out->version_span,
                            "no version has such a number");
  out->version = version.integer;
  return TRUE;
}

static gboolean
parse_show_create (KvsqlParser *self, KvsqlShow *out, GError **error)
{
  gboolean is_kind = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_RELATION)
                     || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_SCHEMA)
                     || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_TABLE);
  KvsqlTokenKind next = is_kind ? kvsql_parser_peek (self).kind : KVSQL_TOKEN_END;

  out->what = KVSQL_SHOW_CREATE;
  if (kvsql_parser_at_store_table (self))
    return kvsql_parser_store_table (self, &out->name, error)
           && kvsql_parser_sampled_rows (self, &out->limit, error);
  if (next == KVSQL_TOKEN_WORD || next == KVSQL_TOKEN_QUOTED_NAME)
    {
      kvsql_parser_fail_unexpected (self, "the name of a relation or schema", NULL, error);
      return kvsql_error_hint (error, "Write SHOW CREATE and the name.");
    }
  return kvsql_parser_name (self, "the name of a relation or schema", &out->name, error);
}

/* The words of this language for what other databases SHOW. */
static void
hint_show (KvsqlParser *self, GError **error)
{
  static const struct
  {
    const gchar *word;
    const gchar *hint;
  } hints[] = {
    { "DATABASES", "There is one set of relations: use SHOW RELATIONS." },
    { "COLUMNS", "Use DESCRIBE and the name of a relation." },
    { "INDEX", "An index is a schema: use SHOW SCHEMAS FOR and the name of a relation." },
    { "INDEXES", "An index is a schema: use SHOW SCHEMAS FOR and the name of a relation." },
    { "PROCESSLIST", "Use SHOW SESSIONS or SHOW STATEMENTS." },
    { "VARIABLES", "Use SHOW STATUS; the settings are those of kvsqld --check-config." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (hints); i++)
    if (kvsql_parser_at_word (self, hints[i].word))
      kvsql_error_hint (error, "%s", hints[i].hint);
}

/* The rest of SHOW GRANTS. */
static gboolean
parse_show_grants (KvsqlParser *self, KvsqlShow *out, GError **error)
{
  static const gchar *const words_at_end[] = { "FOR", "ON", NULL };

  out->what = KVSQL_SHOW_GRANTS;
  out->is_on = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_ON);
  if (out->is_on)
    return kvsql_parser_name (self, "the name of a relation", &out->name, error);
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_FOR))
    {
      if (!kvsql_parser_name (self, "the name of a role", &out->name, error))
        return FALSE;
      kvsql_parser_make_defined (&out->name);
      return TRUE;
    }
  self->expected_at_end = "FOR, ON or the end of the statement";
  self->words_at_end = words_at_end;
  return TRUE;
}

/* After STATEMENT. */
static gboolean
expect_statistics (KvsqlParser *self, GError **error)
{
  static const gchar *const words[] = { "STATISTICS", NULL };

  return kvsql_parser_accept_word (self, "STATISTICS")
         || kvsql_parser_fail_unexpected (self, "STATISTICS", words, error);
}

gboolean
kvsql_parser_at_reset (const KvsqlParser *self)
{
  const KvsqlToken next = kvsql_parser_peek (self);

  return kvsql_parser_at_word (self, "RESET") && kvsql_parser_is_word (self, &next, "STATEMENT");
}

gboolean
kvsql_parser_reset (KvsqlParser *self, GError **error)
{
  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  return expect_statistics (self, error);
}

gboolean
kvsql_parser_show (KvsqlParser *self, KvsqlShow *out, GError **error)
{
  static const gchar *const words[]
      = { "RELATIONS", "SCHEMAS", "TABLES", "HISTORY", "STATUS", "SESSIONS", "STATEMENTS",
          "STATEMENT", "DAEMONS", "ROLES",  "VIEWS",   "GRANTS", "CREATE",   NULL };
  static const gchar *const words_at_end[] = { "FOR", NULL };

  kvsql_parser_advance (self);
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_RELATIONS))
    out->what = KVSQL_SHOW_RELATIONS;
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_STATUS))
    out->what = KVSQL_SHOW_STATUS;
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_SESSIONS))
    out->what = KVSQL_SHOW_SESSIONS;
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_STATEMENTS))
    out->what = KVSQL_SHOW_STATEMENTS;
  else if (kvsql_parser_accept_word (self, "STATEMENT"))
    {
      out->what = KVSQL_SHOW_STATISTICS;
      return expect_statistics (self, error);
    }
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_DAEMONS))
    out->what = KVSQL_SHOW_DAEMONS;
  else if (kvsql_parser_at_word (self, "ROLES"))
    {
      kvsql_parser_advance (self);
      out->what = KVSQL_SHOW_ROLES;
    }
  else if (kvsql_parser_accept_word (self, "VIEWS"))
    out->what = KVSQL_SHOW_VIEWS;
  else if (kvsql_parser_accept_word (self, "GRANTS"))
    return parse_show_grants (self, out, error);
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_TABLES))
    return kvsql_parser_show_tables (self, out, error);
  else if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_CREATE))
    return parse_show_create (self, out, error);
  else if (kvsql_parser_at_keyword (self, KVSQL_KEYWORD_SCHEMAS)
           || kvsql_parser_at_keyword (self, KVSQL_KEYWORD_HISTORY))
    {
      out->what = kvsql_parser_at_keyword (self, KVSQL_KEYWORD_SCHEMAS) ? KVSQL_SHOW_SCHEMAS
                                                                        : KVSQL_SHOW_HISTORY;
      kvsql_parser_advance (self);
      if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_FOR))
        return kvsql_parser_name (self,
                                  out->what == KVSQL_SHOW_SCHEMAS
                                      ? "the name of a relation"
                                      : "the name of a relation or schema",
                                  &out->name, error);
      self->expected_at_end = "FOR or the end of the statement";
      self->words_at_end = words_at_end;
    }
  else
    {
      kvsql_parser_fail_unexpected (
          self,
          "RELATIONS, SCHEMAS, TABLES, HISTORY, STATUS, SESSIONS, "
          "STATEMENTS, STATEMENT STATISTICS, DAEMONS, ROLES, VIEWS, GRANTS or CREATE",
          words, error);
      hint_show (self, error);
      return FALSE;
    }
  return TRUE;
}

gboolean
kvsql_parser_kill (KvsqlParser *self, KvsqlKill *out, GError **error)
{
  KvsqlSpan span;
  KvsqlValue id;

  kvsql_parser_advance (self);
  out->is_session = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_SESSION);
  span = self->token.span;
  if (self->token.kind != KVSQL_TOKEN_INTEGER)
    return kvsql_parser_fail_unexpected (
        self, out->is_session ? "the number of a session" : "SESSION or the number of a statement",
        NULL, error);
  if (!kvsql_parser_literal (self, &id, error))
    return FALSE;
  if (id.type != KVSQL_TYPE_BIGINT)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, span, "no %s has such a number",
                            out->is_session ? "session" : "statement");
  out->id = id.integer;
  return TRUE;
}
