/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "tests/bench/thrift2.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/bench/program.h"

#define WINDOW_BYTES (512 * 1024)
#define MOST_DEPTH 8

/* The numbers of the binary protocol. */
enum
{
  STOP = 0,
  BOOL = 2,
  BYTE = 3,
  DOUBLE = 4,
  I16 = 6,
  I32 = 8,
  I64 = 10,
  STRING = 11,
  STRUCT = 12,
  MAP = 13,
  SET = 14,
  LIST = 15,
};

#define TCOMPAREOP_EQUAL 2 /* HBase's TCompareOp */

static const guint8 compact_types[] = {
  [BOOL] = 1, [BYTE] = 3, [I16] = 4, [I32] = 5, [I64] = 6, [STRING] = 8, [STRUCT] = 12, [LIST] = 9
};
static const guint8 binary_types[16]
    = { STOP, BOOL, BOOL, BYTE, I16, I32, I64, DOUBLE, STRING, LIST, SET, MAP, STRUCT };

struct Thrift2
{
  int fd;
  gboolean is_compact, is_broken;
  guint8 *window; /* received bytes that were not read yet: [begin, end) */
  gsize begin, end, room;
  GByteArray *request;
  gint last_field[MOST_DEPTH],
      depth;            /* the compact protocol writes the difference to the previous field */
  volatile guint64 sum; /* depends on all bytes that were read */
};

/* ---- requests */

static void
write_bytes (Thrift2 *self, const void *bytes, gsize size)
{
  g_byte_array_append (self->request, bytes, (guint)size);
}

static void
write_byte (Thrift2 *self, guint value)
{
  guint8 byte = (guint8)value;

  write_bytes (self, &byte, 1);
}

static void
write_fixed32 (Thrift2 *self, guint32 value)
{
  value = GUINT32_TO_BE (value);
  write_bytes (self, &value, 4);
}

static void
write_varint (Thrift2 *self, guint32 value)
{
  for (; value > 127; value >>= 7)
    write_byte (self, value | 128);
  write_byte (self, value);
}

static void
write_i32 (Thrift2 *self, gint32 value)
{
  if (self->is_compact)
    write_varint (self, (guint32)value << 1 ^ (guint32)(value >> 31));
  else
    write_fixed32 (self, (guint32)value);
}

static void
write_string (Thrift2 *self, const void *bytes, gsize size)
{
  if (self->is_compact)
    write_varint (self, (guint32)size);
  else
    write_fixed32 (self, (guint32)size);
  write_bytes (self, bytes, size);
}

static void
write_field (Thrift2 *self, gint type, gint id)
{
  if (self->is_compact)
    {
      write_byte (self, (guint)(id - self->last_field[self->depth]) << 4 | compact_types[type]);
      self->last_field[self->depth] = id;
      return;
    }
  write_byte (self, (guint)type);
  write_byte (self, 0);
  write_byte (self, (guint)id);
}

static void
begin_struct (Thrift2 *self)
{
  self->last_field[++self->depth] = 0;
}

static void
end_struct (Thrift2 *self)
{
  write_byte (self, STOP);
  self->depth--;
}

static void
write_list (Thrift2 *self, gint type, guint n)
{
  if (!self->is_compact)
    {
      write_byte (self, (guint)type);
      write_fixed32 (self, n);
    }
  else if (n < 15)
    write_byte (self, n << 4 | compact_types[type]);
  else
    {
      write_byte (self, 0xf0u | compact_types[type]);
      write_varint (self, n);
    }
}

static void
write_string_field (Thrift2 *self, gint id, Thrift2Bytes bytes)
{
  write_field (self, STRING, id);
  write_string (self, bytes.data, bytes.size);
}

static Thrift2Bytes
bytes_of (const gchar *text)
{
  return (Thrift2Bytes){ (const guint8 *)text, strlen (text) };
}

static void
begin_request (Thrift2 *self, const gchar *name)
{
  g_byte_array_set_size (self->request, 0);
  self->depth = 0;
  if (self->is_compact)
    {
      write_byte (self, 0x82);
      write_byte (self, 0x21);
      write_varint (self, 1);
      write_string (self, name, strlen (name));
    }
  else
    {
      write_fixed32 (self, 0x80010001u);
      write_string (self, name, strlen (name));
      write_fixed32 (self, 1);
    }
  begin_struct (self);
}

static void
begin_table_request (Thrift2 *self, const gchar *name, const gchar *table)
{
  begin_request (self, name);
  write_string_field (self, 1, bytes_of (table));
}

static gboolean
send_request (Thrift2 *self)
{
  gsize sent = 0;

  end_struct (self);
  while (sent < self->request->len)
    {
      gssize n
          = send (self->fd, self->request->data + sent, self->request->len - sent, MSG_NOSIGNAL);
      if (n <= 0)
        return bench_fail (g_strerror (errno)) >= 0;
      sent += (gsize)n;
    }
  return TRUE;
}

/* ---- answers */

/* Makes at least @size unread bytes available, which do not move until the next call. After a
 * failure they are zeros, so that readers end. */
static const guint8 *
fill (Thrift2 *self, gsize size)
{
  memmove (self->window, self->window + self->begin, self->end - self->begin);
  self->end -= self->begin;
  self->begin = 0;
  if (size > self->room)
    self->window = g_realloc (self->window, self->room = size + WINDOW_BYTES);
  while (self->end < size && !self->is_broken)
    {
      gssize n = recv (self->fd, self->window + self->end, self->room - self->end, 0);
      if (n <= 0)
        self->is_broken = TRUE;
      else
        self->end += (gsize)n;
    }
  if (self->is_broken)
    {
      memset (self->window, 0, size);
      self->end = size;
    }
  return self->window;
}

static inline const guint8 *
read_bytes (Thrift2 *self, gsize size)
{
  const guint8 *bytes;

  if (G_UNLIKELY (self->end - self->begin < size))
    fill (self, size);
  bytes = self->window + self->begin;
  self->begin += size;
  return bytes;
}

static inline guint32
read_fixed32 (Thrift2 *self)
{
  guint32 value;

  memcpy (&value, read_bytes (self, 4), 4);
  return GUINT32_FROM_BE (value);
}

static inline guint64
read_varint (Thrift2 *self)
{
  guint64 value = 0;

  for (guint shift = 0; shift < 64; shift += 7)
    {
      guint8 byte = *read_bytes (self, 1);
      value |= (guint64)(byte & 127) << shift;
      if (byte < 128)
        break;
    }
  return value;
}

static inline guint32
read_size (Thrift2 *self)
{
  return self->is_compact ? (guint32)read_varint (self) : read_fixed32 (self);
}

static gint32
read_i32 (Thrift2 *self)
{
  guint64 value;

  if (!self->is_compact)
    return (gint32)read_fixed32 (self);
  value = read_varint (self);
  return (gint32)((value >> 1) ^ -(value & 1));
}

/* Returns the type; STOP at the end. @io_id: the field before, then this one. */
static inline gint
read_field (Thrift2 *self, gint *io_id)
{
  guint8 head = *read_bytes (self, 1);

  if (head == STOP)
    return STOP;
  if (!self->is_compact)
    {
      const guint8 *id = read_bytes (self, 2);
      *io_id = id[0] << 8 | id[1];
      return head;
    }
  if (head >> 4 != 0)
    *io_id += head >> 4;
  else
    *io_id = read_i32 (self);
  return binary_types[head & 15];
}

static guint
read_list (Thrift2 *self, gint *out_type)
{
  guint8 head = *read_bytes (self, 1);

  *out_type = self->is_compact ? binary_types[head & 15] : head;
  if (!self->is_compact)
    return read_fixed32 (self);
  return head >> 4 == 15 ? (guint)read_varint (self) : (guint)head >> 4;
}

/* The size of a value with a fixed size; -1 for other types. */
static gint
fixed_size (const Thrift2 *self, gint type, gboolean is_field)
{
  switch (type)
    {
    case BOOL: /* the value of a field is in its header */
      return self->is_compact && is_field ? 0 : 1;
    case BYTE:
      return 1;
    case DOUBLE:
      return 8;
    case I16:
      return self->is_compact ? -1 : 2;
    case I32:
      return self->is_compact ? -1 : 4;
    case I64:
      return self->is_compact ? -1 : 8;
    default:
      return -1;
    }
}

static void
skip (Thrift2 *self, gint type, gboolean is_field)
{
  gint size = fixed_size (self, type, is_field), id = 0, inner;

  if (size >= 0)
    read_bytes (self, (gsize)size);
  else if (type == STRING)
    read_bytes (self, read_size (self));
  else if (type == STRUCT)
    while ((inner = read_field (self, &id)) != STOP)
      skip (self, inner, TRUE);
  else if (type == LIST || type == SET)
    for (guint n = read_list (self, &inner); n > 0 && !self->is_broken; n--)
      skip (self, inner, FALSE);
  else
    read_varint (self);
}

static inline void
look_at_string (Thrift2 *self)
{
  guint32 size = read_size (self);
  const guint8 *bytes = read_bytes (self, size);

  self->sum += size + (size > 0 ? bytes[size - 1] : 0);
}

static void
read_cell (Thrift2 *self)
{
  gint id = 0, type;

  while ((type = read_field (self, &id)) != STOP)
    if (type == STRING)
      look_at_string (self);
    else
      skip (self, type, TRUE);
}

/* Returns the number of cells; 0 for a row that does not exist. */
static guint
read_result (Thrift2 *self)
{
  gint id = 0, type, item;
  guint n_cells = 0;

  while ((type = read_field (self, &id)) != STOP)
    if (id == 1 && type == STRING)
      look_at_string (self);
    else if (id == 2 && type == LIST)
      {
        n_cells = read_list (self, &item);
        for (guint i = 0; i < n_cells && !self->is_broken; i++)
          read_cell (self);
      }
    else
      skip (self, type, TRUE);
  return n_cells;
}

/* Reads an exception and prints its first text. */
static gint64
read_failure (Thrift2 *self)
{
  g_autofree gchar *text = NULL;
  gint id = 0, type;

  while ((type = read_field (self, &id)) != STOP)
    if (type == STRING && text == NULL)
      {
        guint32 size = read_size (self);
        text = g_strndup ((const gchar *)read_bytes (self, size), MIN (size, 300));
      }
    else
      skip (self, type, TRUE);
  return bench_fail (text != NULL ? text : "an exception without a text");
}

static gint64
read_value (Thrift2 *self, gint type)
{
  gint64 rows = 0;
  gint item;

  if (type == STRUCT)
    return read_result (self) > 0;
  if (type == I32)
    return read_i32 (self);
  if (type != LIST)
    {
      skip (self, type, TRUE);
      return 0;
    }
  for (guint n = read_list (self, &item); n > 0 && !self->is_broken; n--)
    if (item == STRUCT)
      rows += read_result (self) > 0;
    else
      skip (self, item, FALSE);
  return rows;
}

/* Returns whether the message is the reply of the call, and not an exception of Thrift. */
static gboolean
read_head (Thrift2 *self)
{
  guint8 type;

  if (self->is_compact)
    {
      type = read_bytes (self, 2)[1] >> 5;
      read_varint (self);
      read_bytes (self, (gsize)read_varint (self));
    }
  else
    {
      type = (guint8)read_fixed32 (self);
      read_bytes (self, read_fixed32 (self));
      read_fixed32 (self);
    }
  return type == 2;
}

/* Returns the number of rows, or -1. */
static gint64
call (Thrift2 *self)
{
  gint id = 0, type;
  gint64 value = 0;

  if (!send_request (self))
    return -1;
  if (!read_head (self))
    return self->is_broken ? bench_fail ("the gateway closed the connection") : read_failure (self);
  while ((type = read_field (self, &id)) != STOP)
    if (id == 0)
      value = read_value (self, type);
    else
      value = read_failure (self);
  return self->is_broken ? bench_fail ("the gateway closed the connection") : value;
}

/* ---- calls */

static void
write_get (Thrift2 *self, Thrift2Bytes row)
{
  begin_struct (self);
  write_string_field (self, 1, row);
  end_struct (self);
}

gint64
thrift2_get (Thrift2 *self, const gchar *table, Thrift2Bytes row)
{
  begin_table_request (self, "get", table);
  write_field (self, STRUCT, 2);
  write_get (self, row);
  return call (self);
}

gint64
thrift2_get_multiple (Thrift2 *self, const gchar *table, const Thrift2Bytes *rows, guint n)
{
  begin_table_request (self, "getMultiple", table);
  write_field (self, LIST, 2);
  write_list (self, STRUCT, n);
  for (guint i = 0; i < n; i++)
    write_get (self, rows[i]);
  return call (self);
}

static void
write_put (Thrift2 *self, const Thrift2Put *put)
{
  begin_struct (self);
  write_string_field (self, 1, (Thrift2Bytes){ put->row, put->row_size });
  write_field (self, LIST, 2);
  write_list (self, STRUCT, put->n_cells);
  for (guint i = 0; i < put->n_cells; i++)
    {
      const Thrift2Cell *cell = &put->cells[i];

      begin_struct (self);
      write_string_field (self, 1, bytes_of ("f"));
      write_string_field (self, 2, bytes_of (cell->qualifier));
      write_string_field (self, 3, (Thrift2Bytes){ cell->value, cell->size });
      end_struct (self);
    }
  end_struct (self);
}

gint64
thrift2_put (Thrift2 *self, const gchar *table, const Thrift2Put *put)
{
  begin_table_request (self, "put", table);
  write_field (self, STRUCT, 2);
  write_put (self, put);
  return call (self) < 0 ? -1 : 1;
}

/* TRowMutations with one put. */
static void
write_row_mutations (Thrift2 *self, const Thrift2Put *put)
{
  begin_struct (self);
  write_string_field (self, 1, (Thrift2Bytes){ put->row, put->row_size });
  write_field (self, LIST, 2);
  write_list (self, STRUCT, 1);
  begin_struct (self);
  write_field (self, STRUCT, 1);
  write_put (self, put);
  end_struct (self);
  end_struct (self);
}

gint64
thrift2_check_and_put (Thrift2 *self, const gchar *table, const Thrift2Put *put)
{
  begin_table_request (self, "checkAndMutate", table);
  write_string_field (self, 2, (Thrift2Bytes){ put->row, put->row_size });
  write_string_field (self, 3, bytes_of ("f"));
  write_string_field (self, 4, bytes_of ("absent"));
  write_field (self, I32, 5);
  write_i32 (self, TCOMPAREOP_EQUAL);
  write_string_field (self, 6, bytes_of ("")); /* equals a cell that is absent */
  write_field (self, STRUCT, 7);
  write_row_mutations (self, put);
  return call (self) < 0 ? -1 : 1;
}

gint64
thrift2_put_multiple (Thrift2 *self, const gchar *table, const Thrift2Put *puts, guint n)
{
  begin_table_request (self, "putMultiple", table);
  write_field (self, LIST, 2);
  write_list (self, STRUCT, n);
  for (guint i = 0; i < n; i++)
    write_put (self, &puts[i]);
  return call (self) < 0 ? -1 : (gint64)n;
}

static void
write_scan (Thrift2 *self, const Thrift2Scan *scan)
{
  begin_struct (self);
  if (scan->start.size > 0)
    write_string_field (self, 1, scan->start);
  if (scan->stop.size > 0)
    write_string_field (self, 2, scan->stop);
  if (scan->caching > 0)
    {
      write_field (self, I32, 4);
      write_i32 (self, scan->caching);
    }
  if (scan->filter.size > 0)
    write_string_field (self, 7, scan->filter);
  if (scan->limit > 0)
    {
      write_field (self, I32, 15);
      write_i32 (self, scan->limit);
    }
  end_struct (self);
}

gint64
thrift2_scan_once (Thrift2 *self, const gchar *table, const Thrift2Scan *scan, gint n_rows)
{
  begin_table_request (self, "getScannerResults", table);
  write_field (self, STRUCT, 2);
  write_scan (self, scan);
  write_field (self, I32, 3);
  write_i32 (self, n_rows);
  return call (self);
}

static gint64
close_scanner (Thrift2 *self, gint scanner)
{
  begin_request (self, "closeScanner");
  write_field (self, I32, 1);
  write_i32 (self, scanner);
  return call (self);
}

gint64
thrift2_scan (Thrift2 *self, const gchar *table, const Thrift2Scan *scan, gint page_rows)
{
  gint64 rows = 0, page, scanner;

  begin_table_request (self, "openScanner", table);
  write_field (self, STRUCT, 2);
  write_scan (self, scan);
  scanner = call (self);
  if (scanner < 0)
    return -1;
  do
    {
      begin_request (self, "getScannerRows");
      write_field (self, I32, 1);
      write_i32 (self, (gint32)scanner);
      write_field (self, I32, 2);
      write_i32 (self, page_rows);
      page = call (self);
      rows += page;
    }
  while (page == page_rows);
  return close_scanner (self, (gint)scanner) < 0 || page < 0 ? -1 : rows;
}

/* ---- the connection */

Thrift2 *
thrift2_open (guint16 port, gboolean is_compact)
{
  const struct sockaddr_in address = { .sin_family = AF_INET,
                                       .sin_port = htons (port),
                                       .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  Thrift2 *self = g_new0 (Thrift2, 1);
  int one = 1;

  self->is_compact = is_compact;
  self->request = g_byte_array_new ();
  self->window = g_malloc (self->room = WINDOW_BYTES);
  self->fd = socket (AF_INET, SOCK_STREAM, 0);
  setsockopt (self->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect (self->fd, (const struct sockaddr *)&address, sizeof address) == 0)
    return self;
  bench_fail (g_strerror (errno));
  thrift2_close (self);
  return NULL;
}

void
thrift2_close (Thrift2 *self)
{
  close (self->fd);
  g_byte_array_unref (self->request);
  g_free (self->window);
  g_free (self);
}
