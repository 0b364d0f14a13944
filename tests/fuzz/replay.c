/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * replay.c: main() of a fuzz target without libFuzzer.
 *
 * Runs the target with every named file, and every file of every named folder. Without arguments it
 * uses tests/fuzz/corpus/NAME for the program fuzz-NAME, as `make check` does.
 */
#include "config.h"

#include <glib.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static guint
replay (const gchar *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  g_autofree gchar *contents = NULL;
  gsize size;
  guint n = 0;

  if (folder == NULL)
    {
      if (!g_file_get_contents (path, &contents, &size, NULL))
        {
          g_printerr ("could not read \"%s\"\n", path);
          exit (1);
        }
      LLVMFuzzerTestOneInput ((const guint8 *)contents, size);
      return 1;
    }
  for (const gchar *name; (name = g_dir_read_name (folder)) != NULL;)
    {
      g_autofree gchar *file = g_build_filename (path, name, NULL);

      n += replay (file);
    }
  return n;
}

int
main (int argc, char **argv)
{
  g_autofree gchar *program = g_path_get_basename (argv[0]);
  const gchar *name = g_str_has_prefix (program, "lt-") ? program + 3 : program;
  const gchar *tests = g_getenv ("G_TEST_SRCDIR");
  guint n = 0;

  for (int i = 1; i < argc; i++)
    n += replay (argv[i]);
  if (argc == 1 && tests != NULL && g_str_has_prefix (name, "fuzz-"))
    {
      g_autofree gchar *corpus
          = g_build_filename (tests, "fuzz", "corpus", name + strlen ("fuzz-"), NULL);

      n = replay (corpus);
    }
  g_print ("1..1\n%s 1 %s # %u inputs\n", n > 0 ? "ok" : "not ok", name, n);
  return n > 0 ? 0 : 1;
}
