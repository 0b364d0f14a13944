/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * mixed-statements.h: statements of every kind, in any number, whose results are known.
 *
 * Each lane has rows of its own in a relation that all lanes share, so that any number of lanes can
 * run at the same time, and every result can still be checked. All lanes also write one common row,
 * which must never be seen half written. Some requests of a lane are wrong, and have to fail with
 * the right error.
 */
#pragma once

#include "daemon/service/service.h"

G_BEGIN_DECLS

#define MIXED_LANE_ROWS 40

typedef struct
{
  KvsqldService *service;
  gchar *lane;
  GRand *random;
  gint64 expected[MIXED_LANE_ROWS]; /* the value of each row of the lane; -1: no such row */
  guint n_calls;                    /* calls of the service so far */
} MixedStatements;

/* Defines what the lanes need, once. */
void mixed_statements_define (KvsqldService *service);
/* Each lane belongs to one thread at a time. */
void mixed_statements_init (MixedStatements *self, KvsqldService *service, guint lane);
void mixed_statements_clear (MixedStatements *self);
/* Makes one request of a random kind; aborts if the result is wrong. */
void mixed_statements_step (MixedStatements *self);

G_END_DECLS
