/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-json-change.c: JSONB that is made of JSONB: ||, -, #-, jsonb_set, jsonb_insert,
 * jsonb_strip_nulls, jsonb_pretty.
 */
#include "config.h"

#include "core/expr/function.h"

#include "core/base/interrupt.h"
#include "core/expr/json-argument.h"

static gboolean
fail (GError **error, const gchar *sqlstate, const gchar *message)
{
  kvsql_function_fail (error, "%s", message);
  return kvsql_error_sqlstate (error, sqlstate);
}

static gboolean
is_scalar (const KvsqlJson *self)
{
  return self->kind < KVSQL_JSON_ARRAY;
}

/* An array or object like @self without items, with room for @n. */
static KvsqlJson
empty_like (const KvsqlJson *self, guint n, KvsqlArena *arena)
{
  KvsqlJson made = { .kind = self->kind };

  made.items = kvsql_arena_array (arena, KvsqlJson, n + 1);
  if (self->kind == KVSQL_JSON_OBJECT)
    made.keys = kvsql_arena_array (arena, KvsqlSlice, n + 1);
  return made;
}

/* @key is for objects. */
static void
add (KvsqlJson *self, KvsqlSlice key, const KvsqlJson *item)
{
  if (self->kind == KVSQL_JSON_OBJECT)
    self->keys[self->n] = key;
  self->items[self->n++] = *item;
}

static void
add_from (KvsqlJson *self, const KvsqlJson *from, guint i)
{
  add (self, from->kind == KVSQL_JSON_OBJECT ? from->keys[i] : KVSQL_SLICE_EMPTY, &from->items[i]);
}

/* ---- || */

/* What is not an array is the one element of an array. */
static KvsqlJson
as_array (KvsqlJson *self)
{
  return self->kind == KVSQL_JSON_ARRAY
             ? *self
             : (KvsqlJson){ .kind = KVSQL_JSON_ARRAY, .n = 1, .items = self };
}

static gboolean
concatenate (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJson a, b, all;

  if (!kvsql_json_read (arguments[0].bytes, scratch, &a, error)
      || !kvsql_json_read (arguments[1].bytes, scratch, &b, error))
    return FALSE;
  if (a.kind != KVSQL_JSON_OBJECT || b.kind != KVSQL_JSON_OBJECT)
    {
      KvsqlJson first = a, second = b;

      a = as_array (&first);
      b = as_array (&second);
      all = empty_like (&a, a.n + b.n, scratch);
      for (guint i = 0; i < a.n; i++)
        add_from (&all, &a, i);
      for (guint i = 0; i < b.n; i++)
        add_from (&all, &b, i);
      return kvsql_json_set_tree (call, &all, out, error);
    }
  all = empty_like (&a, a.n + b.n, scratch);
  for (guint i = 0; i < a.n; i++)
    add_from (&all, &a, i);
  for (guint i = 0; i < b.n; i++)
    add_from (&all, &b, i);
  return kvsql_json_normalise (&all, scratch, error) /* the last member of a key stays */
         && kvsql_json_set_tree (call, &all, out, error);
}

/* ---- - */

static gboolean
is_one_of (const KvsqlJsonPath *keys, KvsqlSlice key)
{
  for (guint i = 0; i < keys->n; i++)
    if (!keys->is_null[i] && kvsql_slice_equal (keys->steps[i], key))
      return TRUE;
  return FALSE;
}

/* Removes members with these keys, or strings of an array that are equal to one. */
static gboolean
remove_keys (const KvsqlFunctionCall *call, const KvsqlValue *value, const KvsqlJsonPath *keys,
             KvsqlValue *out, GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJson tree, kept;

  if (!kvsql_json_read (value->bytes, scratch, &tree, error))
    return FALSE;
  if (is_scalar (&tree))
    return fail (error, "22023", "cannot delete from scalar");
  kept = empty_like (&tree, tree.n, scratch);
  for (guint i = 0; i < tree.n && kvsql_interrupt_tick (); i++)
    if (tree.kind == KVSQL_JSON_OBJECT
            ? !is_one_of (keys, tree.keys[i])
            : tree.items[i].kind != KVSQL_JSON_STRING || !is_one_of (keys, tree.items[i].string))
      add_from (&kept, &tree, i);
  return kvsql_json_set_tree (call, &kept, out, error);
}

static gboolean
remove_key (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  KvsqlSlice key = arguments[1].bytes;
  gboolean is_null = FALSE;
  KvsqlJsonPath keys = { &key, &is_null, 1 };

  return remove_keys (call, &arguments[0], &keys, out, error);
}

static gboolean
remove_list (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  KvsqlJsonPath keys;

  kvsql_json_path_read (&arguments[1], call->arena, &keys);
  return remove_keys (call, &arguments[0], &keys, out, error);
}

static gboolean
remove_index (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJson tree, kept;
  const KvsqlJson *removed;

  if (!kvsql_json_read (arguments[0].bytes, scratch, &tree, error))
    return FALSE;
  if (is_scalar (&tree))
    return fail (error, "22023", "cannot delete from scalar");
  if (tree.kind == KVSQL_JSON_OBJECT)
    return fail (error, "22023", "cannot delete from object using integer index");
  removed = kvsql_json_at (&tree, arguments[1].integer);
  kept = empty_like (&tree, tree.n, scratch);
  for (guint i = 0; i < tree.n; i++)
    if (&tree.items[i] != removed)
      add_from (&kept, &tree, i);
  return kvsql_json_set_tree (call, &kept, out, error);
}

/* ---- changes at a path */

typedef enum
{
  REPLACE,
  CREATE, /* or replace */
  INSERT_BEFORE,
  INSERT_AFTER,
  DELETE,
} Change;

typedef struct
{
  const KvsqlJsonPath *path;
  Change change;
  const KvsqlJson *value; /* not for DELETE */
  KvsqlArena *arena;
  GError **error;
} Changer;

static gboolean change_at (const Changer *self, guint level, KvsqlJson *inout);

static gboolean
adds (const Changer *self)
{
  return self->change != REPLACE && self->change != DELETE;
}

static gboolean
change_object (const Changer *self, guint level, KvsqlJson *inout)
{
  gboolean is_last = level + 1 == self->path->n;
  KvsqlSlice key = self->path->steps[level];
  KvsqlJson *found = kvsql_json_find (inout, key), made;

  if (found != NULL && !is_last)
    return change_at (self, level + 1, found);
  if (!is_last || (found == NULL && !adds (self)))
    return TRUE;
  if (found != NULL && (self->change == INSERT_BEFORE || self->change == INSERT_AFTER))
    return fail (self->error, "22023", "cannot replace existing key")
           || kvsql_error_hint (self->error, "Try using the function jsonb_set to replace key "
                                             "value.");
  if (found != NULL && self->change != DELETE)
    {
      *found = *self->value;
      return TRUE;
    }
  made = empty_like (inout, inout->n + 1, self->arena);
  for (guint i = 0; i < inout->n; i++)
    if (&inout->items[i] != found)
      add_from (&made, inout, i);
  if (found == NULL)
    add (&made, key, self->value);
  *inout = made;
  return kvsql_json_normalise (inout, self->arena, self->error);
}

/* The element at @place, which is the last step. */
static void
change_element (const Changer *self, KvsqlJson *made, const KvsqlJson *old)
{
  if (self->change == INSERT_BEFORE || self->change == CREATE || self->change == REPLACE)
    add (made, KVSQL_SLICE_EMPTY, self->value);
  if (self->change == INSERT_BEFORE || self->change == INSERT_AFTER)
    add (made, KVSQL_SLICE_EMPTY, old);
  if (self->change == INSERT_AFTER)
    add (made, KVSQL_SLICE_EMPTY, self->value);
}

static gboolean
change_array (const Changer *self, guint level, KvsqlJson *inout)
{
  gboolean is_last = level + 1 == self->path->n, is_before = FALSE;
  KvsqlJson made;
  gint64 index;

  if (!kvsql_json_path_index (self->path->steps[level], &index))
    {
      g_autofree gchar *shown = kvsql_readable (self->path->steps[level]);

      kvsql_function_fail (self->error, "path element at position %u is not an integer: \"%s\"",
                           level + 1, shown);
      return kvsql_error_sqlstate (self->error, "22P02");
    }
  if (index < 0)
    {
      is_before = -index > inout->n;
      index += inout->n;
    }
  if (!is_last)
    return is_before || index >= inout->n || change_at (self, level + 1, &inout->items[index]);
  made = empty_like (inout, inout->n + 1, self->arena);
  if (is_before && adds (self))
    add (&made, KVSQL_SLICE_EMPTY, self->value);
  for (guint i = 0; i < inout->n; i++)
    if (!is_before && i == index)
      change_element (self, &made, &inout->items[i]);
    else
      add (&made, KVSQL_SLICE_EMPTY, &inout->items[i]);
  if (!is_before && index >= inout->n && adds (self))
    add (&made, KVSQL_SLICE_EMPTY, self->value);
  *inout = made;
  return TRUE;
}

static gboolean
change_at (const Changer *self, guint level, KvsqlJson *inout)
{
  if (self->path->is_null[level])
    {
      kvsql_function_fail (self->error, "path element at position %u is null", level + 1);
      return kvsql_error_sqlstate (self->error, "22004");
    }
  if (inout->kind == KVSQL_JSON_OBJECT)
    return change_object (self, level, inout);
  return inout->kind != KVSQL_JSON_ARRAY || change_array (self, level, inout);
}

static gboolean
change_path (const KvsqlFunctionCall *call, const KvsqlValue *arguments, Change change,
             KvsqlValue *out, GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJson tree, value;
  KvsqlJsonPath path;
  const Changer changer
      = { .path = &path, .change = change, .value = &value, .arena = scratch, .error = error };

  kvsql_json_path_read (&arguments[1], scratch, &path);
  if (!kvsql_json_read (arguments[0].bytes, scratch, &tree, error)
      || (change != DELETE && !kvsql_json_read (arguments[2].bytes, scratch, &value, error)))
    return FALSE;
  if (is_scalar (&tree))
    return fail (error, "22023",
                 change == DELETE ? "cannot delete path in scalar" : "cannot set path in scalar");
  if (path.n > 0 && (tree.n > 0 || adds (&changer)) && !change_at (&changer, 0, &tree))
    return FALSE;
  return kvsql_json_set_tree (call, &tree, out, error);
}

static gboolean
remove_path (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  return change_path (call, arguments, DELETE, out, error);
}

static gboolean
jsonb_set (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  return change_path (call, arguments, CREATE, out, error);
}

static gboolean
jsonb_set_or_not (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                  GError **error)
{
  return change_path (call, arguments, arguments[3].boolean ? CREATE : REPLACE, out, error);
}

static gboolean
jsonb_insert (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  return change_path (call, arguments, INSERT_BEFORE, out, error);
}

static gboolean
jsonb_insert_after (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                    GError **error)
{
  return change_path (call, arguments, arguments[3].boolean ? INSERT_AFTER : INSERT_BEFORE, out,
                      error);
}

/* ---- without nulls, and in lines */

/* Members that are null, at all levels. */
static void
strip_nulls (KvsqlJson *self)
{
  guint n = 0;

  if (is_scalar (self))
    return;
  for (guint i = 0; i < self->n && kvsql_interrupt_tick (); i++)
    {
      if (self->kind == KVSQL_JSON_OBJECT && self->items[i].kind == KVSQL_JSON_NULL)
        continue;
      strip_nulls (&self->items[i]);
      self->items[n] = self->items[i];
      if (self->kind == KVSQL_JSON_OBJECT)
        self->keys[n] = self->keys[i];
      n++;
    }
  self->n = n;
}

static gboolean
jsonb_strip_nulls (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJson tree;

  if (!kvsql_json_read (arguments[0].bytes, scratch, &tree, error))
    return FALSE;
  strip_nulls (&tree);
  return kvsql_json_set_tree (call, &tree, out, error);
}

/* JSON without blanks. Numbers stay as they are written. */
static void
append_compact (const KvsqlJson *self, GString *out)
{
  gboolean is_object = self->kind == KVSQL_JSON_OBJECT;

  if (is_scalar (self))
    {
      kvsql_json_append (self, out);
      return;
    }
  g_string_append_c (out, is_object ? '{' : '[');
  for (guint i = 0; i < self->n && kvsql_interrupt_tick (); i++)
    {
      g_string_append (out, i > 0 ? "," : "");
      if (is_object)
        {
          kvsql_json_append_string (self->keys[i], out);
          g_string_append_c (out, ':');
        }
      append_compact (&self->items[i], out);
    }
  g_string_append_c (out, is_object ? '}' : ']');
}

static gboolean
json_strip_nulls (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                  GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  KvsqlJson tree;

  if (!kvsql_json_read (arguments[0].bytes, scratch, &tree, error))
    return FALSE;
  strip_nulls (&tree);
  append_compact (&tree, text);
  return kvsql_json_set_text (call, text, out, error);
}

static gboolean
jsonb_pretty (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  KvsqlJson tree;

  if (!kvsql_json_read (arguments[0].bytes, scratch, &tree, error))
    return FALSE;
  kvsql_json_append_pretty (&tree, text);
  return kvsql_function_set_text (call, kvsql_slice (text->str, text->len), out, error)
         && kvsql_interrupt_poll (error);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("||", JSONB, JSONB, JSONB, concatenate),
  KVSQL_FUNCTION_2 ("-", JSONB, STRING, JSONB, remove_key),
  KVSQL_FUNCTION_2 ("-", JSONB, INT, JSONB, remove_index),
  KVSQL_FUNCTION_2 ("-", JSONB, LIST, JSONB, remove_list),
  KVSQL_FUNCTION_2 ("#-", JSONB, LIST, JSONB, remove_path),
  KVSQL_FUNCTION_3 ("jsonb_set", JSONB, LIST, JSONB, JSONB, jsonb_set),
  KVSQL_FUNCTION_4 ("jsonb_set", JSONB, LIST, JSONB, BOOLEAN, JSONB, jsonb_set_or_not),
  KVSQL_FUNCTION_3 ("jsonb_insert", JSONB, LIST, JSONB, JSONB, jsonb_insert),
  KVSQL_FUNCTION_4 ("jsonb_insert", JSONB, LIST, JSONB, BOOLEAN, JSONB, jsonb_insert_after),
  KVSQL_FUNCTION_1 ("jsonb_strip_nulls", JSONB, JSONB, jsonb_strip_nulls),
  KVSQL_FUNCTION_1 ("json_strip_nulls", JSON, JSON, json_strip_nulls),
  KVSQL_FUNCTION_1 ("jsonb_pretty", JSONB, STRING, jsonb_pretty),
};

const KvsqlFunctionFamily kvsql_functions_json_change = { functions, G_N_ELEMENTS (functions) };
