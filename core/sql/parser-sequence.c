/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-sequence.c: CREATE and ALTER SEQUENCE, and GENERATED … AS IDENTITY.
 */
#include "config.h"

#include "core/sql/parser-private.h"

/* What the options are for. */
typedef enum
{
  FOR_CREATE,
  FOR_ALTER,
  FOR_IDENTITY,
} For;

static gboolean
parse_number (KvsqlParser *self, gint64 *out, GError **error)
{
  KvsqlSpan span = self->token.span;
  KvsqlValue value;

  if (!kvsql_parser_at_literal (self))
    return kvsql_parser_fail_unexpected (self, "a whole number", NULL, error);
  if (!kvsql_parser_literal (self, &value, error))
    return FALSE;
  *out = value.integer;
  return value.type == KVSQL_TYPE_BIGINT
         || kvsql_error_set (error, KVSQL_ERROR_VALUE, span, "a sequence counts whole numbers");
}

static gboolean
parse_bound (KvsqlParser *self, gboolean *out_has, gint64 *out, GError **error)
{
  *out_has = TRUE;
  return parse_number (self, out, error);
}

static gboolean
parse_increment (KvsqlParser *self, KvsqlSequenceOptions *out, GError **error)
{
  kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_BY);
  return parse_bound (self, &out->has_increment, &out->increment, error);
}

static gboolean
parse_start (KvsqlParser *self, KvsqlSequenceOptions *out, GError **error)
{
  kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_WITH);
  return parse_bound (self, &out->has_start, &out->start, error);
}

/* OWNED BY relation.attribute | NONE */
static gboolean
parse_owner (KvsqlParser *self, KvsqlSequenceOptions *out, GError **error)
{
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_BY, error))
    return FALSE;
  out->has_no_owner = kvsql_parser_accept_word (self, "NONE");
  if (out->has_no_owner)
    return TRUE;
  return kvsql_parser_name (self, "the name of a relation", &out->owner, error)
         && kvsql_parser_expect_symbol (self, '.', error)
         && kvsql_parser_name (self, "the name of an attribute", &out->owner_attribute, error);
}

/* MINVALUE, MAXVALUE and CYCLE after NO are what there is without them. */
static gboolean
parse_no (KvsqlParser *self, KvsqlSequenceOptions *out, GError **error)
{
  static const gchar *const words[] = { "MINVALUE", "MAXVALUE", "CYCLE", NULL };
  gboolean *const flags[] = { &out->resets_minimum, &out->resets_maximum, &out->resets_cycle };

  for (guint i = 0; words[i] != NULL; i++)
    if (kvsql_parser_accept_word (self, words[i]))
      {
        *flags[i] = TRUE;
        return TRUE;
      }
  return kvsql_parser_fail_unexpected (self, "MINVALUE, MAXVALUE or CYCLE", words, error);
}

/* RESTART [[WITH] n] */
static gboolean
parse_restart (KvsqlParser *self, KvsqlSequenceOptions *out, GError **error)
{
  gboolean has_with = kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_WITH);

  out->is_restarted = TRUE;
  return (!has_with && !kvsql_parser_at_literal (self))
         || parse_bound (self, &out->has_restart, &out->restart, error);
}

/* SEQUENCE NAME name, of an identity attribute. */
static gboolean
parse_sequence_name (KvsqlParser *self, KvsqlSequenceOptions *out, GError **error)
{
  static const gchar *const words[] = { "NAME", NULL };

  if (!kvsql_parser_accept_word (self, "NAME"))
    return kvsql_parser_fail_unexpected (self, "NAME", words, error);
  if (!kvsql_parser_name (self, "the name of a sequence", &out->name, error))
    return FALSE;
  kvsql_parser_make_defined (&out->name);
  return TRUE;
}

/* *out_more: whether there was an option. */
static gboolean
parse_option (KvsqlParser *self, For what, KvsqlSequenceOptions *out, gboolean *out_more,
              GError **error)
{
  gint64 ignored;

  *out_more = TRUE;
  if (kvsql_parser_accept_word (self, "INCREMENT"))
    return parse_increment (self, out, error);
  if (kvsql_parser_accept_word (self, "START"))
    return parse_start (self, out, error);
  if (kvsql_parser_accept_word (self, "MINVALUE"))
    return parse_bound (self, &out->has_minimum, &out->minimum, error);
  if (kvsql_parser_accept_word (self, "MAXVALUE"))
    return parse_bound (self, &out->has_maximum, &out->maximum, error);
  if (kvsql_parser_accept_word (self, "NO"))
    return parse_no (self, out, error);
  if (kvsql_parser_accept_word (self, "CACHE")) /* daemons choose how many numbers they lease */
    return parse_number (self, &ignored, error);
  if (kvsql_parser_accept_word (self, "OWNED"))
    return parse_owner (self, out, error);
  if (kvsql_parser_accept_keyword (self, KVSQL_KEYWORD_AS))
    return kvsql_parser_type_name (self, &out->type_name, error);
  if (what == FOR_ALTER && kvsql_parser_accept_word (self, "RESTART"))
    return parse_restart (self, out, error);
  if (what == FOR_IDENTITY && kvsql_parser_accept_word (self, "SEQUENCE"))
    return parse_sequence_name (self, out, error);
  if (kvsql_parser_accept_word (self, "CYCLE"))
    out->is_cyclic = TRUE;
  else
    *out_more = FALSE;
  return TRUE;
}

static gboolean
parse_options (KvsqlParser *self, For what, KvsqlSequenceOptions *out, GError **error)
{
  gint32 start = self->token.span.offset;
  gboolean more = TRUE;

  while (more)
    if (!parse_option (self, what, out, &more, error))
      return FALSE;
  out->span = kvsql_parser_span_from (self, start);
  return TRUE;
}

gboolean
kvsql_parser_create_sequence (KvsqlParser *self, KvsqlCreateSequence *out, GError **error)
{
  kvsql_parser_advance (self);
  if (!kvsql_parser_if_exists (self, TRUE, &out->if_not_exists, error)
      || !kvsql_parser_name (self, "the name of a sequence", &out->name, error))
    return FALSE;
  kvsql_parser_make_defined (&out->name);
  return parse_options (self, FOR_CREATE, &out->options, error);
}

/* ALTER SEQUENCE [IF EXISTS] name option … | OWNER TO role, with ALTER as the token */
gboolean
kvsql_parser_alter_sequence (KvsqlParser *self, KvsqlCreateSequence *out, GError **error)
{
  static const gchar *const words[]
      = { "RESTART", "INCREMENT", "MINVALUE", "MAXVALUE", "START", "OWNED", "OWNER", NULL };
  gint32 start;

  out->is_alter = TRUE;
  kvsql_lexer_begin_statement (&self->lexer, KVSQL_KEYWORD_CREATE); /* "x" is a name */
  kvsql_parser_advance (self);
  kvsql_parser_advance (self);
  if (!kvsql_parser_if_exists (self, FALSE, &out->if_exists, error)
      || !kvsql_parser_name (self, "the name of a sequence", &out->name, error))
    return FALSE;
  kvsql_parser_make_defined (&out->name);
  if (kvsql_parser_accept_word (self, "OWNER"))
    {
      if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_TO, error)
          || !kvsql_parser_name (self, "the name of a role", &out->new_owner, error))
        return FALSE;
      kvsql_parser_make_defined (&out->new_owner);
      return TRUE;
    }
  start = self->token.span.offset;
  if (!parse_options (self, FOR_ALTER, &out->options, error))
    return FALSE;
  return self->token.span.offset != start
         || kvsql_parser_fail_unexpected (self, "an option of the sequence", words, error);
}

/* GENERATED ALWAYS | BY DEFAULT AS IDENTITY [(option …)], with GENERATED as the token */
gboolean
kvsql_parser_identity (KvsqlParser *self, KvsqlAttributeDefinition *out, GError **error)
{
  KvsqlSpan span = self->token.span;

  kvsql_parser_advance (self);
  out->identity = kvsql_arena_new0 (self->arena, KvsqlSequenceOptions);
  out->is_always = kvsql_parser_accept_word (self, "ALWAYS");
  if (!out->is_always
      && (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_BY, error)
          || !kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_DEFAULT, error)))
    return FALSE;
  if (!kvsql_parser_expect_keyword (self, KVSQL_KEYWORD_AS, error))
    return FALSE;
  if (!kvsql_parser_accept_word (self, "IDENTITY"))
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, span,
                            "columns that are generated from others are not supported")
           || kvsql_error_hint (error, "Give the value with INSERT, or compute it in SELECT.");
  return !kvsql_parser_accept_symbol (self, '(')
         || (parse_options (self, FOR_IDENTITY, out->identity, error)
             && kvsql_parser_expect_symbol (self, ')', error));
}
