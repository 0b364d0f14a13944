/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * operator.h: operators, and the meaning of comparison operators.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  KVSQL_OP_NONE,
  KVSQL_OP_OR,
  KVSQL_OP_AND,
  KVSQL_OP_NOT,
  KVSQL_OP_EQ,
  KVSQL_OP_NE,
  KVSQL_OP_LT,
  KVSQL_OP_LE,
  KVSQL_OP_GT,
  KVSQL_OP_GE,
  KVSQL_OP_ADD,
  KVSQL_OP_SUBTRACT,
  KVSQL_OP_MULTIPLY,
  KVSQL_OP_DIVIDE,
  KVSQL_OP_MODULO,
  KVSQL_OP_POWER,
  KVSQL_OP_CONCATENATE,
  KVSQL_OP_JSON_GET,       /* -> */
  KVSQL_OP_JSON_GET_TEXT,  /* ->> */
  KVSQL_OP_JSON_PATH,      /* #> */
  KVSQL_OP_JSON_PATH_TEXT, /* #>> */
  KVSQL_OP_JSON_REMOVE,    /* #- */
  KVSQL_OP_CONTAINS,       /* @> */
  KVSQL_OP_CONTAINED,      /* <@ */
  KVSQL_OP_OVERLAPS,       /* && */
  KVSQL_OP_HAS_KEY,        /* ? */
  KVSQL_OP_HAS_ANY_KEY,    /* ?| */
  KVSQL_OP_HAS_ALL_KEYS,   /* ?& */
  KVSQL_OP_BIT_AND,        /* & */
  KVSQL_OP_BIT_OR,         /* | */
  KVSQL_OP_BIT_XOR,        /* # */
  KVSQL_OP_SHIFT_LEFT,     /* << */
  KVSQL_OP_SHIFT_RIGHT,    /* >> */
  KVSQL_OP_BIT_NOT,        /* ~ */
  KVSQL_OP_NEGATE,
} KvsqlOperator;

/* Whether "a op b" holds, given the order of a and b. */
static inline gboolean
kvsql_operator_admits (KvsqlOperator op, gint order)
{
  switch (op)
    {
    case KVSQL_OP_EQ:
      return order == 0;
    case KVSQL_OP_NE:
      return order != 0;
    case KVSQL_OP_LT:
      return order < 0;
    case KVSQL_OP_LE:
      return order <= 0;
    case KVSQL_OP_GT:
      return order > 0;
    default:
      return order >= 0;
    }
}

/* The operator of NOT (a op b). */
static inline KvsqlOperator
kvsql_operator_negate (KvsqlOperator op)
{
  switch (op)
    {
    case KVSQL_OP_EQ:
      return KVSQL_OP_NE;
    case KVSQL_OP_NE:
      return KVSQL_OP_EQ;
    case KVSQL_OP_LT:
      return KVSQL_OP_GE;
    case KVSQL_OP_LE:
      return KVSQL_OP_GT;
    case KVSQL_OP_GT:
      return KVSQL_OP_LE;
    default:
      return KVSQL_OP_LT;
    }
}

G_END_DECLS
