/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * relation-options.h: DEFINE RELATION … WITH (…).
 *
 *   writes             plain, checked or blind; while ALTER changes it: paused
 *   insert             unique: INSERT of a KEY that exists fails; replace: it replaces the tuple
 *
 * Users that give no mode get checked writes. A definition that is kept names its mode; one without
 * it is of a time when plain was the default.
 *
 * If writes are checked or blind, or were before they were paused, the definition also has the ids
 * by which anchors (core/anchor) and the log of writes name the relation and its attributes. They
 * are never given by users, and never given twice:
 *
 *   id                 x'…': 8 random bytes
 *   attribute_ids      '1,2,4': an id for each attribute, in their order; absent: 1, 2, 3 …
 *   last_attribute_id  the greatest id that an attribute ever had; absent: the greatest of these
 *
 * Paused writes also have
 *
 *   pause              x'…': 8 random bytes, of this pause
 *   former             blind, if they were blind before; absent: checked if there is an id,
 *                      otherwise plain
 */
#pragma once

#include "core/schema/write-mode.h"
#include "core/sql/options.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlWriteMode writes;
  gboolean is_unique;           /* insert = unique */
  gboolean ignores_constraints; /* constraints = ignore */
  const gchar *hidden_key;      /* nullable: the KEY attribute that * leaves out */
  KvsqlWriteMode former;  /* of paused writes: what they were; of others the same as @writes */
  guint64 id;             /* 0: none */
  guint64 pause;          /* 0: none */
  guint16 *attribute_ids; /* (array length=n_attributes), in the arena */
  guint last_attribute_id;
} KvsqlRelationOptions;

/* @n_attributes: of the relation */
gboolean kvsql_relation_options_read (const KvsqlOptions *self, guint n_attributes,
                                      KvsqlArena *arena, KvsqlRelationOptions *out,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The word of a mode. */
const gchar *kvsql_write_mode_get_name (KvsqlWriteMode mode);
/* The mode of a definition, or the former one of paused writes. */
KvsqlWriteMode kvsql_relation_options_get_mode (const KvsqlOptions *self);
/* The mode that a user wants. Other options of relations do not change. */
gboolean kvsql_relation_options_read_mode (const KvsqlOptions *self, KvsqlWriteMode *out,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Makes a mode of another one. Checked and blind writes get a new id, unless they were paused and
 * become again what they were. */
void kvsql_relation_options_set_mode (KvsqlOptions *self, KvsqlWriteMode mode, KvsqlArena *arena);

/* KVSQL_ERROR_DEFINITION if a user gives what only kvsql does: ids, and paused writes. */
gboolean kvsql_relation_options_check_new (const KvsqlOptions *self,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* What a user has given, or would have: completed for a new relation. */
void kvsql_relation_options_make_new (KvsqlOptions *self, KvsqlArena *arena);
/* What a user would give for a kept definition. Paused writes are what they were. */
void kvsql_relation_options_make_written (KvsqlOptions *self, KvsqlArena *arena);
/* A kept definition that is made once more: with another id, if it has one. */
void kvsql_relation_options_renew (KvsqlOptions *self, KvsqlArena *arena);
/* @ids: (array length=n): of the attributes of the definition. Only with an id. */
void kvsql_relation_options_set_attribute_ids (KvsqlOptions *self, const guint16 *ids, guint n,
                                               guint last, KvsqlArena *arena);

G_END_DECLS
