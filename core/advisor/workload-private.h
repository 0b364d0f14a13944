/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * workload-private.h: the directives of a workload file, for its reader.
 */
#pragma once

#include "core/advisor/workload.h"
#include "core/sql/lexer.h"

G_BEGIN_DECLS

/* The largest number in a workload. Products of some of them are far below the largest double. */
#define KVSQL_WORKLOAD_MOST 1e15

/* What the reader knows between two pieces of a file. A piece ends with ';', or with the end. */
typedef struct
{
  KvsqlWorkload *workload;
  KvsqlLexer lexer; /* over the file up to the end of the piece; positions are those of the file */
  KvsqlToken token; /* the next one */
  const gchar *wanted; /* nullable: the mix that the caller wants */
  const gchar **mixes; /* in MIX */
  guint n_mixes;
  gboolean is_in_group;
  gdouble weight; /* of the group, in the mix */
} KvsqlWorkloadReader;

gboolean kvsql_workload_advance (KvsqlWorkloadReader *self,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the next token is the word, without regard to case. */
gboolean kvsql_workload_is_word (const KvsqlWorkloadReader *self, const gchar *word);
/* Skips the word or symbol if it is the next token. */
gboolean kvsql_workload_accept_word (KvsqlWorkloadReader *self, const gchar *word,
                                     gboolean *out_accepted,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_workload_accept_symbol (KvsqlWorkloadReader *self, gint symbol,
                                       gboolean *out_accepted,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_workload_expect_symbol (KvsqlWorkloadReader *self, gchar symbol,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_workload_expect_word (KvsqlWorkloadReader *self, const gchar *word,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_workload_expect_name (KvsqlWorkloadReader *self, KvsqlName *out,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* A number above 0, and not above KVSQL_WORKLOAD_MOST. */
gboolean kvsql_workload_expect_number (KvsqlWorkloadReader *self, const gchar *what, gdouble *out,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* "expected @what, found …" at the next token. Returns: %FALSE */
gboolean kvsql_workload_fail (const KvsqlWorkloadReader *self, const gchar *what, GError **error);

/* Whether the next token is WEIGHT or RATE. */
gboolean kvsql_workload_is_rate (const KvsqlWorkloadReader *self);
/* SLO and a time. */
gboolean kvsql_workload_read_slo (KvsqlWorkloadReader *self, KvsqlWorkloadStatement *out,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* What follows the word STATS or MIX; WEIGHT or RATE, and what follows it. */
gboolean kvsql_workload_read_stats (KvsqlWorkloadReader *self,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_workload_read_mixes (KvsqlWorkloadReader *self,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_workload_read_weights (KvsqlWorkloadReader *self, gdouble *out,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What follows the word COSTS. */
gboolean kvsql_workload_read_costs (KvsqlWorkloadReader *self,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* DEFINE SCHEMA. @text: the whole definition; errors have their position in it. */
gboolean kvsql_workload_add_schema (KvsqlWorkload *self, const KvsqlAstStatement *ast,
                                    KvsqlSlice text, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* G_MAXUINT with an error: there is no such relation. */
guint kvsql_workload_find_relation (const KvsqlWorkload *self, const KvsqlName *name,
                                    GError **error);

G_END_DECLS
