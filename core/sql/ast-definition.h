/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ast-definition.h: the part of the abstract syntax tree that is stored: relations, schemas and
 * their layouts.
 *
 * Names keep the user's spelling. With `is_quoted` the name was written in back-quotes, and
 * compares exactly. With `is_double_quoted` it was written in double quotes, and means the name
 * with exactly that spelling if there is one, else the only name that is equal without regard to
 * case (kvsql_name_match()).
 */
#pragma once

#include "core/base/value.h"
#include "core/sql/field.h"

G_BEGIN_DECLS

typedef struct _KvsqlAstExpr KvsqlAstExpr; /* ast.h */

typedef struct _KvsqlName
{
  KvsqlSpan span;
  const gchar *text;
  gboolean is_quoted;
  gboolean is_double_quoted;
  gboolean is_store_table; /* in FROM: not a relation, but a table of the store: the text is "TABLE"
                            * and a literal */
} KvsqlName;

/* ---- layouts */

typedef enum
{
  KVSQL_LAYOUT_CONSTANT,  /* constant: 'text' or x'00' */
  KVSQL_LAYOUT_ATTRIBUTE, /* name: a bare attribute */
  KVSQL_LAYOUT_ELEMENT,   /* name (arguments) [listed] { inner } */
} KvsqlLayoutNodeKind;

typedef enum
{
  KVSQL_ARGUMENT_VALUE, /* value: STRING, BYTES, BIGINT … */
  KVSQL_ARGUMENT_NAME,  /* name: an identifier, as md5 in hash(md5, 2){…}, or an attribute
                           in map_key(m) */
} KvsqlLayoutArgumentKind;

typedef struct
{
  KvsqlLayoutArgumentKind kind;
  KvsqlSpan span;
  KvsqlValue value;
  KvsqlName name;
} KvsqlLayoutArgument;

typedef struct _KvsqlLayoutNode KvsqlLayoutNode;

/* Elements joined by ':'. In `hash(2){a, b}` they are joined by ',', with is_list set. An empty
 * constant '' is an element, too. */
typedef struct _KvsqlLayoutSequence
{
  KvsqlSpan span;
  KvsqlLayoutNode *nodes;
  guint n_nodes;
  gboolean is_list;
} KvsqlLayoutSequence;

struct _KvsqlLayoutNode
{
  KvsqlLayoutNodeKind kind;
  KvsqlSpan span;
  KvsqlSlice constant;
  gboolean constant_is_bytes; /* written as x'…' */
  KvsqlName name;
  KvsqlLayoutArgument *arguments;
  guint n_arguments;
  KvsqlName *listed; /* attr_name['k1','k2'] or attr_name[k1, k2] */
  guint n_listed;
  gboolean has_list;
  KvsqlLayoutSequence inner;
  gboolean has_inner;
};

/* One line of CELLS: 'info':'name' = name, or OTHERS = rest. */
typedef struct
{
  KvsqlSpan span;
  KvsqlLayoutSequence column; /* the first element is the family, the others are the qualifier */
  KvsqlLayoutSequence value;
  KvsqlName others; /* OTHERS: the map; text NULL: the line has a column and a value */
} KvsqlCellLine;

/* ---- definitions */

typedef enum
{
  KVSQL_CONSTRAINT_CHECK,   /* CHECK (expr) */
  KVSQL_CONSTRAINT_UNIQUE,  /* UNIQUE (columns) */
  KVSQL_CONSTRAINT_FOREIGN, /* FOREIGN KEY (columns) REFERENCES … */
} KvsqlConstraintKind;

/* [CONSTRAINT name] … of a relation, or of an attribute, which then has no columns. */
typedef struct
{
  KvsqlConstraintKind kind;
  KvsqlSpan span;
  KvsqlName name;     /* text NULL: none was given */
  KvsqlAstExpr *expr; /* of CHECK */
  KvsqlName *columns; /* of UNIQUE and FOREIGN KEY */
  guint n_columns;
  KvsqlName referenced; /* the relation of FOREIGN KEY */
  KvsqlName *referenced_columns;
  guint n_referenced_columns;
} KvsqlConstraintDefinition;

/* Of a sequence. */
typedef struct
{
  KvsqlSpan span;
  KvsqlName type_name; /* text NULL: BIGINT, or that of the attribute */
  gboolean has_increment, has_start, has_minimum, has_maximum;
  gint64 increment, start, minimum, maximum;
  gboolean is_cyclic;
  KvsqlName owner; /* OWNED BY owner.owner_attribute; text NULL: not given, or NONE */
  KvsqlName owner_attribute;
  KvsqlName name; /* of an identity attribute; text NULL: as PostgreSQL calls it */
  /* of ALTER SEQUENCE */
  gboolean resets_minimum, resets_maximum, resets_cycle; /* NO … */
  gboolean has_no_owner;                                 /* OWNED BY NONE */
  gboolean is_restarted, has_restart;                    /* RESTART [[WITH] restart] */
  gint64 restart;
} KvsqlSequenceOptions;

typedef struct
{
  KvsqlSpan span;
  KvsqlName name;
  KvsqlName type_name;
  gboolean is_key;
  gboolean is_not_null;
  KvsqlAstExpr *default_value;    /* nullable */
  KvsqlSequenceOptions *identity; /* nullable: GENERATED … AS IDENTITY */
  gboolean is_always;             /* GENERATED ALWAYS, and not BY DEFAULT */
  KvsqlValue label;               /* STRING, or NULL: what attr_name writes in place of the name */
  KvsqlValue comment;             /* STRING, or NULL */
  KvsqlConstraintDefinition *constraints;
  guint n_constraints;
} KvsqlAttributeDefinition;

/* WITH (name = value, …) */
typedef struct
{
  KvsqlSpan span;
  KvsqlName name;
  KvsqlValue value; /* a literal; an identifier is a STRING, true and false are BOOLEAN */
  gboolean value_is_name;
} KvsqlOption;

typedef struct
{
  KvsqlOption *items;
  guint n;
} KvsqlOptions;

typedef struct _KvsqlDefineRelation
{
  KvsqlName name;
  gboolean if_not_exists;
  KvsqlAttributeDefinition *attributes;
  guint n_attributes;
  KvsqlConstraintDefinition *constraints;
  guint n_constraints;
  KvsqlOptions options;
  KvsqlValue comment; /* STRING, or NULL */
} KvsqlDefineRelation;

typedef struct _KvsqlDefineSchema
{
  KvsqlName name;
  KvsqlName relation;
  gboolean is_primary;
  gboolean if_not_exists;
  KvsqlLayoutSequence fields[KVSQL_N_FIELDS];
  gboolean has_field[KVSQL_N_FIELDS]; /* the parser requires all but QUALIFIER and VALUE, which
                                         default to ''. With CELLS, FAMILY, QUALIFIER and VALUE have
                                         no elements, and the span of CELLS */
  KvsqlCellLine *lines;               /* of CELLS */
  guint n_lines;                      /* 0: there is no CELLS */
  KvsqlName timestamp;                /* text NULL: not given */
  KvsqlOptions options;
  KvsqlValue comment; /* STRING, or NULL */
} KvsqlDefineSchema;

/* All layouts of a schema: of the fields, and of the lines of CELLS. */
static inline guint
kvsql_define_schema_count_layouts (const KvsqlDefineSchema *self)
{
  return KVSQL_N_FIELDS + 2 * self->n_lines;
}

static inline KvsqlLayoutSequence *
kvsql_define_schema_get_layout (const KvsqlDefineSchema *self, guint index)
{
  KvsqlCellLine *line;

  if (index < KVSQL_N_FIELDS)
    return (KvsqlLayoutSequence *)&self->fields[index];
  line = &self->lines[(index - KVSQL_N_FIELDS) / 2];
  return (index - KVSQL_N_FIELDS) % 2 == 0 ? &line->column : &line->value;
}

G_END_DECLS
