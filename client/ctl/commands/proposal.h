/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * proposal.h: what SHOW CREATE TABLE proposes: definitions of a table, as readings.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

/* A definition: relations, each with its schema. */
typedef struct
{
  gchar *note;            /* what was read, or in which fields it differs from the first one */
  gchar *fit;             /* "61 of 62 rows fit"; in a further reading this is in @note */
  GPtrArray *statements;  /* (element-type utf8): without ';' */
  GPtrArray *undecodable; /* (element-type utf8): of a further reading: cells that do not fit it */
} KvsqlctlReading;

typedef struct
{
  GPtrArray *readings; /* (element-type KvsqlctlReading): the best first */
  GPtrArray *notes;    /* (element-type utf8): of the first reading, with cells that do not fit */
  GPtrArray *cells;    /* (element-type utf8): of the first rows, and what they are read as */
} KvsqlctlProposal;

/* An attribute of a relation that a reading proposes. */
typedef struct
{
  gchar *relation; /* quoted, as in the statement */
  gchar *name;     /* not quoted */
  gchar *type;     /* "STRING" */
  gboolean is_key;
} KvsqlctlProposedAttribute;

/* SHOW CREATE TABLE. @max_rows: to read; 0: the default of the daemon. (transfer full) */
gchar *kvsqlctl_proposal_statement (const gchar *table, gint max_rows);
/* FALSE with an error. */
gboolean kvsqlctl_proposal_query (KvsqlctlProposal *self, Kvsqlctl *ctl, const gchar *table,
                                  gint max_rows, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqlctl_proposal_clear (KvsqlctlProposal *self);

/* The attributes of all its relations, in their order. Returns: (transfer full)
 * (element-type KvsqlctlProposedAttribute) */
GPtrArray *kvsqlctl_reading_list_attributes (const KvsqlctlReading *self);

/* What the first rows have there: "'eu', 'us'"; "" if nothing is known. (transfer full) */
gchar *kvsqlctl_proposal_show_values (const KvsqlctlProposal *self, const gchar *attribute);

/* Adds "ALTER RELATION r RENAME `s` TO `region`", unless that is its name. */
void kvsqlctl_proposed_attribute_add_rename (const KvsqlctlProposedAttribute *self,
                                             const gchar *name, GPtrArray *out);

/* Each with ';', on a line of its own. */
void kvsqlctl_print_statements (const GPtrArray *statements);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlctlProposal, kvsqlctl_proposal_clear)

G_END_DECLS
