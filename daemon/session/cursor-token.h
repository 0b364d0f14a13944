/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cursor-token.h: a cursor on the wire: all data to resume it in any daemon, and an authentication
 * code.
 *
 * token = version (1), another one if the reads are verified | a random number (16) | id (16) |
 * page (4) | definitions' hash (32) | position … | undecodable (8) | now (8) | part … | parameters
 * … | sql | HMAC-SHA256 (32). Every daemon of a registry has the same key, so another daemon, or
 * this one after a restart, can resume. Names of tables and keys of rows are encrypted: a cell key
 * may have attributes that the role may not read.
 */
#pragma once

#include "core/exec/select.h"

G_BEGIN_DECLS

#define KVSQLD_CURSOR_ID_BYTES 16
#define KVSQLD_HASH_BYTES 32

/* A longer statement is not put into tokens: its cursors live only as long as they are in the
 * cache. */
#define KVSQLD_MAX_TOKEN_SQL (64 * 1024)

typedef struct
{
  guint8 id[KVSQLD_CURSOR_ID_BYTES];
  guint32 page; /* the page that the token asks for, from 1 */
  guint8 definitions[KVSQLD_HASH_BYTES];
  KvsqlSlice schema;
  KvsqlSelectPosition position;
  gboolean is_verified;  /* the reads of the statement */
  guint64 n_undecodable; /* undecodable cells before that page */
  gint64 now;            /* the value of now () in the statement; 0: evaluated when needed */
  KvsqlSlice sql;
  KvsqlValue *parameters;
  guint n_parameters;
} KvsqldCursorToken;

/* Makes an id that no other cursor has. */
void kvsqld_cursor_token_new_id (guint8 id[KVSQLD_CURSOR_ID_BYTES]);

GBytes *kvsqld_cursor_token_seal (const KvsqldCursorToken *self, GBytes *key);
/* Bytes are borrowed from @sealed or @arena, arrays from @arena. KVSQL_ERROR_BAD_CURSOR for a token
 * that is not authentic. */
gboolean kvsqld_cursor_token_open (KvsqlSlice sealed, GBytes *key, KvsqlArena *arena,
                                   KvsqldCursorToken *out,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Hash of the definitions that the token's position depends on: relation and schema. */
void kvsqld_definitions_hash (const KvsqlSelectPlan *plan, guint8 out[KVSQLD_HASH_BYTES]);

/* Whether the token's position is one in the schema and definitions of @plan. FALSE with
 * KVSQL_ERROR_BAD_CURSOR if not. */
gboolean kvsqld_cursor_token_check_definitions (const KvsqldCursorToken *self,
                                                const KvsqlSelectPlan *plan,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Set KVSQL_ERROR_BAD_CURSOR, and return FALSE. */
gboolean kvsqld_cursor_fail (const gchar *why, const gchar *hint, GError **error);
gboolean kvsqld_cursor_fail_changed (GError **error);

/* Of a cursor of kvsqld_service_partition(). 0 would mean any page of a warm cursor. */
#define KVSQLD_FIRST_PAGE_OF_PART 1

/* Whether the relations and schemas that @plan reads still have the same definitions. */
gboolean kvsqld_definitions_hold (const KvsqlSelectPlan *plan, const KvsqlCatalog *catalog);

G_END_DECLS
