/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parameters.h: converts values of parameters from a command line.
 */
#pragma once

#include "client/kvsql.h"

G_BEGIN_DECLS

/**
 * kvsqlctl_params_of:
 * @values: (array zero-terminated=1): "VALUE" in order for `?`, "NAME=VALUE" for `:name`; "\N" is
 * NULL
 *
 * Reads each value with the type of its parameter. Names that are not in the statement are ignored,
 * because one list is used for all statements of a script.
 *
 * Returns: (transfer full) (nullable): the parameters, or %NULL with @error set
 */
KvsqlParams *kvsqlctl_params_of (KvsqlStatement *statement, const gchar *const *values,
                                 GError **error);

G_END_DECLS
