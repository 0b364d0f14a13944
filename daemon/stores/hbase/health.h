/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * health.h: what is thought of one gateway, and when it is asked again.
 *
 *   healthy --a request failed--> suspect --a probe failed--> broken --a probe succeeded--> healthy
 *
 * A suspect is asked only if nobody else can be, and is probed at once: the failure may have been
 * that of one connection. A broken one gets nothing but probes, one at a time, the next one the
 * later the more of them failed, and never at the same moment as another daemon's. When it is back
 * it is given more to do little by little, within a second: an HBase client that has just begun
 * knows no region yet.
 *
 * Threads: none of its own; the pool's lock guards it. Times are g_get_monotonic_time().
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  KVSQLD_T2_HEALTHY,
  KVSQLD_T2_SUSPECT,
  KVSQLD_T2_FAULTY,
} KvsqldT2State;

typedef struct
{
  KvsqldT2State state;
  gboolean is_probed;   /* by somebody, now */
  gboolean is_verified; /* it has answered in our transport since it last failed */
  gint64 probe_us;      /* when the next one is due */
  gint64 tried_us;      /* when the last attempt to reach it failed */
  guint n_in_a_row;     /* failures since the last request that succeeded */
  guint allowance;      /* requests at once, at most; more with time, see below */
  gint64 since_us;      /* when it was found to be back */
  guint64 n_requests;
  guint64 n_failures; /* requests and attempts to reach it */
  GError *last_error; /* nullable */
} KvsqldT2Health;

void kvsqld_t2_health_init (KvsqldT2Health *self);
void kvsqld_t2_health_clear (KvsqldT2Health *self);

/* A request was answered. */
void kvsqld_t2_health_succeed (KvsqldT2Health *self);
/* One was not, in time or at all. */
void kvsqld_t2_health_fail (KvsqldT2Health *self, gint64 now_us, const GError *error);
/* It could not be reached, or did not understand; @random is any number, for the jitter. */
void kvsqld_t2_health_fail_probe (KvsqldT2Health *self, gint64 now_us, guint32 random,
                                  const GError *error);
/* It was reached, and understood. */
void kvsqld_t2_health_pass_probe (KvsqldT2Health *self, gint64 now_us);
/* How many requests it may have at once: one more with each answer, and each fiftieth of a second.
 */
guint kvsqld_t2_health_get_allowance (const KvsqldT2Health *self, gint64 now_us);
#define KVSQLD_T2_ALLOWANCE_STEP_US (20 * G_TIME_SPAN_MILLISECOND)

const gchar *kvsqld_t2_health_get_name (const KvsqldT2Health *self);

G_END_DECLS
