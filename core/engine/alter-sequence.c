/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * alter-sequence.c: ALTER SEQUENCE.
 *
 * The type of a sequence is not stored, only its bounds. So AS changes a bound that is the one of a
 * type, and NO MINVALUE and NO MAXVALUE are those of BIGINT.
 */
#include "config.h"

#include "core/engine/definitions-private.h"
#include "core/engine/sequence-use.h"

static gboolean fail_value (KvsqlSpan span, GError **error, const gchar *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
fail_value (KvsqlSpan span, GError **error, const gchar *format, ...)
{
  g_autofree gchar *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, span, "%s", message);
  return kvsql_error_sqlstate (error, "22023");
}

/* ---- options */

static gboolean
is_maximum_of_type (gint64 number)
{
  return number == G_MAXINT16 || number == G_MAXINT32 || number == G_MAXINT64;
}

static gboolean
apply_type (KvsqlNumberSequence *self, const KvsqlSequenceOptions *options, gint64 *out_maximum,
            GError **error)
{
  *out_maximum = options->type_name.text != NULL
                     ? kvsql_find_whole_maximum (options->type_name.text)
                     : G_MAXINT64;
  if (*out_maximum == 0)
    return fail_value (options->type_name.span, error,
                       "a sequence is of type SMALLINT, INT or BIGINT");
  if (options->type_name.text == NULL)
    return TRUE;
  if (is_maximum_of_type (self->maximum))
    self->maximum = *out_maximum;
  if (self->minimum < 0 && is_maximum_of_type (-(self->minimum + 1)))
    self->minimum = -*out_maximum - 1;
  return TRUE;
}

static void
apply_bounds (KvsqlNumberSequence *self, const KvsqlSequenceOptions *options, gint64 maximum)
{
  if (options->resets_maximum)
    self->maximum = self->increment > 0 ? maximum : -1;
  if (options->resets_minimum)
    self->minimum = self->increment > 0 ? 1 : -maximum - 1;
  if (options->has_minimum)
    self->minimum = options->minimum;
  if (options->has_maximum)
    self->maximum = options->maximum;
}

static gboolean
check_within (const KvsqlNumberSequence *self, const gchar *what, gint64 value, KvsqlSpan span,
              GError **error)
{
  if (value < self->minimum)
    return fail_value (span, error,
                       "%s value (%" G_GINT64_FORMAT
                       ") cannot be less than MINVALUE (%" G_GINT64_FORMAT ")",
                       what, value, self->minimum);
  if (value > self->maximum)
    return fail_value (span, error,
                       "%s value (%" G_GINT64_FORMAT
                       ") cannot be greater than MAXVALUE (%" G_GINT64_FORMAT ")",
                       what, value, self->maximum);
  return TRUE;
}

/* Where it goes on. */
static gboolean
apply_restart (KvsqlNumberSequence *self, const KvsqlSequenceOptions *options, GError **error)
{
  if (options->is_restarted)
    {
      self->next = options->has_restart ? options->restart : self->start;
      self->is_exhausted = FALSE;
    }
  (void)kvsql_number_sequence_go_on (self);
  return check_within (self, "RESTART", self->next, options->span, error)
         || (!options->is_restarted
             && kvsql_error_hint (error,
                                  "Daemons have leased the numbers before that. Use RESTART."));
}

static gboolean
apply (KvsqlNumberSequence *self, const KvsqlSequenceOptions *options, GError **error)
{
  gint64 maximum;

  kvsql_number_sequence_release (self);
  if (!apply_type (self, options, &maximum, error))
    return FALSE;
  if (options->has_increment && options->increment == 0)
    return fail_value (options->span, error, "INCREMENT must not be zero");
  if (options->has_increment)
    self->increment = options->increment;
  apply_bounds (self, options, maximum);
  if (options->is_cyclic || options->resets_cycle)
    self->is_cyclic = options->is_cyclic;
  if (options->has_start)
    self->start = options->start;
  if (self->minimum < -maximum - 1 || self->maximum > maximum)
    return fail_value (options->span, error, "MINVALUE or MAXVALUE is out of range for the type");
  if (self->minimum >= self->maximum)
    return fail_value (options->span, error, "MINVALUE must be less than MAXVALUE");
  return check_within (self, "START", self->start, options->span, error)
         && apply_restart (self, options, error);
}

/* ---- owners */

/* The relation whose DEFAULT uses an owned sequence; NULL: none. */
static const KvsqlCatalogEntry *
find_linked (const KvsqlCatalog *catalog, const KvsqlNumberSequence *sequence)
{
  for (guint i = 0; sequence->is_owned && i < catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = catalog->entries->pdata[i];

      if (kvsql_relation_uses_sequence (entry->relation, sequence->name))
        return entry;
    }
  return NULL;
}

static gboolean
decide_owner (KvsqlDecision *self, const KvsqlNumberSequence *sequence,
              const KvsqlCreateSequence *alter, GError **error)
{
  const KvsqlExecution *execution = self->execution;
  const KvsqlRole *role = kvsql_find_role (execution->catalog, &alter->new_owner, error);
  const KvsqlCatalogEntry *linked = find_linked (execution->catalog, sequence);
  g_autoptr (KvsqlAcl) acl = NULL;

  if (role == NULL)
    return FALSE;
  if (linked != NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, alter->name.span,
                       "cannot change owner of sequence \"%s\"", sequence->name);
      kvsql_error_detail (error, "Sequence \"%s\" is linked to relation \"%s\".", sequence->name,
                          linked->relation->name);
      return kvsql_error_hint (error, "ALTER RELATION … OWNER TO changes both.");
    }
  if (!kvsql_authority_acts_as (&execution->authority, role->name))
    return kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, alter->new_owner.span,
                            "must be member of role \"%s\"", role->name);
  acl = kvsql_acl_copy (sequence->acl);
  acl->is_of_sequence = TRUE;
  kvsql_acl_set_owner (acl, role->name);
  kvsql_decision_add_rights (self, KVSQL_DEFINITION_SEQUENCE_RIGHTS, sequence->name, acl);
  return TRUE;
}

/* OWNED BY: only with a relation of the same owner, as in PostgreSQL. */
static gboolean
apply_owned_by (const KvsqlDecision *self, KvsqlNumberSequence *sequence,
                const KvsqlSequenceOptions *options, GError **error)
{
  const KvsqlCatalogEntry *entry;

  if (!options->has_no_owner && options->owner.text == NULL)
    return TRUE;
  if (sequence->is_identity)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, options->span,
                            "cannot change ownership of identity sequence");
  sequence->is_owned = options->owner.text != NULL;
  if (!sequence->is_owned)
    return TRUE;
  if (!kvsql_decision_check_sequence_owner (self, options, error))
    return FALSE;
  entry = kvsql_catalog_find (self->execution->catalog, &options->owner, error);
  if (entry == NULL)
    return FALSE;
  if (g_strcmp0 (entry->acl != NULL ? entry->acl->owner : NULL,
                 sequence->acl != NULL ? sequence->acl->owner : NULL)
      == 0)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, options->owner.span,
                   "sequence must have same owner as table it is linked to");
  return kvsql_error_sqlstate (error, "55000");
}

/* ---- the statement */

gboolean
kvsql_decide_alter_sequence (KvsqlDecision *self, const KvsqlCreateSequence *alter, GError **error)
{
  const KvsqlExecution *execution = self->execution;
  g_autofree gchar *name = kvsql_name_fold (alter->name.text, alter->name.is_quoted);
  const KvsqlNumberSequence *sequence
      = kvsql_authority_lookup_sequence (&execution->authority, execution->catalog, name);
  KvsqlNumberSequence *changed;
  gboolean ok;

  if (sequence == NULL)
    {
      if (!kvsql_catalog_check_known (execution->catalog, error))
        return FALSE;
      if (!alter->if_exists)
        return kvsql_fail_unknown_sequence (name, alter->name.span, error);
      kvsql_result_page_note (self->page, "sequence \"%s\" does not exist, nothing was done", name);
      return TRUE;
    }
  if (alter->new_owner.text != NULL)
    return decide_owner (self, sequence, alter, error);
  changed = kvsql_number_sequence_copy (sequence);
  ok = apply (changed, &alter->options, error)
       && apply_owned_by (self, changed, &alter->options, error);
  if (ok)
    kvsql_decision_add_sequence (self, changed);
  kvsql_number_sequence_free (changed);
  return ok;
}
