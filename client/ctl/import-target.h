/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * import-target.h: the relation that rows go to, and which field is which attribute.
 *
 * Threads: immutable once the columns are chosen.
 */
#pragma once

#include "client/ctl/record.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *name;
  KvsqlColumnType type;
  gboolean is_key;
  gboolean is_needed; /* NOT NULL, and has no default */
  gboolean has_default;
} KvsqlctlAttribute;

typedef struct
{
  gchar *relation;
  GArray *attributes;        /* KvsqlctlAttribute */
  GArray *columns;           /* guint: the attribute of each column that is sent */
  GArray *fields;            /* gint: the column of each field of CSV and TSV; -1: of none */
  gchar **names;             /* of the columns, ending with NULL */
  gboolean takes_any_member; /* of NDJSON: members that are no column are passed over */
} KvsqlctlTarget;

/* Asks kvsqld for @relation's attributes. */
KvsqlctlTarget *kvsqlctl_target_new (Kvsqlctl *ctl, const gchar *relation, GError **error);
void kvsqlctl_target_free (KvsqlctlTarget *self); /* accepts NULL */

/**
 * kvsqlctl_target_choose:
 * @self: a target
 * @names: (nullable) (array zero-terminated=1): the attribute of each field, "-" for a field that
 *   is passed over; %NULL: all attributes in their order
 * @out_wrong: (out) (nullable): index of the name that is wrong; -1 if it is none of them
 * @error: return location
 */
gboolean kvsqlctl_target_choose (KvsqlctlTarget *self, const gchar *const *names, gint *out_wrong,
                                 GError **error);

const KvsqlctlAttribute *kvsqlctl_target_get_attribute (const KvsqlctlTarget *self, guint column);
/* The column of that name, or -1. */
gint kvsqlctl_target_find_column (const KvsqlctlTarget *self, const gchar *name, gsize size);

/* What is wrong with a row; texts are to be freed. */
typedef struct
{
  gchar *message;
  gchar *hint; /* nullable */
  gsize place; /* in its bytes */
} KvsqlctlProblem;

void kvsqlctl_problem_clear (KvsqlctlProblem *self);

/**
 * kvsqlctl_target_arrange:
 * @self: a target
 * @record: a whole record
 * @bytes: its bytes
 * @out: (array): a field for each column
 * @out_problem: (out): if it does not fit
 */
gboolean kvsqlctl_target_arrange (const KvsqlctlTarget *self, const KvsqlctlRecord *record,
                                  const gchar *bytes, gboolean is_ndjson, KvsqlctlField *out,
                                  KvsqlctlProblem *out_problem);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlctlTarget, kvsqlctl_target_free)

G_END_DECLS
