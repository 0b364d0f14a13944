/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * relation-options.c: a table of relation options, one line for each.
 */
#include "config.h"

#include "core/schema/relation-options.h"

#define ID_BYTES 8

#define MODES "plain, checked or blind"

static const gchar *const modes[] = { "plain", "checked", "blind", "paused" };

const gchar *
kvsql_write_mode_get_name (KvsqlWriteMode mode)
{
  return modes[mode];
}

/* ---- reading */

/* What the readers of options fill. */
typedef struct
{
  KvsqlRelationOptions *out;
  guint n_attributes;
  KvsqlArena *arena;
} Reading;

static gboolean
read_mode (const KvsqlOption *option, KvsqlWriteMode *out, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (kvsql_option_is_word (option, modes[i]))
      {
        *out = (KvsqlWriteMode)i;
        return TRUE;
      }
  return kvsql_option_fail (option, MODES, error);
}

static gboolean
read_writes (const KvsqlOption *option, const Reading *self, GError **error)
{
  return read_mode (option, &self->out->writes, error);
}

static gboolean
read_insert (const KvsqlOption *option, const Reading *self, GError **error)
{
  self->out->is_unique = kvsql_option_is_word (option, "unique");
  return self->out->is_unique || kvsql_option_is_word (option, "replace")
         || kvsql_option_fail (option, "replace or unique", error);
}

static gboolean
read_constraints (const KvsqlOption *option, const Reading *self, GError **error)
{
  self->out->ignores_constraints = kvsql_option_is_word (option, "ignore");
  return self->out->ignores_constraints || kvsql_option_is_word (option, "refuse")
         || kvsql_option_fail (option, "refuse or ignore", error);
}

static gboolean
read_hidden_key (const KvsqlOption *option, const Reading *self, GError **error)
{
  if (option->value.type != KVSQL_TYPE_STRING)
    return kvsql_option_fail (option, "the name of an attribute", error);
  self->out->hidden_key = kvsql_arena_strndup (self->arena, (const gchar *)option->value.bytes.data,
                                               option->value.bytes.size);
  return TRUE;
}

static gboolean
read_former (const KvsqlOption *option, const Reading *self, GError **error)
{
  return read_mode (option, &self->out->former, error);
}

static gboolean
read_random (const KvsqlOption *option, guint64 *out, GError **error)
{
  if (option->value.type != KVSQL_TYPE_BYTES || option->value.bytes.size != ID_BYTES)
    return kvsql_option_fail (option, "8 bytes", error);
  *out = kvsql_get_be64 (option->value.bytes.data);
  return TRUE;
}

static gboolean
read_id (const KvsqlOption *option, const Reading *self, GError **error)
{
  return read_random (option, &self->out->id, error);
}

static gboolean
read_pause (const KvsqlOption *option, const Reading *self, GError **error)
{
  return read_random (option, &self->out->pause, error);
}

static gboolean
has_id (const guint16 *ids, guint n, guint64 id)
{
  for (guint i = 0; i < n; i++)
    if (ids[i] == id)
      return TRUE;
  return FALSE;
}

static gboolean
read_attribute_ids (const KvsqlOption *option, const Reading *self, GError **error)
{
  g_autofree gchar *text
      = option->value.type == KVSQL_TYPE_STRING
            ? g_strndup ((const gchar *)option->value.bytes.data, option->value.bytes.size)
            : g_strdup ("");
  g_auto (GStrv) words = g_strsplit (text, ",", 0);
  guint16 *ids = self->out->attribute_ids;
  gboolean ok = g_strv_length (words) == self->n_attributes;

  for (guint i = 0; i < self->n_attributes && ok; i++)
    {
      guint64 id;

      ok = g_ascii_string_to_unsigned (words[i], 10, 1, G_MAXUINT16, &id, NULL)
           && !has_id (ids, i, id);
      if (ok)
        ids[i] = (guint16)id;
    }
  return ok || kvsql_option_fail (option, "a different number for each attribute", error);
}

static gboolean
read_last_attribute_id (const KvsqlOption *option, const Reading *self, GError **error)
{
  if (option->value.type != KVSQL_TYPE_BIGINT || option->value.integer < 1
      || option->value.integer > G_MAXUINT16)
    return kvsql_option_fail (option, "a number up to 65535", error);
  self->out->last_attribute_id = (guint)option->value.integer;
  return TRUE;
}

static const struct
{
  const gchar *name;
  gboolean (*read) (const KvsqlOption *option, const Reading *self, GError **error);
  gboolean is_id; /* given by kvsql */
} known[] = {
  { "writes", read_writes, FALSE },
  { "insert", read_insert, FALSE },
  { "constraints", read_constraints, FALSE },
  { "hidden_key", read_hidden_key, FALSE },
  { "id", read_id, TRUE },
  { "attribute_ids", read_attribute_ids, TRUE },
  { "last_attribute_id", read_last_attribute_id, TRUE },
  { "pause", read_pause, TRUE },
  { "former", read_former, TRUE },
};

/* The index in the table. */
static gboolean
find (const KvsqlOption *option, guint *out, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_ascii_strcasecmp (option->name.text, known[i].name) == 0)
      {
        *out = i;
        return TRUE;
      }
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, option->span,
                   "relation option \"%s\" does not exist", option->name.text);
  return kvsql_error_hint (error, "The options are writes: " MODES ", insert: replace or "
                                  "unique, and constraints: refuse or ignore. Options of tables, "
                                  "as compression, belong to schemas.");
}

static gboolean
has_id_of_relation (KvsqlWriteMode mode)
{
  return mode == KVSQL_WRITES_CHECKED || mode == KVSQL_WRITES_BLIND;
}

/* What a word says; plain if there is none. */
static KvsqlWriteMode
find_mode (const KvsqlOptions *self, const gchar *name)
{
  const KvsqlOption *option = kvsql_options_find (self, name);

  for (guint i = 0; option != NULL && i < G_N_ELEMENTS (modes); i++)
    if (kvsql_option_is_word (option, modes[i]))
      return (KvsqlWriteMode)i;
  return KVSQL_WRITES_PLAIN;
}

KvsqlWriteMode
kvsql_relation_options_get_mode (const KvsqlOptions *self)
{
  const KvsqlWriteMode mode = find_mode (self, "writes");

  if (mode != KVSQL_WRITES_PAUSED)
    return mode;
  if (find_mode (self, "former") == KVSQL_WRITES_BLIND)
    return KVSQL_WRITES_BLIND;
  return kvsql_options_find (self, "id") != NULL ? KVSQL_WRITES_CHECKED : KVSQL_WRITES_PLAIN;
}

static void
fill_defaults (const Reading *self, KvsqlArena *arena)
{
  *self->out = (KvsqlRelationOptions){ .attribute_ids
                                       = kvsql_arena_array (arena, guint16, self->n_attributes) };
  for (guint i = 0; i < self->n_attributes; i++)
    self->out->attribute_ids[i] = (guint16)(i + 1);
}

gboolean
kvsql_relation_options_read (const KvsqlOptions *self, guint n_attributes, KvsqlArena *arena,
                             KvsqlRelationOptions *out, GError **error)
{
  const Reading reading = { .out = out, .n_attributes = n_attributes, .arena = arena };
  gboolean is_given[G_N_ELEMENTS (known)] = { FALSE };

  fill_defaults (&reading, arena);
  for (guint i = 0; i < self->n; i++)
    {
      const KvsqlOption *option = &self->items[i];
      guint index;

      if (!find (option, &index, error))
        return FALSE;
      if (is_given[index])
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, option->span,
                                "option \"%s\" is given twice", option->name.text);
      is_given[index] = TRUE;
      if (!known[index].read (option, &reading, error))
        return FALSE;
    }
  for (guint i = 0; i < n_attributes; i++)
    out->last_attribute_id = MAX (out->last_attribute_id, out->attribute_ids[i]);
  out->former = kvsql_relation_options_get_mode (self);
  if (out->is_unique && out->former == KVSQL_WRITES_BLIND)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION,
                            kvsql_options_find (self, "insert")->span,
                            "blind writes do not see whether a tuple exists")
           || kvsql_error_hint (error, "Use writes = checked, or leave out insert = unique.");
  if (has_id_of_relation (out->former) && out->id == 0)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, KVSQL_SPAN_NONE,
                            "the definition has %s writes and no id", modes[out->former]);
  return TRUE;
}

/* ---- what users give */

static void
set_mode (KvsqlOptions *self, KvsqlWriteMode mode, KvsqlArena *arena)
{
  const KvsqlOption writes = kvsql_option_word ("writes", modes[mode]);

  kvsql_options_set (self, &writes, arena);
}

gboolean
kvsql_relation_options_check_new (const KvsqlOptions *self, GError **error)
{
  if (find_mode (self, "writes") == KVSQL_WRITES_PAUSED)
    return kvsql_option_fail (kvsql_options_find (self, "writes"), MODES, error);
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      const KvsqlOption *option = kvsql_options_find (self, known[i].name);

      if (option != NULL && known[i].is_id)
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, option->span,
                                "option \"%s\" is given by kvsql", known[i].name)
               || kvsql_error_hint (error, "Leave it out.");
    }
  return TRUE;
}

gboolean
kvsql_relation_options_read_mode (const KvsqlOptions *self, KvsqlWriteMode *out, GError **error)
{
  KvsqlRelationOptions options = { 0 };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const Reading reading = { .out = &options, .arena = arena };
  guint index;

  if (!kvsql_relation_options_check_new (self, error))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    {
      if (!find (&self->items[i], &index, error)
          || !known[index].read (&self->items[i], &reading, error))
        return FALSE;
      if (known[index].read != read_writes)
        return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->items[i].span,
                                "option \"%s\" cannot be changed", known[index].name);
    }
  if (self->n > 1)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->items[1].span,
                            "option \"%s\" is given twice", self->items[1].name.text);
  *out = options.writes;
  return TRUE;
}

/* ---- ids */

/* Never 0. */
static KvsqlOption
make_random (const gchar *name, KvsqlArena *arena)
{
  guint8 *bytes = kvsql_arena_array (arena, guint8, ID_BYTES);

  kvsql_put_be64 (bytes, (guint64)g_random_int () << 32 | g_random_int () | 1);
  return (KvsqlOption){
    .name = { .text = name },
    .value = { .type = KVSQL_TYPE_BYTES, .bytes = kvsql_slice (bytes, ID_BYTES) },
  };
}

static void
drop_ids (KvsqlOptions *self, KvsqlArena *arena)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (known[i].is_id)
      kvsql_options_remove (self, known[i].name, arena);
}

void
kvsql_relation_options_make_written (KvsqlOptions *self, KvsqlArena *arena)
{
  KvsqlWriteMode mode = kvsql_relation_options_get_mode (self);

  drop_ids (self, arena);
  if (mode == KVSQL_WRITES_CHECKED)
    kvsql_options_remove (self, "writes", arena);
  else
    set_mode (self, mode, arena);
}

void
kvsql_relation_options_renew (KvsqlOptions *self, KvsqlArena *arena)
{
  KvsqlOption id = make_random ("id", arena);
  KvsqlWriteMode mode = kvsql_relation_options_get_mode (self);

  if (find_mode (self, "writes") == KVSQL_WRITES_PAUSED)
    set_mode (self, mode, arena);
  drop_ids (self, arena);
  if (has_id_of_relation (mode))
    kvsql_options_set (self, &id, arena);
}

void
kvsql_relation_options_make_new (KvsqlOptions *self, KvsqlArena *arena)
{
  if (kvsql_options_find (self, "writes") == NULL)
    set_mode (self, KVSQL_WRITES_CHECKED, arena);
  kvsql_relation_options_renew (self, arena);
}

void
kvsql_relation_options_set_mode (KvsqlOptions *self, KvsqlWriteMode mode, KvsqlArena *arena)
{
  const KvsqlOption pause = make_random ("pause", arena);
  const KvsqlWriteMode before = kvsql_relation_options_get_mode (self);
  const KvsqlOption former = kvsql_option_word ("former", modes[before]);

  set_mode (self, mode, arena);
  kvsql_options_remove (self, pause.name.text, arena);
  kvsql_options_remove (self, former.name.text, arena);
  if (mode == KVSQL_WRITES_PAUSED)
    {
      kvsql_options_set (self, &pause, arena);
      if (before == KVSQL_WRITES_BLIND)
        kvsql_options_set (self, &former, arena);
    }
  else if (mode != before)
    kvsql_relation_options_renew (self, arena);
}

void
kvsql_relation_options_set_attribute_ids (KvsqlOptions *self, const guint16 *ids, guint n,
                                          guint last, KvsqlArena *arena)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_default = TRUE;
  guint greatest = 0;
  KvsqlOption list = { .name = { .text = "attribute_ids" } };
  KvsqlOption bound = { .name = { .text = "last_attribute_id" },
                        .value = { .type = KVSQL_TYPE_BIGINT, .integer = last } };

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (text, "%s%u", i == 0 ? "" : ",", ids[i]);
      is_default = is_default && ids[i] == i + 1;
      greatest = MAX (greatest, ids[i]);
    }
  list.value.type = KVSQL_TYPE_STRING;
  list.value.bytes = kvsql_slice_from_text (kvsql_arena_strdup (arena, text->str));
  kvsql_options_remove (self, list.name.text, arena);
  kvsql_options_remove (self, bound.name.text, arena);
  if (!is_default)
    kvsql_options_set (self, &list, arena);
  if (last > greatest)
    kvsql_options_set (self, &bound, arena);
}
