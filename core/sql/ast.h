/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ast.h: the abstract syntax tree: statements as written, before name resolution.
 *
 * Every node has its span in the statement's text. Nodes and their strings live in the arena that
 * was given to the parser. Arrays are (pointer, count). ast-definition.h has names, layouts, and
 * the definitions of relations and schemas.
 */
#pragma once

#include "core/sql/ast-copy.h"
#include "core/sql/ast-definition.h"
#include "core/sql/ast-grant.h"
#include "core/sql/ast-role.h"
#include "core/sql/frame.h"
#include "core/sql/operator.h"
#include "core/sql/statement-kind.h"

G_BEGIN_DECLS

/* ---- expressions */

#define KVSQL_AST_NUMBERED "$" /* the name of a parameter $n begins so */

typedef enum
{
  KVSQL_AST_LITERAL,   /* value: NULL, BOOLEAN, BIGINT, DECIMAL, DOUBLE (with an exponent), STRING,
                          BYTES; `1`, `1.5`, `1e5` */
  KVSQL_AST_PARAMETER, /* parameter: index from 0 */
  KVSQL_AST_NAME,      /* [qualifier.] name */
  KVSQL_AST_UNARY,     /* op NOT, NEGATE; children[0] */
  KVSQL_AST_BINARY,    /* op; children[0], children[1] */
  KVSQL_AST_IN,        /* children[0] [NOT] IN (children[1..]), or IN (subquery) */
  KVSQL_AST_BETWEEN,   /* children[0] [NOT] BETWEEN [SYMMETRIC] children[1] AND children[2] */
  KVSQL_AST_LIKE,  /* children[0] [NOT] LIKE children[1] [ESCAPE children[2]]; is_caseless: ILIKE */
  KVSQL_AST_RLIKE, /* children[0] [NOT] RLIKE children[1]; is_caseless: ~* */
  KVSQL_AST_IS_NULL,     /* children[0] IS [NOT] NULL */
  KVSQL_AST_FUNCTION,    /* name (children…); is_star: count(*); is_distinct. The children are the
                            arguments, what ORDER BY has (n_order, order), FILTER (has_filter), and
                            a WINDOW (has_over) */
  KVSQL_AST_CAST,        /* CAST (children[0] AS cast_type) */
  KVSQL_AST_CASE,        /* children: [operand,] (when, then)…, [else]; has_operand, has_else */
  KVSQL_AST_SUBSCRIPT,   /* children[0] [ children[1] ] */
  KVSQL_AST_IS_TRUTH,    /* children[0] IS [NOT] value: TRUE, FALSE, or NULL for UNKNOWN */
  KVSQL_AST_IS_DISTINCT, /* children[0] IS DISTINCT FROM children[1]; is_negated: IS NOT … */
  KVSQL_AST_QUANTIFIED,  /* children[0] op ANY (children[1]), or ANY (subquery); is_all: ALL */
  KVSQL_AST_ARRAY,       /* ARRAY [children…] */
  KVSQL_AST_ROW,         /* (children…), two or more; or ROW (children…) */
  KVSQL_AST_EXISTS,      /* EXISTS (subquery) */
  KVSQL_AST_SUBQUERY,    /* (subquery): the value of its only row */
  KVSQL_AST_OUTER,       /* of the planner: a value of the statement around; its name is that of a
                            NAME */
  KVSQL_AST_GROUPING,    /* in GROUP BY: ROLLUP (children…) and the like: grouping */
  KVSQL_AST_WINDOW, /* after OVER: window. The children are those of PARTITION BY, then those of
                       ORDER BY (n_order, order), then the offsets of the frame. Calls OVER one
                       name share the node. */
} KvsqlAstKind;

/* A GROUPING. A ROW in it is a list of expressions. */
typedef enum
{
  KVSQL_GROUPING_EMPTY, /* (), without children */
  KVSQL_GROUPING_ROLLUP,
  KVSQL_GROUPING_CUBE,
  KVSQL_GROUPING_SETS, /* the only one with a GROUPING among its children */
} KvsqlGroupingForm;

typedef enum
{
  KVSQL_NULLS_DEFAULT, /* last; first with DESC */
  KVSQL_NULLS_FIRST,
  KVSQL_NULLS_LAST,
} KvsqlNullsOrder;

/* How a part of ORDER BY in a call is sorted. */
typedef struct
{
  gboolean is_descending;
  KvsqlNullsOrder nulls;
} KvsqlCallOrder;

/* The definition of a window: in a call, or in the clause WINDOW. */
typedef struct
{
  KvsqlName name; /* in the clause WINDOW; text NULL: none */
  KvsqlName base; /* the window whose PARTITION BY and ORDER BY are copied; text NULL: none */
  guint n_partition;
  gboolean has_copied_order; /* the ORDER BY is that of the base */
  gboolean has_frame;
  KvsqlSpan frame_span;
  KvsqlFrameMode mode;
  KvsqlFrameBound start, end;
  KvsqlFrameExclusion exclusion;
} KvsqlAstWindow;

typedef struct _KvsqlSelect KvsqlSelect;
struct _KvsqlAstExpr
{
  KvsqlAstKind kind;
  KvsqlSpan span;    /* the whole expression */
  KvsqlSpan op_span; /* the operator, if there is one */
  KvsqlOperator op;
  gboolean is_negated; /* NOT IN, NOT BETWEEN, NOT LIKE, NOT RLIKE, IS NOT NULL */
  gboolean is_star, is_distinct, has_operand, has_else, is_caseless, is_symmetric, is_all;
  KvsqlValue value;
  guint
      parameter; /* of a PARAMETER; its name is that of :name, or "$n". Of an OUTER: which value */
  KvsqlName name;
  KvsqlName qualifier; /* of a NAME: the relation or its alias; text NULL: none */
  guint column;        /* of a NAME that the planner made of *: the number of the attribute, plus 1;
                          else 0 */
  KvsqlName cast_type;
  KvsqlSelect *subquery; /* of an EXISTS, a SUBQUERY, an IN or a QUANTIFIED; nullable */
  gboolean is_evaluated; /* of the planner: the subquery is evaluated, and does not become a join */
  KvsqlCallOrder
      *order; /* of a FUNCTION: ORDER BY in it, or after it in WITHIN GROUP; of a WINDOW */
  guint n_order;
  gboolean is_within_group, has_filter, has_over;
  KvsqlAstWindow *window;     /* of a WINDOW */
  KvsqlGroupingForm grouping; /* of a GROUPING */
  KvsqlAstExpr **children;
  guint n_children;
};

/* The arguments of a FUNCTION, which are its first children. */
static inline guint
kvsql_ast_get_n_arguments (const KvsqlAstExpr *self)
{
  return self->n_children - self->n_order - (self->has_filter != FALSE) - (self->has_over != FALSE);
}

/* The condition of a FUNCTION that has_filter. */
static inline const KvsqlAstExpr *
kvsql_ast_get_filter (const KvsqlAstExpr *self)
{
  return self->children[self->n_children - 1 - (self->has_over != FALSE)];
}

/* The WINDOW of a FUNCTION; NULL: it has no OVER. */
static inline const KvsqlAstExpr *
kvsql_ast_get_window (const KvsqlAstExpr *self)
{
  return self->has_over ? self->children[self->n_children - 1] : NULL;
}

/* Whether @self compares with the rows of a subquery: IN (subquery), ANY (subquery), or a row with
 * the row of a subquery. */
static inline gboolean
kvsql_ast_has_subquery (const KvsqlAstExpr *self)
{
  return self->subquery != NULL
         || (self->n_children == 2 && self->children[0]->kind == KVSQL_AST_ROW
             && self->children[1]->kind == KVSQL_AST_SUBQUERY);
}

/* ---- statements */

typedef struct
{
  gboolean is_schema; /* else a relation */
  gboolean is_index;  /* DROP INDEX: a schema, and not the primary */
  gboolean is_view;
  gboolean is_sequence;
  gboolean is_cascade; /* with the views that use it */
  gboolean if_exists;
  KvsqlName name;
  KvsqlName *others; /* of DROP TABLE a, b and the like: those after the first */
  guint n_others;
} KvsqlDrop;

/* CREATE TABLE name (column type constraint …, PRIMARY KEY (column, …)), or
 * CREATE TABLE name [(column, …)] AS query */
typedef struct
{
  KvsqlDefineRelation relation; /* with a query it has no attributes */
  KvsqlName *key;               /* of PRIMARY KEY (…); n_key 0: the columns say it themselves */
  guint n_key;
  KvsqlSelect *query; /* nullable */
  gboolean is_empty;  /* WITH NO DATA: the query is not run */
  KvsqlName *columns; /* their names; those after them have the names that the query gives */
  guint n_columns;
} KvsqlCreateTable;

/* CREATE | ALTER SEQUENCE name option … */
typedef struct
{
  KvsqlName name;
  gboolean is_alter;
  gboolean if_not_exists;
  gboolean if_exists; /* of ALTER */
  KvsqlSequenceOptions options;
  KvsqlName new_owner; /* of ALTER … OWNER TO; text NULL: not given */
} KvsqlCreateSequence;

typedef struct
{
  KvsqlName name;
  gboolean is_descending;
} KvsqlIndexColumn;

/* CREATE INDEX name ON relation (column, …) INCLUDE (column, …) */
typedef struct
{
  KvsqlName name; /* text NULL: from the names of the relation and the columns */
  gboolean if_not_exists;
  KvsqlName relation;
  KvsqlIndexColumn *columns;
  guint n_columns;
  KvsqlName *included;
  guint n_included;
} KvsqlCreateIndex;

/* CREATE [OR REPLACE] VIEW name [(column, …)] AS query */
typedef struct _KvsqlCreateView
{
  KvsqlName name;
  gboolean is_replacement; /* OR REPLACE */
  KvsqlName *columns;      /* of its first columns */
  guint n_columns;
  KvsqlSelect *query;
  KvsqlSlice query_text; /* as it was written */
  guint height;          /* of the tree of the query */
} KvsqlCreateView;

/* RESTORE RELATION | SCHEMA name TO VERSION version */
typedef struct
{
  gboolean is_schema;
  KvsqlName name;
  gint64 version;
  KvsqlSpan version_span;
} KvsqlRestore;

typedef enum
{
  KVSQL_SHOW_RELATIONS,
  KVSQL_SHOW_SCHEMAS,
  KVSQL_SHOW_STATUS,
  KVSQL_SHOW_SESSIONS,
  KVSQL_SHOW_STATEMENTS,
  KVSQL_SHOW_STATISTICS, /* SHOW STATEMENT STATISTICS */
  KVSQL_SHOW_DAEMONS,
  KVSQL_SHOW_HISTORY,
  KVSQL_SHOW_ROLES,
  KVSQL_SHOW_VIEWS,
  KVSQL_SHOW_GRANTS, /* [FOR role | ON relation] */
  KVSQL_SHOW_TABLES, /* of the store */
  KVSQL_SHOW_CREATE, /* SHOW CREATE name: the canonical definition text */
} KvsqlShowKind;

typedef struct
{
  KvsqlShowKind what;
  KvsqlName name;       /* after FOR, or of SHOW CREATE; text NULL: none */
  gboolean is_on;       /* of SHOW GRANTS: the name is that of a relation, after ON */
  const gchar *pattern; /* after LIKE; nullable */
  gint64 limit;         /* of SHOW CREATE TABLE 't': rows to read; 0: not given */
} KvsqlShow;

typedef struct
{
  KvsqlName name; /* may have is_store_table */
} KvsqlDescribe;

/* KILL statement | SESSION session */
typedef struct
{
  gint64 id;
  gboolean is_session;
} KvsqlKill;

typedef struct
{
  KvsqlSpan span;
  KvsqlAstExpr *expr; /* NULL: the item is * */
  KvsqlName star_of;  /* of a *: the relation of "relation.*"; text NULL: of all relations */
  KvsqlName alias;    /* text NULL: none */
} KvsqlSelectItem;

typedef struct
{
  KvsqlAstExpr *expr;
  gboolean is_descending;
  KvsqlNullsOrder nulls;
} KvsqlOrderItem;

/* A relation, or a derived table, after FROM. */
typedef struct
{
  KvsqlName relation; /* of a derived table: its alias */
  KvsqlSelect *query; /* nullable: of a derived table */
  KvsqlName *columns; /* of a derived table: names in place of those of its first columns */
  guint n_columns;
  KvsqlName alias;        /* text NULL: none */
  KvsqlName using_schema; /* text NULL: the planner chooses */
  gboolean is_lateral;    /* LATERAL (query): it may use attributes of the sources before it */
  const gchar *view;      /* nullable: the query is that of a view of this name */
  guint scope;            /* 0; else the planner took it from a subquery, with this number */
} KvsqlSource;

typedef enum
{
  KVSQL_JOIN_INNER,
  KVSQL_JOIN_LEFT,
  KVSQL_JOIN_RIGHT,
  KVSQL_JOIN_FULL,
  /* made by the planner (core/plan/unnest.h): the rows of the left side that have a partner, or
   * that have none; columns of the right side are visible in the condition only */
  KVSQL_JOIN_SEMI,
  KVSQL_JOIN_ANTI,
} KvsqlJoinKind;

/* A node of FROM: a relation, or the join of two nodes. An inner join without a condition is a
 * cross join. */
typedef struct _KvsqlJoin KvsqlJoin;
struct _KvsqlJoin
{
  KvsqlSpan span;          /* of a join: its words, or the comma */
  KvsqlJoin *left, *right; /* NULL: a relation */
  guint source;            /* of a relation: kvsql_select_get_source() */
  KvsqlJoinKind kind;
  gboolean is_comma;   /* "a, b": binds less tightly than the other joins */
  gboolean is_natural; /* USING with all names that both sides have */
  KvsqlAstExpr *on;    /* nullable */
  KvsqlName *names;    /* of USING */
  guint n_names;
  const KvsqlAstExpr *subquery; /* of a semi or anti join: the EXISTS or IN */
};

typedef enum
{
  KVSQL_SET_UNION,
  KVSQL_SET_INTERSECT,
  KVSQL_SET_EXCEPT,
} KvsqlSetKind;

/* Operands of one operator. A chain of UNION, or of UNION ALL, is one operation with all operands;
 * INTERSECT and EXCEPT have two. */
typedef struct
{
  KvsqlSetKind kind;
  gboolean is_all; /* duplicates count */
  KvsqlSpan span;  /* the first operator's words */
  KvsqlSelect **operands;
  guint n_operands;
} KvsqlSetOperation;

/* A function in FROM. Its arguments are rows[0] of the SELECT that it is in. */
typedef struct
{
  KvsqlName name;
  KvsqlName alias; /* the same name if there is none: what a column without a name is called */
  gboolean has_ordinality; /* WITH ORDINALITY: the last column is the number of the row */
} KvsqlTableFunction;

struct _KvsqlSelect
{
  KvsqlSetOperation *set; /* nullable: in place of all clauses before ORDER BY */
  KvsqlAstExpr ***rows;   /* nullable: VALUES, in place of the same: rows[i][j] */
  guint n_rows;
  guint n_values;               /* of each row */
  KvsqlTableFunction *function; /* nullable: in place of all clauses, and of VALUES */
  gboolean is_distinct;
  KvsqlAstExpr **distinct_on; /* DISTINCT ON (…); then is_distinct is FALSE */
  guint n_distinct_on;
  KvsqlSelectItem *items;
  guint n_items;
  KvsqlSource from;    /* its relation's text NULL: no FROM, and one row */
  KvsqlSource *joined; /* the other relations of FROM, in the order of the text */
  guint n_joined;
  KvsqlJoin *join;     /* NULL: n_joined is 0 */
  KvsqlAstExpr *where; /* nullable */
  KvsqlAstExpr **group_by;
  guint n_group_by;
  gboolean is_group_distinct; /* GROUP BY DISTINCT: each grouping set once */
  KvsqlAstExpr *having;       /* nullable */
  KvsqlAstExpr **windows;     /* WINDOW: their definitions, each with its name */
  guint n_windows;
  gboolean has_over; /* some call in it, or in a subquery of it, is followed by OVER */
  KvsqlOrderItem *order_by;
  guint n_order_by;
  KvsqlAstExpr *limit;  /* nullable */
  KvsqlAstExpr *offset; /* nullable */
  gboolean is_verified; /* WITH VERIFIED */
  KvsqlSpan verified_span;
  guint n_uses;             /* of a query of WITH: how often FROM names it; else 0 */
  gboolean is_materialized; /* of a query of WITH: it is planned alone */
  KvsqlName recursive_name; /* of a query of WITH RECURSIVE that names itself; else its text NULL */
  KvsqlSelect *working_of;  /* nullable: in place of all clauses: the rows that the last step of
                               this query of WITH RECURSIVE gave */
};

/* The relations of FROM in the order of the text. */
static inline const KvsqlSource *
kvsql_select_get_source (const KvsqlSelect *self, guint number)
{
  return number == 0 ? &self->from : &self->joined[number - 1];
}

/* Whether the query of a source may use attributes of the sources before it. A function may without
 * the word. */
static inline gboolean
kvsql_source_is_lateral (const KvsqlSource *self)
{
  return self->query != NULL && (self->is_lateral || self->query->function != NULL);
}

/* The first item of the list; of a set operation, of its first SELECT. */
static inline KvsqlSpan
kvsql_select_get_first_span (const KvsqlSelect *self)
{
  while (self->set != NULL || self->working_of != NULL)
    self = self->set != NULL ? self->set->operands[0] : self->working_of;
  if (self->n_rows > 0)
    return self->rows[0][0]->span;
  return self->n_items > 0 ? self->items[0].span : KVSQL_SPAN_NONE;
}

/* SET name = expr; a NULL @expr is DEFAULT. SET name['key'] = value is name = map_put (name, 'key',
 * value) */
typedef struct
{
  KvsqlName name;
  KvsqlAstExpr *expr;
  gboolean is_entry;
} KvsqlAssignment;

typedef enum
{
  KVSQL_CONFLICT_REPLACE, /* no ON CONFLICT: the tuple is replaced */
  KVSQL_CONFLICT_NOTHING,
  KVSQL_CONFLICT_UPDATE,
  KVSQL_CONFLICT_FAIL, /* in plans only: of relations WITH (insert = unique) */
} KvsqlConflictAction;

typedef struct
{
  KvsqlName relation;
  KvsqlName *attributes; /* n_attributes 0: all, in the order of the definition */
  guint n_attributes;
  KvsqlSelect *select;  /* nullable: INSERT … SELECT; else VALUES: */
  KvsqlAstExpr ***rows; /* rows[i][j], NULL: DEFAULT; every row has n_values (the parser checks) */
  guint n_rows;
  guint n_values;
  KvsqlConflictAction on_conflict;
  KvsqlSpan conflict_span;        /* of ON CONFLICT … DO UPDATE or NOTHING */
  KvsqlName *conflict_attributes; /* of ON CONFLICT (a, …), which have to be the key; may be none */
  guint n_conflict_attributes;
  KvsqlAssignment *assignments; /* of DO UPDATE SET; `excluded.a` is the value that was to be
                                   inserted */
  guint n_assignments;
  KvsqlAstExpr *conflict_where;  /* nullable: DO UPDATE SET … WHERE */
  KvsqlAstExpr *using_timestamp; /* nullable */
  KvsqlSelectItem *returning;
  guint n_returning;
} KvsqlInsert;

typedef struct
{
  KvsqlName relation;
  KvsqlName alias;
  KvsqlAssignment *assignments;
  guint n_assignments;
  KvsqlSelect *from;   /* nullable: FROM. Its first source is the relation that is written, and its
                          join a comma. The planner moves conditions with subqueries to its WHERE. */
  KvsqlAstExpr *where; /* nullable */
  KvsqlOrderItem *order_by;
  guint n_order_by;
  KvsqlAstExpr *limit;           /* nullable */
  KvsqlAstExpr *using_timestamp; /* nullable */
  KvsqlSelectItem *returning;
  guint n_returning;
} KvsqlUpdate;

typedef struct
{
  gboolean is_truncate; /* TRUNCATE, which needs another right */
  KvsqlName relation;
  KvsqlName alias;
  KvsqlSelect *from;   /* nullable: USING; as FROM of an UPDATE */
  KvsqlAstExpr *where; /* nullable */
  KvsqlOrderItem *order_by;
  guint n_order_by;
  KvsqlAstExpr *limit;           /* nullable */
  KvsqlAstExpr *using_timestamp; /* nullable */
  KvsqlSelectItem *returning;
  guint n_returning;
} KvsqlDelete;

typedef struct
{
  KvsqlName *relations;
  guint n_relations;
  gboolean restarts_sequences; /* RESTART IDENTITY */
} KvsqlTruncate;

typedef enum
{
  KVSQL_ALTER_ADD,         /* attribute */
  KVSQL_ALTER_DROP,        /* name */
  KVSQL_ALTER_RENAME,      /* name to new_name; name.text NULL: the relation itself */
  KVSQL_ALTER_SET_DEFAULT, /* name, attribute.default_value; NULL: DROP DEFAULT */
  KVSQL_ALTER_OPTIONS,     /* options */
  KVSQL_ALTER_CONSTRAIN,   /* constraint, is_not_valid. For core/catalog, what is to be stored of it
                              is in attribute.constraints */
  KVSQL_ALTER_RELEASE,     /* DROP CONSTRAINT: name of a constraint, if_exists */
  KVSQL_ALTER_OWNER,       /* OWNER TO new_name, a role */
  KVSQL_ALTER_ADD_KEY,     /* ADD [CONSTRAINT name] PRIMARY KEY (key) */
} KvsqlAlterKind;

/* ALTER RELATION relation … */
typedef struct
{
  gboolean is_table; /* ALTER TABLE: double quotes are around names */
  KvsqlName relation;
  KvsqlAlterKind what;
  KvsqlAttributeDefinition attribute;
  KvsqlName name;
  KvsqlName new_name;
  KvsqlOptions options;
  KvsqlConstraintDefinition constraint;
  gboolean is_not_valid; /* existing tuples need not satisfy it */
  gboolean if_exists;
  KvsqlName *key;
  guint n_key;
} KvsqlAlter;

/* COMMENT ON RELATION r | ATTRIBUTE r.a | SCHEMA s IS 'text' | NULL */
typedef struct
{
  gboolean is_schema;
  KvsqlName name;      /* of the relation or schema */
  KvsqlName attribute; /* text NULL: none */
  KvsqlValue text;     /* STRING or NULL */
} KvsqlComment;

/* ANALYZE r */
typedef struct
{
  KvsqlName relation;
} KvsqlAnalyze;

/* BACKUP TO 'name' */
typedef struct
{
  KvsqlValue name;
  KvsqlSpan name_span;
} KvsqlBackup;

/* BACKFILL | VERIFY | REPAIR SCHEMA s */
typedef struct
{
  KvsqlName schema;
  KvsqlAstExpr *limit; /* of VERIFY; nullable */
} KvsqlMaintain;

typedef enum
{
  KVSQL_EXPLAIN_TEXT,
  KVSQL_EXPLAIN_JSON,
  KVSQL_EXPLAIN_DOT,
} KvsqlExplainFormat;

typedef struct _KvsqlAstStatement KvsqlAstStatement;

typedef struct
{
  gboolean is_analyze;
  gboolean has_calls;
  KvsqlExplainFormat format;
  KvsqlAstStatement *statement;
  KvsqlDefineSchema *schemas; /* WITH SCHEMA: that are supposed to exist; the relation's text is
                                 NULL without FOR */
  guint n_schemas;
} KvsqlExplain;

struct _KvsqlAstStatement
{
  KvsqlStatementKind kind;
  KvsqlSpan span;
  guint n_parameters;                  /* all `?`, distinct `:name`, or the greatest n of `$n` */
  const gchar *const *parameter_names; /* NULL entries for `?` and `$n` */
  union
  {
    KvsqlDefineRelation define_relation;
    KvsqlDefineSchema define_schema;
    KvsqlDrop drop;
    KvsqlShow show;
    KvsqlDescribe describe;
    KvsqlInsert insert;
    KvsqlSelect select;
    KvsqlUpdate update;
    KvsqlDelete delete_; /* DELETE FROM */
    KvsqlTruncate truncate;
    KvsqlAlter alter;
    KvsqlComment comment;
    KvsqlAnalyze analyze;
    KvsqlBackup backup;
    KvsqlMaintain maintain; /* BACKFILL, VERIFY, REPAIR */
    KvsqlKill kill;
    KvsqlCopy copy;
    KvsqlRestore restore;
    KvsqlCreateTable create_table;
    KvsqlCreateIndex create_index;
    KvsqlCreateView create_view;
    KvsqlCreateSequence create_sequence;
    KvsqlRoleStatement role;
    KvsqlGrantStatement grant;
    KvsqlSetRole set_role;
    KvsqlExplain explain;
  };
};

G_END_DECLS
