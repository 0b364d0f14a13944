/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * batch.h: consecutive rows of a file that are sent to kvsqld together.
 *
 * A row that is rejected, by the parser, by its type or by kvsqld, keeps its bytes and the reason;
 * the others are written.
 *
 * Threads: a batch belongs to one thread at a time.
 */
#pragma once

#include "client/ctl/import/target.h"
#include "client/ctl/retry-policy.h"
#include "client/ctl/import/record-reader.h"

G_BEGIN_DECLS

typedef struct
{
  gsize start; /* in the batch's bytes */
  gsize size;
  guint64 line;            /* in the file, from 1 */
  KvsqlctlProblem problem; /* message: NULL unless the row is rejected */
} KvsqlctlRow;

typedef struct
{
  const KvsqlctlTarget *target;
  guint64 number;     /* number of the batch in the file, from 1 */
  guint64 end_offset; /* offset after its last row */
  guint64 end_line;
  guint64 n_written;

  GString *bytes;
  GString *unescaped;
  GArray *fields;   /* KvsqlctlField: for each row one for each column; positions are those in the
                       batch */
  GArray *rows;     /* KvsqlctlRow */
  GArray *keys;     /* guint64: hashes */
  gboolean is_done; /* guarded by the pool */
} KvsqlctlBatch;

KvsqlctlBatch *kvsqlctl_batch_new (const KvsqlctlTarget *target);
void kvsqlctl_batch_free (KvsqlctlBatch *self); /* accepts NULL */

/* Whether a row can be added: all rows of a batch lack the same members. */
gboolean kvsqlctl_batch_fits (const KvsqlctlBatch *self, const KvsqlctlField *fields);

/**
 * kvsqlctl_batch_add:
 * @self: a batch
 * @reader: has read the row
 * @fields: (nullable): for each column, from kvsqlctl_target_arrange(); %NULL if the row is
 * rejected
 * @problem: (nullable) (transfer full): the reason
 */
void kvsqlctl_batch_add (KvsqlctlBatch *self, const KvsqlctlReader *reader,
                         const KvsqlctlField *fields, KvsqlctlProblem *problem);

/* A row's bytes as in the file. */
const gchar *kvsqlctl_batch_get_bytes (const KvsqlctlBatch *self, const KvsqlctlRow *row);

/* Rejects a row because of an error of kvsqld. */
void kvsqlctl_batch_reject (KvsqlctlBatch *self, guint row, const GError *error);

/**
 * kvsqlctl_batch_send:
 * @self: a batch
 * @connection: the connection to send over
 * @retry_policy: for how long a failed request is repeated
 * @error: return location
 *
 * A request whose outcome is unknown is sent again: a plain INSERT may be repeated.
 *
 * Returns: %TRUE if every row is written or rejected
 */
gboolean kvsqlctl_batch_send (KvsqlctlBatch *self, KvsqlConnection *connection,
                              const KvsqlctlRetryPolicy *retry_policy,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The hash of a row's key; values that are the same key have the same hash. */
guint64 kvsqlctl_hash_key (const KvsqlctlTarget *target, const KvsqlctlRecord *record,
                           const gchar *bytes, const KvsqlctlField *fields);

/* Whether the JSON type of a value fits its attribute. FALSE with @problem, except its place. */
gboolean kvsqlctl_check_kind (const KvsqlctlAttribute *attribute, KvsqlctlFieldKind kind,
                              KvsqlctlProblem *problem);

/* Appends the value of a field. FALSE with @out_problem, except its place, if it is invalid. */
gboolean kvsqlctl_append_field (KvsqlBulk *bulk, guint column, const KvsqlctlAttribute *attribute,
                                KvsqlctlFieldKind kind, const gchar *text, gsize size,
                                KvsqlctlProblem *out_problem);

/* The bytes of \x00ff or x'00ff'. Returns: (nullable): NULL if the text has another form */
GByteArray *kvsqlctl_read_hex (const gchar *text, gsize size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlctlBatch, kvsqlctl_batch_free)

G_END_DECLS
