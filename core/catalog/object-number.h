/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * object-number.h: numbers of relations, schemas and roles, for clients that know objects by
 * number, as PostgreSQL's do.
 *
 * They are made of names, so all daemons have the same. They have 31 bits, and begin where those of
 * PostgreSQL's own objects end.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @kind: such as "relation " */
guint32 kvsql_object_number (const gchar *kind, const gchar *name);
/* The one to try if another object has @number. */
guint32 kvsql_object_number_after (guint32 number);

G_END_DECLS
