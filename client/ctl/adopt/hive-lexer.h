/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-lexer.h: the words of a text in HiveQL.
 *
 * The text may have the frame that beeline draws around the answers of Hive.
 */
#pragma once

#include "client/ctl/adopt/text-error.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLCTL_HIVE_WORD,   /* a keyword, a name or a number */
  KVSQLCTL_HIVE_QUOTED, /* a name in back-quotes */
  KVSQLCTL_HIVE_TEXT,   /* in single or double quotes */
  KVSQLCTL_HIVE_SIGN,   /* any other character */
  KVSQLCTL_HIVE_END,
} KvsqlctlHiveTokenKind;

typedef struct
{
  KvsqlctlHiveTokenKind kind;
  gsize start, end;
  guint line;   /* from 1 */
  gchar *value; /* without quotes and escapes; of the end, "" */
} KvsqlctlHiveToken;

typedef struct
{
  gchar *text; /* without the frame; positions are those of the user's text */
  gsize size;
  GArray *tokens; /* (element-type KvsqlctlHiveToken): the last one is the end */
} KvsqlctlHiveTokens;

/* Splits a text. FALSE: *error says what is wrong. */
gboolean kvsqlctl_hive_tokens_init (KvsqlctlHiveTokens *self, const gchar *text, gsize size,
                                    KvsqlctlTextError *error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqlctl_hive_tokens_clear (KvsqlctlHiveTokens *self);

static inline const KvsqlctlHiveToken *
kvsqlctl_hive_tokens_at (const KvsqlctlHiveTokens *self, guint place)
{
  return &g_array_index (self->tokens, KvsqlctlHiveToken, MIN (place, self->tokens->len - 1));
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlctlHiveTokens, kvsqlctl_hive_tokens_clear)

G_END_DECLS
