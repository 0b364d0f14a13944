/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cursor-token.c: sealing and opening cursor tokens.
 */
#include "config.h"

#include "daemon/session/cursor-token.h"

#include "core/plan/select-plan.h"

/* Earlier daemons had 3 and 4, with keys of rows in clear text. */
#define TOKEN_VERSION 5
#define TOKEN_VERSION_VERIFIED 6
#define NONCE_BYTES 16
#define MAX_PARAMETERS 65535

/* ---- what clients may not read */

/* Bytes that only daemons of the registry know: HMAC-SHA256 of a counter, and of a number that is
 * used once. Keys of rows may have attributes that a role has no right to. */
typedef struct
{
  GBytes *key;
  guint8 nonce[NONCE_BYTES];
  guint32 n_blocks;
  guint n_left; /* of the last block */
  guint8 block[KVSQLD_HASH_BYTES];
} Stream;

static void
hash (GBytes *key, const guint8 *data, gsize size, guint8 out[KVSQLD_HASH_BYTES])
{
  gsize key_size, hash_size = KVSQLD_HASH_BYTES;
  const guint8 *key_data = g_bytes_get_data (key, &key_size);
  GHmac *hmac = g_hmac_new (G_CHECKSUM_SHA256, key_data, key_size);

  g_hmac_update (hmac, data, (gssize)size);
  g_hmac_get_digest (hmac, out, &hash_size);
  g_hmac_unref (hmac);
}

/* The input begins with a byte that is no version: it is never that of a token's HMAC. */
static void
next_block (Stream *self)
{
  guint8 input[1 + NONCE_BYTES + 4] = { 's' };

  memcpy (input + 1, self->nonce, NONCE_BYTES);
  kvsql_put_be32 (input + 1 + NONCE_BYTES, self->n_blocks++);
  hash (self->key, input, sizeof input, self->block);
  self->n_left = sizeof self->block;
}

/* Encrypts or decrypts. */
static void
apply_stream (Stream *self, guint8 *bytes, gsize size)
{
  for (gsize i = 0; i < size; i++)
    {
      if (self->n_left == 0)
        next_block (self);
      bytes[i] ^= self->block[sizeof self->block - self->n_left--];
    }
}

/* ---- writing */

static void
put_u32 (KvsqlBuffer *out, guint32 value)
{
  kvsql_put_be32 (kvsql_buffer_extend (out, 4), value);
}

static void
put_u64 (KvsqlBuffer *out, guint64 value)
{
  kvsql_put_be64 (kvsql_buffer_extend (out, 8), value);
}

static void
put_slice (KvsqlBuffer *out, KvsqlSlice slice)
{
  put_u32 (out, slice.size);
  kvsql_buffer_append_slice (out, slice);
}

static void
put_value (KvsqlBuffer *out, const KvsqlValue *value)
{
  guint64 bits = 0;

  kvsql_buffer_append_byte (out, value->type);
  switch (kvsql_type_get_class (value->type))
    {
    case KVSQL_CLASS_NONE:
      break;
    case KVSQL_CLASS_BOOLEAN:
      kvsql_buffer_append_byte (out, value->boolean != FALSE);
      break;
    case KVSQL_CLASS_INTEGER:
      put_u64 (out, (guint64)value->integer);
      break;
    case KVSQL_CLASS_REAL:
      memcpy (&bits, &value->real, 8);
      put_u64 (out, bits);
      break;
    case KVSQL_CLASS_SLICE:
      put_slice (out, value->bytes);
      break;
    }
}

static void
put_secret (KvsqlBuffer *out, KvsqlSlice slice, Stream *stream)
{
  put_slice (out, slice);
  apply_stream (stream, out->data + out->size - slice.size, slice.size);
}

static void
put_part (KvsqlBuffer *out, const KvsqlScanPart *part, Stream *stream)
{
  kvsql_buffer_append_byte (out, part->is_part != FALSE);
  if (!part->is_part)
    return;
  put_u32 (out, part->table);
  put_secret (out, part->name, stream);
  put_secret (out, part->rows.start, stream);
  put_secret (out, part->rows.stop, stream);
}

static void
fill_random (guint8 *out, guint n)
{
  for (guint i = 0; i < n; i += 4)
    {
      guint32 word = g_random_int ();
      memcpy (out + i, &word, 4);
    }
}

void
kvsqld_cursor_token_new_id (guint8 id[KVSQLD_CURSOR_ID_BYTES])
{
  fill_random (id, KVSQLD_CURSOR_ID_BYTES);
}

GBytes *
kvsqld_cursor_token_seal (const KvsqldCursorToken *self, GBytes *key)
{
  KvsqlBuffer out = { 0 };
  guint8 digest[KVSQLD_HASH_BYTES];
  Stream stream = { .key = key };

  fill_random (stream.nonce, NONCE_BYTES);
  kvsql_buffer_append_byte (&out, self->is_verified ? TOKEN_VERSION_VERIFIED : TOKEN_VERSION);
  kvsql_buffer_append (&out, stream.nonce, NONCE_BYTES);
  kvsql_buffer_append (&out, self->id, sizeof self->id);
  put_u32 (&out, self->page);
  kvsql_buffer_append (&out, self->definitions, sizeof self->definitions);
  put_slice (&out, self->schema);
  kvsql_buffer_append_byte (&out, self->position.scan.has_row);
  put_secret (&out, self->position.scan.table, &stream);
  put_secret (&out, self->position.scan.row, &stream);
  put_u32 (&out, self->position.scan.n_done_in_row);
  put_u64 (&out, self->position.n_skip);
  put_u64 (&out, self->position.n_emitted);
  put_u64 (&out, self->n_undecodable);
  put_u64 (&out, (guint64)self->now);
  put_part (&out, &self->position.part, &stream);
  put_u32 (&out, self->n_parameters);
  for (guint i = 0; i < self->n_parameters; i++)
    put_value (&out, &self->parameters[i]);
  put_slice (&out, self->sql);
  hash (key, out.data, out.size, digest);
  kvsql_buffer_append (&out, digest, sizeof digest);
  return g_bytes_new_take (out.data, out.size);
}

/* ---- reading */

typedef struct
{
  const guint8 *at;
  gsize left;
  gboolean is_bad;
  Stream stream;
  KvsqlArena *arena; /* of what was encrypted */
} Reader;

static const guint8 *
take (Reader *self, gsize n)
{
  static const guint8 nothing[KVSQLD_HASH_BYTES];
  const guint8 *at = self->at;

  if (self->is_bad || n > self->left)
    {
      self->is_bad = TRUE;
      return nothing;
    }
  self->at += n;
  self->left -= n;
  return at;
}

static guint32
read_u32 (Reader *self)
{
  return kvsql_get_be32 (take (self, 4));
}

static guint64
read_u64 (Reader *self)
{
  return kvsql_get_be64 (take (self, 8));
}

static KvsqlSlice
read_slice (Reader *self)
{
  guint32 size = read_u32 (self);
  const guint8 *data = take (self, size);

  return self->is_bad ? KVSQL_SLICE_EMPTY : kvsql_slice (data, size);
}

static KvsqlSlice
read_secret (Reader *self)
{
  KvsqlSlice encrypted = read_slice (self);
  guint8 *bytes = kvsql_arena_alloc (self->arena, encrypted.size + 1);

  if (encrypted.size > 0)
    memcpy (bytes, encrypted.data, encrypted.size);
  apply_stream (&self->stream, bytes, encrypted.size);
  return kvsql_slice (bytes, encrypted.size);
}

static KvsqlValue
read_value (Reader *self)
{
  KvsqlValue value = { .type = *take (self, 1) };
  guint64 bits;

  if (!kvsql_type_is_known (value.type))
    {
      self->is_bad = TRUE;
      return KVSQL_VALUE_NULL;
    }
  switch (kvsql_type_get_class (value.type))
    {
    case KVSQL_CLASS_NONE:
      break;
    case KVSQL_CLASS_BOOLEAN:
      value.boolean = *take (self, 1);
      break;
    case KVSQL_CLASS_INTEGER:
      value.integer = (gint64)read_u64 (self);
      break;
    case KVSQL_CLASS_REAL:
      bits = read_u64 (self);
      memcpy (&value.real, &bits, 8);
      break;
    case KVSQL_CLASS_SLICE:
      value.bytes = read_slice (self);
      break;
    }
  return value;
}

static void
read_part (Reader *self, KvsqlScanPart *out)
{
  out->is_part = *take (self, 1) != 0;
  if (!out->is_part)
    return;
  out->table = read_u32 (self);
  out->name = read_secret (self);
  out->rows.start = read_secret (self);
  out->rows.stop = read_secret (self);
}

static gboolean
not_authentic (GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_BAD_CURSOR, KVSQL_SPAN_NONE, "this is not a cursor of ours");
  return kvsql_error_hint (
      error, "Pass the cursor of the last page as it came, to a daemon of the same registry.");
}

/* Takes the same time wherever the difference is, so that the time does not help an attacker. */
static gboolean
equal_digests (const guint8 *a, const guint8 *b)
{
  guint8 difference = 0;

  for (guint i = 0; i < KVSQLD_HASH_BYTES; i++)
    difference |= a[i] ^ b[i];
  return difference == 0;
}

static void
read_fields (Reader *reader, KvsqldCursorToken *out)
{
  memcpy (reader->stream.nonce, take (reader, NONCE_BYTES), NONCE_BYTES);
  memcpy (out->id, take (reader, sizeof out->id), sizeof out->id);
  out->page = read_u32 (reader);
  memcpy (out->definitions, take (reader, sizeof out->definitions), sizeof out->definitions);
  out->schema = read_slice (reader);
  out->position.scan.has_row = *take (reader, 1);
  out->position.scan.table = read_secret (reader);
  out->position.scan.row = read_secret (reader);
  out->position.scan.n_done_in_row = read_u32 (reader);
  out->position.n_skip = read_u64 (reader);
  out->position.n_emitted = read_u64 (reader);
  out->n_undecodable = read_u64 (reader);
  out->now = (gint64)read_u64 (reader);
  read_part (reader, &out->position.part);
  out->n_parameters = read_u32 (reader);
  if (out->n_parameters > MAX_PARAMETERS)
    reader->is_bad = TRUE;
  if (reader->is_bad)
    return;
  out->parameters = kvsql_arena_array (reader->arena, KvsqlValue, out->n_parameters);
  for (guint i = 0; i < out->n_parameters; i++)
    out->parameters[i] = read_value (reader);
  out->sql = read_slice (reader);
}

gboolean
kvsqld_cursor_token_open (KvsqlSlice sealed, GBytes *key, KvsqlArena *arena, KvsqldCursorToken *out,
                          GError **error)
{
  guint8 digest[KVSQLD_HASH_BYTES];
  Reader reader;

  if (sealed.size < 1 + KVSQLD_HASH_BYTES)
    return not_authentic (error);
  hash (key, sealed.data, sealed.size - KVSQLD_HASH_BYTES, digest);
  if (!equal_digests (digest, sealed.data + sealed.size - KVSQLD_HASH_BYTES)
      || (sealed.data[0] != TOKEN_VERSION && sealed.data[0] != TOKEN_VERSION_VERIFIED))
    return not_authentic (error);
  *out = (KvsqldCursorToken){ .is_verified = sealed.data[0] == TOKEN_VERSION_VERIFIED };
  reader = (Reader){ .at = sealed.data + 1,
                     .left = sealed.size - 1 - KVSQLD_HASH_BYTES,
                     .stream = { .key = key },
                     .arena = arena };
  read_fields (&reader, out);
  return (!reader.is_bad && reader.left == 0) || not_authentic (error);
}

static void
add_text (GChecksum *checksum, const gchar *text)
{
  g_checksum_update (checksum, (const guchar *)text, strlen (text) + 1);
}

static void
add_plan (GChecksum *checksum, const KvsqlSelectPlan *plan)
{
  add_text (checksum, plan->entry->relation->text);
  add_text (checksum, plan->best->schema->text);
  if (plan->best->lookup_schema != NULL)
    add_text (checksum, plan->best->lookup_schema->text);
}

/* A page that is computed again has its rows in the order of the joins. */
static void
add_join (GChecksum *checksum, const KvsqlJoinNode *node)
{
  guint32 shape[4] = { node->leaf, node->n_keys, node->probe != NULL, node->n_looked_up };

  g_checksum_update (checksum, (const guchar *)shape, sizeof shape);
  if (node->n_merge_keys > 0)
    g_checksum_update (checksum, (const guchar *)&node->n_merge_keys, sizeof node->n_merge_keys);
  if (node->probe == NULL)
    return;
  add_join (checksum, node->probe);
  add_join (checksum, node->build);
}

static void
add_select (GChecksum *checksum, const KvsqlSelectPlan *plan)
{
  guint32 n_operands = plan->set == NULL ? 0 : plan->set->n_operands;

  if (plan->entry != NULL)
    add_plan (checksum, plan);
  for (guint i = 0; plan->join != NULL && i < plan->join->n_parts; i++)
    if (plan->join->parts[i].query != NULL)
      add_select (checksum, plan->join->parts[i].query);
    else
      add_plan (checksum, plan->join->parts[i].plan);
  if (plan->join != NULL)
    add_join (checksum, plan->join->root);
  if (plan->join != NULL && plan->join->first > 0) /* another relation is scanned */
    g_checksum_update (checksum, (const guchar *)&plan->join->first, sizeof plan->join->first);
  if (n_operands > 0) /* others have the hash that earlier builds gave them */
    g_checksum_update (checksum, (const guchar *)&n_operands, sizeof n_operands);
  for (guint i = 0; i < n_operands; i++)
    add_select (checksum, plan->set->operands[i].plan);
}

void
kvsqld_definitions_hash (const KvsqlSelectPlan *plan, guint8 out[KVSQLD_HASH_BYTES])
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize size = KVSQLD_HASH_BYTES;

  add_select (checksum, plan);
  g_checksum_get_digest (checksum, out, &size);
}

static gboolean
schema_holds (const KvsqlSchema *schema, const KvsqlCatalog *catalog)
{
  KvsqlName name = { .text = schema->name, .is_quoted = schema->is_quoted };
  const KvsqlSchema *now = kvsql_catalog_lookup_schema (catalog, &name);

  return now != NULL && strcmp (now->text, schema->text) == 0
         && strcmp (now->relation->text, schema->relation->text) == 0;
}

static gboolean
plan_holds (const KvsqlSelectPlan *plan, const KvsqlCatalog *catalog)
{
  const KvsqlAccessPath *best = plan->best;

  return schema_holds (best->schema, catalog)
         && (best->lookup_schema == NULL || schema_holds (best->lookup_schema, catalog));
}

gboolean
kvsqld_definitions_hold (const KvsqlSelectPlan *plan, const KvsqlCatalog *catalog)
{
  for (guint i = 0; plan->set != NULL && i < plan->set->n_operands; i++)
    if (!kvsqld_definitions_hold (plan->set->operands[i].plan, catalog))
      return FALSE;
  for (guint i = 0; plan->join != NULL && i < plan->join->n_parts; i++)
    if (plan->join->parts[i].query != NULL
            ? !kvsqld_definitions_hold (plan->join->parts[i].query, catalog)
            : !plan_holds (plan->join->parts[i].plan, catalog))
      return FALSE;
  return plan->entry == NULL || plan_holds (plan, catalog);
}

gboolean
kvsqld_cursor_token_check_definitions (const KvsqldCursorToken *self, const KvsqlSelectPlan *plan,
                                       GError **error)
{
  guint8 definitions[KVSQLD_HASH_BYTES];

  kvsqld_definitions_hash (plan, definitions);
  return memcmp (definitions, self->definitions, sizeof definitions) == 0
         || kvsqld_cursor_fail_changed (error);
}

gboolean
kvsqld_cursor_fail (const gchar *why, const gchar *hint, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_BAD_CURSOR, KVSQL_SPAN_NONE, "%s", why);
  return kvsql_error_hint (error, "%s", hint);
}

gboolean
kvsqld_cursor_fail_changed (GError **error)
{
  return kvsqld_cursor_fail ("the definitions that this cursor depends on have changed",
                             "Run the statement again.", error);
}
