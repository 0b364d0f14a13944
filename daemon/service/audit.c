/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * audit.c: which requests the audit log has.
 */
#include "config.h"

#include "core/sql/visit.h"
#include "daemon/net/peer-name.h"
#include "daemon/service/service-private.h"
#include "daemon/session/statement-shape.h"

/* What a limited role may not see is "not there", as in its errors. */
static gboolean
is_refusal (const KvsqldContext *self, const GError *error)
{
  return error != NULL && error->domain == KVSQL_ERROR
         && (error->code == KVSQL_ERROR_NOT_ALLOWED || error->code == KVSQL_ERROR_AUTHENTICATION
             || (error->code == KVSQL_ERROR_UNKNOWN_NAME && self->authority.is_limited));
}

static void
note_store_table (KvsqlSource *source, gpointer data)
{
  gboolean *is_found = data;

  if (source->query == NULL && source->relation.is_store_table)
    *is_found = TRUE;
}

/* Tables of the store, by their names there, give access to each relation in them. */
static gboolean
reads_store_tables (const KvsqlAstStatement *statement)
{
  gboolean is_found = FALSE;
  const KvsqlAstVisitor visitor = { .source = note_store_table, .data = &is_found };

  if (statement->kind == KVSQL_STATEMENT_SHOW)
    return statement->show.what == KVSQL_SHOW_TABLES || statement->show.name.is_store_table;
  if (statement->kind == KVSQL_STATEMENT_DESCRIBE)
    return statement->describe.name.is_store_table;
  kvsql_statement_visit ((KvsqlAstStatement *)statement, &visitor); /* which changes nothing */
  return is_found;
}

static KvsqldAuditEvent
find_event (const KvsqlAstStatement *statement)
{
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_ROLE:
    case KVSQL_STATEMENT_SET_ROLE:
      return KVSQLD_AUDIT_ROLE;
    case KVSQL_STATEMENT_GRANT:
      return KVSQLD_AUDIT_RIGHT;
    case KVSQL_STATEMENT_KILL:
    case KVSQL_STATEMENT_BACKUP:
    case KVSQL_STATEMENT_CALIBRATE:
      return KVSQLD_AUDIT_OPERATION;
    case KVSQL_STATEMENT_ALTER:
      return statement->alter.what == KVSQL_ALTER_OWNER ? KVSQLD_AUDIT_RIGHT
                                                        : KVSQLD_AUDIT_DEFINITION;
    default:
      if (kvsqld_statement_get_effect (statement) == KVSQLD_CHANGES_DEFINITIONS)
        return KVSQLD_AUDIT_DEFINITION;
      return reads_store_tables (statement) ? KVSQLD_AUDIT_TABLE : KVSQLD_AUDIT_NOTHING;
    }
}

void
kvsqld_context_note_audited (KvsqldContext *self)
{
  self->audited = kvsqld_audit_is_enabled () ? find_event (self->statement) : KVSQLD_AUDIT_NOTHING;
}

/* The name that SHOW SESSIONS has, too. A request runs in the thread of its connection, which may
 * wait for the table of users. (transfer full) */
static gchar *
name_peer (const KvsqldContext *self)
{
  return self->request->peer != NULL ? kvsqld_peer_name (self->request->peer) : NULL;
}

void
kvsqld_context_audit (const KvsqldContext *self, const GError *error)
{
  g_autofree gchar *role = NULL, *peer = NULL, *shape = NULL;
  gboolean is_refused;
  KvsqldAuditLine line;

  if (!kvsqld_audit_is_enabled () || self->request->identity == NULL)
    return;
  is_refused = is_refusal (self, error);
  if (self->audited == KVSQLD_AUDIT_NOTHING && !is_refused)
    return;
  role = kvsqld_identity_describe (self->request->identity);
  peer = name_peer (self);
  shape = kvsqld_statement_shape (self->text);
  line = (KvsqldAuditLine){ .event = is_refused ? KVSQLD_AUDIT_REFUSED : self->audited,
                            .role = role,
                            .peer = peer,
                            .statement = shape,
                            .sqlstate = error != NULL ? kvsql_error_get_sqlstate (error) : NULL };
  kvsqld_audit (&line);
}

/* Clients with a password are noted when they log in (daemon/identity/login.c). */
void
kvsqld_context_audit_session (const KvsqldContext *self)
{
  const KvsqldIdentity *identity = self->request->identity;
  g_autofree gchar *role = NULL, *peer = NULL;

  if (!kvsqld_audit_is_enabled () || identity == NULL || identity->auth == KVSQLD_AUTH_SCRAM)
    return;
  role = self->authority.role != NULL ? g_strdup (self->authority.role->name)
                                      : kvsqld_identity_describe (identity);
  peer = name_peer (self);
  kvsqld_audit (&(KvsqldAuditLine){ .event = KVSQLD_AUDIT_LOG_IN, .role = role, .peer = peer });
}
