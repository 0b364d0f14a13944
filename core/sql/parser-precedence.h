/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser-precedence.h: the precedence of operators, as in PostgreSQL. Parser and printer use it.
 */
#pragma once

typedef enum
{
  KVSQL_PRECEDENCE_LOWEST = 0,
  KVSQL_PRECEDENCE_OR = 1,
  KVSQL_PRECEDENCE_AND = 2,
  KVSQL_PRECEDENCE_NOT = 3,
  KVSQL_PRECEDENCE_IS = 4,
  KVSQL_PRECEDENCE_COMPARISON = 5,  /* does not chain */
  KVSQL_PRECEDENCE_RANGE = 6,       /* IN, BETWEEN, LIKE, ILIKE, RLIKE; does not chain */
  KVSQL_PRECEDENCE_CONCATENATE = 7, /* and ~, ~~ and their variants */
  KVSQL_PRECEDENCE_ADD = 8,
  KVSQL_PRECEDENCE_MULTIPLY = 9,
  KVSQL_PRECEDENCE_POWER = 10,
  KVSQL_PRECEDENCE_ZONE = 11, /* AT TIME ZONE */
  KVSQL_PRECEDENCE_UNARY = 12,
  KVSQL_PRECEDENCE_PRIMARY = 13, /* names, literals, calls, and their subscripts */
} KvsqlPrecedence;
