/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * redact.c: masks secrets in URLs.
 *
 * By pattern, not through GUri, because a URL that cannot be parsed must not show its password
 * either.
 */
#include "config.h"

#include "daemon/log/redact.h"

gchar *
kvsqld_redact_urls (const gchar *text)
{
  static GRegex *user_info, *parameter;
  g_autofree gchar *without_password = NULL;

  if (g_once_init_enter (&parameter))
    {
      user_info = g_regex_new ("(://[^/?#@:\\s\"]*:)[^/?#\\s\"]*@", 0, 0, NULL);
      g_once_init_leave (
          &parameter,
          g_regex_new (
              "([?&;](?:auth|[^=&;\\s]*(?:password|secret|token|key)[^=&;\\s]*)=)[^&;#\\s\"]*",
              G_REGEX_CASELESS, 0, NULL));
    }
  without_password = g_regex_replace (user_info, text, -1, 0, "\\1***@", 0, NULL);
  if (without_password == NULL)
    return g_strdup ("(text that is not UTF-8)");
  return g_regex_replace (parameter, without_password, -1, 0, "\\1***", 0, NULL);
}
