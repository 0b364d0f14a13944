/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * text-file.c: see text-file.h.
 */
#include "config.h"

#include "client/ctl/text-file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "client/ctl/report.h"

static gboolean
fail (const gchar *what, const gchar *path)
{
  kvsqlctl_fail ("could not %s \"%s\": %s", what, path, g_strerror (errno));
  return FALSE;
}

static gboolean
read_all (FILE *stream, const gchar *path, gsize most, gchar **out, gsize *out_size)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gchar buffer[65536];
  gsize n;

  while ((n = fread (buffer, 1, sizeof buffer, stream)) > 0)
    {
      if (n > most - text->len)
        {
          kvsqlctl_fail ("\"%s\" has more than %" G_GSIZE_FORMAT " MiB", path, most >> 20);
          return FALSE;
        }
      g_string_append_len (text, buffer, (gssize)n);
    }
  if (ferror (stream))
    return fail ("read", path);
  *out_size = text->len;
  *out = g_string_free (g_steal_pointer (&text), FALSE);
  return TRUE;
}

gboolean
kvsqlctl_read_text (const gchar *path, gsize most, gchar **out, gsize *out_size)
{
  FILE *stream;
  gboolean ok;

  if (strcmp (path, "-") == 0)
    return read_all (stdin, "standard input", most, out, out_size);
  stream = fopen (path, "re");
  if (stream == NULL)
    return fail ("open", path);
  ok = read_all (stream, path, most, out, out_size);
  fclose (stream);
  return ok;
}
