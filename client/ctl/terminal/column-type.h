/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * column-type.h: how the values of a type are written.
 */
#pragma once

#include "client/kvsql.h"

G_BEGIN_DECLS

gboolean kvsqlctl_is_number (KvsqlColumnType type);

G_END_DECLS
