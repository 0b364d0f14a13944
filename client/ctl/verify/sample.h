/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sample.h: some tuples of a relation, from which parameters take their values.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"
#include "core/advisor/trial.h"

G_BEGIN_DECLS

/* A value as text; @text NULL: NULL. */
typedef struct
{
  KvsqlColumnType type;
  gchar *text;
} KvsqlctlValue;

typedef struct _KvsqlctlSample KvsqlctlSample;

/* @random must live on. */
KvsqlctlSample *kvsqlctl_sample_new (const KvsqlTrialRelation *relation, GRand *random);
void kvsqlctl_sample_free (KvsqlctlSample *self); /* accepts NULL */

/* Looks at the current row of a result that has all attributes in order. Every row has the same
 * chance to be in the sample. */
void kvsqlctl_sample_add (KvsqlctlSample *self, KvsqlResult *result);
guint64 kvsqlctl_sample_get_n_rows (const KvsqlctlSample *self);

/* A random tuple; G_MAXUINT: there are none. @needed: (nullable): by attribute, whether it must not
 * be NULL, if there is such a tuple */
guint kvsqlctl_sample_draw (KvsqlctlSample *self, const gboolean *needed);

/* The value for a parameter, of a tuple that was drawn. Clear its text with g_free(). */
KvsqlctlValue kvsqlctl_sample_make_value (KvsqlctlSample *self,
                                          const KvsqlTrialParameter *parameter, guint tuple);

G_END_DECLS
