/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cursor-token.h: what a cursor is on the wire: enough to go on anywhere, and a proof that it is
 * ours.
 *
 * token = version (1) | id (16) | page (4) | definitions' hash (32) | place … | now (8) | part …
 * | parameters … | sql | HMAC-SHA256 (32). Every daemon of a registry has the same key, so another
 * daemon, or this one restarted, can go on.
 */
#pragma once

#include "core/exec/select.h"

G_BEGIN_DECLS

#define KVSQLD_CURSOR_ID_BYTES 16
#define KVSQLD_HASH_BYTES 32

typedef struct
{
  guint8 id[KVSQLD_CURSOR_ID_BYTES];
  guint32 page; /* the one that the token asks for, from 1 */
  guint8 definitions[KVSQLD_HASH_BYTES];
  KvsqlSlice schema;
  KvsqlSelectPosition position;
  gint64 now; /* what now () is in the statement; 0: whenever it is asked for */
  KvsqlSlice sql;
  KvsqlValue *parameters;
  guint n_parameters;
} KvsqldCursorToken;

/* An id that no other cursor has. */
void kvsqld_cursor_token_new_id (guint8 id[KVSQLD_CURSOR_ID_BYTES]);

GBytes *kvsqld_cursor_token_seal (const KvsqldCursorToken *self, GBytes *key);
/* Bytes borrowed from @sealed, arrays from @arena. KVSQL_ERROR_BAD_CURSOR for anything that is not
 * ours. */
gboolean kvsqld_cursor_token_open (KvsqlSlice sealed, GBytes *key, KvsqlArena *arena,
                                   KvsqldCursorToken *out, GError **error);

/* What the token's place depends on: relation and schema as they are defined. */
void kvsqld_definitions_hash (const KvsqlSelectPlan *plan, guint8 out[KVSQLD_HASH_BYTES]);

G_END_DECLS
