/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * params-private.h: the contents of a list of parameters, for the code that sends it.
 */
#pragma once

#include "client/kvsql-params.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_PARAM_NULL,
  KVSQL_PARAM_BOOLEAN,
  KVSQL_PARAM_INT64,
  KVSQL_PARAM_DOUBLE,
  KVSQL_PARAM_STRING,
  KVSQL_PARAM_BYTES,
} KvsqlParamKind;

typedef struct
{
  gchar *name; /* NULL: by position */
  KvsqlParamKind kind;
  union
  {
    gboolean boolean;
    gint64 integer;
    gdouble real;
    GBytes *bytes; /* STRING (with its NUL) and BYTES */
  };
} KvsqlParam;

struct _KvsqlParams
{
  GArray *values; /* KvsqlParam */
};

/* Whether any value has a name. A list with both kinds is rejected when it is sent. */
gboolean _kvsql_params_have_names (const KvsqlParams *self);
const KvsqlParam *_kvsql_params_lookup (const KvsqlParams *self, const gchar *name);

/**
 * _kvsql_params_order:
 * @self: (nullable): the values of the caller
 * @names: (array length=n_names): the parameters of the statement; %NULL for a `?`
 *
 * Returns: (transfer full): pointers into @self in the order of @names, or %NULL with @error set
 */
GPtrArray *_kvsql_params_order (const KvsqlParams *self, const gchar *const *names, guint n_names,
                                GError **error);

G_END_DECLS
