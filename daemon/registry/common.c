/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common.c: names as words, checks of changes, random bytes and deadlines, for every registry.
 */
#include "config.h"

#include "daemon/registry/history.h"
#include "daemon/registry/registry-private.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

/* The ranges are fixed numbers, not Unicode properties: those change with GLib's version, and two
 * daemons must use the same node for a name. The ranges leave out what ZooKeeper rejects. */
static gboolean
is_unescaped (gunichar c)
{
  if (c < 0x80)
    return g_ascii_isalnum (c) || c == '_' || c == '-';
  return (c >= 0xA0 && c < 0xD800) || (c >= 0xF900 && c < 0xFFF0);
}

gchar *
_kvsqld_registry_escape (const gchar *name)
{
  GString *escaped = g_string_new (NULL);

  for (const gchar *p = name; *p != '\0';)
    {
      const gchar *next = g_utf8_next_char (p);

      if (is_unescaped (g_utf8_get_char (p)))
        g_string_append_len (escaped, p, next - p);
      else
        for (const gchar *byte = p; byte < next; byte++)
          g_string_append_printf (escaped, "%%%02X", (guchar)*byte);
      p = next;
    }
  return g_string_free (escaped, FALSE);
}

static gchar *
decode_percent (const gchar *escaped)
{
  g_autoptr (GString) name = g_string_new (NULL);

  for (const gchar *p = escaped; *p != '\0'; p++)
    {
      if (*p != '%')
        {
          g_string_append_c (name, *p);
          continue;
        }
      if (!g_ascii_isxdigit (p[1]) || !g_ascii_isxdigit (p[2]) || (p[1] == '0' && p[2] == '0'))
        return NULL;
      g_string_append_c (name,
                         (gchar)(g_ascii_xdigit_value (p[1]) * 16 + g_ascii_xdigit_value (p[2])));
      p += 2;
    }
  return g_string_free (g_steal_pointer (&name), FALSE);
}

gchar *
_kvsqld_registry_unescape (const gchar *escaped)
{
  g_autofree gchar *name = decode_percent (escaped);
  g_autofree gchar *again = NULL;

  if (name == NULL || *name == '\0' || !g_utf8_validate (name, -1, NULL))
    return NULL;
  again = _kvsqld_registry_escape (name);
  return strcmp (again, escaped) == 0 ? g_steal_pointer (&name) : NULL;
}

const gchar *
_kvsqld_entry_kind_name (KvsqlDefinitionKind kind)
{
  static const gchar *const names[] = {
    [KVSQL_DEFINITION_RELATION] = "relation",
    [KVSQL_DEFINITION_SCHEMA] = "schema",
    [KVSQL_DEFINITION_BACKFILL] = "backfill",
    [KVSQL_DEFINITION_ROLE] = "role",
    [KVSQL_DEFINITION_VIEW] = "view",
    [KVSQL_DEFINITION_RIGHTS] = "rights",
    [KVSQL_DEFINITION_SEQUENCE] = "sequence",
    [KVSQL_DEFINITION_SEQUENCE_RIGHTS] = "sequence-rights",
    [KVSQL_DEFINITION_STATISTICS] = "statistics",
    [KVSQL_DEFINITION_COSTS] = "costs",
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == KVSQL_N_DEFINITION_KINDS);
  return names[kind];
}

static gboolean
check_name (const KvsqlDefinitionChange *change, GError **error)
{
  const gchar *kind = _kvsqld_entry_kind_name (change->kind);

  if (change->name == NULL || *change->name == '\0')
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "a %s has no name", kind);
  if (!g_utf8_validate (change->name, -1, NULL))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "the name of a %s is not UTF-8", kind);
  if (strlen (change->name) > KVSQLD_NAME_MAX_BYTES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "the name of a %s is longer than %d bytes", kind,
                            KVSQLD_NAME_MAX_BYTES);
  return TRUE;
}

/* With the text: the name, which escaping may make three times as long, and the frame around
 * both. */
static gsize
count_bytes (const KvsqlDefinitionChange *change)
{
  return (change->text != NULL ? strlen (change->text) : 0) + 3 * strlen (change->name) + 64;
}

gboolean
_kvsqld_changes_check (const KvsqlDefinitionChange *changes, guint n_changes,
                       const KvsqldAuthor *author, gsize max_bytes, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gsize n_bytes = 0;

  for (guint i = 0; i < n_changes; i++)
    {
      const gchar *kind = _kvsqld_entry_kind_name (changes[i].kind);

      if (!check_name (&changes[i], error))
        return FALSE;
      if (!g_hash_table_add (seen, g_strconcat (kind, " ", changes[i].name, NULL)))
        return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                                "%s \"%s\" is changed twice at once", kind, changes[i].name);
      if (changes[i].text != NULL && !g_utf8_validate (changes[i].text, -1, NULL))
        return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                                "the text of %s \"%s\" is not UTF-8", kind, changes[i].name);
      n_bytes += count_bytes (&changes[i]);
      if (author != NULL && _kvsqld_history_wants (changes[i].kind))
        n_bytes += count_bytes (&changes[i]) + _kvsqld_record_frame_bytes (author);
      if (n_bytes > max_bytes)
        {
          kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                           "%s \"%s\" does not fit in the registry: one change takes at most "
                           "%" G_GSIZE_FORMAT " bytes",
                           kind, changes[i].name, max_bytes);
          return kvsql_error_hint (error, "Shorten the definition, or make fewer at once.");
        }
    }
  return TRUE;
}

gboolean
_kvsqld_random_bytes (guint8 *bytes, gsize n_bytes, GError **error)
{
  ssize_t n;

  do
    n = getrandom (bytes, n_bytes, 0);
  while (n < 0 && errno == EINTR);
  if (n == (ssize_t)n_bytes)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE,
                          "the kernel gave no random bytes: %s", g_strerror (errno));
}

gint64
_kvsqld_call_end (const KvsqlCall *call, gint64 longest_us)
{
  return call != NULL && call->deadline_us != 0 ? call->deadline_us
                                                : g_get_monotonic_time () + longest_us;
}

gboolean
_kvsqld_call_is_cancelled (const KvsqlCall *call)
{
  return call != NULL && g_cancellable_is_cancelled (call->cancellable);
}
