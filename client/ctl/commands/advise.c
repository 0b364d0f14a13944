/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * advise.c: kvsqlctl advise: which schemas a workload should have.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/commands/apply.h"
#include "client/ctl/commands/capture.h"
#include "client/ctl/report.h"
#include "client/ctl/text-file.h"
#include "client/ctl/usage.h"
#include "client/ctl/verify/verify.h"
#include "core/advisor/advise.h"
#include "core/advisor/trial.h"

#define MAX_WORKLOAD (64 << 20) /* bytes */
#define DEFAULT_TRIAL_MS 60000

static gboolean is_offline;
static gboolean is_online;
static gboolean applies;
static gboolean verifies;
static gchar *trial_time;
static gchar *sample;
static gchar *seed;
static gchar *period;
static gchar *workload;
static gchar *mix;
static gchar *cost_model;
static gchar *storage_limit;
static gint max_schemas;
static gchar **keep;
static gchar *solver;
static gint time_limit;
static gboolean with_curve;
static gchar *picture;
static gchar *format;

/* --curve, or --curve=FILE.svg */
static gboolean
set_curve (const gchar *name, const gchar *value, gpointer data, GError **error)
{
  with_curve = TRUE;
  g_free (picture);
  picture = g_strdup (value);
  return TRUE;
}

static const GOptionEntry options[] = {
  { "offline", 'O', 0, G_OPTION_ARG_NONE, &is_offline,
    "Take relations and statistics from the workload, not from a daemon", NULL },
  { "online", 'L', 0, G_OPTION_ARG_NONE, &is_online,
    "Take relations, statistics, schemas and, without --workload, statements from a daemon", NULL },
  { "for", 'F', 0, G_OPTION_ARG_STRING, &period,
    "With --online: only the statements of this time from now on, such as 60s", "TIME" },
  { "apply", 'a', 0, G_OPTION_ARG_NONE, &applies,
    "With --online: define the advised schemas, fill and compare them; all schemas stay", NULL },
  { "verify", 'y', 0, G_OPTION_ARG_NONE, &verifies,
    "With --online: execute the statements on copies, with the schemas of today and of the advice",
    NULL },
  { "seconds", 'S', 0, G_OPTION_ARG_STRING, &trial_time,
    "With --verify: how long to execute, in seconds (60)", "SECONDS" },
  { "sample", 'p', 0, G_OPTION_ARG_STRING, &sample,
    "With --verify: the part of the tuples that is copied (100%)", "PERCENT" },
  { "seed", 'e', 0, G_OPTION_ARG_STRING, &seed,
    "With --verify: of the random numbers, to repeat a trial", "NUMBER" },
  { "workload", 'w', 0, G_OPTION_ARG_FILENAME, &workload,
    "The workload: relations, statistics, statements; - is the standard input", "FILE" },
  { "mix", 'm', 0, G_OPTION_ARG_STRING, &mix, "Whose weights apply", "NAME" },
  { "cost-model", 'C', 0, G_OPTION_ARG_STRING, &cost_model,
    "Whose costs: kvsql (the planner), nose", "NAME" },
  { "storage-limit", 'l', 0, G_OPTION_ARG_STRING, &storage_limit,
    "The most bytes of all schemas, such as 900000 or 10GiB", "BYTES" },
  { "max-schemas", 'n', 0, G_OPTION_ARG_INT, &max_schemas, "The most schemas of a relation", "N" },
  { "keep", 'k', 0, G_OPTION_ARG_STRING_ARRAY, &keep,
    "A schema of the workload, or of the daemon, that must stay; repeatable", "SCHEMA" },
  { "solver", 's', 0, G_OPTION_ARG_STRING, &solver,
    "Which program searches: builtin or cbc; without it, builtin, and\n"
    "                             cbc if that has not ended after two seconds",
    "NAME" },
  { "time-limit", 'T', 0, G_OPTION_ARG_INT, &time_limit, "How long it may take, in seconds (60)",
    "SECONDS" },
  { "curve", 'u', G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, (gpointer)set_curve,
    "Also the cost for some limits of the storage; a picture, too, if FILE.svg is given",
    "FILE.svg" },
  { "format", 'o', 0, G_OPTION_ARG_STRING, &format, "How to show the advice: text, json, sql",
    "FORMAT" },
  { NULL },
};

/* "900000", "10GiB", "1.5GB" */
static gboolean
parse_bytes (const gchar *text, gdouble *out)
{
  static const struct
  {
    const gchar *unit;
    gdouble bytes;
  } units[] = { { "", 1 },         { "B", 1 },       { "kB", 1e3 },   { "MB", 1e6 },
                { "GB", 1e9 },     { "TB", 1e12 },   { "KiB", 1024 }, { "MiB", 1048576 },
                { "GiB", 0x1p30 }, { "TiB", 0x1p40 } };
  gchar *end = NULL;
  gdouble number = g_ascii_strtod (text, &end);

  for (guint i = 0; end != text && i < G_N_ELEMENTS (units); i++)
    if (g_ascii_strcasecmp (end, units[i].unit) == 0 && number > 0 && number < 1e18)
      {
        *out = number * units[i].bytes;
        return TRUE;
      }
  return FALSE;
}

/* @hidden: bytes of @text that are not of the file */
static KvsqlctlStatus
report (const Kvsqlctl *ctl, const KvsqlAdviseError *error, const gchar *text, gsize size,
        gsize hidden)
{
  KvsqlctlSource source
      = { .text = text + hidden, .size = size - hidden, .file = workload, .line = 1 };
  KvsqlctlErrorText problem = { error->message, error->detail, error->hint,
                                error->position - (gint)hidden, error->length };

  return kvsqlctl_report_problem (ctl, &problem, problem.position >= 0 ? &source : NULL);
}

static KvsqlctlStatus
advise (const Kvsqlctl *ctl, const KvsqlAdviseOptions *how, const gchar *text, gsize size,
        gsize hidden)
{
  g_auto (KvsqlAdviseError) problem = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree gchar *advice = NULL, *svg = NULL;

  advice = kvsql_advise (text, size, how, &svg, &problem);
  if (advice == NULL)
    return report (ctl, &problem, text, size, hidden);
  if (picture != NULL && svg != NULL && !g_file_set_contents (picture, svg, -1, &error))
    return kvsqlctl_fail ("%s", error->message);
  fputs (advice, stdout);
  if (!g_str_has_suffix (advice, "\n"))
    putchar ('\n');
  return KVSQLCTL_DONE;
}

static KvsqlctlStatus
advise_file (const Kvsqlctl *ctl, const KvsqlAdviseOptions *how)
{
  g_autofree gchar *text = NULL;
  gsize size;

  return kvsqlctl_read_text (workload, MAX_WORKLOAD, &text, &size)
             ? advise (ctl, how, text, size, 0)
             : KVSQLCTL_FAILED;
}

/* ---- a daemon */

/* Shows the advice, and defines its schemas. */
static KvsqlctlStatus
apply (Kvsqlctl *ctl, KvsqlAdviseOptions how, const gchar *text, gsize hidden)
{
  g_auto (KvsqlAdviseError) problem = { 0 };
  g_autofree gchar *script = NULL;
  KvsqlctlStatus status;

  how.keeps_all = TRUE;
  status = advise (ctl, &how, text, strlen (text), hidden);
  if (status != KVSQLCTL_DONE)
    return status;
  how.format = "sql";
  how.with_curve = FALSE;
  script = kvsql_advise (text, strlen (text), &how, NULL, &problem);
  return script != NULL ? kvsqlctl_apply (ctl, script)
                        : report (ctl, &problem, text, strlen (text), hidden);
}

/* The statements of the file, with the relations of the daemon before them. */
static gchar *
complete_workload (Kvsqlctl *ctl, gsize *out_hidden, KvsqlctlStatus *out_status)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL, *relations = NULL;
  gsize size;

  *out_status = KVSQLCTL_FAILED;
  if (!kvsqlctl_read_text (workload, MAX_WORKLOAD, &text, &size))
    return NULL;
  relations = kvsqlctl_capture_relations (ctl, text, &error);
  if (relations == NULL)
    {
      *out_status = kvsqlctl_report (ctl, error, NULL);
      return NULL;
    }
  *out_hidden = strlen (relations);
  return g_strconcat (relations, text, NULL);
}

static gchar *
capture_workload (Kvsqlctl *ctl, gdouble seconds, KvsqlctlStatus *out_status)
{
  g_auto (KvsqlctlCapture) captured = { 0 };
  g_autoptr (GError) error = NULL;

  *out_status = KVSQLCTL_FAILED;
  if (!kvsqlctl_capture (ctl, "online", seconds, TRUE, &captured, &error))
    {
      *out_status = kvsqlctl_report (ctl, error, NULL);
      return NULL;
    }
  if (captured.n_advised > 0)
    return g_steal_pointer (&captured.text);
  fputs ("error: the daemon has no statements to advise on; see SHOW STATEMENT STATISTICS\n",
         stderr);
  return NULL;
}

/* Shows the advice, and tries it. */
static KvsqlctlStatus
verify (Kvsqlctl *ctl, const KvsqlAdviseOptions *how, const KvsqlctlVerifyOptions *trial_options,
        const gchar *text, gsize hidden)
{
  g_auto (KvsqlAdviseError) problem = { 0 };
  g_autofree gchar *prefix = kvsqlctl_verify_make_prefix ();
  g_autoptr (KvsqlTrial) trial = kvsql_trial_new (text, strlen (text), how, prefix, &problem);

  return trial != NULL ? kvsqlctl_verify (ctl, trial, trial_options)
                       : report (ctl, &problem, text, strlen (text), hidden);
}

static KvsqlctlStatus
advise_daemon (Kvsqlctl *ctl, const KvsqlAdviseOptions *how,
               const KvsqlctlVerifyOptions *trial_options, gdouble seconds)
{
  gsize hidden = 0;
  KvsqlctlStatus status;
  g_autofree gchar *text = workload != NULL ? complete_workload (ctl, &hidden, &status)
                                            : capture_workload (ctl, seconds, &status);

  if (text == NULL)
    return status;
  if (verifies)
    return verify (ctl, how, trial_options, text, hidden);
  return applies ? apply (ctl, *how, text, hidden) : advise (ctl, how, text, strlen (text), hidden);
}

static gboolean
connects (void)
{
  return is_online;
}

/* ---- the command */

static KvsqlctlStatus
check_sources (guint *out_ms)
{
  if (is_online && is_offline)
    return kvsqlctl_usage_error (&kvsqlctl_advise, "--online and --offline exclude each other");
  if (workload != NULL && period != NULL)
    return kvsqlctl_usage_error (&kvsqlctl_advise,
                                 "--for is for the statements of the daemon, without --workload");
  if (!is_online && (applies || period != NULL))
    return kvsqlctl_usage_error (&kvsqlctl_advise, "--apply and --for need --online");
  if (!is_online && workload == NULL)
    return kvsqlctl_usage_error (&kvsqlctl_advise,
                                 "missing workload; give --offline --workload FILE, or --online");
  if (!is_online && !is_offline)
    return kvsqlctl_usage_error (&kvsqlctl_advise,
                                 "give --offline, as the workload has all that is needed");
  if (period != NULL && !kvsqlctl_parse_time (period, out_ms))
    return kvsqlctl_usage_error (&kvsqlctl_advise, "\"%s\" is not a time such as 60s or 5m",
                                 period);
  return KVSQLCTL_DONE;
}

/* "60", or a time such as 2m */
static gboolean
parse_seconds (const gchar *text, guint *out_ms)
{
  gchar *end = NULL;
  gdouble number = g_ascii_strtod (text, &end);

  if (end == text || *end != '\0')
    return kvsqlctl_parse_time (text, out_ms);
  *out_ms = (guint)(CLAMP (number, 0, 1e6) * 1000);
  return number > 0 && number <= 1e6;
}

/* "5%", "0.5%", "100" */
static gboolean
parse_share (const gchar *text, gdouble *out)
{
  gchar *end = NULL;
  gdouble number = g_ascii_strtod (text, &end);

  *out = number / 100;
  return end != text && (*end == '\0' || strcmp (end, "%") == 0) && number > 0 && number <= 100;
}

static KvsqlctlStatus
check_trial (const Kvsqlctl *ctl, KvsqlctlVerifyOptions *out)
{
  guint64 number = g_random_int ();
  guint ms = DEFAULT_TRIAL_MS;

  *out = (KvsqlctlVerifyOptions){ .share = 1, .as_json = g_strcmp0 (format, "json") == 0 };
  if (!verifies && (trial_time != NULL || sample != NULL || seed != NULL))
    return kvsqlctl_usage_error (&kvsqlctl_advise, "--seconds, --sample and --seed need --verify");
  if (verifies && applies)
    return kvsqlctl_usage_error (
        &kvsqlctl_advise, "--verify and --apply exclude each other; verify first, then apply");
  if (verifies && !is_online)
    return kvsqlctl_usage_error (&kvsqlctl_advise, "--verify needs --online");
  if (verifies && ctl->is_read_only)
    return kvsqlctl_usage_error (&kvsqlctl_advise, "--verify writes, and --read-only refuses that");
  if (verifies && g_strcmp0 (cost_model, "nose") == 0)
    return kvsqlctl_usage_error (&kvsqlctl_advise,
                                 "--verify compares with the costs of the planner, not of nose");
  if (verifies && g_strcmp0 (format, "sql") == 0)
    return kvsqlctl_usage_error (&kvsqlctl_advise, "--verify shows its result as text or json");
  if (trial_time != NULL && !parse_seconds (trial_time, &ms))
    return kvsqlctl_usage_error (&kvsqlctl_advise, "\"%s\" is not a number of seconds", trial_time);
  if (sample != NULL && !parse_share (sample, &out->share))
    return kvsqlctl_usage_error (&kvsqlctl_advise, "\"%s\" is not a part such as 5%%", sample);
  if (seed != NULL && !g_ascii_string_to_unsigned (seed, 10, 0, G_MAXUINT32, &number, NULL))
    return kvsqlctl_usage_error (&kvsqlctl_advise, "\"%s\" is not a number below 4294967296", seed);
  out->seed = (guint32)number;
  out->seconds = ms / 1000.0;
  return KVSQLCTL_DONE;
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  KvsqlAdviseOptions how = { .mix = mix, .cost_model = cost_model, .solver = solver };
  KvsqlctlVerifyOptions trial_options;
  KvsqlctlStatus status;
  guint ms = 0;

  if (argc != 0)
    return kvsqlctl_usage_error (&kvsqlctl_advise, "unexpected argument \"%s\"", argv[0]);
  status = check_sources (&ms);
  if (status == KVSQLCTL_DONE)
    status = check_trial (ctl, &trial_options);
  if (status != KVSQLCTL_DONE)
    return status;
  if (storage_limit != NULL && !parse_bytes (storage_limit, &how.storage_limit))
    return kvsqlctl_usage_error (&kvsqlctl_advise, "\"%s\" is not a size such as 900000 or 10GiB",
                                 storage_limit);
  if (max_schemas < 0 || time_limit < 0)
    return kvsqlctl_usage_error (&kvsqlctl_advise,
                                 "--max-schemas and --time-limit are not negative");
  how.max_schemas = (guint)max_schemas;
  how.seconds = time_limit;
  how.keep = (const gchar *const *)keep;
  how.with_curve = with_curve;
  how.format = format != NULL ? format : "text";
  return is_online ? advise_daemon (ctl, &how, &trial_options, ms / 1000.0)
                   : advise_file (ctl, &how);
}

const KvsqlctlCommand kvsqlctl_advise = {
  .name = "advise",
  .arguments = "--offline --workload FILE | --online [--workload FILE]",
  .summary = "Say which schemas a workload should have",
  .description
  = "Reads relations, statistics and weighted statements from a file or a daemon, and gives the\n"
    "schemas with which the statements cost least. docs/advisor.md describes file and advice.",
  .options = options,
  .connects = connects,
  .run = run
};
