/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * files.c: cleans up after tests that store files.
 */
#include "config.h"

#include "tests/contract/files.h"

#include <glib/gstdio.h>

void
kvsql_test_remove_directory (const gchar *path)
{
  g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);
  const gchar *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree gchar *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
        kvsql_test_remove_directory (child);
      else
        g_unlink (child);
    }
  g_rmdir (path);
}
