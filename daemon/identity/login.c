/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * login.c: see login.h.
 */
#include "config.h"

#include "daemon/identity/login.h"

#include "core/scram/server.h"
#include "daemon/cluster/definitions.h"
#include "daemon/identity/attempts.h"
#include "daemon/log/log-rate.h"
#include "daemon/log/audit.h"
#include "daemon/log/log.h"
#include "daemon/net/peer-name.h"

#define LOAD_TIMEOUT_US (5 * G_TIME_SPAN_SECOND)

struct _KvsqldLogins
{
  KvsqldDefinitions *definitions;
  KvsqldAttempts *attempts;
  KvsqldLogRate failed_lines; /* of the log */
  guint64 n_failed;           /* atomic */
};

struct _KvsqldLogin
{
  KvsqldLogins *logins;
  KvsqlScramServer *scram;
  gchar *peer;
  gchar *user;              /* nullable before the first message */
  gboolean is_known;        /* the role has a password that counts */
  KvsqldRoleMark role_mark; /* of that role */
};

KvsqldLogins *
kvsqld_logins_new (KvsqldDefinitions *definitions)
{
  KvsqldLogins *self = g_new0 (KvsqldLogins, 1);

  self->definitions = definitions;
  self->attempts = kvsqld_attempts_new ();
  return self;
}

void
kvsqld_logins_free (KvsqldLogins *self)
{
  if (self == NULL)
    return;
  kvsqld_attempts_free (self->attempts);
  g_free (self);
}

guint64
kvsqld_logins_get_n_failed (KvsqldLogins *self)
{
  return __atomic_load_n (&self->n_failed, __ATOMIC_RELAXED);
}

KvsqldLogin *
kvsqld_login_new (KvsqldLogins *logins, const gchar *peer, const gchar *user)
{
  KvsqldLogin *self = g_new0 (KvsqldLogin, 1);

  self->logins = logins;
  self->scram = kvsql_scram_server_new ();
  self->peer = g_strdup (peer);
  self->user = g_strdup (user);
  return self;
}

void
kvsqld_login_free (KvsqldLogin *self)
{
  if (self == NULL)
    return;
  kvsql_scram_server_free (self->scram);
  g_free (self->peer);
  g_free (self->user);
  g_free (self);
}

void
kvsqld_login_set_binding (KvsqldLogin *self, KvsqlSlice end_point, gboolean is_chosen)
{
  kvsql_scram_server_set_binding (self->scram, end_point, is_chosen);
}

/* ---- the first message */

/* The mock verifier is made in any case, so that a known role takes no less time. */
static void
find_verifier (KvsqldLogin *self, KvsqlScramVerifier *out)
{
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + LOAD_TIMEOUT_US };
  g_autoptr (GBytes) secret = kvsqld_definitions_get_secret (self->logins->definitions, &call);
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->logins->definitions);
  const KvsqlRole *role = kvsql_catalog_find_role (catalog, self->user);
  gsize secret_size;
  const guint8 *bytes = g_bytes_get_data (secret, &secret_size);

  kvsql_scram_mock_verifier (self->user, bytes, secret_size, out);
  self->is_known = role != NULL && role->may_log_in && role->has_password
                   && g_get_real_time () / 1000 < role->until_ms;
  if (!self->is_known)
    return;
  *out = role->verifier;
  self->role_mark = (KvsqldRoleMark){ .is_known = TRUE, .since = role->since };
}

const gchar *
kvsqld_login_challenge (KvsqldLogin *self, KvsqlSlice message, GError **error)
{
  g_autofree gchar *user = NULL;
  KvsqlScramVerifier verifier;

  if (!kvsql_scram_server_read_first (self->scram, message, &user, error))
    return NULL;
  /* a client of PostgreSQL's protocol has said the user before, and what it says here is ignored */
  if (self->user == NULL)
    self->user = g_steal_pointer (&user);
  find_verifier (self, &verifier);
  return kvsql_scram_server_challenge (self->scram, &verifier, NULL);
}

/* ---- the final message */

static void
wait_for (gint64 delay_us, GCancellable *cancellable)
{
  GPollFD fd;
  gboolean has_fd = cancellable != NULL && g_cancellable_make_pollfd (cancellable, &fd);

  g_poll (&fd, has_fd ? 1 : 0, (gint)(delay_us / 1000));
  if (has_fd)
    g_cancellable_release_fd (cancellable);
}

/* In the thread of the connection, which may wait for the table of users. */
static void
audit (const KvsqldLogin *self, const gchar *sqlstate)
{
  g_autofree gchar *peer = NULL;

  if (!kvsqld_audit_is_enabled ())
    return;
  peer = kvsqld_peer_name (self->peer);
  kvsqld_audit (&(KvsqldAuditLine){
      .event = KVSQLD_AUDIT_LOG_IN, .role = self->user, .peer = peer, .sqlstate = sqlstate });
}

/* How many log-ins failed before, @note says. */
static void
log_failure (const KvsqldLogin *self, const gchar *note)
{
  g_autofree gchar *user = g_strescape (self->user != NULL ? self->user : "", NULL);
  g_autofree gchar *peer = kvsqld_peer_name (self->peer);
  const KvsqldLogFields fields = { .peer = peer };

  kvsqld_log (G_LOG_LEVEL_MESSAGE, &fields, "log-in as \"%.100s\" from %s failed%s", user, peer,
              note);
}

static void
note_failure (KvsqldLogin *self, GCancellable *cancellable)
{
  gint64 now_us = g_get_monotonic_time ();
  gint64 delay_us = kvsqld_attempts_note_failure (self->logins->attempts, self->peer, now_us);
  g_autofree gchar *note = NULL;

  __atomic_fetch_add (&self->logins->n_failed, 1, __ATOMIC_RELAXED);
  audit (self, "28P01");
  if (kvsqld_log_rate_admit (&self->logins->failed_lines, now_us, &note))
    log_failure (self, note);
  wait_for (delay_us, cancellable);
}

static gboolean
fail (KvsqldLogin *self, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_AUTHENTICATION, KVSQL_SPAN_NONE,
                   "password authentication failed for user \"%s\"", self->user);
  return kvsql_error_sqlstate (error, "28P01");
}

gchar *
kvsqld_login_finish (KvsqldLogin *self, KvsqlSlice message, KvsqldIdentity *identity,
                     GCancellable *cancellable, GError **error)
{
  g_autofree gchar *answer = NULL;
  gboolean is_right;

  if (kvsql_scram_server_read_final (self->scram, message, &is_right, &answer, error))
    {
      if (is_right && self->is_known)
        {
          g_free (identity->role);
          identity->role = g_strdup (self->user);
          identity->role_mark = self->role_mark;
          identity->auth = KVSQLD_AUTH_SCRAM;
          identity->is_operator = FALSE;
          audit (self, NULL);
          return g_steal_pointer (&answer);
        }
      fail (self, error);
    }
  note_failure (self, cancellable);
  return NULL;
}
