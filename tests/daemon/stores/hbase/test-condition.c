/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-condition.c: how a write with a condition handles answers that do not say whether it
 * was done. The gateway is a script: each request takes its next line.
 */
#include "config.h"

#include "daemon/stores/hbase/t2-requests.h"
#include "daemon/stores/stores.h"

#include "tests/harness/check-and-apply.h"

#define S(text) KVSQL_SLICE_LITERAL (text)
#define MARK 100
/* Twice as long as the gateway waits before it repeats a request. */
#define SLOW_MS 150
#define DEADLINE_MS 20000

typedef enum
{
  ANSWER_TRUE,
  ANSWER_FALSE,
  ANSWER_SLOW_FALSE,
  ANSWER_LOST,  /* the connection is closed */
  ANSWER_CELLS, /* the answer to a get */
} Answer;

typedef struct
{
  const gchar *qualifier;
  gint64 timestamp;
  const gchar *value;
  KvsqldT2CellType type;
} Cell;

typedef struct
{
  const gchar *method; /* the expected request */
  Answer answer;
  Cell cells[6]; /* up to one without a qualifier */
} Line;

typedef struct
{
  const Line *lines;
  guint n_lines;
  guint n_done;
  GMutex lock; /* guards n_done */
  GSocketListener *listener;
  guint16 port;
  GCancellable *ended;
  GThread *thread;
  GPtrArray *workers; /* of GThread*, the thread's own */
} Script;

/* ---- the gateway */

static void
write_cells (KvsqldT2Writer *writer, const Cell *cells)
{
  guint n = 0;

  while (n < G_N_ELEMENTS (((Line *)NULL)->cells) && cells[n].qualifier != NULL)
    n++;
  kvsqld_t2_writer_struct_field (writer, 0);
  kvsqld_t2_writer_list_field (writer, 2, KVSQLD_T2_STRUCT, n);
  for (guint i = 0; i < n; i++)
    {
      kvsqld_t2_writer_struct_begin (writer);
      kvsqld_t2_writer_binary_field (writer, 1, S ("f"));
      kvsqld_t2_writer_binary_field (writer, 2, kvsql_slice_from_text (cells[i].qualifier));
      kvsqld_t2_writer_binary_field (writer, 3, kvsql_slice_from_text (cells[i].value));
      kvsqld_t2_writer_i64_field (writer, 4, cells[i].timestamp);
      kvsqld_t2_writer_field (writer, KVSQLD_T2_BYTE, 6);
      kvsql_buffer_append_byte (&writer->bytes, cells[i].type);
      kvsqld_t2_writer_struct_end (writer);
    }
  kvsqld_t2_writer_struct_end (writer);
}

/* FALSE: the connection is closed. */
static gboolean
answer (Script *self, const gchar *method, KvsqldT2Writer *writer)
{
  const Line *line;

  if (strcmp (method, "getThriftServerType") == 0)
    {
      kvsqld_t2_writer_i32_field (writer, 0, 2);
      return TRUE;
    }
  g_mutex_lock (&self->lock);
  g_assert_cmpuint (self->n_done, <, self->n_lines);
  line = &self->lines[self->n_done++];
  g_mutex_unlock (&self->lock);
  g_assert_cmpstr (method, ==, line->method);
  if (line->answer == ANSWER_LOST)
    return FALSE;
  /* Not a wait for an event: the time of the answer is tested. */
  if (line->answer == ANSWER_SLOW_FALSE)
    g_usleep (SLOW_MS * 1000);
  if (line->answer == ANSWER_CELLS)
    write_cells (writer, line->cells);
  else
    kvsqld_t2_writer_bool_field (writer, 0, line->answer == ANSWER_TRUE);
  return TRUE;
}

static gboolean
serve_one (Script *self, GIOStream *connection)
{
  g_auto (KvsqldT2Writer) writer = { 0 };
  g_autofree gchar *method = NULL;
  guint8 request[4096];
  gsize name_size;
  gssize n = g_input_stream_read (g_io_stream_get_input_stream (connection), request,
                                  sizeof request, self->ended, NULL);

  if (n <= 8)
    return FALSE;
  name_size = kvsql_get_be32 (request + 4);
  method = g_strndup ((const gchar *)request + 8, name_size);
  kvsqld_t2_writer_init (&writer, (KvsqldT2Transport){ FALSE, FALSE });
  kvsqld_t2_writer_begin (&writer, KVSQLD_T2_REPLY, method,
                          kvsql_get_be32 (request + 8 + name_size));
  if (!answer (self, method, &writer))
    return FALSE;
  kvsqld_t2_writer_end (&writer);
  return g_output_stream_write_all (g_io_stream_get_output_stream (connection), writer.bytes.data,
                                    writer.bytes.size, NULL, self->ended, NULL);
}

typedef struct
{
  Script *script;
  GSocketConnection *connection;
} Visit;

static gpointer
serve (gpointer data)
{
  Visit *visit = data;

  while (serve_one (visit->script, G_IO_STREAM (visit->connection)))
    ;
  g_object_unref (visit->connection);
  g_free (visit);
  return NULL;
}

static gpointer
accept_all (gpointer data)
{
  Script *self = data;
  GSocketConnection *connection;

  while ((connection = g_socket_listener_accept (self->listener, NULL, self->ended, NULL)))
    {
      Visit *visit = g_new0 (Visit, 1);

      visit->script = self;
      visit->connection = connection;
      g_ptr_array_add (self->workers, g_thread_new ("visit", serve, visit));
    }
  return NULL;
}

static void
script_start (Script *self)
{
  g_mutex_init (&self->lock);
  self->listener = g_socket_listener_new ();
  self->port = g_socket_listener_add_any_inet_port (self->listener, NULL, NULL);
  self->ended = g_cancellable_new ();
  self->workers = g_ptr_array_new ();
  self->thread = g_thread_new ("gateway", accept_all, self);
}

static void
script_end (Script *self)
{
  g_cancellable_cancel (self->ended);
  g_thread_join (self->thread);
  for (guint i = 0; i < self->workers->len; i++)
    g_thread_join (self->workers->pdata[i]);
  g_ptr_array_unref (self->workers);
  g_object_unref (self->listener);
  g_object_unref (self->ended);
  g_mutex_clear (&self->lock);
}

/* ---- requests */

typedef enum
{
  NOT_APPLIED,
  APPLIED,
  UNKNOWN,
} Outcome;

/* Puts or deletes the two cells of the row, if the first one is as @old says. */
static Outcome
change (KvsqlStore *store, gboolean is_delete, gint64 mark, guint n_versions, GError **error)
{
  const KvsqlMutation puts[] = {
    { KVSQL_MUTATION_PUT, S ("t"), S ("r"), S ("f"), S ("a"), S ("new"), MARK },
    { KVSQL_MUTATION_PUT, S ("t"), S ("r"), S ("f"), S ("b"), S ("new"), MARK },
  };
  const KvsqlMutation deletes[] = {
    { KVSQL_MUTATION_DELETE, S ("t"), S ("r"), S ("f"), S ("a"), KVSQL_SLICE_EMPTY, MARK - 1 },
    { KVSQL_MUTATION_DELETE, S ("t"), S ("r"), S ("f"), S ("b"), KVSQL_SLICE_EMPTY, MARK - 1 },
  };
  const KvsqlCheck check = {
    KVSQL_CHECK_EQUAL, S ("t"), S ("r"), S ("f"), S ("a"), S ("old"), mark, n_versions,
  };
  const KvsqlCall call
      = { .deadline_us = g_get_monotonic_time () + DEADLINE_MS * G_TIME_SPAN_MILLISECOND };
  gboolean is_applied;

  if (check_and_apply (store, &check, is_delete ? deletes : puts, 2, &call, &is_applied, error))
    return is_applied ? APPLIED : NOT_APPLIED;
  return UNKNOWN;
}

#define CHECK "checkAndMutate"
#define OLD                                                                                        \
  {                                                                                                \
    "a", 50, "old", KVSQLD_T2_CELL_PUT                                                             \
  }
#define NEW(qualifier)                                                                             \
  {                                                                                                \
    qualifier, MARK, "new", KVSQLD_T2_CELL_PUT                                                     \
  }
#define THEIRS(qualifier, timestamp)                                                               \
  {                                                                                                \
    qualifier, timestamp, "theirs", KVSQLD_T2_CELL_PUT                                             \
  }
#define GONE(qualifier, timestamp)                                                                 \
  {                                                                                                \
    qualifier, timestamp, "", KVSQLD_T2_CELL_DELETE_COLUMN                                         \
  }
#define ROW_GONE(timestamp)                                                                        \
  {                                                                                                \
    "", timestamp, "", KVSQLD_T2_CELL_DELETE_FAMILY                                                \
  }

typedef struct
{
  const gchar *name;
  Line lines[8];
  Outcome outcome;
  gboolean is_delete;
  gboolean has_no_mark;
  guint n_versions; /* that the family keeps */
} Case;

/* Of two gets the first one reads the compared cell, the second one all versions since. */
static const Case cases[] = {
  { "true", { { CHECK, ANSWER_TRUE } }, APPLIED },
  /* too fast for a repetition by the gateway */
  { "quick-false", { { CHECK, ANSWER_FALSE } }, NOT_APPLIED },
  { "quick-false-without-a-mark", { { CHECK, ANSWER_FALSE } }, NOT_APPLIED, .has_no_mark = TRUE },
  { "slow-false/mine-is-there",
    { { CHECK, ANSWER_SLOW_FALSE },
      { "get", ANSWER_CELLS, { NEW ("a") } },
      { "get", ANSWER_CELLS, { NEW ("a"), NEW ("b") } } },
    APPLIED },
  { "slow-false/mine-was-overwritten",
    { { CHECK, ANSWER_SLOW_FALSE },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120) } },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120), GONE ("a", 119), NEW ("a"), NEW ("b") } } },
    APPLIED },
  { "slow-false/an-older-one-of-others",
    { { CHECK, ANSWER_SLOW_FALSE },
      { "get", ANSWER_CELLS, { THEIRS ("a", 90) } },
      { "get", ANSWER_CELLS } },
    NOT_APPLIED },
  { "slow-false/a-newer-one-of-others",
    { { CHECK, ANSWER_SLOW_FALSE },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120) } },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120), THEIRS ("b", 120) } } },
    UNKNOWN },
  /* a flush that had dropped this request's cell would have dropped the older one, too */
  { "slow-false/a-newer-one-of-others-and-the-old-one",
    { { CHECK, ANSWER_SLOW_FALSE },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120) } },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120), THEIRS ("b", 120), OLD } } },
    NOT_APPLIED },
  { "slow-false/the-same-time-of-others",
    { { CHECK, ANSWER_SLOW_FALSE },
      { "get", ANSWER_CELLS, { THEIRS ("a", MARK) } },
      { "get", ANSWER_CELLS, { THEIRS ("a", MARK), THEIRS ("b", MARK) } } },
    UNKNOWN },
  /* the request's other cell would still be there */
  { "slow-false/a-newer-one-of-others-in-one-cell",
    { { CHECK, ANSWER_SLOW_FALSE },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120) } },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120) } } },
    NOT_APPLIED },
  { "slow-false/the-row-was-deleted",
    { { CHECK, ANSWER_SLOW_FALSE },
      { "get", ANSWER_CELLS },
      { "get", ANSWER_CELLS, { ROW_GONE (MARK) } } },
    UNKNOWN },
  { "slow-false/the-row-was-deleted-before",
    { { CHECK, ANSWER_SLOW_FALSE }, { "get", ANSWER_CELLS }, { "get", ANSWER_CELLS } },
    NOT_APPLIED },
  { "slow-false/as-compared",
    { { CHECK, ANSWER_SLOW_FALSE },
      { "get", ANSWER_CELLS, { OLD } },
      { "get", ANSWER_CELLS },
      { CHECK, ANSWER_TRUE } },
    APPLIED },
  /* a "false" after an unverified answer is unverified, too: the first request may have been
   * applied in between */
  { "slow-false/as-compared-then-quick-false",
    { { CHECK, ANSWER_SLOW_FALSE },
      { "get", ANSWER_CELLS, { OLD } },
      { "get", ANSWER_CELLS },
      { CHECK, ANSWER_FALSE },
      { "get", ANSWER_CELLS, { NEW ("a") } },
      { "get", ANSWER_CELLS, { NEW ("a"), NEW ("b") } } },
    APPLIED },
  { "slow-false/without-a-mark", { { CHECK, ANSWER_SLOW_FALSE } }, UNKNOWN, .has_no_mark = TRUE },
  { "lost/mine-is-there",
    { { CHECK, ANSWER_LOST },
      { "get", ANSWER_CELLS, { NEW ("a") } },
      { "get", ANSWER_CELLS, { NEW ("a"), NEW ("b") } } },
    APPLIED },
  { "lost/as-compared",
    { { CHECK, ANSWER_LOST },
      { "get", ANSWER_CELLS, { OLD } },
      { "get", ANSWER_CELLS },
      { CHECK, ANSWER_TRUE } },
    APPLIED },
  { "lost/an-older-one-of-others",
    { { CHECK, ANSWER_LOST },
      { "get", ANSWER_CELLS, { THEIRS ("a", 90) } },
      { "get", ANSWER_CELLS } },
    NOT_APPLIED },
  { "lost/a-newer-one-of-others",
    { { CHECK, ANSWER_LOST },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120) } },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120), THEIRS ("b", 120) } } },
    UNKNOWN },
  { "lost/twice",
    { { CHECK, ANSWER_LOST },
      { "get", ANSWER_CELLS, { OLD } },
      { "get", ANSWER_CELLS },
      { CHECK, ANSWER_LOST },
      { "get", ANSWER_CELLS, { OLD } },
      { "get", ANSWER_CELLS },
      { CHECK, ANSWER_TRUE } },
    APPLIED },
  { "lost/without-a-mark", { { CHECK, ANSWER_LOST } }, UNKNOWN, .has_no_mark = TRUE },
  /* this request's version would be among those that are kept */
  { "versions/fewer-newer-ones",
    { { CHECK, ANSWER_LOST },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120) } },
      { "get",
        ANSWER_CELLS,
        { THEIRS ("a", 130), THEIRS ("a", 120), THEIRS ("b", 130), THEIRS ("b", 120) } } },
    NOT_APPLIED,
    .n_versions = 3 },
  { "versions/as-many-newer-ones",
    { { CHECK, ANSWER_LOST },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120) } },
      { "get",
        ANSWER_CELLS,
        { THEIRS ("a", 130), THEIRS ("a", 120), THEIRS ("b", 130), THEIRS ("b", 120) } } },
    UNKNOWN,
    .n_versions = 2 },
  /* HBase counts them once */
  { "versions/one-twice",
    { { CHECK, ANSWER_LOST },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120) } },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120), THEIRS ("a", 120), THEIRS ("b", 120) } } },
    NOT_APPLIED,
    .n_versions = 2 },
  { "versions/deleted",
    { { CHECK, ANSWER_LOST },
      { "get", ANSWER_CELLS, { THEIRS ("a", 130) } },
      { "get",
        ANSWER_CELLS,
        { THEIRS ("a", 130), GONE ("a", 120), THEIRS ("b", 130), GONE ("b", 120) } } },
    UNKNOWN,
    .n_versions = 3 },
  { "delete/slow-false/mine",
    { { CHECK, ANSWER_SLOW_FALSE },
      { "get", ANSWER_CELLS },
      { "get", ANSWER_CELLS, { GONE ("a", MARK - 1), GONE ("b", MARK - 1) } } },
    APPLIED,
    .is_delete = TRUE },
  /* delete markers are kept: without a marker of this request it was another's */
  { "delete/slow-false/others",
    { { CHECK, ANSWER_SLOW_FALSE },
      { "get", ANSWER_CELLS },
      { "get", ANSWER_CELLS, { GONE ("a", 120), GONE ("b", 120) } } },
    NOT_APPLIED,
    .is_delete = TRUE },
  { "delete/lost/mine-and-then-another",
    { { CHECK, ANSWER_LOST },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120) } },
      { "get", ANSWER_CELLS, { THEIRS ("a", 120), GONE ("a", MARK - 1), GONE ("b", MARK - 1) } } },
    APPLIED,
    .is_delete = TRUE },
};

static void
test_case (gconstpointer data)
{
  const Case *one = data;
  Script script = { .lines = one->lines };
  g_autofree gchar *url = NULL;
  g_autoptr (GError) error = NULL;
  KvsqlStore *store;
  gboolean is_quick;
  Outcome outcome;

  while (script.n_lines < G_N_ELEMENTS (one->lines) && one->lines[script.n_lines].method != NULL)
    script.n_lines++;
  script_start (&script);
  /* Whether a "false" counts as fast must not depend on the load of the machine. */
  is_quick = one->lines[0].answer == ANSWER_FALSE;
  url = g_strdup_printf ("hbase://127.0.0.1:%u?framed=false&protocol=binary&pause_ms=%u",
                         script.port, is_quick ? 60000 : SLOW_MS / 2);
  store = kvsqld_store_open (url, &error);
  g_assert_no_error (error);
  outcome = change (store, one->is_delete, one->has_no_mark ? 0 : MARK, one->n_versions, &error);
  g_test_message ("%s", error != NULL ? error->message : "no error");
  g_assert_cmpint (outcome, ==, one->outcome);
  g_assert_cmpuint (script.n_done, ==, script.n_lines);
  if (outcome == UNKNOWN)
    {
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
      g_assert_true (
          g_str_has_prefix (error->message, "the write may or may not have been done: "));
      g_assert_cmpstr (kvsql_error_get_hint (error), ==,
                       "Read the data before you repeat the statement.");
    }
  kvsql_store_close (store);
  script_end (&script);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *path = g_strconcat ("/hbase/condition/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  return g_test_run ();
}
