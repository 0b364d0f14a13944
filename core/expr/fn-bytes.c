/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-bytes.c: bytes as text and back, and digests.
 */
#include "config.h"

#include "core/expr/function.h"

#include "core/base/uuid.h"

#include <errno.h>
#include <sys/random.h>

static gboolean
set_bytes (KvsqlType type, gconstpointer data, gsize size, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = type, .bytes = kvsql_slice (data, size) };
  return TRUE;
}

/* ---- hex and base64 */

static gboolean
bytes_hex (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  static const gchar digits[] = "0123456789abcdef";
  KvsqlSlice bytes = arguments[0].bytes;
  gchar *text = kvsql_function_allocate (call, 2 * bytes.size, error);

  if (text == NULL)
    return FALSE;
  for (gsize i = 0; i < bytes.size; i++)
    {
      text[2 * i] = digits[bytes.data[i] >> 4];
      text[2 * i + 1] = digits[bytes.data[i] & 15];
    }
  return set_bytes (KVSQL_TYPE_STRING, text, 2 * bytes.size, out);
}

static gboolean
number_to_hex (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  gchar *text = arguments[0].type == KVSQL_TYPE_INT
                    ? kvsql_arena_printf (call->arena, "%x", (guint32)arguments[0].integer)
                    : kvsql_arena_printf (call->arena, "%" G_GINT64_MODIFIER "x",
                                          (guint64)arguments[0].integer);

  return set_bytes (KVSQL_TYPE_STRING, text, strlen (text), out);
}

static gboolean
bytes_unhex (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  KvsqlSlice text = arguments[0].bytes;
  guint8 *bytes = kvsql_function_allocate (call, text.size / 2, error);

  if (bytes == NULL)
    return FALSE;
  if (text.size % 2 != 0)
    return kvsql_function_fail_as (error, "22023", "hexadecimal text has an odd number of digits");
  for (gsize i = 0; i < text.size; i += 2)
    {
      gint high = g_ascii_xdigit_value (text.data[i]),
           low = g_ascii_xdigit_value (text.data[i + 1]);
      if (high < 0 || low < 0)
        return kvsql_function_fail_as (error, "22023", "invalid hexadecimal digit");
      bytes[i / 2] = high << 4 | low;
    }
  return set_bytes (KVSQL_TYPE_BYTES, bytes, text.size / 2, out);
}

static gboolean
bytes_base64 (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  KvsqlSlice bytes = arguments[0].bytes;
  gchar *text = kvsql_function_allocate (call, (bytes.size / 3 + 1) * 4 + 4, error);
  gint state = 0, save = 0;
  gsize size;

  if (text == NULL)
    return FALSE;
  size = bytes.size == 0
             ? 0
             : g_base64_encode_step (bytes.data, bytes.size, FALSE, text, &state, &save);
  size += g_base64_encode_close (FALSE, text + size, &state, &save);
  return set_bytes (KVSQL_TYPE_STRING, text, size, out);
}

static gboolean
is_base64 (KvsqlSlice text)
{
  gsize n = text.size;

  if (n % 4 != 0)
    return FALSE;
  for (guint i = 0; i < 2 && n > 0 && text.data[n - 1] == '='; i++)
    n--;
  for (gsize i = 0; i < n; i++)
    if (!g_ascii_isalnum (text.data[i]) && text.data[i] != '+' && text.data[i] != '/')
      return FALSE;
  return TRUE;
}

static gboolean
bytes_unbase64 (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  KvsqlSlice text = arguments[0].bytes;
  guint8 *bytes = kvsql_function_allocate (call, text.size / 4 * 3 + 3, error);
  gint state = 0;
  guint save = 0;
  gsize size;

  if (bytes == NULL)
    return FALSE;
  if (!is_base64 (text))
    return kvsql_function_fail (error, "invalid base64 text");
  size = text.size == 0
             ? 0
             : g_base64_decode_step ((const gchar *)text.data, text.size, bytes, &state, &save);
  return set_bytes (KVSQL_TYPE_BYTES, bytes, size, out);
}

/* ---- encode, decode */

/* PostgreSQL's form "escape": zero bytes and those from 128 on as \\ooo. */
static gboolean
encode_escape (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  KvsqlSlice bytes = arguments[0].bytes;
  gchar *text = kvsql_function_allocate (call, 4 * bytes.size + 1, error), *end = text;

  if (text == NULL)
    return FALSE;
  for (gsize i = 0; i < bytes.size; i++)
    if (bytes.data[i] == 0 || bytes.data[i] >= 0x80)
      end += g_snprintf (end, 5, "\\%03o", bytes.data[i]);
    else if (bytes.data[i] == '\\')
      {
        *end++ = '\\';
        *end++ = '\\';
      }
    else
      *end++ = (gchar)bytes.data[i];
  return set_bytes (KVSQL_TYPE_STRING, text, end - text, out);
}

/* The form in which EXPLAIN shows bytes. */
static gboolean
bytes_printable (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                 GError **error)
{
  g_autofree gchar *readable = kvsql_readable (arguments[0].bytes);
  gsize size = strlen (readable);
  gchar *text = kvsql_function_allocate (call, size + 1, error);

  if (text == NULL)
    return FALSE;
  memcpy (text, readable, size + 1);
  return set_bytes (KVSQL_TYPE_STRING, text, size, out);
}

static gboolean
is_octal (KvsqlSlice text, gsize at)
{
  return at + 3 <= text.size && text.data[at] >= '0' && text.data[at] <= '3'
         && text.data[at + 1] >= '0' && text.data[at + 1] <= '7' && text.data[at + 2] >= '0'
         && text.data[at + 2] <= '7';
}

static gboolean
decode_escape (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  KvsqlSlice text = arguments[0].bytes;
  guint8 *bytes = kvsql_function_allocate (call, text.size, error);
  gsize n = 0;

  if (bytes == NULL)
    return FALSE;
  for (gsize i = 0; i < text.size; i++)
    if (text.data[i] != '\\')
      bytes[n++] = text.data[i];
    else if (i + 1 < text.size && text.data[i + 1] == '\\')
      bytes[n++] = text.data[i++];
    else if (is_octal (text, i + 1))
      {
        bytes[n++] = (text.data[i + 1] - '0') << 6 | (text.data[i + 2] - '0') << 3
                     | (text.data[i + 3] - '0');
        i += 3;
      }
    else
      return kvsql_function_fail (error, "invalid escape in the text: \\ needs three octal digits");
  return set_bytes (KVSQL_TYPE_BYTES, bytes, n, out);
}

#define LINE 76

/* PostgreSQL breaks lines after 76 characters. */
static gboolean
encode_base64 (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  gsize size, n = 0;
  gchar *text;

  if (!bytes_base64 (call, arguments, out, error))
    return FALSE;
  size = out->bytes.size;
  text = kvsql_function_allocate (call, size + size / LINE + 1, error);
  if (text == NULL)
    return FALSE;
  for (gsize i = 0; i < size; i++)
    {
      if (i > 0 && i % LINE == 0)
        text[n++] = '\n';
      text[n++] = (gchar)out->bytes.data[i];
    }
  return set_bytes (KVSQL_TYPE_STRING, text, n, out);
}

/* Blanks and ends of lines do not matter. */
static gboolean
decode_with (const KvsqlFunctionCall *call, KvsqlSlice text, KvsqlFunctionRow decode,
             KvsqlValue *out, GError **error)
{
  KvsqlValue plain = { .type = KVSQL_TYPE_STRING };
  guint8 *bytes = kvsql_function_allocate (call, text.size, error);
  gsize n = 0;

  if (bytes == NULL)
    return FALSE;
  for (gsize i = 0; i < text.size; i++)
    if (!g_ascii_isspace (text.data[i]))
      bytes[n++] = text.data[i];
  plain.bytes = kvsql_slice (bytes, n);
  return decode (call, &plain, out, error);
}

static gboolean
is_word (KvsqlSlice text, const gchar *word)
{
  return text.size == strlen (word)
         && g_ascii_strncasecmp ((const gchar *)text.data, word, text.size) == 0;
}

static gboolean
fail_encoding (KvsqlSlice name, GError **error)
{
  kvsql_function_fail_as (error, "22023", "unrecognized encoding: \"%.*s\"",
                          (gint)MIN (name.size, 40), (const gchar *)name.data);
  return kvsql_error_hint (error, "There are hex, base64 and escape.");
}

static gboolean
bytes_encode (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  KvsqlSlice name = arguments[1].bytes;

  if (is_word (name, "hex"))
    return bytes_hex (call, arguments, out, error);
  if (is_word (name, "base64"))
    return encode_base64 (call, arguments, out, error);
  return is_word (name, "escape") ? encode_escape (call, arguments, out, error)
                                  : fail_encoding (name, error);
}

static gboolean
bytes_decode (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  KvsqlSlice name = arguments[1].bytes;

  if (is_word (name, "hex"))
    return decode_with (call, arguments[0].bytes, bytes_unhex, out, error);
  if (is_word (name, "base64"))
    return decode_with (call, arguments[0].bytes, bytes_unbase64, out, error);
  return is_word (name, "escape") ? decode_escape (call, arguments, out, error)
                                  : fail_encoding (name, error);
}

/* ---- bytes and UTF-8 */

static gboolean
from_utf8 (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  KvsqlSlice bytes = arguments[0].bytes;

  if (bytes.size > 0 && !g_utf8_validate_len ((const gchar *)bytes.data, bytes.size, NULL))
    return kvsql_function_fail_as (error, "22021", "invalid UTF-8");
  return set_bytes (KVSQL_TYPE_STRING, bytes.data, bytes.size, out);
}

static gboolean
to_utf8 (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  return set_bytes (KVSQL_TYPE_BYTES, arguments[0].bytes.data, arguments[0].bytes.size, out);
}

static gboolean
check_encoding (KvsqlSlice name, GError **error)
{
  if (is_word (name, "UTF8") || is_word (name, "UTF-8"))
    return TRUE;
  kvsql_function_fail (error, "encoding \"%.*s\" is not supported", (gint)MIN (name.size, 40),
                       (const gchar *)name.data);
  return kvsql_error_hint (error, "All texts are UTF8.");
}

static gboolean
convert_from (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  return check_encoding (arguments[1].bytes, error) && from_utf8 (call, arguments, out, error);
}

static gboolean
convert_to (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  return check_encoding (arguments[1].bytes, error) && to_utf8 (call, arguments, out, error);
}

/* ---- digests */

static gboolean
digest (const KvsqlFunctionCall *call, KvsqlSlice bytes, GChecksumType type, gboolean is_hex,
        KvsqlValue *out)
{
  GChecksum *checksum = g_checksum_new (type);
  gsize size = g_checksum_type_get_length (type);
  guint8 *raw = kvsql_arena_alloc (call->arena, size);
  const gchar *text;

  g_checksum_update (checksum, bytes.data, bytes.size);
  if (is_hex)
    {
      text = kvsql_arena_strdup (call->arena, g_checksum_get_string (checksum));
      set_bytes (KVSQL_TYPE_STRING, text, 2 * size, out);
    }
  else
    {
      g_checksum_get_digest (checksum, raw, &size);
      set_bytes (KVSQL_TYPE_BYTES, raw, size, out);
    }
  g_checksum_free (checksum);
  return TRUE;
}

static gboolean
digest_md5 (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  return digest (call, arguments[0].bytes, G_CHECKSUM_MD5, TRUE, out);
}

static gboolean
digest_sha256 (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  return digest (call, arguments[0].bytes, G_CHECKSUM_SHA256, FALSE, out);
}

static gboolean
digest_sha384 (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  return digest (call, arguments[0].bytes, G_CHECKSUM_SHA384, FALSE, out);
}

static gboolean
digest_sha512 (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  return digest (call, arguments[0].bytes, G_CHECKSUM_SHA512, FALSE, out);
}

static gboolean
random_uuid (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  guint8 bytes[KVSQL_UUID_BYTES];

  if (getrandom (bytes, sizeof bytes, 0) != (gssize)sizeof bytes)
    return kvsql_function_fail (error, "no random bytes: %s", g_strerror (errno));
  bytes[6] = (bytes[6] & 0x0f) | 0x40; /* version 4 */
  bytes[8] = (bytes[8] & 0x3f) | 0x80; /* the variant of RFC 4122 */
  *out = (KvsqlValue){ .type = KVSQL_TYPE_UUID, .bytes = kvsql_uuid_to_text (bytes, call->arena) };
  return TRUE;
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_1 ("hex", BYTES, STRING, bytes_hex),
  KVSQL_FUNCTION_1 ("hex", STRING, STRING, bytes_hex),
  KVSQL_FUNCTION_1 ("to_hex", INT, STRING, number_to_hex, NULL, TRUE),
  KVSQL_FUNCTION_1 ("to_hex", BIGINT, STRING, number_to_hex, NULL, TRUE),
  KVSQL_FUNCTION_1 ("unhex", STRING, BYTES, bytes_unhex),
  KVSQL_FUNCTION_1 ("to_base64", BYTES, STRING, bytes_base64),
  KVSQL_FUNCTION_1 ("from_base64", STRING, BYTES, bytes_unbase64),
  KVSQL_FUNCTION_1 ("from_utf8", BYTES, STRING, from_utf8),
  KVSQL_FUNCTION_1 ("to_utf8", STRING, BYTES, to_utf8, NULL, TRUE),
  KVSQL_FUNCTION_2 ("convert_from", BYTES, STRING, STRING, convert_from),
  KVSQL_FUNCTION_2 ("convert_to", STRING, STRING, BYTES, convert_to),
  KVSQL_FUNCTION_1 ("md5", STRING, STRING, digest_md5, NULL, TRUE),
  KVSQL_FUNCTION_1 ("md5", BYTES, STRING, digest_md5, NULL, TRUE),
  KVSQL_FUNCTION_1 ("sha256", BYTES, BYTES, digest_sha256, NULL, TRUE),
  KVSQL_FUNCTION_1 ("sha384", BYTES, BYTES, digest_sha384, NULL, TRUE),
  KVSQL_FUNCTION_1 ("sha512", BYTES, BYTES, digest_sha512, NULL, TRUE),
  KVSQL_FUNCTION_2 ("encode", BYTES, STRING, STRING, bytes_encode),
  KVSQL_FUNCTION_1 ("printable", BYTES, STRING, bytes_printable),
  KVSQL_FUNCTION_2 ("decode", STRING, STRING, BYTES, bytes_decode),
  KVSQL_FUNCTION_0 ("gen_random_uuid", UUID, random_uuid, .is_volatile = TRUE),
  KVSQL_FUNCTION_0 ("uuid_generate_v4", UUID, random_uuid, .is_volatile = TRUE),
};

const KvsqlFunctionFamily kvsql_functions_bytes = { functions, G_N_ELEMENTS (functions) };
