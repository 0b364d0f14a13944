/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * costs.c: costs as text: "request=0 range=31 get=25 …".
 * unit_us=0.12".
 */
#include "config.h"

#include "core/store/costs.h"

#include <math.h>
#include <string.h>

/* The largest number that is understood. */
#define MAX_COST 1e9

typedef struct
{
  const gchar *name;
  gsize offset;
  gboolean is_positive; /* 0 is damaged */
} Member;

static const Member members[] = {
  { "request", G_STRUCT_OFFSET (KvsqlStoreCosts, request), FALSE },
  { "range", G_STRUCT_OFFSET (KvsqlStoreCosts, range), FALSE },
  { "get", G_STRUCT_OFFSET (KvsqlStoreCosts, get), FALSE },
  { "get_byte", G_STRUCT_OFFSET (KvsqlStoreCosts, get_byte), FALSE },
  { "cell", G_STRUCT_OFFSET (KvsqlStoreCosts, cell), FALSE },
  { "byte", G_STRUCT_OFFSET (KvsqlStoreCosts, byte), FALSE },
  { "put", G_STRUCT_OFFSET (KvsqlStoreCosts, put), FALSE },
  { "remove", G_STRUCT_OFFSET (KvsqlStoreCosts, remove), FALSE },
  { "unit_us", G_STRUCT_OFFSET (KvsqlStoreCosts, unit_us), TRUE },
};

gchar *
kvsql_store_costs_print (const KvsqlStoreCosts *self)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      gchar number[G_ASCII_DTOSTR_BUF_SIZE];

      g_ascii_dtostr (number, sizeof number, G_STRUCT_MEMBER (gdouble, self, members[i].offset));
      g_string_append_printf (out, "%s%s=%s", i > 0 ? " " : "", members[i].name, number);
    }
  return g_string_free (out, FALSE);
}

static gboolean
read_member (gchar **words, const Member *member, gdouble *out)
{
  gsize n = strlen (member->name);
  gchar *end;

  for (guint i = 0; words[i] != NULL; i++)
    if (strncmp (words[i], member->name, n) == 0 && words[i][n] == '=')
      {
        *out = g_ascii_strtod (words[i] + n + 1, &end);
        return end > words[i] + n + 1 && *end == '\0' && isfinite (*out) && *out >= 0
               && *out <= MAX_COST && (!member->is_positive || *out > 0);
      }
  return FALSE;
}

gboolean
kvsql_store_costs_parse (const gchar *text, KvsqlStoreCosts *out, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, " ", 0);

  *out = (KvsqlStoreCosts){ 0 };
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    if (!read_member (words, &members[i], &G_STRUCT_MEMBER (gdouble, out, members[i].offset)))
      {
        kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                         "the measured costs of a store are damaged: \"%s\"", text);
        return kvsql_error_hint (error, "CALIBRATE measures them again.");
      }
  return TRUE;
}
