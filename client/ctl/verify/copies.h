/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * copies.h: the two copies of each relation in the store: made, filled, compared, removed.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"
#include "client/ctl/verify/answer.h"
#include "client/ctl/verify/sample.h"

G_BEGIN_DECLS

typedef struct
{
  const KvsqlTrialRelation *relation;
  KvsqlctlSample *sample;              /* of the tuples that were copied */
  guint n_done[KVSQL_TRIAL_SIDES];     /* definitions that were, or may have been executed */
  KvsqlBulk *bulks[KVSQL_TRIAL_SIDES]; /* for rows that are written to both */
} KvsqlctlCopy;

typedef struct
{
  Kvsqlctl *ctl;
  const KvsqlTrial *trial;
  KvsqlctlCopy *items; /* by relation of the trial */
} KvsqlctlCopies;

KvsqlctlCopies *kvsqlctl_copies_new (Kvsqlctl *ctl, const KvsqlTrial *trial, GRand *random);
void kvsqlctl_copies_free (KvsqlctlCopies *self); /* accepts NULL */

gboolean kvsqlctl_copies_define (KvsqlctlCopies *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Reads each relation once, writes what it has to both copies, and runs ANALYZE for these.
 * @share: of the tuples, chosen by a hash of the KEY */
gboolean kvsqlctl_copies_fill (KvsqlctlCopies *self, gdouble share,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Writes rows of all attributes, in order, to both copies of a relation. They replace others. */
gboolean kvsqlctl_copies_put (KvsqlctlCopies *self, guint relation, const KvsqlctlAnswer *rows,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Adds what differs between the copies to @differences, and what VERIFY SCHEMA finds. */
gboolean kvsqlctl_copies_compare (KvsqlctlCopies *self, GPtrArray *differences,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Removes the tuples and the definitions of all copies. FALSE if that was not possible; then the
 * statements that are left were printed to stderr. */
gboolean kvsqlctl_copies_drop (KvsqlctlCopies *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlctlCopies, kvsqlctl_copies_free)

G_END_DECLS
