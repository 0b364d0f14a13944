/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ast-copy.h: the part of the abstract syntax tree for COPY.
 */
#pragma once

#include <glib.h>

#include "core/base/error.h"

G_BEGIN_DECLS

typedef struct _KvsqlName KvsqlName; /* ast-definition.h */

typedef enum
{
  KVSQL_COPY_TEXT,
  KVSQL_COPY_CSV,
  KVSQL_COPY_BINARY,
} KvsqlCopyFormat;

typedef enum
{
  KVSQL_COPY_NO_HEADER,
  KVSQL_COPY_HEADER,
  KVSQL_COPY_HEADER_MATCH, /* of FROM: the names in it are checked */
} KvsqlCopyHeader;

/* The attributes of an option: (a, b) or *. */
typedef struct
{
  gboolean is_all;
  KvsqlName *names;
  guint n_names;
} KvsqlCopyColumns;

/* COPY r [(a, …)] FROM STDIN, COPY r [(a, …)] | (query) TO STDOUT, with options. All options have
 * their values, given or not; those of another format mean nothing. */
typedef struct _KvsqlCopy
{
  gboolean is_from;
  KvsqlName *relation; /* NULL: a query */
  KvsqlName *attributes;
  guint n_attributes;         /* 0: all */
  struct _KvsqlSelect *query; /* nullable */
  KvsqlSpan query_span;       /* without the parentheses */
  KvsqlCopyFormat format;
  gchar delimiter;
  const gchar *null; /* how NULL is written */
  KvsqlCopyHeader header;
  gchar quote, escape; /* of CSV, as the next ones */
  KvsqlCopyColumns force_quote;
  KvsqlCopyColumns force_not_null;
  KvsqlCopyColumns force_null;
} KvsqlCopy;

G_END_DECLS
