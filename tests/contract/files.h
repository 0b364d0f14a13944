/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * files.h: cleaning up after tests that keep a store on disk.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Removes @path and all below it. */
void kvsql_test_remove_directory (const gchar *path);

G_END_DECLS
