/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * health.h: the state of one gateway, and the time of its next probe.
 *
 *   healthy --a request failed--> suspect --a probe failed--> broken --a probe succeeded--> healthy
 *
 * A suspect gateway is used only if there is no healthy one, and is probed at once: the failure may
 * have been that of one connection. A broken one gets only probes, one at a time. The time between
 * probes grows with the number of failures, and is randomized, so that daemons do not probe at the
 * same moment. After its recovery, the number of its requests is raised step by step within a
 * second, because a newly started HBase client knows no region yet.
 *
 *   suspect --a read through it had no answer--> stalled --such a read succeeded--> healthy
 *
 * A gateway answers the plain probe although HBase is down. So after several consecutive requests
 * without an answer the probe is a read from HBase. While that fails, the gateway is stalled and
 * gets only these probes: a statement that needs it fails at once, not at its deadline.
 *
 * Threads: not locked; the pool's lock guards it. Times are those of g_get_monotonic_time().
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  KVSQLD_T2_HEALTHY,
  KVSQLD_T2_SUSPECT,
  KVSQLD_T2_STALLED, /* the gateway answers, HBase does not */
  KVSQLD_T2_FAULTY,
} KvsqldT2State;

typedef struct
{
  KvsqldT2State state;
  gboolean is_probed;   /* a thread probes it now */
  gboolean is_verified; /* it has answered in the configured transport since its last failure */
  gint64 probe_us;      /* when the next probe is due */
  gint64 tried_us;      /* begin of the last failed attempt to reach it */
  guint n_in_a_row;     /* failures since the last successful request */
  guint n_unanswered;   /* consecutive requests without an answer from HBase */
  guint allowance;      /* the greatest number of concurrent requests; grows with time, see below */
  gint64 since_us;      /* time of its recovery */
  guint64 n_requests;
  guint64 n_failures; /* of requests and attempts to reach it */
  GError *last_error; /* nullable */
} KvsqldT2Health;

void kvsqld_t2_health_init (KvsqldT2Health *self);
void kvsqld_t2_health_clear (KvsqldT2Health *self);

/* A request was answered. */
void kvsqld_t2_health_succeed (KvsqldT2Health *self);
/* A request was not answered, or not in time. */
void kvsqld_t2_health_fail (KvsqldT2Health *self, gint64 now_us, const GError *error);
/* The gateway could not be reached, or did not understand. @begun_us: the begin of that attempt;
 * @random: any number, for the jitter */
void kvsqld_t2_health_fail_probe (KvsqldT2Health *self, gint64 begun_us, gint64 now_us,
                                  guint32 random, const GError *error);
/* The gateway was reached and understood. */
void kvsqld_t2_health_pass_probe (KvsqldT2Health *self, gint64 now_us);
/* TRUE: after that many requests without an answer the next probe must read from HBase. */
gboolean kvsqld_t2_health_must_read (const KvsqldT2Health *self);
/* That read had no answer; @random as above. */
void kvsqld_t2_health_fail_read (KvsqldT2Health *self, gint64 now_us, guint32 random,
                                 const GError *error);
void kvsqld_t2_health_pass_read (KvsqldT2Health *self, gint64 now_us);
/* The allowed number of concurrent requests: one more with each answer, and with each fiftieth of a
 * second. */
guint kvsqld_t2_health_get_allowance (const KvsqldT2Health *self, gint64 now_us);
#define KVSQLD_T2_ALLOWANCE_STEP_US (20 * G_TIME_SPAN_MILLISECOND)

const gchar *kvsqld_t2_health_get_name (const KvsqldT2Health *self);

G_END_DECLS
