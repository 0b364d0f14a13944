/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * workload-weights.c: MIX and WEIGHT.
 *
 *   MIX bidding, browsing DEFAULT bidding;
 *   GROUP StoreBid WEIGHT bidding 3.74, browsing 1 { … };
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

  if (self->n_mixes > 0 || self->workload->n_statements > 0)
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

static gboolean
read_weight (KvsqlWorkloadReader *self, gdouble *out, GError **error)
{
  gdouble weight;
  KvsqlName name;

  if (self->token.kind != KVSQL_TOKEN_WORD && self->token.kind != KVSQL_TOKEN_QUOTED_NAME)
    return kvsql_workload_expect_number (self, "the weight", out, error);
  if (!kvsql_workload_expect_name (self, &name, error) || !find_mix (self, &name, error)
      || !kvsql_workload_expect_number (self, "the weight", &weight, error))
    return FALSE;
  if (g_ascii_strcasecmp (name.text, self->workload->mix) == 0)
    *out = weight;
  return TRUE;
}

gboolean
kvsql_workload_read_weights (KvsqlWorkloadReader *self, gdouble *out, GError **error)
{
  gboolean has_more = TRUE;

  *out = 0; /* in mixes that are not named */
  while (has_more)
    if (!read_weight (self, out, error)
        || !kvsql_workload_accept_symbol (self, ',', &has_more, error))
      return FALSE;
  return TRUE;
}
