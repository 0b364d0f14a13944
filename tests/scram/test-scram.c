/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-scram.c: the test vector of RFC 7677, both sides against each other, and bad messages.
 */
#include "config.h"

#include "core/scram/client.h"
#include "core/scram/server.h"

#define SALT "W22ZaJ0SNY7soEsUEjb6gQ=="
#define CLIENT_NONCE "rOprNGfwEbeRWgbNEkqO"
#define SERVER_NONCE "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
#define FIRST "n,,n=user,r=" CLIENT_NONCE
#define CHALLENGE "r=" CLIENT_NONCE SERVER_NONCE ",s=" SALT ",i=4096"
#define FINAL                                                                                      \
  "c=biws,r=" CLIENT_NONCE SERVER_NONCE ",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
#define SIGNATURE "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="

static void
make_verifier (KvsqlScramVerifier *out)
{
  gsize size;
  g_autofree guint8 *salt = g_base64_decode (SALT, &size);

  kvsql_scram_verifier_make ("pencil", salt, size, 4096, out);
}

/* A server that has sent the challenge of the test vector. */
static KvsqlScramServer *
challenged (void)
{
  KvsqlScramServer *server = kvsql_scram_server_new ();
  g_autoptr (GError) error = NULL;
  g_autofree gchar *user = NULL;
  KvsqlScramVerifier verifier;

  make_verifier (&verifier);
  g_assert_true (
      kvsql_scram_server_read_first (server, kvsql_slice_from_text (FIRST), &user, &error));
  g_assert_cmpstr (user, ==, "user");
  g_assert_cmpstr (kvsql_scram_server_challenge (server, &verifier, SERVER_NONCE), ==, CHALLENGE);
  return server;
}

static void
test_vector (void)
{
  g_autoptr (KvsqlScramServer) server = challenged ();
  g_autoptr (KvsqlScramClient) client = kvsql_scram_client_new ("user", "pencil", CLIENT_NONCE);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *answer = NULL, *final = NULL;
  gboolean is_right;

  g_assert_cmpstr (kvsql_scram_client_first (client), ==, FIRST);
  answer = kvsql_scram_client_answer (client, kvsql_slice_from_text (CHALLENGE), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (answer, ==, FINAL);
  g_assert_true (kvsql_scram_server_read_final (server, kvsql_slice_from_text (answer), &is_right,
                                                &final, &error));
  g_assert_true (is_right);
  g_assert_cmpstr (final, ==, SIGNATURE);
  g_assert_true (kvsql_scram_client_check (client, kvsql_slice_from_text (final), &error));
  g_assert_false (
      kvsql_scram_client_check (client, kvsql_slice_from_text ("v=6rriTRBi23WpRR"), &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL);
}

/* Whether @password logs in by @verifier. */
static gboolean
log_in (const gchar *user, const gchar *password, const KvsqlScramVerifier *verifier)
{
  g_autoptr (KvsqlScramServer) server = kvsql_scram_server_new ();
  g_autoptr (KvsqlScramClient) client = kvsql_scram_client_new (user, password, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *name = NULL, *answer = NULL, *final = NULL;
  const gchar *challenge;
  gboolean is_right;

  g_assert_true (kvsql_scram_server_read_first (
      server, kvsql_slice_from_text (kvsql_scram_client_first (client)), &name, &error));
  g_assert_cmpstr (name, ==, user);
  challenge = kvsql_scram_server_challenge (server, verifier, NULL);
  answer = kvsql_scram_client_answer (client, kvsql_slice_from_text (challenge), &error);
  g_assert_no_error (error);
  g_assert_true (kvsql_scram_server_read_final (server, kvsql_slice_from_text (answer), &is_right,
                                                &final, &error));
  g_assert_true (is_right == (final != NULL));
  return is_right && kvsql_scram_client_check (client, kvsql_slice_from_text (final), &error);
}

static void
test_passwords (void)
{
  static const gchar *const passwords[] = { "a", "pass word", "p,=ss", "Käse-秘密" };

  for (guint i = 0; i < G_N_ELEMENTS (passwords); i++)
    {
      g_autofree gchar *text = kvsql_scram_verifier_new (passwords[i]);
      g_autofree gchar *again = NULL, *longer = g_strconcat (passwords[i], "x", NULL);
      KvsqlScramVerifier verifier;

      g_assert_true (kvsql_scram_verifier_parse (text, &verifier));
      again = kvsql_scram_verifier_print (&verifier);
      g_assert_cmpstr (again, ==, text);
      g_assert_true (log_in ("a,b=c", passwords[i], &verifier));
      g_assert_false (log_in ("a,b=c", longer, &verifier));
    }
}

/* The form of PostgreSQL; nothing shorter. */
static void
test_verifiers (void)
{
  static const gchar text[]
      = "SCRAM-SHA-256$4096:AAECAwQFBgcICQoLDA0ODw==$TgyX0PEVUfIVS2wc4dLSTgVVjuYZ6FNmEXPPi4zD2gA=:"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
  static const gchar *const bad[]
      = { "",
          "SCRAM-SHA-256$",
          "secret",
          "md5aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "SCRAM-SHA-256$0:AAAA$AAAA:AAAA",
          "SCRAM-SHA-256$4096:$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:"
          "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" };
  KvsqlScramVerifier verifier;

  g_assert_true (kvsql_scram_verifier_parse (text, &verifier));
  g_assert_cmpuint (verifier.iterations, ==, 4096);
  g_assert_cmpuint (verifier.salt_size, ==, 16);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (kvsql_scram_verifier_parse (bad[i], &verifier));
  for (gsize n = 0; n < strlen (text); n++)
    {
      g_autofree gchar *cut = g_strndup (text, n);

      g_assert_false (kvsql_scram_verifier_parse (cut, &verifier));
    }
}

static void
test_mock (void)
{
  KvsqlScramVerifier first, second, other;

  kvsql_scram_mock_verifier ("eve", (const guint8 *)"secret", 6, &first);
  kvsql_scram_mock_verifier ("eve", (const guint8 *)"secret", 6, &second);
  kvsql_scram_mock_verifier ("eva", (const guint8 *)"secret", 6, &other);
  g_assert_cmpmem (first.salt, first.salt_size, second.salt, second.salt_size);
  g_assert_cmpuint (memcmp (first.salt, other.salt, sizeof first.salt), !=, 0);
  g_assert_cmpuint (first.iterations, ==, KVSQL_SCRAM_ITERATIONS);
  g_assert_false (log_in ("eve", "", &first));
}

static void
test_refused_passwords (void)
{
  static const struct
  {
    const gchar *password;
    gint code; /* 0: accepted */
  } cases[] = {
    { "pencil", 0 },
    { "with space", 0 },
    { "Käse", 0 },
    { "", KVSQL_ERROR_INVALID },
    { "a\tb", KVSQL_ERROR_INVALID },
    { "\xff", KVSQL_ERROR_INVALID },
    { "soft\xc2\xadhyphen", KVSQL_ERROR_UNSUPPORTED },
    { "no\xc2\xa0"
      "break",
      KVSQL_ERROR_UNSUPPORTED },
    { "\xef\xac\x81", KVSQL_ERROR_UNSUPPORTED }, /* the ligature fi */
    { "a\xcc\x88", KVSQL_ERROR_UNSUPPORTED },    /* a and a combining mark */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      if (kvsql_scram_password_check (cases[i].password, &error))
        g_assert_cmpint (cases[i].code, ==, 0);
      else
        g_assert_error (error, KVSQL_ERROR, cases[i].code);
    }
}

static void
test_bad_first (void)
{
  static const gchar *const bad[] = { "",
                                      "n",
                                      "n,",
                                      "n,,",
                                      "n,a=eve,n=user,r=abc",
                                      "p=tls-unique,,n=user,r=abc",
                                      "x,,n=user,r=abc",
                                      "n,,n=user",
                                      "n,,n=us=er,r=abc",
                                      "n,,m=x,n=user,r=abc",
                                      "n,,n=user,r=",
                                      "n,,n=user,r=a\x01",
                                      "n,,r=abc,n=user",
                                      "n,,n=\xff,r=abc" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (KvsqlScramServer) server = kvsql_scram_server_new ();
      g_autoptr (GError) error = NULL;
      g_autofree gchar *user = NULL;

      g_assert_false (
          kvsql_scram_server_read_first (server, kvsql_slice_from_text (bad[i]), &user, &error));
      g_assert_true (error->code == KVSQL_ERROR_PROTOCOL || error->code == KVSQL_ERROR_UNSUPPORTED);
      g_assert_null (user);
    }
}

static void
assert_no_entry (KvsqlSlice message)
{
  g_autoptr (KvsqlScramServer) server = challenged ();
  g_autoptr (GError) error = NULL;
  g_autofree gchar *final = NULL;
  gboolean is_right, is_read;

  is_read = kvsql_scram_server_read_final (server, message, &is_right, &final, &error);
  g_assert_true (is_read == (error == NULL));
  g_assert_false (is_right);
  g_assert_null (final);
}

/* Each prefix, each changed bit: none logs in. */
static void
test_bad_final (void)
{
  static const gchar final[] = FINAL;

  for (gsize n = 0; n < strlen (final); n++)
    {
      guint8 changed[sizeof final];

      assert_no_entry (kvsql_slice (final, n));
      memcpy (changed, final, sizeof final);
      changed[n] ^= (guint8)(1 << (n % 8));
      assert_no_entry (kvsql_slice (changed, strlen (final)));
    }
  assert_no_entry (KVSQL_SLICE_LITERAL (FINAL "\0"));
  assert_no_entry (KVSQL_SLICE_LITERAL (FINAL ","));
}

/* A proof is for one challenge, and is read once. */
static void
test_replay (void)
{
  g_autoptr (KvsqlScramServer) server = challenged (), other = kvsql_scram_server_new ();
  g_autoptr (GError) error = NULL;
  g_autofree gchar *final = NULL, *user = NULL, *none = NULL;
  KvsqlScramVerifier verifier;
  gboolean is_right;

  g_assert_true (kvsql_scram_server_read_final (server, KVSQL_SLICE_LITERAL (FINAL), &is_right,
                                                &final, &error));
  g_assert_true (is_right);
  g_assert_false (kvsql_scram_server_read_final (server, KVSQL_SLICE_LITERAL (FINAL), &is_right,
                                                 &none, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL);
  g_clear_error (&error);

  make_verifier (&verifier);
  g_assert_true (kvsql_scram_server_read_first (other, KVSQL_SLICE_LITERAL (FIRST), &user, &error));
  kvsql_scram_server_challenge (other, &verifier, NULL);
  g_assert_false (
      kvsql_scram_server_read_final (other, KVSQL_SLICE_LITERAL (FINAL), &is_right, &none, &error));
  g_assert_false (is_right);
}

/* A client does not answer a challenge that is not for it, or that would keep it busy. */
static void
test_bad_challenge (void)
{
  static const gchar *const bad[] = { "",
                                      "r=" CLIENT_NONCE ",s=" SALT ",i=4096",
                                      "r=other" SERVER_NONCE ",s=" SALT ",i=4096",
                                      "r=" CLIENT_NONCE SERVER_NONCE ",s=,i=4096",
                                      "r=" CLIENT_NONCE SERVER_NONCE ",s=" SALT ",i=0",
                                      "r=" CLIENT_NONCE SERVER_NONCE ",s=" SALT ",i=2000000000",
                                      "e=unknown-user" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (KvsqlScramClient) client = kvsql_scram_client_new ("user", "pencil", CLIENT_NONCE);
      g_autoptr (GError) error = NULL;

      g_assert_null (kvsql_scram_client_answer (client, kvsql_slice_from_text (bad[i]), &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scram/vector", test_vector);
  g_test_add_func ("/scram/passwords", test_passwords);
  g_test_add_func ("/scram/verifiers", test_verifiers);
  g_test_add_func ("/scram/mock", test_mock);
  g_test_add_func ("/scram/refused-passwords", test_refused_passwords);
  g_test_add_func ("/scram/bad-first", test_bad_first);
  g_test_add_func ("/scram/bad-final", test_bad_final);
  g_test_add_func ("/scram/replay", test_replay);
  g_test_add_func ("/scram/bad-challenge", test_bad_challenge);
  return g_test_run ();
}
