/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * settings.c: see settings.h.
 */
#include "config.h"

#include "daemon/postgres/settings.h"

typedef enum
{
  ANY,      /* any text */
  FIXED,    /* cannot be set */
  ONLY,     /* only its choices: others would change what is sent */
  BOOLEAN,  /* on or off */
  NUMBER,   /* a whole number */
  DURATION, /* a whole number, in milliseconds or with its unit */
  NO_LIMIT, /* a DURATION that is 0 */
  SCHEMAS,  /* a list of schemas; all relations are in one */
} Kind;

typedef struct
{
  const gchar *name;
  const gchar *value; /* the default */
  Kind kind;
  gboolean is_reported;
  const gchar *const *choices; /* of ONLY; the first one is what they all mean. Of ANY: nullable */
} Setting;

static const gchar *const utf8[] = { "UTF8", "UNICODE", "SQL_ASCII", NULL };
static const gchar *const iso[] = { "ISO, MDY", "ISO", "ISO, DMY", "ISO, YMD", NULL };
static const gchar *const utc[]
    = { "UTC", "GMT", "Etc/UTC", "Etc/GMT", "Z", "Zulu", "Universal", "0", "DEFAULT", NULL };
static const gchar *const hex[] = { "hex", NULL };
static const gchar *const on[] = { "on", "true", "yes", "1", NULL };
static const gchar *const levels[]
    = { "read committed", "read uncommitted", "repeatable read", "serializable", NULL };

static const gchar *const interval_styles[]
    = { "postgres", "postgres_verbose", "sql_standard", "iso_8601", NULL };
/* The store decides how durable a write is. */
static const gchar *const commits[]
    = { "on", "off", "local", "remote_write", "remote_apply", "true", "false", "yes", "no",
        "1",  "0",   NULL };
/* Among these, no choice changes what a name means. */
static const gchar *const schemas[] = { "public", "\"$user\"", "pg_catalog", "''", "\"\"", NULL };

/* Whether a block may have writes, which ROLLBACK does not take back. */
static const gchar *const transactions[] = { "allow", "refuse", NULL };

/* What pg_dump sets. */
static const gchar *const heap[] = { "heap", NULL };
static const gchar *const no_tablespace[] = { "", "pg_default", NULL };
static const gchar *const xml_options[] = { "content", "document", NULL };

static const gchar *const severities[] = { "debug5", "debug4", "debug3",  "debug2", "debug1",
                                           "log",    "notice", "warning", "error",  NULL };

/* server_version is that of a PostgreSQL that all tools know, and whose catalogue they expect. */
static const Setting settings[] = {
  { "application_name", "", ANY, TRUE, NULL },
  { "bytea_output", "hex", ONLY, FALSE, hex },
  { "check_function_bodies", "on", BOOLEAN, FALSE, NULL },
  { "client_encoding", "UTF8", ONLY, TRUE, utf8 },
  { "client_min_messages", "notice", ANY, FALSE, severities },
  { "DateStyle", "ISO, MDY", ONLY, TRUE, iso },
  { "default_table_access_method", "heap", ANY, FALSE, heap },
  { "default_tablespace", "", ANY, FALSE, no_tablespace },
  { "default_transaction_isolation", "read committed", ANY, FALSE, levels },
  { "default_transaction_read_only", "off", BOOLEAN, FALSE, NULL },
  { "extra_float_digits", "1", NUMBER, FALSE, NULL },
  { "idle_in_transaction_session_timeout", "0", NO_LIMIT, FALSE, NULL },
  { "integer_datetimes", "on", FIXED, TRUE, NULL },
  { "IntervalStyle", "postgres", ANY, TRUE, interval_styles },
  { "is_superuser", "off", FIXED, TRUE, NULL },
  { "jit", "off", BOOLEAN, FALSE, NULL },
  { "kvsql_version", KVSQL_VERSION, FIXED, TRUE, NULL },
  { "lock_timeout", "0", NO_LIMIT, FALSE, NULL },
  { "row_security", "on", BOOLEAN, FALSE, NULL },
  { "search_path", "\"$user\", public", SCHEMAS, FALSE, NULL },
  { "server_encoding", "UTF8", FIXED, TRUE, NULL },
  { "server_version", "14.0", FIXED, TRUE, NULL },
  { "server_version_num", "140000", FIXED, FALSE, NULL },
  { "session_authorization", "", FIXED, TRUE, NULL },
  { "standard_conforming_strings", "on", ONLY, TRUE, on },
  { "statement_timeout", "0", DURATION, FALSE, NULL },
  { "synchronize_seqscans", "on", BOOLEAN, FALSE, NULL },
  { "synchronous_commit", "on", ANY, FALSE, commits },
  { "TimeZone", "UTC", ONLY, TRUE, utc },
  { "transaction_isolation", "read committed", ANY, FALSE, levels },
  { "transaction_read_only", "off", BOOLEAN, FALSE, NULL },
  { "transactions", "allow", ANY, FALSE, transactions },
  { "verified_reads", "off", BOOLEAN, FALSE, NULL },
  { "xmloption", "content", ANY, FALSE, xml_options },
};

#define N_SETTINGS G_N_ELEMENTS (settings)

/* Texts are GRefString. */
struct _KvsqldPgSettings
{
  gchar *values[N_SETTINGS];   /* now */
  gchar *lasting[N_SETTINGS];  /* without SET LOCAL */
  gchar *at_block[N_SETTINGS]; /* at the start of the block; NULL outside of blocks */
  gchar *at_start[N_SETTINGS]; /* of the session */
  gboolean is_changed[N_SETTINGS];
};

static gint
find (const gchar *name)
{
  for (guint i = 0; i < N_SETTINGS; i++)
    if (g_ascii_strcasecmp (settings[i].name, name) == 0)
      return (gint)i;
  return -1;
}

static void
replace (gchar **target, gchar *value)
{
  gchar *kept = value != NULL ? g_ref_string_acquire (value) : NULL;

  g_clear_pointer (target, g_ref_string_release);
  *target = kept;
}

static void
set_value (KvsqldPgSettings *self, guint i, gchar *value)
{
  if (strcmp (self->values[i], value) != 0)
    self->is_changed[i] = TRUE;
  replace (&self->values[i], value);
}

KvsqldPgSettings *
kvsqld_pg_settings_new (void)
{
  KvsqldPgSettings *self = g_new0 (KvsqldPgSettings, 1);

  for (guint i = 0; i < N_SETTINGS; i++)
    self->values[i] = g_ref_string_new (settings[i].value);
  kvsqld_pg_settings_begin_session (self);
  return self;
}

void
kvsqld_pg_settings_free (KvsqldPgSettings *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < N_SETTINGS; i++)
    {
      replace (&self->values[i], NULL);
      replace (&self->lasting[i], NULL);
      replace (&self->at_block[i], NULL);
      replace (&self->at_start[i], NULL);
    }
  g_free (self);
}

gboolean
kvsqld_pg_settings_exist (const gchar *name)
{
  return find (name) >= 0;
}

const gchar *const *
kvsqld_pg_settings_list (void)
{
  static gsize is_made;
  static const gchar *names[N_SETTINGS + 1];

  if (g_once_init_enter (&is_made))
    {
      for (guint i = 0; i < N_SETTINGS; i++)
        names[i] = settings[i].name;
      g_once_init_leave (&is_made, 1);
    }
  return names;
}

const gchar *
kvsqld_pg_settings_get (const KvsqldPgSettings *self, const gchar *name)
{
  gint i = find (name);

  return i >= 0 ? self->values[i] : NULL;
}

const gchar *
kvsqld_pg_settings_spell (const gchar *name)
{
  gint i = find (name);

  return i >= 0 ? settings[i].name : name;
}

/* ---- values */

static gboolean
refuse_value (const Setting *setting, const gchar *value, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "invalid value for parameter \"%s\": \"%s\"", setting->name, value);
  return kvsql_error_sqlstate (error, "22023");
}

/* Case and punctuation make no difference, as in PostgreSQL's names of encodings: a driver sends
 * "'utf-8'". */
static gboolean
is_same_choice (const gchar *a, const gchar *b)
{
  while (TRUE)
    {
      while (*a != '\0' && !g_ascii_isalnum (*a))
        a++;
      while (*b != '\0' && !g_ascii_isalnum (*b))
        b++;
      if (g_ascii_tolower (*a) != g_ascii_tolower (*b))
        return FALSE;
      if (*a == '\0')
        return TRUE;
      a++;
      b++;
    }
}

static const gchar *
find_choice (const gchar *const *choices, const gchar *value)
{
  for (guint i = 0; choices[i] != NULL; i++)
    if (is_same_choice (choices[i], value))
      return choices[i];
  return NULL;
}

/* In milliseconds. FALSE: @value is no duration. */
static gboolean
read_duration (const gchar *value, gint64 *out_ms)
{
  static const struct
  {
    const gchar *name;
    gint64 ms;
  } units[] = { { "", 1 },        { "ms", 1 },      { "s", 1000 },
                { "min", 60000 }, { "h", 3600000 }, { "d", 86400000 } };
  gchar *end;
  guint64 number = g_ascii_strtoull (value, &end, 10);

  while (*end == ' ')
    end++;
  for (guint i = 0; g_ascii_isdigit (value[0]) && i < G_N_ELEMENTS (units); i++)
    if (strcmp (end, units[i].name) == 0 && number <= (guint64)(G_MAXINT32 / units[i].ms))
      {
        *out_ms = (gint64)number * units[i].ms;
        return TRUE;
      }
  return FALSE;
}

static gboolean
are_known_schemas (const gchar *value)
{
  g_auto (GStrv) names = g_strsplit (value, ",", -1);

  for (guint i = 0; names[i] != NULL; i++)
    if (find_choice (schemas, names[i]) == NULL)
      return FALSE;
  return TRUE;
}

/* A value of PostgreSQL whose effect clients would rely on. (transfer full) */
static gchar *
accept_or_refuse (const Setting *setting, const gchar *value, gboolean is_kept, const gchar *hint,
                  GError **error)
{
  if (is_kept)
    return g_ref_string_new (value);
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                   "parameter \"%s\" cannot be \"%s\"", setting->name, value);
  kvsql_error_hint (error, "%s", hint);
  return NULL;
}

/* The value as it is shown; NULL with an error. (transfer full) */
static gchar *
check_value (const Setting *setting, const gchar *value, GError **error)
{
  static const gchar *const no[] = { "off", "false", "no", "0", NULL };
  gint64 number;

  switch (setting->kind)
    {
    case FIXED:
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "parameter \"%s\" cannot be changed", setting->name);
      kvsql_error_sqlstate (error, "55P02");
      return NULL;
    case ONLY:
      if (find_choice (setting->choices, value) != NULL)
        return g_ref_string_new (setting->choices[0]);
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                       "parameter \"%s\" cannot be \"%s\"", setting->name, value);
      kvsql_error_hint (error, "It is always \"%s\".", setting->choices[0]);
      return NULL;
    case BOOLEAN:
      if (find_choice (on, value) != NULL)
        return g_ref_string_new ("on");
      if (find_choice (no, value) != NULL)
        return g_ref_string_new ("off");
      break;
    case NUMBER:
      if (g_ascii_string_to_signed (value, 10, -15, 3, &number, NULL))
        return g_ref_string_new (value);
      break;
    case DURATION:
      if (read_duration (value, &number))
        return g_ref_string_new (value);
      break;
    case NO_LIMIT:
      if (read_duration (value, &number))
        return accept_or_refuse (setting, value, number == 0,
                                 "There is no such limit; statement_timeout includes the wait for "
                                 "locks.",
                                 error);
      break;
    case SCHEMAS:
      return accept_or_refuse (setting, value, are_known_schemas (value),
                               "There is one set of relations, and it is called public.", error);
    case ANY:
      if (setting->choices == NULL || find_choice (setting->choices, value) != NULL)
        return g_ref_string_new (value);
      break;
    }
  refuse_value (setting, value, error);
  return NULL;
}

gboolean
kvsqld_pg_settings_set (KvsqldPgSettings *self, const gchar *name, const gchar *value,
                        gboolean is_local, GError **error)
{
  gint i = find (name);
  gchar *checked;

  if (i < 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE,
                       "unrecognized configuration parameter \"%s\"", name);
      return FALSE;
    }
  checked = value == NULL ? g_ref_string_acquire (self->at_start[i])
                          : check_value (&settings[i], value, error);
  if (checked == NULL)
    return FALSE;
  set_value (self, (guint)i, checked);
  if (!is_local)
    replace (&self->lasting[i], checked);
  g_ref_string_release (checked);
  return TRUE;
}

void
kvsqld_pg_settings_give (KvsqldPgSettings *self, const gchar *name, const gchar *value)
{
  gint i = find (name);
  gchar *given = g_ref_string_new (value);

  g_return_if_fail (i >= 0);
  set_value (self, (guint)i, given);
  replace (&self->lasting[i], given);
  g_ref_string_release (given);
}

void
kvsqld_pg_settings_begin_session (KvsqldPgSettings *self)
{
  for (guint i = 0; i < N_SETTINGS; i++)
    {
      replace (&self->lasting[i], self->values[i]);
      replace (&self->at_start[i], self->values[i]);
    }
}

void
kvsqld_pg_settings_reset_all (KvsqldPgSettings *self)
{
  for (guint i = 0; i < N_SETTINGS; i++)
    {
      set_value (self, i, self->at_start[i]);
      replace (&self->lasting[i], self->at_start[i]);
    }
}

void
kvsqld_pg_settings_begin_block (KvsqldPgSettings *self)
{
  for (guint i = 0; i < N_SETTINGS; i++)
    replace (&self->at_block[i], self->lasting[i]);
}

void
kvsqld_pg_settings_end_block (KvsqldPgSettings *self, gboolean is_commit)
{
  for (guint i = 0; i < N_SETTINGS; i++)
    {
      if (self->at_block[i] == NULL)
        continue;
      if (!is_commit)
        replace (&self->lasting[i], self->at_block[i]);
      set_value (self, i, self->lasting[i]);
      replace (&self->at_block[i], NULL);
    }
}

gint64
kvsqld_pg_settings_get_timeout_ms (const KvsqldPgSettings *self)
{
  gint64 ms = 0;

  return read_duration (kvsqld_pg_settings_get (self, "statement_timeout"), &ms) ? ms : 0;
}

void
kvsqld_pg_settings_report (KvsqldPgSettings *self, gboolean is_all, KvsqldPgOutput *out)
{
  for (guint i = 0; i < N_SETTINGS; i++)
    {
      if (settings[i].is_reported && (is_all || self->is_changed[i]))
        {
          kvsqld_pg_output_begin (out, KVSQLD_PG_PARAMETER_STATUS);
          kvsqld_pg_put_text (&out->buffer, settings[i].name);
          kvsqld_pg_put_text (&out->buffer, self->values[i]);
          kvsqld_pg_output_end (out);
        }
      self->is_changed[i] = FALSE;
    }
}
