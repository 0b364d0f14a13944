/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * member-paths.c: see the header.
 */
#include "config.h"

#include "core/layout/member-paths.h"

#include "core/base/json.h"

/* ---- one path */

static gboolean
fail_path (KvsqlSpan span, const gchar *problem, const gchar *hint, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, span, "the path %s", problem);
  return kvsql_error_hint (error, "%s", hint);
}

static gboolean
is_plain (guint8 byte)
{
  return g_ascii_isalnum ((gchar)byte) || byte == '_' || byte == '-' || byte == '$' || byte >= 0x80;
}

/* The size of "…" with its quotes; of what is left if the second one is missing. */
static gsize
quoted_size (KvsqlSlice text)
{
  gsize n = 1;

  while (n < text.size && text.data[n] != '"')
    n += text.data[n] == '\\' ? 2 : 1;
  return MIN (n + 1, text.size);
}

static gboolean
read_key (KvsqlSlice text, KvsqlArena *arena, KvsqlSlice *out_key, gsize *out_size)
{
  KvsqlJson quoted;
  gsize n = 0;

  if (text.size > 0 && text.data[0] == '"')
    {
      *out_size = quoted_size (text);
      if (!kvsql_json_read (kvsql_slice (text.data, *out_size), arena, &quoted, NULL)
          || quoted.kind != KVSQL_JSON_STRING)
        return FALSE;
      *out_key = kvsql_slice_dup (arena, quoted.string);
      return TRUE;
    }
  while (n < text.size && is_plain (text.data[n]))
    n++;
  *out_size = n;
  *out_key = kvsql_slice_dup (arena, kvsql_slice (text.data, n));
  return n > 0;
}

gboolean
kvsql_member_path_read (KvsqlSlice text, KvsqlSpan span, KvsqlArena *arena, KvsqlMemberPath *out,
                        GError **error)
{
  static const gchar hint[] = "A path is '$.name', '$.outer.inner' or '$.\"any key\"'; '$' holds "
                              "the members that no other path names.";
  KvsqlSlice rest = text;
  gsize size;

  if (rest.size == 0 || rest.data[0] != '$')
    return fail_path (span, "does not begin with $", hint, error);
  *out = (KvsqlMemberPath){ .keys
                            = kvsql_arena_array (arena, KvsqlSlice, KVSQL_MEMBER_PATH_MAX_KEYS) };
  for (rest = kvsql_slice (rest.data + 1, rest.size - 1); rest.size > 0;
       rest = kvsql_slice (rest.data + size, rest.size - size))
    {
      if (rest.data[0] == '[')
        return fail_path (span, "has an index of a list", "Hold the list as a LIST or a JSONB.",
                          error);
      if (rest.data[0] != '.')
        return fail_path (span,
                          is_plain (rest.data[0]) || rest.data[0] == '"'
                              ? "has no . before a key"
                              : "has a character that only a key in quotes may have",
                          hint, error);
      if (out->n_keys == KVSQL_MEMBER_PATH_MAX_KEYS)
        return fail_path (span, "has too many keys",
                          "At most " G_STRINGIFY (KVSQL_MEMBER_PATH_MAX_KEYS) " are possible.",
                          error);
      rest = kvsql_slice (rest.data + 1, rest.size - 1);
      if (!read_key (rest, arena, &out->keys[out->n_keys++], &size))
        return fail_path (span, "has a key that is not valid", hint, error);
    }
  return TRUE;
}

/* ---- the tree */

KvsqlMemberNode *
kvsql_member_node_find (const KvsqlMemberNode *self, KvsqlSlice key)
{
  for (KvsqlMemberNode *child = self->first; child != NULL; child = child->next)
    if (kvsql_slice_equal (child->key, key))
      return child;
  return NULL;
}

static KvsqlMemberNode *
add_child (KvsqlMemberNode *parent, KvsqlSlice key, KvsqlArena *arena)
{
  KvsqlMemberNode *child = kvsql_arena_new0 (arena, KvsqlMemberNode);

  child->key = key;
  if (parent->first == NULL)
    parent->first = child;
  else
    parent->last->next = child;
  parent->last = child;
  return child;
}

static gboolean
fail_twice (KvsqlSpan span, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, span,
                          "the path is that of another element, or one is inside of the other")
         || kvsql_error_hint (error, "To hold an object and a member of it, hold the member, and "
                                     "the rest by json('$'){…}.");
}

gboolean
kvsql_member_paths_add (KvsqlMemberPaths *self, const KvsqlMemberPath *path,
                        const KvsqlElement *member, KvsqlSpan span, KvsqlArena *arena,
                        GError **error)
{
  KvsqlMemberNode *node = &self->root;
  gboolean is_new = FALSE;

  if (path->n_keys == 0)
    {
      if (self->rest != NULL)
        return fail_twice (span, error);
      self->rest = member;
      return TRUE;
    }
  for (guint i = 0; i < path->n_keys; i++)
    {
      KvsqlMemberNode *child = kvsql_member_node_find (node, path->keys[i]);

      is_new = child == NULL;
      node = is_new ? add_child (node, path->keys[i], arena) : child;
      if (node->member != NULL)
        return fail_twice (span, error);
    }
  if (!is_new)
    return fail_twice (span, error);
  node->member = member;
  return TRUE;
}
