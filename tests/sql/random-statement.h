/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random-statement.h: statements that the grammar allows, as careless people write them.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Valid text, of any kind of statement; the same @random gives the same. */
gchar *random_statement (GRand *random);

G_END_DECLS
