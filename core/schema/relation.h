/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * relation.h: a relation: named, typed attributes, some of them its key.
 *
 * The binder and everything below identify attributes by their index. A relation is immutable and
 * reference-counted. Any thread may use it.
 */
#pragma once

#include "core/base/value.h"
#include "core/schema/attribute-set.h"
#include "core/schema/type-limit.h"
#include "core/schema/write-mode.h"

G_BEGIN_DECLS

typedef struct _KvsqlName KvsqlName; /* core/sql/ast-definition.h */
typedef struct _KvsqlDefineRelation KvsqlDefineRelation;
typedef struct _KvsqlAstExpr KvsqlAstExpr; /* core/sql/ast.h */

typedef struct _KvsqlAttribute
{
  const gchar *name;
  guint32 name_hash; /* kvsql_name_hash() of @name */
  guint16 id;        /* of the attribute in tuple records (core/anchor) */
  gboolean is_quoted;
  KvsqlType type;
  KvsqlTypeLimit limit;
  const gchar *declared; /* nullable: the type with its limit, "VARCHAR(10)" */
  gboolean is_key;
  gboolean is_hidden;               /* a KEY that * and INSERT without names leave out */
  gboolean is_not_null;             /* KEY or NOT NULL */
  KvsqlValue default_value;         /* NULL if none was given */
  const KvsqlAstExpr *default_expr; /* nullable: in place of it, computed for each tuple */
  const gchar *label;               /* what attr_name writes: LABEL, or the name */
  const gchar *comment;             /* nullable */
} KvsqlAttribute;

/* CONSTRAINT name CHECK (expr). Expressions of a relation have no positions. */
typedef struct
{
  const gchar *name;
  gboolean is_quoted;
  const KvsqlAstExpr *expr; /* its names are those of attributes */
} KvsqlRowCheck;

typedef struct _KvsqlRelation
{
  KvsqlArena *arena;
  const gchar *name;
  gboolean is_quoted;
  gboolean is_derived; /* a query in FROM: attributes may have the same name */
  KvsqlWriteMode writes;
  gboolean is_unique;           /* INSERT of a tuple whose KEY exists fails */
  gboolean ignores_constraints; /* UNIQUE and FOREIGN KEY are left out, with a warning */
  KvsqlWriteMode mode;          /* @writes; while these are paused: what they were */
  guint64 id;                   /* of its anchors, and in the log of writes; 0: it has none */
  guint32 number;               /* for clients; its own in a catalog, which sets it. 0: none */
  guint64 pause;                /* of paused writes: not of an earlier or later pause */
  guint last_attribute_id;      /* no attribute ever had a greater id */
  KvsqlAttribute *attributes;
  guint n_attributes;
  const KvsqlRowCheck *checks;
  guint n_checks;
  KvsqlAttributeSet keys;
  KvsqlAttributeSet all;
  const gchar *comment; /* nullable */
  const gchar *text;    /* canonical definition */
} KvsqlRelation;

/* The text of a COMMENT, in @arena; NULL: none. */
const gchar *kvsql_comment_dup (const KvsqlValue *comment, KvsqlArena *arena);

#define KVSQL_MAX_CONSTRAINTS 256

/* KVSQL_ERROR_LIMIT if there are too many attributes or constraints: what looks at them all can ask
 * that first. */
gboolean kvsql_relation_check_size (const KvsqlDefineRelation *definition,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_relation_new:
 *
 * Checks a definition (types known, names unique, a key exists, defaults fit) and builds the
 * relation.
 */
KvsqlRelation *kvsql_relation_new (const KvsqlDefineRelation *definition, GError **error);
KvsqlRelation *kvsql_relation_ref (KvsqlRelation *self);
void kvsql_relation_unref (KvsqlRelation *self); /* accepts NULL */

/* The check with this name; NULL: there is none. */
const KvsqlRowCheck *kvsql_relation_find_check (const KvsqlRelation *self, const KvsqlName *name);

/* A deep copy of a tuple of the relation, by attribute, in @arena. */
KvsqlValue *kvsql_tuple_dup (const KvsqlRelation *self, const KvsqlValue *tuple, KvsqlArena *arena);

/* How well a name in a statement matches a defined name. */
typedef enum
{
  KVSQL_NAME_DIFFERS,
  KVSQL_NAME_SIMILAR, /* a double-quoted name that differs in case: it matches only if no other
                         defined name is spelt so, or is similar, too */
  KVSQL_NAME_MATCHES,
} KvsqlNameMatch;

KvsqlNameMatch kvsql_name_match (const KvsqlName *name, const gchar *defined,
                                 gboolean defined_is_quoted);

/* The best match of a name among several defined names. */
typedef struct
{
  KvsqlNameMatch match; /* of the best one */
  guint n;              /* how many match equally well */
  guint index;          /* of the first of them */
} KvsqlNameChoice;

void kvsql_name_choice_offer (KvsqlNameChoice *self, KvsqlNameMatch match, guint index);
/* Whether there is exactly one match. If not, and self->n > 1, the name is ambiguous. */
gboolean kvsql_name_choice_is_made (const KvsqlNameChoice *self);

/* Whether a name in a statement matches the only defined name. */
gboolean kvsql_name_means (const KvsqlName *name, const gchar *defined, gboolean defined_is_quoted);
/* A hash. Names that match each other in any way have the same hash. */
guint32 kvsql_name_hash (const gchar *text);
/* The form of a name in registries and tables: lower case, or exact if quoted. (transfer full) */
gchar *kvsql_name_fold (const gchar *text, gboolean is_quoted);
/* The same, in @arena. */
const gchar *kvsql_name_fold_in_arena (KvsqlArena *arena, const gchar *text, gboolean is_quoted);

/* The best match among the attributes. */
KvsqlNameChoice kvsql_relation_choose (const KvsqlRelation *self, const KvsqlName *name);
/* For a double-quoted name that was possibly meant as text: sets the hint that text is written in
 * single quotes, after @near if that is not NULL. Returns: %FALSE. */
gboolean kvsql_name_hint (const KvsqlName *name, const gchar *near,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same among those of a definition. */
KvsqlNameChoice kvsql_definition_choose (const KvsqlDefineRelation *self, const KvsqlName *name);

/* The attribute's index; KVSQL_ERROR_UNKNOWN_NAME with a suggestion otherwise,
 * KVSQL_ERROR_INVALID if the name is double-quoted and matches several. */
gboolean kvsql_relation_find (const KvsqlRelation *self, const KvsqlName *name,
                              guint *out_attribute, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* "a, b": the names of the attributes. */
void kvsql_relation_append_names (const KvsqlRelation *self, const KvsqlAttributeSet *attributes,
                                  GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlRelation, kvsql_relation_unref)

G_END_DECLS
