/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * workload-weights.c: MIX, WEIGHT, RATE and SLO.
 *
 *   MIX bidding, browsing DEFAULT bidding;
 *   GROUP StoreBid WEIGHT bidding 3.74, browsing 1 { … };
 *   GROUP PutBid RATE 120/s { SELECT … SLO 20ms; };
 *
 * A weight without a mix is that of all mixes.
 */
#include "config.h"

#include "core/advisor/workload-private.h"

static gboolean
find_mix (const KvsqlWorkloadReader *self, const KvsqlName *name, GError **error)
{
  const gchar *suggestion;

  for (guint i = 0; i < self->n_mixes; i++)
    if (g_ascii_strcasecmp (self->mixes[i], name->text) == 0)
      return TRUE;
  suggestion = kvsql_suggest (name->text, self->mixes, self->n_mixes);
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span, "mix \"%s\" does not exist",
                   name->text);
  if (suggestion != NULL)
    return kvsql_error_hint (error, "Did you mean \"%s\"?", suggestion);
  return kvsql_error_hint (error, "MIX lists the names of all mixes.");
}

static gboolean
read_names (KvsqlWorkloadReader *self, GError **error)
{
  gboolean has_more = TRUE;
  KvsqlName name;

  while (has_more)
    {
      if (!kvsql_workload_expect_name (self, &name, error)
          || !kvsql_workload_accept_symbol (self, ',', &has_more, error))
        return FALSE;
      *KVSQL_ARENA_ADD (self->workload->arena, self->mixes, self->n_mixes) = name.text;
    }
  return TRUE;
}

gboolean
kvsql_workload_read_mixes (KvsqlWorkloadReader *self, GError **error)
{
  gboolean has_default;
  KvsqlName name;

  if (self->n_mixes > 0 || self->workload->n_statements + self->workload->n_joins > 0)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, self->token.span,
                            "MIX may be once, before the first statement");
  if (!read_names (self, error)
      || !kvsql_workload_accept_word (self, "DEFAULT", &has_default, error))
    return FALSE;
  self->workload->mix = self->mixes[0];
  if (has_default)
    {
      if (!kvsql_workload_expect_name (self, &name, error) || !find_mix (self, &name, error))
        return FALSE;
      self->workload->mix = name.text;
    }
  if (self->wanted == NULL)
    return TRUE;
  self->workload->mix = self->wanted;
  name = (KvsqlName){ .span = KVSQL_SPAN_NONE, .text = self->wanted };
  return find_mix (self, &name, error);
}

typedef struct
{
  const gchar *name;
  gdouble seconds;
} Unit;

static const Unit units[] = {
  { "us", 1e-6 },   { "ms", 1e-3 }, { "s", 1 },       { "second", 1 }, { "min", 60 },
  { "minute", 60 }, { "h", 3600 },  { "hour", 3600 }, { "d", 86400 },  { "day", 86400 },
};

static gboolean
find_unit (const gchar *text, gsize size, gdouble *out)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strlen (units[i].name) == size && g_ascii_strncasecmp (text, units[i].name, size) == 0)
      {
        *out = units[i].seconds;
        return TRUE;
      }
  return FALSE;
}

/* A number; of a rate, with a unit: 120/s, 5000/h. A rate without one is per second. */
static gboolean
read_number (KvsqlWorkloadReader *self, gboolean is_rate, gdouble *out, GError **error)
{
  gboolean has_unit = FALSE;
  gdouble seconds;
  KvsqlSlice text;

  if (!kvsql_workload_expect_number (self, is_rate ? "the rate" : "the weight", out, error)
      || (is_rate && !kvsql_workload_accept_symbol (self, '/', &has_unit, error)))
    return FALSE;
  if (!has_unit)
    return TRUE;
  text = kvsql_lexer_get_text (&self->lexer, self->token.span);
  if (!find_unit ((const gchar *)text.data, text.size, &seconds))
    return kvsql_workload_fail (self, "s, min, h or d", error);
  *out /= seconds;
  return kvsql_workload_advance (self, error);
}

static gboolean
read_weight (KvsqlWorkloadReader *self, gboolean is_rate, gdouble *out, GError **error)
{
  gdouble weight;
  KvsqlName name;

  if (self->token.kind != KVSQL_TOKEN_WORD && self->token.kind != KVSQL_TOKEN_QUOTED_NAME)
    return read_number (self, is_rate, out, error);
  if (!kvsql_workload_expect_name (self, &name, error) || !find_mix (self, &name, error)
      || !read_number (self, is_rate, &weight, error))
    return FALSE;
  if (g_ascii_strcasecmp (name.text, self->workload->mix) == 0)
    *out = weight;
  return TRUE;
}

gboolean
kvsql_workload_read_weights (KvsqlWorkloadReader *self, gdouble *out, GError **error)
{
  gboolean has_more = TRUE, is_rate;

  if (!kvsql_workload_accept_word (self, "RATE", &is_rate, error)
      || (!is_rate && !kvsql_workload_expect_word (self, "WEIGHT", error)))
    return FALSE;
  *out = 0; /* in mixes that are not named */
  while (has_more)
    if (!read_weight (self, is_rate, out, error)
        || !kvsql_workload_accept_symbol (self, ',', &has_more, error))
      return FALSE;
  return TRUE;
}

gboolean
kvsql_workload_is_rate (const KvsqlWorkloadReader *self)
{
  return kvsql_workload_is_word (self, "WEIGHT") || kvsql_workload_is_word (self, "RATE");
}

/* 20ms is not a token, so the text is read here. */
gboolean
kvsql_workload_read_slo (KvsqlWorkloadReader *self, KvsqlWorkloadStatement *out, GError **error)
{
  const gchar *text = (const gchar *)self->lexer.text;
  gsize at = self->lexer.offset, start, end;
  g_autofree gchar *copy = NULL;
  gchar *unit;
  gdouble seconds;

  while (at < self->lexer.size && g_ascii_isspace (text[at]))
    at++;
  for (start = at; at < self->lexer.size && (g_ascii_isdigit (text[at]) || text[at] == '.');)
    at++;
  copy = g_strndup (text + start, at - start);
  out->slo = g_ascii_strtod (copy, &unit);
  while (at < self->lexer.size && g_ascii_isspace (text[at]))
    at++;
  for (end = at; end < self->lexer.size && g_ascii_isalpha (text[end]);)
    end++;
  out->slo_span = (KvsqlSpan){ (gint32)start, (gint32)(end - start) };
  if (*copy == '\0' || *unit != '\0' || !find_unit (text + at, end - at, &seconds)
      || !(out->slo > 0) || !(out->slo <= KVSQL_WORKLOAD_MOST))
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, out->slo_span,
                            "SLO has to be a time above 0")
           || kvsql_error_hint (error, "Write for example SLO 20ms.");
  out->slo *= seconds;
  self->lexer.offset = end;
  return kvsql_workload_advance (self, error);
}
