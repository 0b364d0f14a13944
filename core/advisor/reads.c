/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * reads.c: what a statement reads.
 */
#include "config.h"

#include "core/advisor/problem.h"

gboolean
kvsql_problem_finds (const KvsqlWorkload *workload, const KvsqlWorkloadStatement *statement)
{
  return (statement->shape.kind == KVSQL_STATEMENT_UPDATE
          || statement->shape.kind == KVSQL_STATEMENT_DELETE)
         && (workload->planned != NULL
             || !kvsql_shape_is_by_key (&statement->shape,
                                        workload->relations[statement->relation].relation));
}

KvsqlRead
kvsql_problem_make_read (const KvsqlWorkload *workload, const KvsqlWorkloadStatement *statement,
                         const KvsqlDesign *design)
{
  const KvsqlRelation *relation = workload->relations[statement->relation].relation;
  KvsqlRead read = { workload, statement, statement->relation, statement->shape };

  if (statement->shape.kind == KVSQL_STATEMENT_SELECT)
    return read;
  if (design == NULL || kvsql_problem_finds (workload, statement))
    kvsql_attribute_set_add_all (&read.shape.read, &relation->all);
  else if (kvsql_attribute_set_intersects (&statement->shape.assigned, &design->in_row))
    kvsql_attribute_set_add_all (&read.shape.read, &design->holds);
  else
    kvsql_attribute_set_add_all (&read.shape.read, &design->in_row);
  return read;
}
