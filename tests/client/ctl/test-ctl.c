/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-ctl.c: kvsqlctl as a user runs it: arguments in, output and exit status out.
 */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "tests/client/test-server.h"

/* "@" in the arguments is replaced by the server's URI. */
typedef struct
{
  const gchar *path;
  const gchar *arguments; /* in the syntax of a shell */
  const gchar *input;
  gint status;
  const gchar *output;
  const gchar *errors; /* NULL: any text that is not empty */
} Case;

#define ROWS_3                                                                                     \
  " n | name  | even\n---+-------+-------\n 0 | row 0 | true\n 1 | row 1 | false\n"                \
  " 2 | NULL  | true\n(3 rows)\n"

static const Case cases[] = {
  { "format/table", "exec -c @ 'ROWS 3'", NULL, 0, ROWS_3, "" },
  { "format/table-empty", "exec -c @ 'ROWS 0'", NULL, 0,
    " n | name | even\n---+------+------\n(0 rows)\n", "" },
  { "format/csv", "exec -c @ -o csv 'ROWS 3'", NULL, 0,
    "n,name,even\r\n0,row 0,true\r\n1,row 1,false\r\n2,,true\r\n", "" },
  { "format/json", "exec -c @ --format=json 'ROWS 3'", NULL, 0,
    "[\n {\"n\": 0, \"name\": \"row 0\", \"even\": true},\n"
    " {\"n\": 1, \"name\": \"row 1\", \"even\": false},\n"
    " {\"n\": 2, \"name\": null, \"even\": true}\n]\n",
    "" },
  { "format/json-empty", "exec -c @ --format=json 'ROWS 0'", NULL, 0, "[]\n", "" },
  { "format/ndjson", "-o ndjson exec -c @ 'ROWS 2'", NULL, 0,
    "{\"n\": 0, \"name\": \"row 0\", \"even\": true}\n"
    "{\"n\": 1, \"name\": \"row 1\", \"even\": false}\n",
    "" },
  { "format/vertical", "exec -c @ -o vertical 'ROWS 1'", NULL, 0,
    "-- row 1 --\nn   : 0\nname: row 0\neven: true\n(1 row)\n", "" },
  { "format/types-json", "exec -c @ -o ndjson TYPES", NULL, 0,
    "{\"null\": null, \"string\": \"h\xc3\xa9\", \"bytes\": \"6100ff\", \"boolean\": true, "
    "\"int\": -1, "
    "\"bigint\": -1, \"float\": 0.1, \"double\": 0.1, \"decimal\": 12.50, \"date\": "
    "\"2024-02-29\", "
    "\"timestamp\": \"1969-12-31T23:59:59.999Z\", \"map\": h\xc3\xa9, \"list\": h\xc3\xa9, "
    "\"time\": \"12:34:56.7\", \"interval\": \"h\xc3\xa9\"}\n"
    "{\"null\": null, \"string\": null, \"bytes\": null, \"boolean\": null, \"int\": null, "
    "\"bigint\": null, \"float\": null, \"double\": null, \"decimal\": null, \"date\": null, "
    "\"timestamp\": null, \"map\": null, \"list\": null, \"time\": null, "
    "\"interval\": null}\n",
    "" },
  { "format/duplicate-names", "exec -c @ -o ndjson -p 1 -p 2 'ECHO ? ?'", NULL, 0,
    "{\"value\": \"i:1\", \"value_2\": \"i:2\"}\n", "" },
  { "exec/write", "exec -c @ WRITE", NULL, 0, "OK, 3 tuples\n",
    "warning: first\nwarning: second\n" },
  { "exec/write-json", "exec -c @ -o json WRITE", NULL, 0, "{\"affected\": 3}\n", NULL },
  { "exec/several", "exec -c @ -o csv 'ROWS 1; -- a ; comment\n ROWS 0' 'ROWS 0;'", NULL, 0,
    "n,name,even\r\n0,row 0,true\r\nn,name,even\r\nn,name,even\r\n", "" },
  { "exec/stdin", "exec -c @ -o csv", "ROWS 0;\n/* ; */ ROWS 0", 0,
    "n,name,even\r\nn,name,even\r\n", "" },
  { "exec/nothing", "exec -c @", " \n-- nothing\n;;\n", 0, "", "" },
  { "exec/stops-at-error", "exec -c @ 'WRITE; FAIL; WRITE'", NULL, 1, "OK, 3 tuples\n", NULL },
  { "exec/missing-file", "exec -c @ -f /nonexistent/x", NULL, 1, "",
    "kvsqlctl: could not open \"/nonexistent/x\": No such file or directory\n" },
  { "exec/folder", "exec -c @ -f /", NULL, 1, "",
    "kvsqlctl: could not read \"/\": Is a directory\n" },
  { "params/by-position", "exec -c @ -o csv -p 7 -p '\\N' 'ECHO ? ?'", NULL, 0,
    "value,value\r\ni:7,null\r\n", "" },
  { "params/by-name", "exec -c @ -o csv -p b=1 -p A=-2 'ECHO :a :b'", NULL, 0,
    "value,value\r\ni:-2,i:1\r\n", "" },
  { "params/unknown-name", "exec -c @ -p a=1 -p other=3 'ECHO :a'", NULL, 1, "",
    "error: the statement has no parameter \":other\"\n" },
  { "params/wrong-type", "exec -c @ -p a=x 'ECHO :a'", NULL, 1, "",
    "error: parameter \":a\": \"x\" is not a value of INT\n" },
  { "params/missing", "exec -c @ -p 1 'ECHO ? ?'", NULL, 1, "",
    "error: no value was given for parameter 2 of 2\n" },
  { "params/too-many", "exec -c @ -p 1 -p 2 'ECHO ?'", NULL, 1, "",
    "error: the statement has 1 parameters, but 2 values were given\n" },
  { "error/caret", "exec -c @ 'SELECT agee FROM user'", NULL, 1, "",
    "error: attribute \"agee\" does not exist\n"
    "   1 | SELECT agee FROM user\n"
    "     |        ^^^^\n"
    "detail: Relation \"user\" has 3 attributes.\n"
    "hint: Did you mean \"age\"?\n" },
  { "error/place-in-script", "exec -c @ -f -", "WRITE;\n\n  SELECT agee\n  FROM user;", 1,
    "OK, 3 tuples\n",
    "warning: first\nwarning: second\n"
    "stdin:3: error: attribute \"agee\" does not exist\n"
    "   3 | SELECT agee\n"
    "     |        ^^^^\n"
    "detail: Relation \"user\" has 3 attributes.\n"
    "hint: Did you mean \"age\"?\n" },
  { "error/json", "exec -c @ -o json -f -", "WRITE;\n\n  SELECT agee\n  FROM user;", 1,
    "{\"affected\": 3}\n",
    "{\"warning\": \"first\"}\n{\"warning\": \"second\"}\n"
    "{\"error\": \"attribute \\\"agee\\\" does not exist\", \"sqlstate\": \"42703\", "
    "\"detail\": \"Relation \\\"user\\\" has 3 attributes.\", "
    "\"hint\": \"Did you mean \\\"age\\\"?\", \"file\": \"stdin\", \"line\": 3, \"position\": 8, "
    "\"retryable\": false}\n" },
  { "error/json-unreachable", "exec -o ndjson -c kvsql+unix:///nonexistent/socket x", NULL, 3, "",
    "{\"error\": \"could not reach kvsqld at \\\"/nonexistent/socket\\\": no such file or "
    "directory\", "
    "\"sqlstate\": \"08006\", \"hint\": \"Is kvsqld running? --connect or KVSQL_URI says where.\", "
    "\"retryable\": true}\n" },
  { "error/json-unreadable-file", "-o json exec -c @ -f /nonexistent/x", NULL, 1, "",
    "{\"error\": \"could not open \\\"/nonexistent/x\\\": No such file or directory\", "
    "\"retryable\": false}\n" },
  { "error/json-unreadable-text", "-o json quotes /nonexistent/x", NULL, 1, "",
    "{\"error\": \"could not open \\\"/nonexistent/x\\\": No such file or directory\", "
    "\"retryable\": false}\n" },
  { "error/json-unreadable-import", "-o json import -c @ t /nonexistent/x", NULL, 1, "",
    "{\"error\": \"could not open \\\"/nonexistent/x\\\": No such file or directory; the relation "
    "comes first: kvsqlctl import RELATION FILE\", \"retryable\": false}\n" },
  { "error/format-of-a-file", "import -o ndjson -c @ t /nonexistent/x", NULL, 1, "",
    "error: could not open \"/nonexistent/x\": No such file or directory; the relation comes "
    "first: "
    "kvsqlctl import RELATION FILE\n" },
  { "error/json-unreadable-definitions", "schema import -o ndjson -c @ /nonexistent/x", NULL, 1, "",
    "{\"error\": \"Failed to open file “/nonexistent/x”: No such file or directory\", "
    "\"retryable\": false}\n" },
  { "error/json-ddl", "adopt hive -c @ -o json -", "\nCREATE TABLE `t (k string);", 1, "",
    "{\"error\": \"quote is not closed\", \"hint\": \"A quote in a text has a backslash before it, "
    "and one in a name is two.\", \"file\": \"stdin\", \"line\": 2, \"position\": 15, "
    "\"retryable\": false}\n" },
  { "error/json-not-utf-8", "-o json 'exc\xff'", NULL, 2, "",
    "{\"error\": \"unknown command \\\"exc\xef\xbf\xbd\\\"; \\\"exec\\\" is for SQL statements\", "
    "\"hint\": \"Try \\\"kvsqlctl help\\\".\", \"retryable\": false}\n" },
  { "error/lost", "exec -c @ DROP", NULL, 1, "", NULL },
  { "error/timeout", "exec -c @ -t 20ms HANG", NULL, 1, "", NULL },
  { "explain/text", "explain -c @ --analyze 'SELECT 1;'", NULL, 0, "plan of SELECT 1;, analyze 1\n",
    "" },
  { "explain/json", "explain -c @ -o json 'SELECT 1'", NULL, 0, "{}\n", "" },
  { "explain/no-statement", "explain -c @", NULL, 2, "",
    "kvsqlctl: missing statement; give one, in quotes\nTry \"kvsqlctl help explain\".\n" },
  { "encode/error-position", "encode -c @ 'SELECT agee FROM user'", NULL, 1, "", NULL },
  { "status/json", "status -c @ -o json --help", NULL, 0, NULL, "" },
  { "shell/pipe", "shell -c @", "\\format csv\nROWS 1\n;\nFAIL;\n\\timing\n\\timing\nWRITE\n", 1,
    "Format is csv.\nn,name,even\r\n0,row 0,true\r\nTiming is on.\nTiming is off.\n", NULL },
  { "shell/quit", "shell -c @", "quit;\nFAIL;\n", 0, "", "" },
  { "shell/unknown-command", "shell -c @", "\\x\n", 0,
    "There is no command \"\\x\"; \\? shows the commands.\n", "" },
  { "usage/no-command", "", NULL, 2, "", "kvsqlctl: missing command\nTry \"kvsqlctl help\".\n" },
  { "usage/unknown-command", "frob", NULL, 2, "",
    "kvsqlctl: unknown command \"frob\"; \"exec\" is for SQL statements\nTry \"kvsqlctl "
    "help\".\n" },
  { "usage/similar-command", "exce x", NULL, 2, "",
    "kvsqlctl: unknown command \"exce\"; did you mean \"exec\"?\nTry \"kvsqlctl help\".\n" },
  { "usage/similar-command-of-help", "help shel", NULL, 2, "",
    "kvsqlctl: unknown command \"shel\"; did you mean \"shell\"?\nTry \"kvsqlctl help\".\n" },
  { "usage/similar-schema-command", "schema exprot -c @", NULL, 2, "",
    "kvsqlctl: unknown command \"schema exprot\"; did you mean \"export\"?\n"
    "Try \"kvsqlctl help schema\".\n" },
  { "usage/similar-user-command", "user lst -c @", NULL, 2, "",
    "kvsqlctl: unknown command \"user lst\"; did you mean \"list\"?\n"
    "Try \"kvsqlctl help user\".\n" },
  { "usage/similar-workload-command", "workload captur -c @", NULL, 2, "",
    "kvsqlctl: unknown command \"workload captur\"; did you mean \"capture\"?\n"
    "Try \"kvsqlctl help workload\".\n" },
  { "usage/similar-adopt-command", "adopt phoenx -c @", NULL, 2, "",
    "kvsqlctl: unknown command \"adopt phoenx\"; did you mean \"phoenix\"?\n"
    "Try \"kvsqlctl help adopt\".\n" },
  { "usage/unknown-user-command", "user frob -c @", NULL, 2, "",
    "kvsqlctl: unknown command \"user frob\"; expected one of: add, passwd, list\n"
    "Try \"kvsqlctl help user\".\n" },
  { "usage/user-without-name", "user add -c @", NULL, 2, "",
    "kvsqlctl: expected add NAME, passwd NAME or list\nTry \"kvsqlctl help user\".\n" },
  { "usage/too-many-of-workload", "workload capture more -c @", NULL, 2, "",
    "kvsqlctl: unexpected argument \"more\"\nTry \"kvsqlctl help workload\".\n" },
  { "usage/unknown-option", "exec --frob", NULL, 2, "",
    "kvsqlctl: unknown option \"--frob\"\nTry \"kvsqlctl help exec\".\n" },
  { "usage/similar-option", "exec --fromat=csv x", NULL, 2, "",
    "kvsqlctl: unknown option \"--fromat\"; did you mean \"--format\"?\n"
    "Try \"kvsqlctl help exec\".\n" },
  { "usage/similar-option-before-command", "--time-out 3 exec x", NULL, 2, "",
    "kvsqlctl: unknown option \"--time-out\"; did you mean \"--timeout\"?\n"
    "Try \"kvsqlctl help\".\n" },
  { "usage/json-command", "-o json exce", NULL, 2, "",
    "{\"error\": \"unknown command \\\"exce\\\"; did you mean \\\"exec\\\"?\", "
    "\"hint\": \"Try \\\"kvsqlctl help\\\".\", \"retryable\": false}\n" },
  { "usage/json-verb", "-o ndjson schema -c @ checkk", NULL, 2, "",
    "{\"error\": \"unknown command \\\"schema checkk\\\"; did you mean \\\"check\\\"?\", "
    "\"hint\": \"Try \\\"kvsqlctl help schema\\\".\", \"retryable\": false}\n" },
  { "usage/json-argument", "status -c @ extra --format json", NULL, 2, "",
    "{\"error\": \"unexpected argument \\\"extra\\\"\", "
    "\"hint\": \"Try \\\"kvsqlctl help status\\\".\", \"retryable\": false}\n" },
  { "usage/json-option", "exec --format=json --frob x", NULL, 2, "",
    "{\"error\": \"unknown option \\\"--frob\\\"\", "
    "\"hint\": \"Try \\\"kvsqlctl help exec\\\".\", \"retryable\": false}\n" },
  { "usage/json-option-before-format", "--frob -ojson exec x", NULL, 2, "",
    "{\"error\": \"unknown option \\\"--frob\\\"\", "
    "\"hint\": \"Try \\\"kvsqlctl help\\\".\", \"retryable\": false}\n" },
  { "usage/json-uri", "exec -o json -c localhost x", NULL, 2, "",
    "{\"error\": \"bad URI \\\"localhost\\\"\", \"hint\": \"A URI is kvsql://host:port, "
    "kvsqls://host:port or kvsql+unix:///path.\", \"retryable\": false}\n" },
  { "usage/bad-format", "exec -o xml x", NULL, 2, "", NULL },
  { "usage/bad-time", "exec -t 0 x", NULL, 2, "", NULL },
  { "usage/bad-uri", "exec -c localhost x", NULL, 2, "", NULL },
  { "usage/too-many", "status -c @ more", NULL, 2, "", NULL },
  { "usage/schema", "schema frob -c @", NULL, 2, "", NULL },
  { "usage/help-of-nothing", "help frob", NULL, 2, "", NULL },
  { "unreachable/no-socket", "status -c kvsql+unix:///nonexistent/socket", NULL, 3, "",
    "error: could not reach kvsqld at \"/nonexistent/socket\": no such file or directory\n"
    "hint: Is kvsqld running? --connect or KVSQL_URI says where.\n" },
  { "unreachable/shell", "shell -c kvsql+unix:///nonexistent/socket", NULL, 3, "", NULL },
  { "unreachable/exec", "exec -c kvsql+unix:///nonexistent/socket x", NULL, 3, "", NULL },
  { "quotes/none", "quotes -",
    "SELECT '\"a\"', x\"00\", `\"b\"` FROM r -- \"c\"\n; DEFINE SCHEMA s FOR r { TABLE \"t\" };\n"
    "/* \"d\" */ explain (calls) alter relation r add a text default \"e\";",
    0, "", "" },
  { "quotes/some", "quotes -",
    "-- first\nSELECT a\n  FROM r WHERE s = \"it's \"\"so\"\"\";\n\nDELETE FROM r WHERE max\"1\" = "
    "m['k'];"
    "EXPLAIN ANALYZE SELECT m[\"k\"], \"\"",
    1,
    "stdin:2: SELECT a …\n    \"it's \"\"so\"\"\" is a name; as text it is 'it''s \"so\"'\n"
    "stdin:5: DELETE FROM r WHERE max\"1\" = m['k']\n    \"1\" is a name; as text it is '1'\n"
    "stdin:5: EXPLAIN ANALYZE SELECT m[\"k\"], \"\"\n    \"k\" is a name; as text it is 'k'\n"
    "    \"\" is a name; as text it is ''\n",
    "" },
  { "quotes/no-file", "quotes /nonexistent/file", NULL, 1, "", NULL },
  { "quotes/usage", "quotes", NULL, 2, "",
    "kvsqlctl: missing file name; - is the standard input\nTry \"kvsqlctl help "
    "quotes\".\n" },
  { "version", "version", NULL, 0, PACKAGE_STRING "\n", "" },
  { "version/option", "--version", NULL, 0, PACKAGE_STRING "\n", "" },
  { "version/option-of-a-command", "exec -V", NULL, 0, PACKAGE_STRING "\n", "" },
  { "complete/commands", "complete s", NULL, 0, "shell\nschema\nstatus\n", "" },
  { "complete/options", "complete exec --p", NULL, 0, "--param\n", "" },
  { "complete/values", "complete exec -o t", NULL, 0, "table\ntsv\n", "" },
  { "complete/after-value", "complete -o csv e", NULL, 0, "exec\nexplain\nencode\nexport\n", "" },
  { "complete/verbs", "complete schema -c x:1 l", NULL, 0, "list\n", "" },
  { "complete/verbs-of-user", "complete user ''", NULL, 0, "add\npasswd\nlist\n", "" },
};

static gchar **
arguments_of (const Case *what, const gchar *uri)
{
  g_auto (GStrv) words = NULL;
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  g_autoptr (GError) error = NULL;
  g_autofree gchar *program = g_test_build_filename (G_TEST_BUILT, "..", "kvsqlctl", NULL);

  if (*what->arguments != '\0')
    g_assert_true (g_shell_parse_argv (what->arguments, NULL, &words, &error));
  g_assert_no_error (error);
  g_strv_builder_add (all, program);
  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    g_strv_builder_add (all, g_str_equal (words[i], "@") ? uri : words[i]);
  return g_strv_builder_end (all);
}

static void
test_case (gconstpointer data)
{
  const Case *what = data;
  g_autoptr (TestServer) server = test_server_new ();
  g_autofree gchar *uri = test_server_uri (server, "");
  g_auto (GStrv) arguments = arguments_of (what, uri);
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE
                                   | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *output = NULL;
  g_autofree gchar *errors = NULL;

  g_subprocess_launcher_unsetenv (launcher, "KVSQL_URI");
  g_subprocess_launcher_setenv (launcher, "LC_ALL", "C.UTF-8", TRUE);
  process = g_subprocess_launcher_spawnv (launcher, (const gchar *const *)arguments, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, what->input, NULL, &output, &errors, &error);
  g_assert_no_error (error);

  g_test_message ("stderr: %s", errors);
  g_assert_true (g_subprocess_get_if_exited (process));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, what->status);
  if (what->output != NULL)
    g_assert_cmpstr (output, ==, what->output);
  if (what->errors != NULL)
    g_assert_cmpstr (errors, ==, what->errors);
  else
    g_assert_cmpstr (errors, !=, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *path = g_strconcat ("/ctl/", cases[i].path, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  return g_test_run ();
}
