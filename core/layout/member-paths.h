/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * member-paths.h: paths to members of a JSON text, and the tree of several of them.
 *
 * A path is a part of SQL/JSON's: '$.name', '$.outer.inner' and '$."any key"', with the escapes of
 * JSON in the quotes. '$' alone means the members that no other path names. Everything lives
 * in an arena and is immutable after it was made.
 */
#pragma once

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

#define KVSQL_MEMBER_PATH_MAX_KEYS 32

typedef struct _KvsqlElement KvsqlElement; /* core/layout/element.h */

typedef struct
{
  KvsqlSlice *keys;
  guint n_keys; /* 0: '$' */
} KvsqlMemberPath;

typedef struct _KvsqlMemberNode KvsqlMemberNode;

/* The members of an object. */
struct _KvsqlMemberNode
{
  KvsqlSlice key;
  const KvsqlElement *member; /* nullable: NULL: an object with children */
  KvsqlMemberNode *first;     /* of the children */
  KvsqlMemberNode *last;
  KvsqlMemberNode *next;
};

typedef struct
{
  KvsqlMemberNode root;
  const KvsqlElement *rest; /* nullable: '$' */
} KvsqlMemberPaths;

/* @span: of the text, for errors. */
gboolean kvsql_member_path_read (KvsqlSlice text, KvsqlSpan span, KvsqlArena *arena,
                                 KvsqlMemberPath *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* FALSE and an error at @span if the path is there, or if one of both is inside of the other. */
gboolean kvsql_member_paths_add (KvsqlMemberPaths *self, const KvsqlMemberPath *path,
                                 const KvsqlElement *member, KvsqlSpan span, KvsqlArena *arena,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* (nullable) */
KvsqlMemberNode *kvsql_member_node_find (const KvsqlMemberNode *self, KvsqlSlice key);

G_END_DECLS
