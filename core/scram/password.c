/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * password.c: which passwords are the same before and after SASLprep.
 *
 * SASLprep maps some characters to nothing and others to a space, and normalizes the rest by NFKC.
 * Where the result has a prohibited character, clients hash the password as it is. So a text that
 * neither the mapping nor the normalization changes is hashed as it is in any case.
 */
#include "config.h"

#include "core/scram/scram.h"

#include <string.h>

/* RFC 3454, tables B.1 (mapped to nothing) and C.1.2 (mapped to a space). */
static const struct
{
  gunichar first, last;
} mapped[] = {
  { 0x00A0, 0x00A0 }, { 0x00AD, 0x00AD }, { 0x034F, 0x034F }, { 0x1680, 0x1680 },
  { 0x1806, 0x1806 }, { 0x180B, 0x180D }, { 0x2000, 0x200D }, { 0x202F, 0x202F },
  { 0x205F, 0x2060 }, { 0x3000, 0x3000 }, { 0xFE00, 0xFE0F }, { 0xFEFF, 0xFEFF },
};

static gboolean
is_mapped (gunichar c)
{
  for (guint i = 0; i < G_N_ELEMENTS (mapped); i++)
    if (c >= mapped[i].first && c <= mapped[i].last)
      return TRUE;
  return FALSE;
}

static gboolean
is_changed (const gchar *password)
{
  g_autofree gchar *normal = g_utf8_normalize (password, -1, G_NORMALIZE_NFKC);

  for (const gchar *at = password; *at != '\0'; at = g_utf8_next_char (at))
    if (is_mapped (g_utf8_get_char (at)))
      return TRUE;
  return strcmp (normal, password) != 0;
}

static gboolean
has_control (const gchar *password)
{
  for (const gchar *at = password; *at != '\0'; at++)
    if (g_ascii_iscntrl (*at))
      return TRUE;
  return FALSE;
}

gboolean
kvsql_scram_password_check (const gchar *password, GError **error)
{
  if (password[0] == '\0')
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "the password is empty");
  if (strlen (password) > KVSQL_SCRAM_MAX_PASSWORD_BYTES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "the password has more than %d bytes", KVSQL_SCRAM_MAX_PASSWORD_BYTES);
  if (!g_utf8_validate (password, -1, NULL))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "the password is not UTF-8");
  if (has_control (password))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "the password has a control character");
  if (!is_changed (password))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                   "the password has a character that SASLprep changes, which is not supported");
  return kvsql_error_hint (error, "Such are no-break spaces, soft hyphens, ligatures and composed "
                                  "forms. Choose other characters.");
}
