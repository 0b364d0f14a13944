/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * advise.h: from a workload to schemas.
 *
 * The advisor needs neither a daemon nor a store. It runs in the process of its caller, which has
 * no other threads: the solver is forked.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  const gchar *mix;         /* nullable: the default one of the workload */
  const gchar *cost_model;  /* nullable: "kvsql", or "nose" */
  const gchar *solver;      /* nullable: see kvsql_solve() */
  const gchar *format;      /* "text", "json" or "sql" */
  gdouble storage_limit;    /* bytes; 0: none */
  guint max_schemas;        /* of a relation; 0: any number */
  gdouble seconds;          /* for the solver; 0: a minute */
  const gchar *const *keep; /* nullable, NULL-terminated: schemas of the workload that must stay */
  gboolean keeps_all;       /* all of them must */
  gboolean with_curve;      /* the cost for some limits of the storage */
} KvsqlAdviseOptions;

/* An error in the workload, or in the options. */
typedef struct
{
  gchar *message;
  gchar *detail; /* nullable */
  gchar *hint;   /* nullable */
  gint position; /* in the workload, in bytes from 0; -1: none */
  gint length;
} KvsqlAdviseError;

/**
 * kvsql_advise:
 * @workload: (array length=size): the text of a workload file
 * @out_picture: (out) (optional) (transfer full) (nullable): the curve as SVG, if it is wanted
 * @error: (out): set if the result is %NULL
 *
 * Returns: (transfer full) (nullable): the advice in the wanted format
 */
gchar *kvsql_advise (const gchar *workload, gsize size, const KvsqlAdviseOptions *options,
                     gchar **out_picture, KvsqlAdviseError *error);
void kvsql_advise_error_clear (KvsqlAdviseError *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlAdviseError, kvsql_advise_error_clear)

G_END_DECLS
