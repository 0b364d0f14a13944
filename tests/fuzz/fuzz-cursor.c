/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuzz-cursor.c: cursor tokens.
 *
 * The first byte chooses the form of the rest. 0: as it is, which is never a valid cursor. 1: with
 * a valid seal. Others: with a valid seal and the hash of the definitions. A sealed token may be of
 * another version, or of a hostile daemon with the same secret: any content must be rejected or
 * answered.
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/harness/service-fixture.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static ServiceFixture *
get_fixture (void)
{
  static ServiceFixture fixture;

  if (fixture.service == NULL)
    {
      service_fixture_open (&fixture, NULL);
      service_fixture_script (
          &fixture, "DEFINE RELATION r { k STRING KEY, v INT };"
                    "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW k, FAMILY 'f', VALUE v };"
                    "INSERT INTO r VALUES ('a', 1), ('b', 2), ('c', 3), ('d', 4)");
    }
  return &fixture;
}

static void
append_seal (GByteArray *token, KvsqldService *service)
{
  KvsqlCall call = { 0 };
  g_autoptr (GBytes) key = kvsqld_definitions_get_secret (service->definitions, &call);
  guint8 digest[KVSQLD_HASH_BYTES];
  gsize key_size, digest_size = sizeof digest;
  const guint8 *key_data = g_bytes_get_data (key, &key_size);
  g_autoptr (GHmac) hmac = g_hmac_new (G_CHECKSUM_SHA256, key_data, key_size);

  g_hmac_update (hmac, token->data, token->len);
  g_hmac_get_digest (hmac, digest, &digest_size);
  g_byte_array_append (token, digest, sizeof digest);
}

/* Without it, most tokens would be rejected because of their hash of the definitions. */
static void
put_definitions (GByteArray *token, KvsqldService *service)
{
  const gsize at = 1 + KVSQLD_CURSOR_ID_BYTES + 4;
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (service->definitions);
  const KvsqlCatalogEntry *entry = catalog->entries->pdata[0];
  const KvsqlAccessPath path = { .schema = entry->schemas[0] };
  const KvsqlSelectPlan plan = { .entry = entry, .best = &path };

  if (token->len >= at + KVSQLD_HASH_BYTES)
    kvsqld_definitions_hash (&plan, token->data + at);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  KvsqldService *service = get_fixture ()->service;
  g_autoptr (GByteArray) token = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = NULL;
  KvsqldRequest request = { .max_rows = 2 };

  if (size == 0)
    return 0;
  g_byte_array_append (token, data + 1, size - 1);
  if (data[0] > 1)
    put_definitions (token, service);
  if (data[0] != 0)
    append_seal (token, service);
  page = kvsqld_service_fetch (service, &request, kvsql_slice (token->data, token->len), &error);
  if ((page == NULL) == (error == NULL))
    g_error ("neither a page nor an error, or both");
  if (page != NULL && data[0] == 0)
    g_error ("a token without a seal was taken");
  return 0;
}
