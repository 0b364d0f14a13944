/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * calibrate.h: measures what the operations of a store cost.
 *
 * It makes a table of its own, fills it with rows of several widths, reads them by scans and by
 * key, deletes some, and drops the table, also after an error. If the daemon is killed meanwhile,
 * the table stays, until a measurement an hour later or more drops it.
 */
#pragma once

#include "core/store/store.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlStoreCosts costs;
  guint n_points; /* operations that were measured */
  guint n_rounds; /* how often each of them */
  gdouble error;  /* the largest relative error of the fit, and what it is of */
  gchar *worst;
} KvsqlCalibration;

void kvsql_calibration_clear (KvsqlCalibration *self);

/**
 * kvsql_calibrate:
 * @until_us: of g_get_monotonic_time(): no round begins after that
 *
 * Errors: those of the store; KVSQL_ERROR_STORE if the times do not fit any costs, or only with an
 * error of more than half.
 */
gboolean kvsql_calibrate (KvsqlStore *store, gint64 until_us, const KvsqlCall *call,
                          KvsqlCalibration *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlCalibration, kvsql_calibration_clear)

G_END_DECLS
