/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-thrift-setup.c: generated structs do not leak.
 */
#include "config.h"

#include <malloc.h>

#include "tests/wire/wire-fixture.h"

#include "kvsql_rpc_kvsql_types.h"
#include "kvsql_rpc_sql.h"

#define N_STRUCTS 10000
#define TOLERANCE (64 * 1024) /* without the repair, a struct leaks 68 bytes or more */

/* Under AddressSanitizer mallinfo2() is always zero; there the leak checker decides. */
static gsize
bytes_in_use (void)
{
  return mallinfo2 ().uordblks;
}

static void
check_no_growth (void (*step) (void))
{
  gsize before;

  for (guint i = 0; i < 100; i++)
    step ();
  before = bytes_in_use ();
  for (guint i = 0; i < N_STRUCTS; i++)
    step ();
  g_assert_cmpuint (bytes_in_use (), <, before + TOLERANCE);
}

static void
make_struct (void)
{
  g_object_unref (g_object_new (KVSQL_RPC_TYPE_VALUE, "s", "text", NULL));
}

static void
test_no_leak (void)
{
  check_no_growth (make_struct);
}

/* A subclass, like the daemon's page. */
typedef KvsqlRpcPage TestPage;
typedef KvsqlRpcPageClass TestPageClass;
GType test_page_get_type (void);
G_DEFINE_TYPE (TestPage, test_page, KVSQL_RPC_TYPE_PAGE)

static guint n_finalized;

static void
test_page_finalize (GObject *object)
{
  n_finalized++;
  G_OBJECT_CLASS (test_page_parent_class)->finalize (object);
}

static void
test_page_init (TestPage *self)
{
}

static void
test_page_class_init (TestPageClass *klass)
{
  ((GObjectClass *)klass)->finalize = test_page_finalize;
}

static void
make_subclass (void)
{
  g_object_unref (g_object_new (test_page_get_type (), "nrows", 1, NULL));
}

static void
test_subclass (void)
{
  n_finalized = 0;
  check_no_growth (make_subclass);
  g_assert_cmpuint (n_finalized, ==, N_STRUCTS + 100);
}

/* Generated code would leak the element at which a read fails; with deferred failures it sees
 * none. */
static void
read_cut_short (void)
{
  static const guint8 bytes[]
      = "\x80\x01\0\x01\0\0\0\x05query\0\0\0\x07"
        "\x0f\0\x02\x0c\0\0\0\x02\x0b\0\x04\0\0\0\x02hi\0\x0b\0\x04\0\0\0\x09hi";
  const KvsqlWireFormat format = { 0 };
  g_autoptr (GObject) reader = (GObject *)wire_open_bytes (&format, bytes, sizeof bytes - 1);
  g_autoptr (GObject) arguments = g_object_new (KVSQL_RPC_TYPE_SQL_QUERY_ARGS, NULL);
  g_autoptr (GError) error = NULL;

  kvsql_protocol_set_deferred (KVSQL_PROTOCOL (reader), TRUE);
  wire_expect_call (THRIFT_PROTOCOL (reader), "query");
  g_assert_cmpint (thrift_struct_read (THRIFT_STRUCT (arguments), THRIFT_PROTOCOL (reader), &error),
                   >=, 0);
  g_assert_no_error (error);
  g_assert_cmpint (thrift_protocol_read_message_end (THRIFT_PROTOCOL (reader), &error), <, 0);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL);
}

static void
test_failed_read (void)
{
  check_no_growth (read_cut_short);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kvsql_thrift_setup ();
  kvsql_thrift_setup ();
  g_test_add_func ("/wire/setup/no-leak", test_no_leak);
  g_test_add_func ("/wire/setup/subclass", test_subclass);
  g_test_add_func ("/wire/setup/failed-read-does-not-leak", test_failed_read);
  return g_test_run ();
}
