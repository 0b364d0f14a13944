/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random-statement.h: random valid statements with irregular formatting.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A valid statement of any kind. It depends only on @random. */
gchar *random_statement (GRand *random);

G_END_DECLS
