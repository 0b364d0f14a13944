/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * content-sequence.c: see content-private.h: sequences.
 */
#include "config.h"

#include "daemon/postgres/catalogue/content-private.h"

static void
fill_class (KvsqldPgContent *self)
{
  for (guint i = 0; i < self->objects->n_sequences; i++)
    {
      const KvsqldPgSequence *sequence = &self->objects->sequences[i];

      kvsqld_pg_row_begin_class (self, sequence->oid, sequence->sequence->name, KVSQLD_PG_PUBLIC,
                                 'S', 3);
      kvsqld_pg_row_set_number (self, "relpages", 1);
      kvsqld_pg_row_set_number (self, "reltuples", 1);
      kvsqld_pg_row_insert (self);
    }
}

static void
fill_attribute (KvsqldPgContent *self)
{
  static const struct
  {
    const gchar *name;
    guint32 type;
  } columns[] = { { "last_value", KVSQLD_PGT_INT8 },
                  { "log_cnt", KVSQLD_PGT_INT8 },
                  { "is_called", KVSQLD_PGT_BOOL } };

  for (guint i = 0; i < self->objects->n_sequences; i++)
    for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
      {
        kvsqld_pg_row_begin_attribute (self, self->objects->sequences[i].oid, c + 1,
                                       columns[c].name,
                                       (KvsqldPgColumnType){ columns[c].type, -1 });
        kvsqld_pg_row_set_number (self, "attnotnull", TRUE);
        kvsqld_pg_row_insert (self);
      }
}

/* A sequence goes with the attribute whose DEFAULT it is, and the DEFAULT needs the sequence. */
static void
fill_depend (KvsqldPgContent *self)
{
  for (guint i = 0; i < self->objects->n_sequences; i++)
    {
      const KvsqldPgSequence *sequence = &self->objects->sequences[i];
      gboolean is_identity = sequence->sequence->is_identity;

      if (sequence->owner == NULL)
        continue;
      kvsqld_pg_row_insert_dependency (self, KVSQLD_PG_CLASS_OF_RELATIONS, sequence->oid,
                                       sequence->owner->oid, sequence->attribute + 1,
                                       is_identity ? 'i' : 'a');
      if (!is_identity)
        kvsqld_pg_row_insert_dependency (
            self, KVSQLD_PG_CLASS_OF_DEFAULTS,
            kvsqld_pg_number_of_default (sequence->owner, sequence->attribute), sequence->oid, 0,
            'n');
    }
}

/* The type of a sequence is not stored: each is of a BIGINT. */
static void
fill_sequence (KvsqldPgContent *self)
{
  for (guint i = 0; i < self->objects->n_sequences; i++)
    {
      const KvsqlNumberSequence *sequence = self->objects->sequences[i].sequence;

      kvsqld_pg_row_begin (self);
      kvsqld_pg_row_set_number (self, "seqrelid", self->objects->sequences[i].oid);
      kvsqld_pg_row_set_number (self, "seqtypid", KVSQLD_PGT_INT8);
      kvsqld_pg_row_set_number (self, "seqstart", sequence->start);
      kvsqld_pg_row_set_number (self, "seqincrement", sequence->increment);
      kvsqld_pg_row_set_number (self, "seqmax", sequence->maximum);
      kvsqld_pg_row_set_number (self, "seqmin", sequence->minimum);
      kvsqld_pg_row_set_number (self, "seqcache", 1);
      kvsqld_pg_row_set_number (self, "seqcycle", sequence->is_cyclic);
      kvsqld_pg_row_insert (self);
    }
}

const KvsqldPgFiller kvsqld_pg_sequence_fillers[] = {
  { "pg_attribute", fill_attribute },
  { "pg_class", fill_class },
  { "pg_depend", fill_depend },
  { "pg_sequence", fill_sequence },
  { NULL, NULL },
};
