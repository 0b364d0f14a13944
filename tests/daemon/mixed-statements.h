/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * mixed-statements.h: statements of every kind, as many as wanted, whose answers are known.
 *
 * Each lane has rows of its own in a relation that all lanes share, so that any number of lanes
 * can run at once and every answer can still be checked; and all write one row together, which
 * must never be seen torn. Part of what a lane asks for is wrong, and has to fail as it should.
 */
#pragma once

#include "daemon/service.h"

G_BEGIN_DECLS

#define MIXED_LANE_ROWS 40

typedef struct
{
  KvsqldService *service;
  gchar *lane;
  GRand *random;
  gint64 expected[MIXED_LANE_ROWS]; /* the value of the lane's rows; -1: there is none */
  guint n_calls;                    /* made so far, of the service */
} MixedStatements;

/* What the lanes need, once. */
void mixed_statements_define (KvsqldService *service);
/* Each lane belongs to one thread at a time. */
void mixed_statements_init (MixedStatements *self, KvsqldService *service, guint lane);
void mixed_statements_clear (MixedStatements *self);
/* One of the kinds, drawn at random; aborts if the answer is wrong. */
void mixed_statements_step (MixedStatements *self);

G_END_DECLS
