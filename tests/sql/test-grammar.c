/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-grammar.c: compares docs/grammar.ebnf with the parser. The grammar lists every keyword, and
 * which ones are reserved, and the parser accepts random sentences of the grammar.
 */
#include "config.h"

#include "core/sql/lexer.h"
#include "core/sql/parser.h"

#define N_SENTENCES 5000
#define MAX_DEPTH 24

typedef enum
{
  NODE_TERMINAL, /* text */
  NODE_RULE,     /* text */
  NODE_SEQUENCE,
  NODE_CHOICE,
  NODE_REPEAT, /* one child; text is ?, * or + */
} NodeKind;

typedef struct
{
  NodeKind kind;
  gchar *text;
  GPtrArray *children;
} Node;

typedef struct
{
  const gchar *at;
  GHashTable *rules;
} Reader;

static void
node_free (gpointer data)
{
  Node *self = data;

  g_free (self->text);
  g_ptr_array_unref (self->children);
  g_free (self);
}

static Node *
node_new (NodeKind kind, gchar *text)
{
  Node *self = g_new0 (Node, 1);

  self->kind = kind;
  self->text = text;
  self->children = g_ptr_array_new_with_free_func (node_free);
  return self;
}

/* ---- reading the grammar */

static void
skip_blanks (Reader *self)
{
  while (g_ascii_isspace (*self->at))
    self->at++;
}

static gboolean
at_rule (const Reader *self)
{
  gsize size = strspn (self->at, "abcdefghijklmnopqrstuvwxyz_");

  return size > 0 && g_str_has_prefix (self->at + size + strspn (self->at + size, " "), "::=");
}

static Node *read_choice (Reader *self);

static Node *
read_atom (Reader *self)
{
  gsize size = strspn (self->at, "abcdefghijklmnopqrstuvwxyz_");
  Node *node;

  if (*self->at == '(')
    {
      self->at++;
      node = read_choice (self);
      g_assert_cmpint (*self->at, ==, ')');
      self->at++;
    }
  else if (*self->at == '\'')
    {
      size = strcspn (self->at + 1, "'");
      node = node_new (NODE_TERMINAL, g_strndup (self->at + 1, size));
      self->at += size + 2;
    }
  else
    {
      g_assert_cmpuint (size, >, 0);
      node = node_new (NODE_RULE, g_strndup (self->at, size));
      self->at += size;
    }
  while (*self->at != '\0' && strchr ("?*+", *self->at) != NULL)
    {
      Node *repeat = node_new (NODE_REPEAT, g_strndup (self->at++, 1));
      g_ptr_array_add (repeat->children, node);
      node = repeat;
    }
  skip_blanks (self);
  return node;
}

static Node *
read_choice (Reader *self)
{
  Node *choice = node_new (NODE_CHOICE, NULL);

  do
    {
      Node *sequence = node_new (NODE_SEQUENCE, NULL);
      self->at += *self->at == '|';
      skip_blanks (self);
      while (*self->at != '\0' && *self->at != '|' && *self->at != ')' && !at_rule (self))
        g_ptr_array_add (sequence->children, read_atom (self));
      g_ptr_array_add (choice->children, sequence);
    }
  while (*self->at == '|');
  return choice;
}

static gchar *
read_grammar (void)
{
  g_autofree gchar *path = g_test_build_filename (G_TEST_DIST, "..", "docs", "grammar.ebnf", NULL);
  g_autoptr (GError) error = NULL;
  gchar *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

static GHashTable *
read_rules (const gchar *grammar)
{
  g_autoptr (GRegex) comments = g_regex_new ("/\\*.*?\\*/", G_REGEX_DOTALL, 0, NULL);
  g_auto (GStrv) parts = g_strsplit (grammar, "/* ==== words", 2);
  g_autofree gchar *text = g_regex_replace (comments, parts[0], -1, 0, "", 0, NULL);
  Reader reader = { text, g_hash_table_new_full (g_str_hash, g_str_equal, g_free, node_free) };

  g_assert_nonnull (parts[1]);
  for (skip_blanks (&reader); *reader.at != '\0'; skip_blanks (&reader))
    {
      gsize size = strspn (reader.at, "abcdefghijklmnopqrstuvwxyz_");
      gchar *name = g_strndup (reader.at, size);
      g_assert_true (at_rule (&reader));
      reader.at = strstr (reader.at, "::=") + 3;
      g_assert_true (g_hash_table_insert (reader.rules, name, read_choice (&reader)));
    }
  return reader.rules;
}

/* ---- sentences */

typedef struct
{
  GRand *random;
  GHashTable *rules;
  GString *out;
  gboolean is_definition;
} Speaker;

/* The rule double_quoted of the grammar: text in a definition, a name elsewhere. */
static gboolean
speak_double_quoted (Speaker *self, const gchar *rule)
{
  static const gchar *const texts[] = { "\"y\"", "\"k1\"", "\"\"\"\"", "\"é\"", "\"it's\"" };
  static const gchar *const names[]
      = { "\"a\"", "\"from\"", "\"a \"\"b\"\"\"", "\"é\"", "\"it's\"" };
  gboolean fits = self->is_definition ? g_str_equal (rule, "string")
                                      : g_str_equal (rule, "name") || g_str_equal (rule, "alias");
  guint which = g_rand_int_range (self->random, 0, G_N_ELEMENTS (texts));

  if (!fits || g_rand_int_range (self->random, 0, 3) != 0)
    return FALSE;
  g_string_append (self->out, self->is_definition ? texts[which] : names[which]);
  return TRUE;
}

static gboolean
speak_word (Speaker *self, const gchar *rule)
{
  static const gchar *const samples[][8] = {
    { "parameter", "?", "?", "?", "?", "?", "?", "?" },
    { "name", "a", "K1", "key", "`a b`", "value", "date", "`from`" },
    { "bare_name", "a", "_b", "row", "table", "desc", "end", "x1" },
    { "alias", "x", "x1", "`a b`", "`where`", "my_alias", "t", "_" },
    { "any_name", "a", "null", "from", "`x``y`", "key", "text", "end" },
    { "string", "'x'", "'y'", "'it''s'", "'é'", "'k1'", "'a b'", "'\"'" },
    { "bytes", "x''", "x'00'", "X\"aB\"", "x'00ff'", "x'7f'", "x\"\"", "X'00'" },
    { "integer", "0", "1", "7", "42", "1000000", "007", "9223372036854775807" },
    { "number", "0", "1.5", "1e5", ".5", "9223372036854775808", "5.", "0e0" },
  };

  if (speak_double_quoted (self, rule))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    if (g_str_equal (samples[i][0], rule))
      {
        g_string_append (self->out, samples[i][g_rand_int_range (self->random, 1, 8)]);
        return TRUE;
      }
  return FALSE;
}

static void speak (Speaker *self, const Node *node, guint depth);

static void
speak_rule (Speaker *self, const gchar *rule, guint depth)
{
  static const gchar *const definitions[]
      = { "define_relation", "define_schema", "alter", "comment", "backup", NULL };
  const Node *node = g_hash_table_lookup (self->rules, rule);

  self->is_definition = self->is_definition || g_strv_contains (definitions, rule);
  if (speak_word (self, rule))
    return;
  if (node == NULL)
    g_test_message ("no rule %s", rule);
  g_assert_nonnull (node);
  /* the required fields of a schema, as few random sentences would have them */
  if (g_str_equal (rule, "fields") && g_rand_boolean (self->random))
    g_string_append (self->out, "TABLE 't', ROW a, FAMILY 'f'");
  /* beyond the maximal depth, a leaf of expressions, layouts and joins */
  else if (depth > MAX_DEPTH
           && (g_str_equal (rule, "operand") || g_str_equal (rule, "element")
               || g_str_equal (rule, "primary") || g_str_equal (rule, "expression")
               || g_str_equal (rule, "operand_of_join")))
    g_string_append (self->out, "a");
  else if (depth > MAX_DEPTH && g_str_equal (rule, "query"))
    g_string_append (self->out, "SELECT 1");
  else
    speak (self, node, depth + 1);
}

static void
speak (Speaker *self, const Node *node, guint depth)
{
  guint n = node->children->len, times = 1;

  switch (node->kind)
    {
    case NODE_TERMINAL:
      g_string_append (self->out, node->text);
      g_string_append_c (self->out, ' ');
      return;
    case NODE_RULE:
      speak_rule (self, node->text, depth);
      g_string_append_c (self->out, ' ');
      return;
    case NODE_CHOICE:
      speak (self, node->children->pdata[g_rand_int_range (self->random, 0, n)], depth);
      return;
    case NODE_REPEAT:
      times = g_rand_int_range (self->random, node->text[0] == '+', node->text[0] == '?' ? 2 : 3);
      break;
    default:
      break;
    }
  for (; times > 0; times--)
    for (guint i = 0; i < n; i++)
      speak (self, node->children->pdata[i], depth);
}

/* The exceptions in the comment at the beginning of the grammar. */
static gboolean
is_known_exception (const GError *error)
{
  static const gchar *const messages[] = { "is given twice",
                                           "has no TABLE",
                                           "has no ROW",
                                           "has no FAMILY",
                                           "VALUES has",
                                           "specified more than once",
                                           "INSERT names",
                                           "is both NULL",
                                           "is nested",
                                           "the query of a view cannot have parameters",
                                           "expected ONLY",
                                           "the name of a table is not empty",
                                           "USING SCHEMA is for relations",
                                           "the number of rows is at least 1",
                                           "an index cannot be of kind",
                                           "expected the end of the comparison",
                                           "the end of the comparison",
                                           "window \"",
                                           "clause of window",
                                           "cannot copy window",
                                           "not allowed in window definitions" };

  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    if (strstr (error->message, messages[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
test_sentences (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (g_test_rand_int ());
  g_autofree gchar *grammar = read_grammar ();
  g_autoptr (GHashTable) rules = read_rules (grammar);
  guint n_read = 0;

  for (guint i = 0; i < N_SENTENCES; i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (GString) out = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      Speaker speaker = { random, rules, out, FALSE };

      speak_rule (&speaker, "text", 0);
      if (kvsql_parser_parse (kvsql_slice (out->str, out->len), arena, &error) != NULL)
        n_read++;
      else if (!is_known_exception (error))
        {
          g_test_message ("%s at %d in: %s", error->message, kvsql_error_get_span (error).offset,
                          out->str);
          g_assert_no_error (error);
        }
    }
  g_assert_cmpuint (n_read, >, N_SENTENCES / 2);
}

/* ---- keywords */

static void
test_keywords (void)
{
  g_autofree gchar *grammar = read_grammar ();
  const gchar *reserved = strstr (grammar, "\nreserved ");

  g_assert_nonnull (reserved);
  for (KvsqlKeyword keyword = 0; keyword < KVSQL_N_KEYWORDS; keyword++)
    {
      g_autofree gchar *quoted = g_strdup_printf ("'%s'", kvsql_keyword_get_text (keyword));
      const gchar *found = strstr (grammar, quoted);
      gboolean is_in_rules = found != NULL && found < reserved;
      gboolean is_in_reserved = strstr (reserved, quoted) != NULL;

      if (!is_in_rules || is_in_reserved != kvsql_keyword_is_reserved (keyword))
        g_test_message ("keyword %s", quoted);
      g_assert_true (is_in_rules);
      g_assert_cmpint (is_in_reserved, ==, kvsql_keyword_is_reserved (keyword));
    }
}

/* The reverse: the lexer knows every word of the grammar. */
static void
test_words (void)
{
  g_autofree gchar *grammar = read_grammar ();
  g_autoptr (GRegex) regex = g_regex_new ("'([A-Z_]+)'", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  /* of COPY, roles, rights, views, foreign keys and intervals: the parser finds them by their text,
   * as they are common names */
  static const gchar *const plain_words
      = "ROLE ROLES USER LOGIN NOLOGIN SUPERUSER NOSUPERUSER PASSWORD VALID UNTIL INHERIT "
        "NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS SYSID CONNECTION ADMIN OPTION "
        "GRANT REVOKE GRANTS GRANTED PUBLIC PRIVILEGES LATERAL ORDINALITY OWNER RESET NONE VIEW "
        "VIEWS REPLACE MATCH PARTIAL SIMPLE ACTION DEFERRABLE INITIALLY DEFERRED "
        "IMMEDIATE SEQUENCE GENERATED ALWAYS IDENTITY INCREMENT START MINVALUE MAXVALUE "
        "NO CYCLE CACHE OWNED INTERVAL TIME TIMESTAMPTZ AT ZONE WITHOUT YEAR MONTH DAY HOUR MINUTE "
        "SECOND COPY STDIN "
        "STDOUT BINARY HEADER CSV FORCE FORCE_NULL QUOTE FORCE_QUOTE STATEMENT "
        "MEMORY STATISTICS CALIBRATE FETCH NEXT ONLY VERBOSE COSTS OFF BUFFERS TIMING SUMMARY "
        "SETTINGS WAL NAME FORCE_NOT_NULL RESTART SEQUENCES USAGE REASSIGN LABEL DATA CONTINUE ";
  g_auto (GStrv) words = g_strsplit (plain_words, " ", -1);
  guint n = 0;

  for (g_regex_match (regex, grammar, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL))
    {
      g_autofree gchar *word = g_match_info_fetch (match, 1);

      if (g_strv_contains ((const gchar *const *)words, word))
        continue;
      if (kvsql_keyword_find (word, strlen (word)) == KVSQL_KEYWORD_NONE)
        g_test_message ("word %s", word);
      g_assert_cmpint (kvsql_keyword_find (word, strlen (word)), !=, KVSQL_KEYWORD_NONE);
      n++;
    }
  g_assert_cmpuint (n, >, KVSQL_N_KEYWORDS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sql/grammar/sentences", test_sentences);
  g_test_add_func ("/sql/grammar/keywords", test_keywords);
  g_test_add_func ("/sql/grammar/words", test_words);
  return g_test_run ();
}
