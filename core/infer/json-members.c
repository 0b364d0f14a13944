/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * json-members.c: see json-members.h.
 */
#include "config.h"

#include "core/infer/json-members.h"

#include "core/base/conversion.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/infer/columns.h"
#include "core/infer/json-text.h"
#include "core/infer/text-value.h"

/* One piece is for what has no attribute. */
#define MAX_MEMBERS (KVSQL_INFER_MAX_PIECES - 1)
#define MAX_LEVELS 3
/* An object with more members is rather a map. */
#define MAX_CHILDREN 8
/* A member is in common if one of so many documents has it. */
#define RARE 10

typedef struct _Member Member;

struct _Member
{
  const gchar *path;
  KvsqlSlice key;
  guint counts[KVSQL_JSON_OBJECT + 1]; /* by kind */
  guint n_integers, n_small;           /* of the numbers; small: an INT */
  GPtrArray *children;                 /* (element-type Member): in the order of their arrival */
};

typedef struct
{
  KvsqlArena *arena;
  guint n_documents;
  KvsqlInferLayout *out;
} Writer;

/* ---- counting */

static Member *
member_new (const Member *parent, KvsqlSlice key, KvsqlArena *arena)
{
  Member *self = kvsql_arena_new0 (arena, Member);
  g_autoptr (GString) path = g_string_new (parent->path);

  g_string_append_c (path, '.');
  if (kvsql_infer_is_name (key))
    g_string_append_len (path, (const gchar *)key.data, (gssize)key.size);
  else
    kvsql_json_append_string (key, path);
  self->path = kvsql_arena_strdup (arena, path->str);
  self->key = kvsql_slice_dup (arena, key);
  self->children = g_ptr_array_new ();
  return self;
}

static void
member_clear (Member *self)
{
  for (guint i = 0; i < self->children->len; i++)
    member_clear (self->children->pdata[i]);
  g_ptr_array_unref (self->children);
}

static Member *
find_child (Member *self, KvsqlSlice key, KvsqlArena *arena)
{
  for (guint i = 0; i < self->children->len; i++)
    if (kvsql_slice_equal (((Member *)self->children->pdata[i])->key, key))
      return self->children->pdata[i];
  /* more are not used */
  if (self->children->len > 4 * MAX_MEMBERS)
    return NULL;
  g_ptr_array_add (self->children, member_new (self, key, arena));
  return self->children->pdata[self->children->len - 1];
}

static void
count_number (Member *self, KvsqlSlice text, KvsqlArena *arena)
{
  KvsqlValue number;

  self->n_integers += kvsql_value_parse (KVSQL_TYPE_BIGINT, text, arena, &number, NULL);
  self->n_small += kvsql_value_parse (KVSQL_TYPE_INT, text, arena, &number, NULL);
}

static void
count_value (Member *self, const KvsqlJson *value, guint level, KvsqlArena *arena)
{
  self->counts[value->kind]++;
  if (value->kind == KVSQL_JSON_NUMBER)
    count_number (self, value->string, arena);
  if (value->kind != KVSQL_JSON_OBJECT || level == MAX_LEVELS)
    return;
  for (guint i = 0; i < value->n && kvsql_interrupt_tick (); i++)
    {
      Member *child = find_child (self, value->keys[i], arena);

      if (child != NULL)
        count_value (child, &value->items[i], level + 1, arena);
    }
}

/* ---- choosing */

static guint
count_values (const Member *self)
{
  guint n = 0;

  for (guint kind = KVSQL_JSON_NULL + 1; kind < G_N_ELEMENTS (self->counts); kind++)
    n += self->counts[kind];
  return n;
}

static KvsqlType
type_of (const Member *self)
{
  guint n = count_values (self);

  if (self->counts[KVSQL_JSON_STRING] == n)
    return KVSQL_TYPE_STRING;
  if (self->counts[KVSQL_JSON_BOOLEAN] == n)
    return KVSQL_TYPE_BOOLEAN;
  if (self->counts[KVSQL_JSON_NUMBER] < n)
    return KVSQL_TYPE_JSON;
  if (self->n_integers < n)
    return KVSQL_TYPE_DOUBLE;
  return self->n_small == n ? KVSQL_TYPE_INT : KVSQL_TYPE_BIGINT;
}

/* The key as the name of an attribute. */
static const gchar *
name_of (const Member *self, KvsqlArena *arena)
{
  gchar *name = kvsql_arena_strndup (arena, (const gchar *)self->key.data, self->key.size);

  for (gchar *at = name; *at != '\0'; at++)
    *at = g_ascii_isalnum (*at) ? *at : '_';
  return kvsql_infer_is_name (kvsql_slice_from_text (name)) ? name : "member";
}

static void
add_piece (const Writer *self, const gchar *path, KvsqlType type, const gchar *stem)
{
  const gchar *literal = kvsql_infer_literal (self->arena, kvsql_slice_from_text (path));

  self->out->pieces[self->out->n++]
      = (KvsqlInferPiece){ .kind = KVSQL_INFER_ATTRIBUTE,
                           .before = kvsql_arena_printf (self->arena, "json(%s){", literal),
                           .inner_before = "`",
                           .inner_after = "`",
                           .after = "}",
                           .type = type,
                           .stem = stem };
}

/* Whether the members of the value are attributes. */
static gboolean
is_taken_apart (const Member *self)
{
  return self->children->len > 0 && self->children->len <= MAX_CHILDREN
         && self->counts[KVSQL_JSON_OBJECT] == count_values (self);
}

static void
write_members (const Writer *self, const Member *object)
{
  for (guint i = 0; i < object->children->len && self->out->n < MAX_MEMBERS; i++)
    {
      const Member *member = object->children->pdata[i];
      guint n = count_values (member);

      if (n == 0 || n < self->n_documents / RARE)
        continue;
      if (is_taken_apart (member))
        write_members (self, member);
      else
        add_piece (self, member->path, type_of (member), name_of (member, self->arena));
    }
}

/* Reads one document in an arena of its own. FALSE: it is no object. */
static gboolean
count_document (Member *root, KvsqlSlice text, KvsqlArena *arena)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJson document;

  if (text.size > KVSQL_INFER_MAX_DOCUMENT)
    return TRUE;
  if (!kvsql_json_read (text, scratch, &document, NULL) || document.kind != KVSQL_JSON_OBJECT)
    return FALSE;
  count_value (root, &document, 0, arena);
  return TRUE;
}

gboolean
kvsql_infer_json_members (KvsqlArena *arena, const KvsqlSlice *values, guint n,
                          KvsqlInferLayout *out)
{
  Member root = { .path = "$", .children = g_ptr_array_new () };
  const Writer writer = { arena, n, out };
  gboolean are_objects = TRUE;

  *out = (KvsqlInferLayout){ .n = 0 };
  for (guint i = 0; i < n && are_objects && kvsql_interrupt_spend (8); i++)
    are_objects = count_document (&root, values[i], arena);
  if (are_objects)
    write_members (&writer, &root);
  member_clear (&root);
  if (out->n == 0)
    return FALSE;
  add_piece (&writer, "$", KVSQL_TYPE_JSONB, "rest");
  return TRUE;
}
