/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * report-json.c: errors and warnings for programs: one JSON object on a line.
 */
#include "config.h"

#include "client/ctl/report-private.h"

#include <string.h>

#include "client/ctl/terminal/writer.h"

static void
append_member (GString *out, const gchar *name, const gchar *text)
{
  if (text == NULL)
    return;
  g_string_append_printf (out, ", \"%s\": ", name);
  kvsqlctl_append_json_string (out, text);
}

void
_kvsqlctl_draw_problem_json (GString *out, const KvsqlctlErrorText *problem, const gchar *sqlstate,
                             const KvsqlctlSource *source, gboolean is_retryable)
{
  KvsqlctlSourceLine line;

  g_string_append (out, "{\"error\": ");
  kvsqlctl_append_json_string (out, problem->message);
  append_member (out, "sqlstate", sqlstate);
  append_member (out, "detail", problem->detail);
  append_member (out, "hint", problem->hint);
  append_member (out, "file", source != NULL ? source->file : NULL);
  if (source != NULL && problem->position >= 0
      && _kvsqlctl_find_line (source, problem->position, &line))
    g_string_append_printf (out, ", \"line\": %u, \"position\": %lu", line.number,
                            g_utf8_strlen (source->text, line.start + line.offset - source->text)
                                + 1);
  g_string_append_printf (out, ", \"retryable\": %s}\n", is_retryable ? "true" : "false");
}

void
_kvsqlctl_report_warnings_json (const gchar *const *warnings)
{
  for (guint i = 0; warnings[i] != NULL; i++)
    {
      gboolean is_note = g_str_has_prefix (warnings[i], "note: ");
      g_autoptr (GString) text = g_string_new (is_note ? "{\"note\": " : "{\"warning\": ");

      kvsqlctl_append_json_string (text, warnings[i] + (is_note ? strlen ("note: ") : 0));
      fprintf (stderr, "%s}\n", text->str);
    }
}
