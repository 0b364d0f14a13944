/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * registry-probe.h: an open registry and the reports of its watch, for tests.
 */
#pragma once

#include "daemon/registry/registry.h"

typedef struct
{
  KvsqldRegistry *registry;
  KvsqldRegistryState state; /* as last reported; AWAY before the first report */
  guint n_reports;
  guint n_changes; /* reports with definitions_changed */
} Probe;

/* A new place for a registry: a directory, or a path in the ZooKeeper of the environment. NULL (and
 * the test is skipped) if there is none. */
gchar *probe_new_place (const gchar *scheme);
void probe_remove_place (const gchar *url);

void probe_open (Probe *self, const gchar *url);
void probe_close (Probe *self);
/* Runs the main context until @is_true or for @timeout_ms. */
gboolean probe_run_until (Probe *self, gboolean (*is_true) (Probe *self), guint timeout_ms);

KvsqlCall probe_call (guint timeout_ms);
KvsqldSnapshot *probe_load (Probe *self);
/* Commits one schema at the newest epoch; returns the new epoch. */
gint64 probe_define (Probe *self, const gchar *name, const gchar *text);
const KvsqldEntry *probe_find (const KvsqldSnapshot *snapshot, KvsqlDefinitionKind kind,
                               const gchar *name);
