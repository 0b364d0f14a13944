/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * user.c: kvsqlctl user: makes roles and sets passwords, without sending a password to kvsqld.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/execute.h"
#include "client/ctl/report.h"
#include "client/ctl/terminal/password.h"
#include "client/ctl/usage.h"

static gboolean is_superuser, has_no_password;

static const GOptionEntry options[]
    = { { "superuser", 's', 0, G_OPTION_ARG_NONE, &is_superuser, "add: the role may change roles",
          NULL },
        { "no-password", 'n', 0, G_OPTION_ARG_NONE, &has_no_password,
          "add: the role logs in over a UNIX socket only", NULL },
        { NULL } };

/* " PASSWORD '<verifier>'", of a password that is read twice from a terminal, else once. */
static gchar *
ask_verifier (GError **error)
{
  g_autofree gchar *password = kvsqlctl_password_read_new (error), *verifier = NULL;

  if (password == NULL)
    return NULL;
  verifier = kvsql_password_make_verifier (password, error);
  kvsqlctl_password_wipe (password);
  if (verifier == NULL)
    return NULL;
  /* a verifier has no quote */
  return g_strconcat (" PASSWORD '", verifier, "'", NULL);
}

static KvsqlctlStatus
change (Kvsqlctl *ctl, const gchar *verb, const gchar *name, const gchar *rest)
{
  g_autofree gchar *quoted = kvsqlctl_quote_name (name), *sql = NULL, *password = NULL;
  g_autoptr (GError) error = NULL;

  password = has_no_password ? g_strdup ("") : ask_verifier (&error);
  if (password == NULL)
    return kvsqlctl_report (ctl, error, NULL);
  sql = g_strconcat (verb, " ROLE ", quoted, rest, password, NULL);
  return kvsqlctl_execute_text (ctl, sql);
}

static const gchar *const verbs[] = { "add", "passwd", "list", NULL };

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  if (argc == 1 && strcmp (argv[0], "list") == 0)
    return kvsqlctl_execute_text (ctl, "SHOW ROLES");
  if (argc == 2 && strcmp (argv[0], "add") == 0)
    return change (ctl, "CREATE", argv[1], is_superuser ? " LOGIN SUPERUSER" : " LOGIN");
  if (argc == 2 && strcmp (argv[0], "passwd") == 0 && !has_no_password)
    return change (ctl, "ALTER", argv[1], "");
  if (argc > 0 && !g_strv_contains (verbs, argv[0]))
    return kvsqlctl_unknown_verb (&kvsqlctl_user, argv[0]);
  return kvsqlctl_usage_error (&kvsqlctl_user, "expected add NAME, passwd NAME or list");
}

const KvsqlctlCommand kvsqlctl_user = {
  .name = "user",
  .arguments = "add NAME | passwd NAME | list",
  .verbs = verbs,
  .summary = "Make roles that may log in, and set their passwords",
  .description
  = "A password is read without echo, or as one line of standard input if that is no terminal.\n"
    "Only its verifier is sent to kvsqld. The first role is made by root or the user of kvsqld,\n"
    "over its UNIX socket.",
  .options = options,
  .needs_connection = TRUE,
  .run = run
};
