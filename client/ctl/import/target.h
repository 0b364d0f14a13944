/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * target.h: the relation that rows are inserted into, and the mapping of fields to
 * attributes.
 *
 * Threads: immutable once the columns are chosen.
 */
#pragma once

#include "client/ctl/import/record.h"
#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *name;
  KvsqlColumnType type;
  gboolean is_key;
  gboolean is_needed; /* NOT NULL without a default */
  gboolean has_default;
} KvsqlctlAttribute;

typedef struct
{
  gchar *relation;
  GArray *attributes;        /* KvsqlctlAttribute */
  GArray *columns;           /* guint: the attribute of each column that is sent */
  GArray *fields;            /* gint: the column of each field of CSV and TSV; -1: none */
  gchar **names;             /* of the columns; NULL-terminated */
  gboolean takes_any_member; /* NDJSON: members without a column are skipped */
} KvsqlctlTarget;

/* Asks kvsqld for @relation's attributes. */
KvsqlctlTarget *kvsqlctl_target_new (Kvsqlctl *ctl, const gchar *relation, GError **error);
void kvsqlctl_target_free (KvsqlctlTarget *self); /* accepts NULL */

/**
 * kvsqlctl_target_choose:
 * @self: a target
 * @names: (nullable) (array zero-terminated=1): the attribute of each field, "-" for a field that
 *   is skipped; %NULL: all attributes in their order
 * @out_wrong: (out) (nullable): index of the invalid name; -1 if all names are valid
 * @error: return location
 */
gboolean kvsqlctl_target_choose (KvsqlctlTarget *self, const gchar *const *names, gint *out_wrong,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

const KvsqlctlAttribute *kvsqlctl_target_get_attribute (const KvsqlctlTarget *self, guint column);
/* The column of that name, or -1. */
gint kvsqlctl_target_find_column (const KvsqlctlTarget *self, const gchar *name, gsize size);

/* Why a row is rejected; the texts are to be freed. */
typedef struct
{
  gchar *message;
  gchar *hint; /* nullable */
  gsize place; /* offset in its bytes */
} KvsqlctlProblem;

void kvsqlctl_problem_clear (KvsqlctlProblem *self);

/**
 * kvsqlctl_target_arrange:
 * @self: a target
 * @record: a whole record
 * @bytes: its bytes
 * @out: (array): a field for each column
 * @out_problem: (out): set if the record does not fit
 */
gboolean kvsqlctl_target_arrange (const KvsqlctlTarget *self, const KvsqlctlRecord *record,
                                  const gchar *bytes, gboolean is_ndjson, KvsqlctlField *out,
                                  KvsqlctlProblem *out_problem);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlctlTarget, kvsqlctl_target_free)

G_END_DECLS
