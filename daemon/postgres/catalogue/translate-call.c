/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * translate-call.c: calls of functions: of aggregates, of those that return rows, and of all others
 * by the patterns of translate-function.c.
 */
#include "config.h"

#include "daemon/postgres/catalogue/translate-private.h"

typedef struct
{
  const gchar *name;
  KvsqlSpan span;
  GArray *values; /* KvsqldPgExpression */
  gboolean is_star;
  gboolean is_distinct;
  GString *order; /* ORDER BY in the parentheses */
  GArray *keys;
  GString *directions; /* of the keys: 'a' or 'd' */
} Call;

static KvsqldPgExpression *
argument (const Call *call, guint i)
{
  return &g_array_index (call->values, KvsqldPgExpression, i);
}

static const gchar *
join_arguments (KvsqldPgTranslator *self, const Call *call)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < call->values->len; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", argument (call, i)->sql);
  return kvsqld_pg_write (self, "%s", out->str);
}

static gboolean
settle_arguments (KvsqldPgTranslator *self, const Call *call)
{
  for (guint i = 0; i < call->values->len; i++)
    if (!kvsqld_pg_settle (self, argument (call, i)))
      return FALSE;
  return TRUE;
}

/* ---- the parentheses */

static gboolean
read_arguments (KvsqldPgTranslator *self, Call *call)
{
  gboolean returned_rows = self->returns_rows, ok = TRUE;

  if (!kvsqld_pg_expect_symbol (self, "("))
    return FALSE;
  self->returns_rows = FALSE;
  call->is_star = kvsqld_pg_accept_symbol (self, "*");
  call->is_distinct = kvsqld_pg_accept_word (self, "distinct");
  while (ok && !call->is_star && !kvsqld_pg_at_symbol (self, ")"))
    {
      KvsqldPgExpression value;

      kvsqld_pg_accept_word (self, "variadic");
      ok = kvsqld_pg_read_expression (self, &value);
      if (ok)
        g_array_append_val (call->values, value);
      if (!kvsqld_pg_accept_symbol (self, ","))
        break;
    }
  if (ok && kvsqld_pg_accept_word (self, "order"))
    ok = kvsqld_pg_expect_word (self, "by")
         && kvsqld_pg_read_order (self, call->order, call->keys, call->directions);
  self->returns_rows = returned_rows;
  return ok && kvsqld_pg_expect_symbol (self, ")");
}

/* substring (x FROM a FOR b), trim (BOTH c FROM x), position (a IN b), extract: as their other
 * forms. FALSE without an error: it is none of these. */
static gboolean
read_words (KvsqldPgTranslator *self, Call *call)
{
  KvsqldPgExpression value;
  gboolean is_substring = strcmp (call->name, "substring") == 0;

  if (is_substring)
    {
      if (!kvsqld_pg_expect_symbol (self, "(") || !kvsqld_pg_read_expression (self, &value))
        return FALSE;
      g_array_append_val (call->values, value);
      while (kvsqld_pg_accept_word (self, "from") || kvsqld_pg_accept_word (self, "for")
             || kvsqld_pg_accept_symbol (self, ","))
        {
          const KvsqldPgToken *before = kvsqld_pg_next (self, 0) - 1;

          if (call->values->len == 1 && kvsqld_pg_token_is_word (before, "for"))
            {
              const KvsqldPgExpression one = { .sql = "1", .type = KVSQLD_PGT_INT4 };

              g_array_append_val (call->values, one);
            }
          if (!kvsqld_pg_read_expression (self, &value))
            return FALSE;
          g_array_append_val (call->values, value);
        }
      return kvsqld_pg_expect_symbol (self, ")");
    }
  /* trim */
  if (!kvsqld_pg_expect_symbol (self, "("))
    return FALSE;
  call->name = kvsqld_pg_accept_word (self, "leading")    ? "ltrim"
               : kvsqld_pg_accept_word (self, "trailing") ? "rtrim"
                                                          : "btrim";
  kvsqld_pg_accept_word (self, "both");
  if (!kvsqld_pg_accept_word (self, "from"))
    {
      if (!kvsqld_pg_read_expression (self, &value))
        return FALSE;
      g_array_append_val (call->values, value);
      if (!kvsqld_pg_accept_word (self, "from"))
        {
          if (kvsqld_pg_accept_symbol (self, ","))
            {
              if (!kvsqld_pg_read_expression (self, &value))
                return FALSE;
              g_array_append_val (call->values, value);
            }
          return kvsqld_pg_expect_symbol (self, ")");
        }
    }
  if (!kvsqld_pg_read_expression (self, &value))
    return FALSE;
  g_array_prepend_val (call->values, value);
  return kvsqld_pg_expect_symbol (self, ")");
}

static gboolean
read_position (KvsqldPgTranslator *self, Call *call)
{
  /* IN would be a test of the first operand, so that is read as a primary expression alone */
  const KvsqldPgToken *token = kvsqld_pg_next (self, 1);
  KvsqldPgExpression value;

  if (token->kind != KVSQLD_PG_TOKEN_STRING
      || !kvsqld_pg_token_is_word (kvsqld_pg_next (self, 2), "in"))
    return kvsqld_pg_fail_unsupported (self, call->span, "this form of position ()");
  value = (KvsqldPgExpression){ .sql = kvsqld_pg_write_quoted (self, '\'', token->text),
                                .type = KVSQLD_PGT_TEXT };
  self->at += 3;
  g_array_append_val (call->values, value);
  if (!kvsqld_pg_read_expression (self, &value))
    return FALSE;
  g_array_prepend_val (call->values, value);
  call->name = "strpos";
  return kvsqld_pg_expect_symbol (self, ")");
}

/* ---- functions that return rows */

/* The rows of such a function are those of SQLite's json_each() of a list. */
typedef struct
{
  const gchar *name;
  guint least, most;    /* arguments */
  const gchar *column;  /* nullable: the function's name */
  guint32 type;         /* of a row; 0: the elements of the first argument */
  const gchar *pattern; /* the list; $3 is the third argument or 1 */
} RowFunction;

static const RowFunction row_functions[] = {
  { "unnest", 1, 1, NULL, 0, "kvsql_list ($1)" },
  { "generate_series", 2, 3, NULL, KVSQLD_PGT_INT4, "kvsql_series ($1, $2, $3)" },
  { "generate_subscripts", 2, 2, NULL, KVSQLD_PGT_INT4, "kvsql_subscripts ($1)" },
  { "_pg_expandarray", 1, 1, NULL, KVSQLD_PGT_RECORD, "kvsql_list ($1)" },
  { "pg_options_to_table", 1, 1, "option_name", KVSQLD_PGT_TEXT, "kvsql_list ($1)" },
  { "pg_get_keywords", 0, 0, "word", KVSQLD_PGT_TEXT, "kvsql_keywords ()" },
  { "regexp_split_to_table", 2, 2, NULL, KVSQLD_PGT_TEXT, "kvsql_list (kvsql_split ($1, $2))" },
  { "string_to_table", 2, 2, NULL, KVSQLD_PGT_TEXT, "kvsql_list (kvsql_split ($1, $2))" },
  { "json_array_elements_text", 1, 1, "value", KVSQLD_PGT_TEXT, "$1" },
};

static const RowFunction *
find_row_function (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (row_functions); i++)
    if (strcmp (row_functions[i].name, name) == 0)
      return &row_functions[i];
  return NULL;
}

static gboolean
fail_function (KvsqldPgTranslator *self, const Call *call, gboolean exists)
{
  kvsql_error_set (&self->error, KVSQL_ERROR_UNSUPPORTED, call->span,
                   exists ? "function %s does not exist with %u arguments in the catalogue"
                          : "function %s does not exist in the catalogue",
                   call->name, call->values->len);
  return kvsql_error_sqlstate (&self->error, "42883");
}

static guint32
element_of (guint32 array)
{
  if (array == KVSQLD_PGT_INT2VECTOR)
    return KVSQLD_PGT_INT2;
  if (array == KVSQLD_PGT_OIDVECTOR)
    return KVSQLD_PGT_OID;
  return kvsqld_pg_is_array (array) ? kvsqld_pg_facts_get_element (array) : KVSQLD_PGT_TEXT;
}

/* json_each (…) AS alias. */
static gboolean
write_rows (KvsqldPgTranslator *self, const RowFunction *function, const Call *call,
            const gchar **out_sql, const gchar **out_alias, guint32 *out_type)
{
  KvsqldPgExpression arguments[3] = { { 0 }, { 0 }, { .sql = "1", .type = KVSQLD_PGT_INT4 } };
  const gchar *list;

  if (call->values->len < function->least || call->values->len > function->most)
    return fail_function (self, call, TRUE);
  for (guint i = 0; i < call->values->len; i++)
    {
      if (!kvsqld_pg_coerce (self, argument (call, i),
                             function->type == KVSQLD_PGT_INT4 && (i > 0 || function->least == 2)
                                     && strcmp (function->name, "generate_series") == 0
                                 ? KVSQLD_PGT_INT4
                                 : KVSQLD_PGT_TEXT_ARRAY))
        return FALSE;
      arguments[i] = *argument (call, i);
    }
  *out_type = function->type;
  if (*out_type == 0)
    *out_type = element_of (arguments[0].type);
  list = kvsqld_pg_fill_pattern (self, function->pattern, arguments, G_N_ELEMENTS (arguments));
  *out_alias = kvsqld_pg_make_name (self);
  *out_sql = kvsqld_pg_write (self, "json_each (%s) AS %s", list, *out_alias);
  return self->error == NULL;
}

/* json_each() gives numbers for the elements of lists of numbers only if they are written so. */
static const gchar *
value_of_row (KvsqldPgTranslator *self, const gchar *alias, guint32 type)
{
  if (type == KVSQLD_PGT_RECORD)
    return kvsqld_pg_write (self, "json_object ('x', CAST (%s.value AS INTEGER), 'n', %s.key + 1)",
                            alias, alias);
  if (kvsqld_pg_is_integer (type))
    return kvsqld_pg_write (self, "CAST (%s.value AS INTEGER)", alias);
  return kvsqld_pg_write (self, "%s.value", alias);
}

/* In the outputs of a query: the rows are joined, those of several functions side by side. */
static gboolean
write_rows_in_outputs (KvsqldPgTranslator *self, const RowFunction *function, const Call *call,
                       KvsqldPgExpression *out)
{
  KvsqldPgScope *scope = self->scope;
  const gchar *sql, *alias;
  guint32 type;

  if (!self->returns_rows)
    return kvsqld_pg_fail_unsupported (self, call->span, "a function that returns rows here");
  if (!write_rows (self, function, call, &sql, &alias, &type))
    return FALSE;
  g_string_append_printf (scope->from, "%s%s", scope->from->len > 0 ? ", " : "", sql);
  if (scope->lockstep == NULL)
    scope->lockstep = alias;
  else
    g_string_append_printf (scope->conditions, "%s%s.key = %s.key",
                            scope->conditions->len > 0 ? " AND " : "", alias, scope->lockstep);
  *out = (KvsqldPgExpression){ .sql = value_of_row (self, alias, type),
                               .type = type,
                               .name = function->column != NULL ? function->column : function->name,
                               .is_named = TRUE };
  return TRUE;
}

static void
add_column (KvsqldPgScopeItem *item, const gchar *name, const gchar *sql, guint32 type)
{
  const KvsqldPgScopeColumn column = { .name = name, .sql = sql, .type = type };

  g_array_append_val (item->columns, column);
}

static void
call_begin (Call *call, const gchar *name, KvsqlSpan span)
{
  *call = (Call){ .name = name,
                  .span = span,
                  .values = g_array_new (FALSE, FALSE, sizeof (KvsqldPgExpression)),
                  .order = g_string_new (NULL),
                  .keys = g_array_new (FALSE, FALSE, sizeof (KvsqldPgExpression)),
                  .directions = g_string_new (NULL) };
}

static void
call_clear (Call *call)
{
  g_array_unref (call->values);
  g_array_unref (call->keys);
  g_string_free (call->order, TRUE);
  g_string_free (call->directions, TRUE);
}

/* name=value */
static void
add_options (KvsqldPgTranslator *self, const gchar *alias, KvsqldPgScopeItem *item)
{
  add_column (
      item, "option_name",
      kvsqld_pg_write (self, "substr (%s.value, 1, instr (%s.value, '=') - 1)", alias, alias),
      KVSQLD_PGT_TEXT);
  add_column (item, "option_value",
              kvsqld_pg_write (self, "substr (%s.value, instr (%s.value, '=') + 1)", alias, alias),
              KVSQLD_PGT_TEXT);
}

/* [WITH ORDINALITY] */
static gboolean
read_ordinality (KvsqldPgTranslator *self, const gchar *alias, KvsqldPgScopeItem *item)
{
  if (!kvsqld_pg_accept_word (self, "with"))
    return TRUE;
  if (!kvsqld_pg_expect_word (self, "ordinality"))
    return FALSE;
  add_column (item, "ordinality", kvsqld_pg_write (self, "(%s.key + 1)", alias), KVSQLD_PGT_INT8);
  return TRUE;
}

static gboolean
add_rows_to_from (KvsqldPgTranslator *self, const RowFunction *function, const Call *call,
                  KvsqldPgScopeItem *item)
{
  const gchar *sql, *alias;
  guint32 type;

  if (!write_rows (self, function, call, &sql, &alias, &type))
    return FALSE;
  g_string_append (self->scope->from, sql);
  if (type == KVSQLD_PGT_RECORD)
    {
      add_column (item, "x", kvsqld_pg_write (self, "CAST (%s.value AS INTEGER)", alias),
                  KVSQLD_PGT_INT2);
      add_column (item, "n", kvsqld_pg_write (self, "(%s.key + 1)", alias), KVSQLD_PGT_INT4);
    }
  else if (strcmp (function->name, "pg_options_to_table") == 0)
    add_options (self, alias, item);
  else
    add_column (item, function->column != NULL ? function->column : function->name,
                value_of_row (self, alias, type), type);
  return read_ordinality (self, alias, item);
}

/* unnest (a, b): a column for each array, whose rows are side by side; the shorter ones have NULL
 * at their ends. */
static gboolean
add_arrays_to_from (KvsqldPgTranslator *self, const Call *call, KvsqldPgScopeItem *item)
{
  const gchar *alias = kvsqld_pg_make_name (self);
  g_autoptr (GString) sizes = g_string_new (NULL);

  for (guint i = 0; i < call->values->len; i++)
    {
      KvsqldPgExpression *array = argument (call, i);
      const gchar *list, *value;
      guint32 type;

      if (!kvsqld_pg_coerce (self, array, KVSQLD_PGT_TEXT_ARRAY))
        return FALSE;
      type = element_of (array->type);
      list = kvsqld_pg_write (self, "kvsql_list (%s)", array->sql);
      value = kvsqld_pg_write (self, "json_extract (%s, '$[' || %s.key || ']')", list, alias);
      if (kvsqld_pg_is_integer (type))
        value = kvsqld_pg_write (self, "CAST (%s AS INTEGER)", value);
      add_column (item, call->name, value, type);
      g_string_append_printf (sizes, "%scoalesce (json_array_length (%s), 0)", i > 0 ? ", " : "",
                              list);
    }
  g_string_append_printf (self->scope->from, "json_each (kvsql_series (1, max (%s), 1)) AS %s",
                          sizes->str, alias);
  return read_ordinality (self, alias, item);
}

static gboolean write_call (KvsqldPgTranslator *self, Call *call, KvsqldPgExpression *out);

gboolean
kvsqld_pg_read_call_in_from (KvsqldPgTranslator *self, const gchar *name, KvsqlSpan span,
                             KvsqldPgScopeItem *item)
{
  const RowFunction *function = find_row_function (name);
  Call call;
  gboolean ok;

  call_begin (&call, name, span);
  ok = read_arguments (self, &call);
  if (ok && strcmp (name, "unnest") == 0 && call.values->len > 1)
    ok = add_arrays_to_from (self, &call, item);
  else if (ok && function != NULL)
    ok = add_rows_to_from (self, function, &call, item);
  else if (ok)
    {
      KvsqldPgExpression value;
      const gchar *alias = kvsqld_pg_make_name (self);

      ok = write_call (self, &call, &value);
      if (ok)
        {
          g_string_append_printf (self->scope->from, "(SELECT %s AS k1) AS %s", value.sql, alias);
          add_column (item, name, kvsqld_pg_write (self, "%s.k1", alias), value.type);
        }
    }
  call_clear (&call);
  return ok && self->error == NULL;
}

/* ---- aggregates */

static guint32
array_of (guint32 element)
{
  const KvsqldPgTypeFacts *facts = kvsqld_pg_facts_find_type (element);

  return facts != NULL && facts->array != 0 ? facts->array : KVSQLD_PGT_TEXT_ARRAY;
}

static const struct
{
  const gchar *name;
  const gchar *function; /* of SQLite */
  guint32 type;          /* 0: that of the argument */
} aggregates[] = {
  { "array_agg", "kvsql_array_agg", 0 },
  { "avg", "avg", KVSQLD_PGT_NUMERIC },
  { "bool_and", "min", KVSQLD_PGT_BOOL },
  { "bool_or", "max", KVSQLD_PGT_BOOL },
  { "count", "count", KVSQLD_PGT_INT8 },
  { "every", "min", KVSQLD_PGT_BOOL },
  { "max", "max", 0 },
  { "min", "min", 0 },
  { "string_agg", "kvsql_string_agg", KVSQLD_PGT_TEXT },
  { "sum", "sum", KVSQLD_PGT_INT8 },
};

/* Ours get the directions of the keys, the value, and the keys. */
static const gchar *
write_own_aggregate (KvsqldPgTranslator *self, const Call *call, const gchar *function)
{
  g_autoptr (GString) out = g_string_new (NULL);

  g_string_append_printf (out, "%s ('%s'", function, call->directions->str);
  for (guint i = 0; i < call->values->len; i++)
    g_string_append_printf (out, ", %s", argument (call, i)->sql);
  for (guint i = 0; i < call->keys->len; i++)
    g_string_append_printf (out, ", %s", g_array_index (call->keys, KvsqldPgExpression, i).sql);
  g_string_append_c (out, ')');
  return kvsqld_pg_write (self, "%s", out->str);
}

static gboolean
write_aggregate (KvsqldPgTranslator *self, const Call *call, guint which, KvsqldPgExpression *out)
{
  const gchar *function = aggregates[which].function;
  gboolean is_own = g_str_has_prefix (function, "kvsql_");
  gboolean is_list = strcmp (function, "kvsql_string_agg") == 0;

  if (call->values->len
          != (call->is_star ? 0
              : is_list     ? 2
                            : 1)
      || (call->is_star && strcmp (call->name, "count") != 0))
    return fail_function (self, call, TRUE);
  if (!settle_arguments (self, call))
    return FALSE;
  *out = (KvsqldPgExpression){ .name = call->name,
                               .is_named = TRUE,
                               .type = aggregates[which].type };
  if (call->is_star)
    {
      out->sql = "count (*)";
      return TRUE;
    }
  if (is_own && call->is_distinct)
    return kvsqld_pg_fail_unsupported (self, call->span, "DISTINCT in this aggregate");
  if (out->type == 0)
    out->type = is_own ? array_of (argument (call, 0)->type) : argument (call, 0)->type;
  out->sql = is_own
                 ? write_own_aggregate (self, call, function)
                 : kvsqld_pg_write (self, "%s (%s%s)", function,
                                    call->is_distinct ? "DISTINCT " : "", argument (call, 0)->sql);
  return self->error == NULL;
}

/* FILTER (WHERE …) and OVER (…) */
static gboolean
read_window (KvsqldPgTranslator *self, KvsqldPgExpression *inout)
{
  KvsqldPgExpression value;

  if (kvsqld_pg_accept_word (self, "filter"))
    {
      if (!kvsqld_pg_expect_symbol (self, "(") || !kvsqld_pg_expect_word (self, "where")
          || !kvsqld_pg_read_condition (self, &value) || !kvsqld_pg_expect_symbol (self, ")"))
        return FALSE;
      inout->sql = kvsqld_pg_write (self, "%s FILTER (WHERE %s)", inout->sql, value.sql);
    }
  if (!kvsqld_pg_accept_word (self, "over"))
    return TRUE;
  g_autoptr (GString) partition = g_string_new (NULL);
  g_autoptr (GString) order = g_string_new (NULL);
  if (!kvsqld_pg_expect_symbol (self, "("))
    return FALSE;
  if (kvsqld_pg_accept_word (self, "partition"))
    {
      if (!kvsqld_pg_expect_word (self, "by"))
        return FALSE;
      do
        {
          if (!kvsqld_pg_read_expression (self, &value))
            return FALSE;
          g_string_append_printf (partition, "%s%s", partition->len > 0 ? ", " : "PARTITION BY ",
                                  value.sql);
        }
      while (kvsqld_pg_accept_symbol (self, ","));
    }
  if (kvsqld_pg_accept_word (self, "order")
      && (!kvsqld_pg_expect_word (self, "by") || !kvsqld_pg_read_order (self, order, NULL, NULL)))
    return FALSE;
  inout->sql = kvsqld_pg_write (self, "%s OVER (%s%s%s)", inout->sql, partition->str,
                                order->len > 0 ? " ORDER BY " : "", order->str);
  return kvsqld_pg_expect_symbol (self, ")");
}

/* ---- all others */

/* coalesce, nullif, greatest, least: of the type of their arguments. */
static gboolean
write_of_one_type (KvsqldPgTranslator *self, const Call *call, const gchar *function,
                   KvsqldPgExpression *out)
{
  guint32 type = KVSQLD_PGT_UNKNOWN;

  for (guint i = 0; i < call->values->len && type == KVSQLD_PGT_UNKNOWN; i++)
    type = argument (call, i)->type;
  if (type == KVSQLD_PGT_UNKNOWN)
    type = KVSQLD_PGT_TEXT;
  if (call->values->len == 0)
    return kvsqld_pg_fail_syntax (self);
  for (guint i = 0; i < call->values->len; i++)
    if (!kvsqld_pg_coerce (self, argument (call, i), type))
      return FALSE;
  *out = (KvsqldPgExpression){ .type = type, .name = call->name, .is_named = TRUE };
  /* SQLite's coalesce() has at least two */
  out->sql = call->values->len == 1
                 ? argument (call, 0)->sql
                 : kvsqld_pg_write (self, "%s (%s)", function, join_arguments (self, call));
  return TRUE;
}

static gboolean
write_with_any_number (KvsqldPgTranslator *self, const Call *call, KvsqldPgExpression *out)
{
  static const struct
  {
    const gchar *name, *function;
    guint32 type;
  } functions[] = { { "concat", "kvsql_concat", KVSQLD_PGT_TEXT },
                    { "concat_ws", "kvsql_concat_ws", KVSQLD_PGT_TEXT },
                    { "format", "kvsql_format", KVSQLD_PGT_TEXT },
                    { "json_build_object", "json_object", KVSQLD_PGT_JSON },
                    { "json_build_array", "json_array", KVSQLD_PGT_JSON } };

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (strcmp (functions[i].name, call->name) == 0)
      {
        if (!settle_arguments (self, call))
          return FALSE;
        *out = (KvsqldPgExpression){ .sql = kvsqld_pg_write (self, "%s (%s)", functions[i].function,
                                                             join_arguments (self, call)),
                                     .type = functions[i].type,
                                     .name = call->name,
                                     .is_named = TRUE };
        return TRUE;
      }
  return FALSE;
}

static gboolean
write_typeof (KvsqldPgTranslator *self, const Call *call, KvsqldPgExpression *out)
{
  if (call->values->len != 1)
    return fail_function (self, call, TRUE);
  *out = (KvsqldPgExpression){ .sql = kvsqld_pg_write (self, "%u", argument (call, 0)->type),
                               .type = KVSQLD_PGT_REGTYPE,
                               .name = call->name,
                               .is_named = TRUE };
  return TRUE;
}

static gboolean
write_pattern (KvsqldPgTranslator *self, const Call *call, KvsqldPgExpression *out)
{
  gboolean exists;
  const KvsqldPgFunctionPattern *pattern
      = kvsqld_pg_find_pattern (call->name, call->values->len, &exists);

  if (pattern == NULL || call->is_star || call->is_distinct)
    return fail_function (self, call, exists);
  if (!settle_arguments (self, call))
    return FALSE;
  *out
      = (KvsqldPgExpression){ .sql = pattern->pattern,
                              .type = pattern->type != 0 ? pattern->type : argument (call, 0)->type,
                              .name = call->name,
                              .is_named = TRUE };
  /* OVER follows a call, not parentheses */
  if (!g_str_has_suffix (pattern->pattern, " ()"))
    out->sql = kvsqld_pg_fill_pattern (
        self, pattern->pattern, (const KvsqldPgExpression *)call->values->data, call->values->len);
  return self->error == NULL;
}

static gboolean
write_call (KvsqldPgTranslator *self, Call *call, KvsqldPgExpression *out)
{
  const RowFunction *function = find_row_function (call->name);

  if (function != NULL)
    return write_rows_in_outputs (self, function, call, out);
  for (guint i = 0; i < G_N_ELEMENTS (aggregates); i++)
    if (strcmp (aggregates[i].name, call->name) == 0)
      return write_aggregate (self, call, i, out);
  if (strcmp (call->name, "coalesce") == 0 || strcmp (call->name, "nullif") == 0)
    return write_of_one_type (self, call, call->name, out);
  if (strcmp (call->name, "greatest") == 0 || strcmp (call->name, "least") == 0)
    return write_of_one_type (
        self, call, strcmp (call->name, "greatest") == 0 ? "kvsql_greatest" : "kvsql_least", out);
  if (strcmp (call->name, "pg_typeof") == 0)
    return write_typeof (self, call, out);
  if (write_with_any_number (self, call, out) || self->error != NULL)
    return self->error == NULL;
  return write_pattern (self, call, out);
}

gboolean
kvsqld_pg_read_call (KvsqldPgTranslator *self, const gchar *name, KvsqlSpan span,
                     KvsqldPgExpression *out)
{
  const gchar *called = name;
  Call call;
  gboolean ok;

  call_begin (&call, name, span);
  if (strcmp (name, "substring") == 0 || strcmp (name, "trim") == 0)
    ok = read_words (self, &call);
  else if (strcmp (name, "position") == 0)
    ok = read_position (self, &call);
  else
    ok = read_arguments (self, &call);
  ok = ok && write_call (self, &call, out);
  call_clear (&call);
  if (!ok)
    return FALSE;
  out->span = span;
  if (strcmp (called, "position") == 0)
    out->name = called;
  return read_window (self, out);
}

gboolean
kvsqld_pg_find_bare_call (KvsqldPgTranslator *self, const gchar *name, KvsqldPgExpression *out)
{
  static const gchar *const names[] = { "current_catalog",   "current_role", "current_schema",
                                        "current_user",      "session_user", "user",
                                        "current_timestamp", "current_date", NULL };
  const KvsqldPgFunctionPattern *pattern;
  gboolean exists;

  if (!g_strv_contains (names, name))
    return FALSE;
  pattern = kvsqld_pg_find_pattern (name, 0, &exists);
  *out = (KvsqldPgExpression){ .sql = kvsqld_pg_fill_pattern (self, pattern->pattern, NULL, 0),
                               .type = pattern->type,
                               .name = name,
                               .is_named = TRUE };
  return TRUE;
}
