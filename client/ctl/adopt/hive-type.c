/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-type.c: see the header.
 */
#include "config.h"

#include "client/ctl/adopt/hive-type.h"

#include <string.h>

#define MAX_DEPTH 24 /* types in one another; Hive takes 7, or 23 by an option */
#define MAX_SIZE 65535

static const gchar *const scalars[]
    = { "boolean", "tinyint", "smallint", "int",    "bigint",  "float", "double",
        "string",  "varchar", "char",     "binary", "decimal", "date",  "timestamp" };

typedef struct
{
  const KvsqlctlHiveTokens *tokens;
  guint place;
  guint depth;
  KvsqlctlTextError *error;
} Parser;

static KvsqlctlHiveType *parse (Parser *self);

void
kvsqlctl_hive_type_free (KvsqlctlHiveType *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_ptr_array_unref (self->parts);
  g_ptr_array_unref (self->names);
  g_free (self);
}

static void
free_part (gpointer data)
{
  kvsqlctl_hive_type_free (data);
}

static const KvsqlctlHiveToken *
current (const Parser *self)
{
  return kvsqlctl_hive_tokens_at (self->tokens, self->place);
}

static gboolean
fail (Parser *self, const gchar *expected)
{
  const KvsqlctlHiveToken *token = current (self);

  return kvsqlctl_text_error_set (self->error, token->start, MAX (token->end - token->start, 1),
                                  "Give the statement as SHOW CREATE TABLE prints it.",
                                  "expected %s", expected);
}

static gboolean
is_sign (const Parser *self, gchar sign)
{
  const KvsqlctlHiveToken *token = current (self);

  return token->kind == KVSQLCTL_HIVE_SIGN && token->value[0] == sign;
}

static gboolean
accept_sign (Parser *self, gchar sign)
{
  if (!is_sign (self, sign))
    return FALSE;
  self->place++;
  return TRUE;
}

static gboolean
expect_sign (Parser *self, gchar sign)
{
  gchar expected[] = { '"', sign, '"', '\0' };

  return accept_sign (self, sign) || fail (self, expected);
}

static gboolean
accept_word (Parser *self, const gchar *word)
{
  if (current (self)->kind != KVSQLCTL_HIVE_WORD
      || g_ascii_strcasecmp (current (self)->value, word) != 0)
    return FALSE;
  self->place++;
  return TRUE;
}

/* ---- scalars */

static gboolean
expect_number (Parser *self, gint *out)
{
  const KvsqlctlHiveToken *token = current (self);
  guint64 number;

  if (token->kind != KVSQLCTL_HIVE_WORD
      || !g_ascii_string_to_unsigned (token->value, 10, 0, MAX_SIZE, &number, NULL))
    return fail (self, "a size");
  self->place++;
  *out = (gint)number;
  return TRUE;
}

static gboolean
parse_size (Parser *self, KvsqlctlHiveType *type)
{
  gboolean is_decimal = strcmp (type->name, "decimal") == 0;

  if (is_decimal)
    type->size = 10;
  if (!is_decimal && strcmp (type->name, "varchar") != 0 && strcmp (type->name, "char") != 0)
    return TRUE;
  if (!accept_sign (self, '('))
    return is_decimal || fail (self, "the size of the type in parentheses");
  return expect_number (self, &type->size)
         && (!is_decimal || !accept_sign (self, ',') || expect_number (self, &type->scale))
         && expect_sign (self, ')');
}

/* A name with several words, or with another name in Hive. */
static void
normalise (Parser *self, KvsqlctlHiveType *type)
{
  static const gchar *const others[][2]
      = { { "integer", "int" }, { "dec", "decimal" }, { "numeric", "decimal" } };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (strcmp (type->name, others[i][0]) == 0)
      {
        g_free (type->name);
        type->name = g_strdup (others[i][1]);
      }
  if (strcmp (type->name, "double") == 0)
    accept_word (self, "precision");
  if (strcmp (type->name, "timestamp") == 0 && accept_word (self, "with"))
    {
      accept_word (self, "local");
      accept_word (self, "time");
      accept_word (self, "zone");
      g_free (type->name);
      type->name = g_strdup ("timestamp with local time zone");
    }
}

static gboolean
is_scalar (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (scalars); i++)
    if (strcmp (scalars[i], name) == 0)
      return TRUE;
  return strcmp (name, "timestamp with local time zone") == 0;
}

/* ---- types of types */

static gboolean
parse_field_name (Parser *self, KvsqlctlHiveType *type)
{
  const KvsqlctlHiveToken *token = current (self);

  if (token->kind != KVSQLCTL_HIVE_WORD && token->kind != KVSQLCTL_HIVE_QUOTED)
    return fail (self, "the name of a field");
  g_ptr_array_add (type->names, g_ascii_strdown (token->value, -1));
  self->place++;
  return expect_sign (self, ':');
}

/* A comment of a field. */
static gboolean
skip_comment (Parser *self)
{
  if (!accept_word (self, "comment"))
    return TRUE;
  if (current (self)->kind != KVSQLCTL_HIVE_TEXT)
    return fail (self, "a text");
  self->place++;
  return TRUE;
}

static gboolean
parse_parts (Parser *self, KvsqlctlHiveType *type)
{
  gboolean is_struct = type->category == KVSQLCTL_HIVE_STRUCT;

  if (!expect_sign (self, '<'))
    return FALSE;
  do
    {
      KvsqlctlHiveType *part;

      if (is_struct && !parse_field_name (self, type))
        return FALSE;
      part = parse (self);
      if (part == NULL)
        return FALSE;
      g_ptr_array_add (type->parts, part);
      if (is_struct && !skip_comment (self))
        return FALSE;
    }
  while (accept_sign (self, ','));
  if ((type->category == KVSQLCTL_HIVE_ARRAY && type->parts->len != 1)
      || (type->category == KVSQLCTL_HIVE_MAP && type->parts->len != 2))
    return fail (self, type->category == KVSQLCTL_HIVE_MAP ? "two types in map<…>"
                                                           : "one type in array<…>");
  return expect_sign (self, '>');
}

static KvsqlctlHiveCategory
category_of (const gchar *name)
{
  static const gchar *const names[] = { [KVSQLCTL_HIVE_ARRAY] = "array",
                                        [KVSQLCTL_HIVE_MAP] = "map",
                                        [KVSQLCTL_HIVE_STRUCT] = "struct",
                                        [KVSQLCTL_HIVE_UNION] = "uniontype" };

  for (guint i = KVSQLCTL_HIVE_ARRAY; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i], name) == 0)
      return (KvsqlctlHiveCategory)i;
  return KVSQLCTL_HIVE_SCALAR;
}

static gboolean
fail_unknown (Parser *self, const KvsqlctlHiveToken *token)
{
  return kvsqlctl_text_error_set (
      self->error, token->start, token->end - token->start,
      "Types are tinyint, smallint, int, bigint, float, double, boolean, string, varchar(n), "
      "char(n), binary, decimal(p,s), date, timestamp, array<…>, map<…>, struct<…>.",
      "Hive has no type \"%s\"", token->value);
}

static KvsqlctlHiveType *
parse (Parser *self)
{
  const KvsqlctlHiveToken *token = current (self);
  g_autoptr (KvsqlctlHiveType) type = g_new0 (KvsqlctlHiveType, 1);

  type->parts = g_ptr_array_new_with_free_func (free_part);
  type->names = g_ptr_array_new_with_free_func (g_free);
  if (token->kind != KVSQLCTL_HIVE_WORD)
    {
      fail (self, "a type");
      return NULL;
    }
  if (self->depth == MAX_DEPTH)
    {
      kvsqlctl_text_error_set (self->error, token->start, token->end - token->start, NULL,
                               "a type in more than %d others", MAX_DEPTH);
      return NULL;
    }
  type->name = g_ascii_strdown (token->value, -1);
  type->category = category_of (type->name);
  self->place++;
  normalise (self, type);
  if (type->category == KVSQLCTL_HIVE_SCALAR)
    {
      if (!is_scalar (type->name))
        {
          fail_unknown (self, token);
          return NULL;
        }
      return parse_size (self, type) ? g_steal_pointer (&type) : NULL;
    }
  self->depth++;
  if (!parse_parts (self, type))
    return NULL;
  self->depth--;
  return g_steal_pointer (&type);
}

KvsqlctlHiveType *
kvsqlctl_hive_type_parse (const KvsqlctlHiveTokens *tokens, guint *place, KvsqlctlTextError *error)
{
  Parser self = { .tokens = tokens, .place = *place, .error = error };
  KvsqlctlHiveType *type = parse (&self);

  *place = self.place;
  return type;
}

/* ---- properties */

static void
append (const KvsqlctlHiveType *self, GString *out)
{
  g_string_append (out, self->name);
  if (strcmp (self->name, "decimal") == 0)
    g_string_append_printf (out, "(%d,%d)", self->size, self->scale);
  else if (self->size > 0)
    g_string_append_printf (out, "(%d)", self->size);
  for (guint i = 0; i < self->parts->len; i++)
    {
      g_string_append_c (out, i == 0 ? '<' : ',');
      if (i < self->names->len)
        g_string_append_printf (out, "%s:", (const gchar *)self->names->pdata[i]);
      append (self->parts->pdata[i], out);
    }
  if (self->parts->len > 0)
    g_string_append_c (out, '>');
}

gchar *
kvsqlctl_hive_type_describe (const KvsqlctlHiveType *self)
{
  GString *out = g_string_new (NULL);

  append (self, out);
  return g_string_free (out, FALSE);
}

guint
kvsqlctl_hive_type_count_levels (const KvsqlctlHiveType *self)
{
  guint most = 0;

  if (self->category == KVSQLCTL_HIVE_SCALAR)
    return 0;
  for (guint i = 0; i < self->parts->len; i++)
    most = MAX (most, kvsqlctl_hive_type_count_levels (self->parts->pdata[i]));
  return most + (self->category == KVSQLCTL_HIVE_MAP ? 2 : 1);
}
