/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * options.h: DEFINE SCHEMA … WITH (…).
 */
#pragma once

#include "core/layout/cell.h"

G_BEGIN_DECLS

/* The use of a schema. */
typedef enum
{
  KVSQL_ROLE_ANY,
  KVSQL_ROLE_READ,   /* never written by kvsql: another program writes it */
  KVSQL_ROLE_WRITE,  /* never read, unless USING SCHEMA names it */
  KVSQL_ROLE_SHADOW, /* as WRITE; tuples that its layout cannot hold are not written to it */
} KvsqlSchemaRole;

/* The state of a schema that was added to a relation with tuples. It is part of the definition, so
 * that every daemon knows it: WITH (state = …). */
typedef enum
{
  KVSQL_STATE_READABLE,
  KVSQL_STATE_DELETING,   /* writes only delete cells of old tuples, as not every daemon writes to
                           * the schema yet */
  KVSQL_STATE_BUILDING,   /* written, but it may lack tuples */
  KVSQL_STATE_REBUILDING, /* as BUILDING, and its tables may have old cells of it */
} KvsqlSchemaState;

typedef struct
{
  KvsqlSchemaRole role;
  KvsqlSchemaState state;
  gboolean fails_undecodable; /* a cell that fits no layout is an error */
  gboolean create_tables;     /* default TRUE */
  const gchar *compression;   /* nullable, as the next two */
  const gchar *bloom;
  const gchar *block_encoding;
  gint versions; /* 0: not given */
  gint ttl_seconds;
  KvsqlSlice *splits;
  guint n_splits;
  KvsqlSlice marker;       /* data NULL: none */
  KvsqlSlice marker_value; /* empty if not given */
} KvsqlSchemaOptions;

/* Parses the options into @out, whose bytes live in @arena. */
gboolean kvsql_schema_options_read (const KvsqlDefineSchema *definition, KvsqlArena *arena,
                                    KvsqlSchemaOptions *out,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

const gchar *kvsql_schema_role_get_name (KvsqlSchemaRole role); /* "read and write", "read", … */
const gchar *kvsql_schema_state_get_name (KvsqlSchemaState state); /* "readable", … */

G_END_DECLS
