/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-protocol.c: see the header.
 */
#include "config.h"

#include "daemon/registry/write-protocol.h"

#include <string.h>

#define WORD "writes "
#define ANNOUNCED " announced"

gchar *
_kvsqld_write_protocol_print (const KvsqldWriteProtocol *self)
{
  return g_strdup_printf (WORD "%u%s", self->number, self->is_announced ? ANNOUNCED : "");
}

gboolean
_kvsqld_write_protocol_parse (const gchar *text, KvsqldWriteProtocol *out)
{
  gboolean is_announced = g_str_has_suffix (text, ANNOUNCED);
  gsize size = strlen (text) - (is_announced ? strlen (ANNOUNCED) : 0);
  g_autofree gchar *number = NULL;
  guint64 value;

  if (!g_str_has_prefix (text, WORD) || size < strlen (WORD))
    return FALSE;
  number = g_strndup (text + strlen (WORD), size - strlen (WORD));
  if (!g_ascii_string_to_unsigned (number, 10, 1, G_MAXUINT, &value, NULL))
    return FALSE;
  *out = (KvsqldWriteProtocol){ .number = (guint)value, .is_announced = is_announced };
  return TRUE;
}
