/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * verify.c: see verify.h.
 */
#include "config.h"

#include "client/ctl/verify/verify.h"

#include "client/ctl/report.h"
#include "client/ctl/terminal/interrupt.h"
#include "client/ctl/verify/findings.h"

gchar *
kvsqlctl_verify_make_prefix (void)
{
  return g_strdup_printf ("adv_%06x", g_random_int () & 0xffffff);
}

/* ---- output */

/* The findings become the last member of the advice. @findings: (transfer full) */
static void
print_json (const gchar *advice, JsonNode *findings)
{
  g_autoptr (JsonNode) node = json_from_string (advice, NULL);
  g_autofree gchar *text = NULL;

  json_object_set_member (json_node_get_object (node), "verification", findings);
  text = json_to_string (node, TRUE);
  puts (text);
}

static void
print_findings (const KvsqlTrial *trial, const KvsqlctlFindings *findings, gboolean as_json)
{
  g_autofree gchar *text = NULL;

  if (as_json)
    print_json (trial->advice, kvsqlctl_findings_to_json (findings));
  else
    {
      text = kvsqlctl_findings_to_text (findings);
      printf ("%s\n%s", trial->advice, text);
    }
  fflush (stdout);
}

static KvsqlctlStatus
finish_unchanged (const KvsqlTrial *trial, gboolean as_json)
{
  if (as_json)
    print_json (trial->advice, json_node_new (JSON_NODE_NULL));
  else
    printf ("%s\nNothing is to be changed, so there is nothing to try.\n", trial->advice);
  return KVSQLCTL_DONE;
}

static KvsqlctlStatus
finish (const KvsqlctlReplay *replay, const KvsqlctlVerifyOptions *options)
{
  g_autoptr (KvsqlctlFindings) findings
      = kvsqlctl_findings_new (replay, options->share, options->seed);

  print_findings (replay->trial, findings, options->as_json);
  if (findings->differences->len > 0)
    return KVSQLCTL_DIFFERS;
  return kvsqlctl_findings_are_better (findings) ? KVSQLCTL_DONE : KVSQLCTL_NOT_BETTER;
}

/* ---- the steps */

/* A statement that cannot be tried is left out, unless there is no other one. */
static gboolean
has_statements (const KvsqlTrial *trial, GError **error)
{
  for (guint i = 0; i < trial->n_statements; i++)
    if (trial->statements[i].reason == NULL)
      return TRUE;
  g_set_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNSUPPORTED,
               "no statement can be tried; the first one: %s", trial->statements[0].reason);
  return FALSE;
}

static KvsqlctlStatus
report_failure (Kvsqlctl *ctl, const GError *error)
{
  g_autoptr (GError) interruption = g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "interrupted");
  gboolean is_cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  return kvsqlctl_report (ctl, is_cancelled ? interruption : error, NULL);
}

KvsqlctlStatus
kvsqlctl_verify (Kvsqlctl *ctl, const KvsqlTrial *trial, const KvsqlctlVerifyOptions *options)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GRand *random = g_rand_new_with_seed (options->seed);
  g_autoptr (KvsqlctlCopies) copies = kvsqlctl_copies_new (ctl, trial, random);
  g_autoptr (KvsqlctlReplay) replay = kvsqlctl_replay_new (copies, random, options->seconds);
  g_autoptr (GError) error = NULL;
  KvsqlctlStatus status;

  if (trial->changes_nothing)
    status = finish_unchanged (trial, options->as_json);
  else
    {
      ctl->cancellable = cancellable;
      kvsqlctl_interrupt_catch_ends ();
      kvsqlctl_interrupt_set_target (cancellable);
      if (has_statements (trial, &error) && kvsqlctl_copies_define (copies, &error)
          && kvsqlctl_copies_fill (copies, options->share, &error)
          && kvsqlctl_replay_run (replay, &error)
          && kvsqlctl_copies_compare (copies, replay->differences, &error))
        status = finish (replay, options);
      else
        status = report_failure (ctl, error);
      if (!kvsqlctl_copies_drop (copies) && status == KVSQLCTL_DONE)
        status = KVSQLCTL_FAILED;
      ctl->cancellable = NULL;
    }
  g_rand_free (random);
  return status;
}
