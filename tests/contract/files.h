/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * files.h: cleans up after tests that store files.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Removes @path and everything in it. */
void kvsql_test_remove_directory (const gchar *path);

G_END_DECLS
