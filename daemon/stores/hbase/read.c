/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read.c: scans and gets.
 *
 * A scan reads its ranges one after the other. Consecutive single rows are one batched get. Many
 * short ranges are a group: one scan with a filter for them, as if they were one range. The first
 * page of a range is one call with a row limit, so that a short range costs one request and the
 * region server collects no unwanted rows (not for a range that is known to be long). For the rest
 * a scanner is opened and read page by page. After a page has arrived, the next one is requested at
 * once, so that HBase works while the rows are processed. It is not if that could delay other
 * callers (pool.h), or if no more rows will be needed. A scanner is used only on the connection on
 * which it was opened. If the scanner or its connection is lost, a new scanner continues after the
 * last row, through any gateway. A scan that has already returned rows repeats this for some time
 * before it fails; any other only while a gateway answers.
 */
#include "config.h"

#include "daemon/stores/hbase/filter.h"
#include "daemon/stores/hbase/range-filter.h"
#include "daemon/stores/hbase/store.h"

#define FIRST_PAGE_ROWS 128
#define LARGEST_PAGE_ROWS 2048
#define PAGE_GROWTH 4
#define SMALLEST_PAGE_ROWS 16
#define LARGE_PAGE_BYTES ((gsize)8 << 20)
#define MIN_SPARE_ROWS 16
/* Up to this number of wanted rows the region server is told the number, and stops in time. */
#define KNOWN_SIZE_ROWS 5000
#define MAX_GETS 500
#define MAX_GET_BYTES ((gsize)1 << 20)
/* Fewer ranges are not worth the request for the number of regions. */
#define LEAST_GROUPED 8
/* How long a scan that has begun looks for a gateway and a region that continue it. */
#define MAX_OUTAGE_US (10 * G_USEC_PER_SEC)
#define MIN_PAUSE_US (20 * G_TIME_SPAN_MILLISECOND)
#define MAX_PAUSE_US (G_USEC_PER_SEC / 2)
#define CLOSE_TIMEOUT_US (2 * G_USEC_PER_SEC)

typedef struct
{
  KvsqlScan parent;
  KvsqldHbaseStore *store;
  KvsqlArena *arena; /* owns table, ranges and columns */
  KvsqlSlice table;
  KvsqlRowRange *ranges; /* in the order in which they are read */
  guint n_ranges;
  KvsqlColumn *columns;
  guint n_columns;
  KvsqlTimeRange times;
  KvsqlBuffer filter;         /* in HBase's filter language */
  gboolean is_filter_suspect; /* the filter was omitted, and no page was read since */
  gboolean is_reversed;
  guint64 remaining; /* rows still wanted */
  guint batch_rows;  /* upper bound of a batch */
  guint64 row_hint;  /* the number of rows that is probably enough; 0: unknown */
  guint64 n_given;
  gboolean is_long; /* more rows are expected than one call may return */

  guint next_range;
  gboolean is_in_range;
  gboolean is_first_page; /* of the range */
  KvsqlRowRange range;    /* the unread rest of the current range */
  KvsqlBuffer resume;     /* the bound that moves with each batch */
  gboolean makes_groups;
  KvsqlRowRange *group; /* the ranges from the first to the last of which the current one goes */
  guint n_grouped;      /* 0: it is one of its own */
  guint at_grouped;     /* those before it are read */
  KvsqlBuffer group_filter;
  gboolean has_scanner;
  gint32 scanner;
  KvsqldT2Where where; /* the scanner's connection; valid with has_scanner */
  guint page_rows;
  gboolean has_begun; /* a page was read */
  gint64 lost_us;     /* since when no page can be read; 0: pages can be read */
  gint64 pause_us;    /* before the next attempt */

  KvsqldT2Writer request;
  KvsqldHbaseAhead ahead; /* the page after @batch, requested by @request */
  guint n_asked;          /* number of rows requested by @ahead */
  KvsqldT2Reply reply;
  KvsqlRows batch;
} HbaseScan;

/* ---- ranges */

static void
range_dup (KvsqlArena *arena, const KvsqlRowRange *range, KvsqlRowRange *out)
{
  out->start = kvsql_slice_dup (arena, range->start);
  out->stop = kvsql_slice_dup (arena, range->stop);
}

/* No row is longer than the limit, so a longer bound is replaced by the next possible row. FALSE:
 * there is none. */
static gboolean
shorten_bound (KvsqlArena *arena, KvsqlSlice *bound)
{
  if (bound->size <= KVSQLD_HBASE_MAX_ROW)
    return TRUE;
  return kvsql_slice_successor (arena, kvsql_slice (bound->data, KVSQLD_HBASE_MAX_ROW), bound);
}

static gboolean
is_empty_range (const KvsqlRowRange *range)
{
  return range->stop.size > 0 && kvsql_slice_compare (range->start, range->stop) >= 0;
}

/* A range that contains exactly one possible row: [key, key 00). */
static gboolean
is_single_row (const KvsqlRowRange *range)
{
  return range->start.size > 0 && range->start.size <= KVSQLD_HBASE_MAX_ROW
         && range->stop.size == range->start.size + 1 && range->stop.data[range->start.size] == 0
         && kvsql_slice_has_prefix (range->stop, range->start);
}

/* The stop of a reversed scan is exclusive in HBase. Returns a bound slightly below the range's
 * first row, as near as possible. */
static KvsqlSlice
below (KvsqlArena *arena, KvsqlSlice start)
{
  static const gsize padding = 8;
  guint8 *bytes;
  gsize size;

  if (start.size == 0 || start.data[start.size - 1] == 0)
    return kvsql_slice (start.data, start.size > 0 ? start.size - 1 : 0);
  size = MIN (start.size + padding, KVSQLD_HBASE_MAX_ROW);
  bytes = kvsql_arena_alloc (arena, size);
  memset (bytes, 0xff, size);
  memcpy (bytes, start.data, start.size);
  bytes[start.size - 1]--;
  return kvsql_slice (bytes, size);
}

/* ---- groups of ranges */

/* Whether a range has both ends within the limit of HBase, and is to be scanned. */
static gboolean
can_be_grouped (const KvsqlRowRange *range)
{
  return range->stop.size > 0 && range->stop.size <= KVSQLD_HBASE_MAX_ROW
         && range->start.size <= KVSQLD_HBASE_MAX_ROW && !is_single_row (range);
}

/* A scan with a filter visits all regions between its first and its last row. */
static gboolean
should_group (HbaseScan *self, const KvsqlScanSpec *spec, const KvsqlCall *call)
{
  guint n = 0, n_regions;

  if (spec->filter != NULL || spec->is_reversed || spec->n_ranges < LEAST_GROUPED
      || spec->expected_rows / spec->n_ranges > FIRST_PAGE_ROWS
      || g_atomic_int_get (&self->store->counters.n_filters_refused) > 0)
    return FALSE;
  for (guint i = 0; i < spec->n_ranges; i++)
    n += can_be_grouped (&spec->ranges[i]);
  if (n < LEAST_GROUPED)
    return FALSE;
  n_regions = kvsqld_hbase_count_regions (self->store, spec->table, call);
  return n_regions > 0 && n / n_regions >= 2;
}

/* The number of the next ranges that are read by one scan. */
static guint
fit_group (const HbaseScan *self)
{
  const KvsqlRowRange *ranges = self->ranges + self->next_range;
  guint n_left = self->n_ranges - self->next_range, n = 0;
  gsize bytes = 0;

  for (; n < MIN (n_left, MAX_GETS) && bytes <= MAX_GET_BYTES && can_be_grouped (&ranges[n]); n++)
    bytes += ranges[n].start.size + ranges[n].stop.size;
  return n;
}

/* FALSE: the next range is read alone. */
static gboolean
enter_group (HbaseScan *self)
{
  guint n = self->makes_groups ? fit_group (self) : 0;

  if (n < 2)
    return FALSE;
  self->group = self->ranges + self->next_range;
  self->n_grouped = n;
  self->at_grouped = 0;
  self->next_range += n;
  self->range = (KvsqlRowRange){ self->group[0].start, self->group[n - 1].stop };
  self->is_first_page = TRUE;
  self->is_in_range = TRUE;
  self->group_filter.size = 0;
  kvsqld_hbase_range_filter_append (self->group, n, &self->group_filter);
  return TRUE;
}

/* What is unread of the group, and all later ranges, are read one by one. */
static void
leave_group (HbaseScan *self)
{
  guint i = 0;

  while (i < self->n_grouped && kvsql_slice_compare (self->group[i].stop, self->range.start) <= 0)
    i++;
  if (i < self->n_grouped && kvsql_slice_compare (self->group[i].start, self->range.start) < 0)
    self->group[i].start = kvsql_slice_dup (self->arena, self->range.start);
  self->next_range = (guint)(self->group - self->ranges) + i;
  self->makes_groups = FALSE;
  self->n_grouped = 0;
  self->is_in_range = FALSE;
}

/* Drops rows between the ranges of the group: a gateway before HBase 2.2 does not know such
 * filters, and returns all rows. TRUE: there were some. */
static gboolean
trim_group (HbaseScan *self)
{
  KvsqlRows *batch = &self->batch;
  guint n = 0, n_before = batch->n_rows;

  for (guint i = 0; i < n_before; i++)
    {
      KvsqlSlice key = batch->rows[i].key;

      while (self->at_grouped < self->n_grouped
             && kvsql_slice_compare (self->group[self->at_grouped].stop, key) <= 0)
        self->at_grouped++;
      if (self->at_grouped < self->n_grouped
          && kvsql_slice_compare (self->group[self->at_grouped].start, key) <= 0)
        batch->rows[n++] = batch->rows[i];
    }
  batch->n_rows = n;
  return n < n_before;
}

/* ---- opening and closing */

/* Slightly more than expected, so that one answer shows that there are no more rows. */
static guint
first_page (guint64 expected_rows)
{
  return (guint)CLAMP (MIN (expected_rows, LARGEST_PAGE_ROWS) * 9 / 8 + MIN_SPARE_ROWS,
                       FIRST_PAGE_ROWS, LARGEST_PAGE_ROWS);
}

KvsqlScan *
kvsqld_hbase_open_scan (KvsqlStore *store, const KvsqlScanSpec *spec, const KvsqlCall *call,
                        GError **error)
{
  g_auto (KvsqldT2Writer) request = { 0 };
  HbaseScan *self;
  g_autofree gchar *owned = NULL;

  if (!kvsqld_hbase_begin ((KvsqldHbaseStore *)store, &request, call, error))
    return NULL;
  self = g_new0 (HbaseScan, 1);
  self->request = request;
  request = (KvsqldT2Writer){ 0 };
  self->parent.store = store;
  self->store = (KvsqldHbaseStore *)store;
  self->arena = kvsql_arena_new ();
  self->table
      = kvsql_slice_dup (self->arena, kvsqld_hbase_full_name (self->store, spec->table, &owned));
  self->n_ranges = spec->n_ranges;
  self->ranges = kvsql_arena_array (self->arena, KvsqlRowRange, spec->n_ranges);
  for (guint i = 0; i < spec->n_ranges; i++)
    range_dup (self->arena, &spec->ranges[i],
               &self->ranges[spec->is_reversed ? spec->n_ranges - 1 - i : i]);
  self->n_columns = spec->n_columns;
  self->columns = kvsql_arena_array (self->arena, KvsqlColumn, spec->n_columns);
  for (guint i = 0; i < spec->n_columns; i++)
    self->columns[i] = (KvsqlColumn){
      .family = kvsql_slice_dup (self->arena, spec->columns[i].family),
      .qualifier = kvsql_slice_dup (self->arena, spec->columns[i].qualifier),
      .whole_family = spec->columns[i].whole_family,
    };
  self->times = spec->times;
  if (g_atomic_int_get (&self->store->counters.n_filters_refused) == 0)
    kvsqld_hbase_filter_append (spec, &self->filter);
  self->is_reversed = spec->is_reversed;
  self->remaining = spec->row_limit > 0 ? spec->row_limit : G_MAXUINT64;
  self->batch_rows
      = spec->batch_rows > 0 ? MIN (spec->batch_rows, LARGEST_PAGE_ROWS) : LARGEST_PAGE_ROWS;
  self->row_hint = spec->row_hint;
  self->page_rows = first_page (spec->expected_rows);
  self->is_long = spec->expected_rows > KNOWN_SIZE_ROWS;
  self->makes_groups = should_group (self, spec, call);
  return &self->parent;
}

/* An open scanner costs its server memory for a minute or more; one that cannot be closed must time
 * out. */
static void
close_scanner (HbaseScan *self)
{
  KvsqlCall call = { .deadline_us = g_get_monotonic_time () + CLOSE_TIMEOUT_US };
  g_auto (KvsqldT2Reply) reply = { 0 };

  if (!self->has_scanner)
    return;
  self->has_scanner = FALSE;
  kvsqld_hbase_drop_ahead (self->store, &self->ahead);
  self->where.or_older = TRUE;
  kvsqld_t2_write_close_scanner (&self->request, self->scanner);
  if (!kvsqld_hbase_round_trip (self->store, &kvsqld_t2_close_scanner, &self->request, &self->where,
                                &call, &reply, NULL))
    g_debug ("hbase: a scanner was not closed; its server ends it after its time-out");
}

void
kvsqld_hbase_scan_close (KvsqlScan *scan)
{
  HbaseScan *self = (HbaseScan *)scan;

  close_scanner (self);
  kvsqld_t2_writer_clear (&self->request);
  kvsqld_t2_reply_clear (&self->reply);
  kvsql_buffer_clear (&self->resume);
  kvsql_buffer_clear (&self->filter);
  kvsql_buffer_clear (&self->group_filter);
  kvsql_arena_free (self->arena);
  g_free (self);
}

/* ---- filters that the server does not know */

/* A filter only saves work. TRUE: the rejected request should be repeated without it. */
static gboolean
drop_filter (HbaseScan *self)
{
  if ((self->filter.size == 0 && self->n_grouped == 0) || !kvsqld_hbase_is_of_filter (&self->reply))
    return FALSE;
  if (self->n_grouped > 0)
    leave_group (self);
  self->filter.size = 0;
  self->is_filter_suspect = TRUE;
  return TRUE;
}

/* A request was answered only without its filter: later scans do not try filters. */
static void
remember_filter (HbaseScan *self)
{
  if (self->is_filter_suspect)
    g_atomic_int_inc (&self->store->counters.n_filters_refused);
  self->is_filter_suspect = FALSE;
}

/* ---- single rows */

/* The reply to a get has a result for each key; it is empty if the row does not exist. */
static gboolean
check_n_rows (const KvsqldT2Reply *reply, guint n_keys, GError **error)
{
  if (reply->rows.n_rows == n_keys)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                          "HBase answered %u gets with %u rows", n_keys, reply->rows.n_rows);
}

/* The number of keys for one request; at least one. */
static guint
fit_keys (const KvsqlSlice *keys, guint n_keys)
{
  gsize bytes = 0;
  guint n = 0;

  while (n < MIN (n_keys, MAX_GETS) && (n == 0 || bytes + keys[n].size <= MAX_GET_BYTES))
    bytes += keys[n++].size;
  return n;
}

static void
leave_out_missing_rows (KvsqlRows *rows)
{
  guint n = 0;

  for (guint i = 0; i < rows->n_rows; i++)
    if (rows->rows[i].n_cells > 0)
      rows->rows[n++] = rows->rows[i];
  rows->n_rows = n;
}

/* One get costs a gateway less than a list of one get. Returns the method of @request. */
static const KvsqldT2Method *
write_gets (KvsqldT2Writer *request, KvsqlSlice table, const KvsqlSlice *keys, guint n,
            const KvsqlColumn *columns, guint n_columns, const KvsqlTimeRange *times,
            KvsqlSlice filter)
{
  if (n == 1)
    kvsqld_t2_write_get (request, table, keys[0], columns, n_columns, times, filter);
  else
    kvsqld_t2_write_get_multiple (request, table, keys, n, columns, n_columns, times, filter);
  return n == 1 ? &kvsqld_t2_get : &kvsqld_t2_get_multiple;
}

static gboolean
get_rows (HbaseScan *self, const KvsqlSlice *keys, guint n, const KvsqlCall *call, GError **error)
{
  KvsqldT2Where anywhere = KVSQLD_T2_ANYWHERE;
  const KvsqldT2Method *method
      = write_gets (&self->request, self->table, keys, n, self->columns, self->n_columns,
                    &self->times, kvsql_buffer_slice (&self->filter));

  if (!kvsqld_hbase_round_trip (self->store, method, &self->request, &anywhere, call, &self->reply,
                                error))
    return FALSE;
  if (self->reply.status == KVSQLD_T2_OK)
    {
      remember_filter (self);
      return check_n_rows (&self->reply, n, error);
    }
  if (drop_filter (self))
    return get_rows (self, keys, n, call, error);
  return kvsqld_hbase_fail (&self->reply, method, self->table, error);
}

/* Reads the consecutive single rows at the start of the rest. There is at least one. */
static gboolean
read_single_rows (HbaseScan *self, const KvsqlCall *call, GError **error)
{
  KvsqlSlice keys[MAX_GETS];
  guint n = 0;
  guint wanted = (guint)MIN (MIN (self->batch_rows, MAX_GETS), self->remaining);

  do
    {
      keys[n] = self->ranges[self->next_range + n].start;
      n++;
    }
  while (n < wanted && self->next_range + n < self->n_ranges
         && is_single_row (&self->ranges[self->next_range + n]));
  n = fit_keys (keys, n);
  if (!get_rows (self, keys, n, call, error))
    return FALSE;
  self->batch = self->reply.rows;
  leave_out_missing_rows (&self->batch);
  self->next_range += n;
  return TRUE;
}

/* ---- ranges */

static void
leave_range (HbaseScan *self)
{
  close_scanner (self);
  self->is_in_range = FALSE;
  self->n_grouped = 0;
}

static void
enter_range (HbaseScan *self)
{
  self->range = self->ranges[self->next_range++];
  self->is_first_page = TRUE;
  self->is_in_range = shorten_bound (self->arena, &self->range.start);
  if (!shorten_bound (self->arena, &self->range.stop))
    self->range.stop = KVSQL_SLICE_EMPTY;
  if (is_empty_range (&self->range))
    self->is_in_range = FALSE;
}

/* After a batch: the rest begins after its last row. */
static void
move_bound (HbaseScan *self, KvsqlSlice last)
{
  self->resume.size = 0;
  kvsql_buffer_append_slice (&self->resume, last);
  if (self->is_reversed)
    {
      self->range.stop = kvsql_buffer_slice (&self->resume);
      return;
    }
  if (last.size < KVSQLD_HBASE_MAX_ROW)
    {
      kvsql_buffer_append_byte (&self->resume, 0);
      self->range.start = kvsql_buffer_slice (&self->resume);
    }
  else if (!kvsql_slice_successor (self->arena, last, &self->range.start))
    leave_range (self);
}

static KvsqldT2Scan
describe_range (HbaseScan *self, guint limit)
{
  KvsqldT2Scan scan = {
    .start = self->range.start,
    .stop = self->range.stop,
    .columns = self->columns,
    .n_columns = self->n_columns,
    .times = self->times,
    .filter = kvsql_buffer_slice (&self->filter),
    .range_filter
    = self->n_grouped > 0 ? kvsql_buffer_slice (&self->group_filter) : KVSQL_SLICE_EMPTY,
    .limit = limit,
    .is_reversed = self->is_reversed,
  };

  if (self->is_reversed)
    {
      scan.start = self->range.stop;
      scan.stop = below (self->arena, self->range.start);
      /* The row at the bound itself is returned too, and dropped. */
      if (limit > 0 && self->range.stop.size > 0)
        scan.limit++;
    }
  return scan;
}

/* A reversed scan returns the row at its upper bound, and perhaps some just below its lower bound:
 * drops them. */
static gboolean
trim_reversed (HbaseScan *self)
{
  KvsqlRows *batch = &self->batch;
  gboolean is_over = FALSE;

  if (batch->n_rows > 0 && self->range.stop.size > 0
      && kvsql_slice_compare (batch->rows[0].key, self->range.stop) >= 0)
    {
      batch->rows++;
      batch->n_rows--;
    }
  while (batch->n_rows > 0
         && kvsql_slice_compare (batch->rows[batch->n_rows - 1].key, self->range.start) < 0)
    {
      batch->n_rows--;
      is_over = TRUE;
    }
  return is_over;
}

/* Takes over the rows of the reply to a request for @asked rows. */
static void
accept_page (HbaseScan *self, guint asked)
{
  gboolean is_over = self->reply.rows.n_rows < asked;

  self->batch = self->reply.rows;
  self->is_first_page = FALSE;
  if (self->is_reversed)
    is_over |= trim_reversed (self);
  self->has_begun = TRUE;
  self->lost_us = 0;
  if (self->batch.n_rows > 0)
    move_bound (self, self->batch.rows[self->batch.n_rows - 1].key);
  is_over |= is_empty_range (&self->range);
  if (self->n_grouped > 0 && trim_group (self))
    {
      g_atomic_int_inc (&self->store->counters.n_filters_refused);
      close_scanner (self);
      leave_group (self);
    }
  else if (is_over)
    leave_range (self);
  if (self->reply.bytes.size > LARGE_PAGE_BYTES)
    self->page_rows = MAX (1, self->page_rows / 2);
  else if (asked >= self->page_rows)
    self->page_rows = MIN (self->page_rows * PAGE_GROWTH, LARGEST_PAGE_ROWS);
}

typedef enum
{
  PAGE_READ,
  PAGE_LOST,  /* the scanner or its connection is lost; try another */
  PAGE_AGAIN, /* without the filter */
  PAGE_FAILED,
} PageResult;

/* No answer arrived. Takes @failure. */
static PageResult
lose_page (GError *failure, GError **error)
{
  gboolean is_lost = g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);

  g_propagate_error (error, failure);
  return is_lost ? PAGE_LOST : PAGE_FAILED;
}

static PageResult
judge_page (HbaseScan *self, const KvsqldT2Method *method, GError **error)
{
  KvsqldHbaseErrorKind kind = kvsqld_hbase_diagnose (&self->reply, self->table);

  if (kind == KVSQLD_HBASE_FINE)
    {
      if (method != &kvsqld_t2_open_scanner)
        remember_filter (self);
      return PAGE_READ;
    }
  if (kind == KVSQLD_HBASE_OTHER && drop_filter (self))
    return PAGE_AGAIN;
  kvsqld_hbase_fail (&self->reply, method, self->table, error);
  return kind == KVSQLD_HBASE_NO_SCANNER || (kind == KVSQLD_HBASE_BUSY && self->has_begun)
             ? PAGE_LOST
             : PAGE_FAILED;
}

static PageResult
request_page (HbaseScan *self, const KvsqldT2Method *method, KvsqldT2Where *where,
              const KvsqlCall *call, GError **error)
{
  GError *failure = NULL;

  self->request.uses_full_deadline = self->filter.size > 0 || self->n_grouped > 0;
  if (!kvsqld_hbase_round_trip (self->store, method, &self->request, where, call, &self->reply,
                                &failure))
    return lose_page (failure, error);
  return judge_page (self, method, error);
}

/* Opens, reads and closes a scanner in one call. */
static PageResult
read_at_once (HbaseScan *self, guint wanted, const KvsqlCall *call, GError **error)
{
  KvsqldT2Scan scan = describe_range (self, wanted);
  KvsqldT2Where anywhere = KVSQLD_T2_ANYWHERE;
  PageResult result;

  kvsqld_t2_write_get_scanner_results (&self->request, self->table, &scan);
  result = request_page (self, &kvsqld_t2_get_scanner_results, &anywhere, call, error);
  if (result == PAGE_READ)
    accept_page (self, scan.limit);
  return result;
}

static PageResult
open_scanner (HbaseScan *self, const KvsqlCall *call, GError **error)
{
  KvsqldT2Scan scan
      = describe_range (self, self->remaining <= KNOWN_SIZE_ROWS ? (guint)self->remaining : 0);
  PageResult result;

  self->where = KVSQLD_T2_ANYWHERE;
  kvsqld_t2_write_open_scanner (&self->request, self->table, &scan);
  result = request_page (self, &kvsqld_t2_open_scanner, &self->where, call, error);
  if (result != PAGE_READ)
    return result;
  self->scanner = self->reply.number;
  self->has_scanner = TRUE;
  return PAGE_READ;
}

static guint
choose_page (const HbaseScan *self)
{
  return (guint)MIN (MIN (self->page_rows, self->batch_rows), self->remaining);
}

/* Whether the expected rows are read. A scan that is far past its row hint does not trust it any
 * more. */
static gboolean
is_enough (const HbaseScan *self)
{
  return self->n_given >= self->row_hint && self->n_given / 2 < self->row_hint;
}

static void
ask_ahead (HbaseScan *self, const KvsqlCall *call)
{
  if (!self->has_scanner || is_enough (self) || !kvsql_call_check (call, NULL))
    return;
  self->n_asked = choose_page (self);
  kvsqld_t2_write_get_scanner_rows (&self->request, self->scanner, self->n_asked);
  self->request.uses_full_deadline = self->filter.size > 0 || self->n_grouped > 0;
  kvsqld_hbase_ask_ahead (self->store, &kvsqld_t2_get_scanner_rows, &self->request, &self->where,
                          &self->ahead);
}

static PageResult
read_ahead (HbaseScan *self, const KvsqlCall *call, GError **error)
{
  GError *failure = NULL;
  PageResult result;

  if (!kvsqld_hbase_await_ahead (self->store, &self->ahead, call, &self->reply, &failure))
    return lose_page (failure, error);
  result = judge_page (self, &kvsqld_t2_get_scanner_rows, error);
  if (result == PAGE_READ)
    accept_page (self, self->n_asked);
  return result;
}

static PageResult
read_page (HbaseScan *self, const KvsqlCall *call, GError **error)
{
  guint wanted = choose_page (self);
  PageResult result;

  if (self->ahead.connection != NULL)
    return read_ahead (self, call, error);
  if (!self->has_scanner)
    {
      if ((self->is_first_page && !self->is_long) || self->remaining <= wanted)
        return read_at_once (self, wanted, call, error);
      result = open_scanner (self, call, error);
      if (result != PAGE_READ)
        return result;
    }
  kvsqld_t2_write_get_scanner_rows (&self->request, self->scanner, wanted);
  result = request_page (self, &kvsqld_t2_get_scanner_rows, &self->where, call, error);
  if (result == PAGE_READ)
    accept_page (self, wanted);
  return result;
}

/* After a lost page. TRUE: try again; it may have paused. */
static gboolean
resume (HbaseScan *self, const KvsqlCall *call)
{
  gint64 now_us = g_get_monotonic_time ();

  close_scanner (self);
  /* A smaller answer may arrive where a large one is cut off. */
  self->page_rows = MAX (self->page_rows / PAGE_GROWTH, SMALLEST_PAGE_ROWS);
  if (!self->has_begun && kvsqld_t2_pool_is_away (self->store->pool))
    return FALSE;
  if (self->lost_us == 0)
    {
      self->lost_us = now_us;
      self->pause_us = MIN_PAUSE_US;
      g_atomic_int_inc (&self->store->counters.n_resumed);
      return TRUE;
    }
  if (now_us - self->lost_us > MAX_OUTAGE_US)
    return FALSE;
  kvsqld_hbase_pause (self->pause_us, call);
  self->pause_us = MIN (self->pause_us * 2, MAX_PAUSE_US);
  return kvsql_call_check (call, NULL);
}

static gboolean
read_range (HbaseScan *self, const KvsqlCall *call, GError **error)
{
  g_autoptr (GError) failure = NULL;
  PageResult result = read_page (self, call, &failure);

  if (result == PAGE_AGAIN)
    {
      close_scanner (self);
      return TRUE;
    }
  if (result == PAGE_READ || (result == PAGE_LOST && resume (self, call)))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
kvsqld_hbase_scan_next (KvsqlScan *scan, const KvsqlCall *call, const KvsqlRows **out_rows,
                        GError **error)
{
  HbaseScan *self = (HbaseScan *)scan;

  self->batch = (KvsqlRows){ 0 };
  while (self->batch.n_rows == 0 && self->remaining > 0
         && (self->is_in_range || self->next_range < self->n_ranges))
    {
      if (self->is_in_range)
        {
          if (!read_range (self, call, error))
            return FALSE;
        }
      else if (!is_single_row (&self->ranges[self->next_range]))
        {
          if (!enter_group (self))
            enter_range (self);
        }
      else if (!read_single_rows (self, call, error))
        return FALSE;
    }
  if (self->remaining != G_MAXUINT64)
    self->remaining -= self->batch.n_rows;
  self->n_given += self->batch.n_rows;
  if (self->remaining == 0)
    leave_range (self);
  else
    ask_ahead (self, call);
  *out_rows = &self->batch;
  return TRUE;
}

/* ---- gets */

static void
move_slice (KvsqlSlice *slice, const guint8 *from, const guint8 *to)
{
  if (slice->size > 0)
    slice->data = to + (slice->data - from);
}

/* Appends a reply's rows; their bytes are copied to the arena at once. */
static void
keep_rows (KvsqldT2Reply *reply, const KvsqlSlice *keys, KvsqlArena *arena, KvsqlRow *rows,
           GArray *cells)
{
  const guint8 *from = reply->bytes.data;
  const guint8 *to = kvsql_arena_copy (arena, from, reply->bytes.size);

  for (guint i = 0; i < reply->rows.n_rows; i++)
    {
      rows[i] = reply->rows.rows[i];
      rows[i].first_cell += cells->len;
      rows[i].key = kvsql_slice_dup (arena, keys[i]);
    }
  for (guint i = 0; i < reply->rows.n_cells; i++)
    {
      KvsqlCell *cell = &reply->rows.cells[i];

      move_slice (&cell->family, from, to);
      move_slice (&cell->qualifier, from, to);
      move_slice (&cell->value, from, to);
    }
  g_array_append_vals (cells, reply->rows.cells, reply->rows.n_cells);
}

static gboolean
get_chunk (KvsqldHbaseStore *self, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
           const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call, KvsqldT2Reply *reply,
           GError **error)
{
  g_auto (KvsqldT2Writer) request = { 0 };
  const KvsqldT2Method *method;

  if (!kvsqld_hbase_begin (self, &request, call, error))
    return FALSE;
  method = write_gets (&request, table, keys, n_keys, columns, n_columns, NULL, KVSQL_SLICE_EMPTY);
  return kvsqld_hbase_request (self, method, &request, table, call, reply, error)
         && check_n_rows (reply, n_keys, error);
}

gboolean
kvsqld_hbase_multi_get (KvsqlStore *store, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
                        const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call,
                        KvsqlArena *arena, KvsqlRows *out_rows, GError **error)
{
  KvsqldHbaseStore *self = (KvsqldHbaseStore *)store;
  g_auto (KvsqldT2Reply) reply = { 0 };
  g_autofree gchar *owned = NULL;
  KvsqlSlice full_name = kvsqld_hbase_full_name (self, table, &owned);
  KvsqlRow *rows = kvsql_arena_array (arena, KvsqlRow, n_keys);
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (KvsqlCell));

  for (guint done = 0; done < n_keys;)
    {
      guint n = fit_keys (keys + done, n_keys - done);

      if (!get_chunk (self, full_name, keys + done, n, columns, n_columns, call, &reply, error))
        return FALSE;
      keep_rows (&reply, keys + done, arena, rows + done, cells);
      done += n;
    }
  *out_rows = (KvsqlRows){
    .n_rows = n_keys,
    .rows = rows,
    .n_cells = cells->len,
    .cells = kvsql_arena_copy (arena, cells->data, cells->len * sizeof (KvsqlCell)),
  };
  return TRUE;
}
