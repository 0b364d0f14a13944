/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-angle.c: sind, cosd and the like: angles in degrees.
 *
 * The algorithm is PostgreSQL's: an angle is moved into the first quadrant, and there the results
 * are scaled so that those of 0, 30, 45, 60 and 90 degrees are exact.
 */
#include "config.h"

#include "core/expr/function.h"

#include <math.h>

#define RADIANS_PER_DEGREE 0.0174532925199432957692

/* Not folded by the compiler: the same library has to compute what is divided. */
static volatile gdouble thirty = 30, forty_five = 45, sixty = 60, one = 1, half = 0.5;

static gboolean
set_real (gdouble real, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE, .real = real };
  return TRUE;
}

static gboolean
fail_range (GError **error)
{
  return kvsql_function_fail_as (error, "22003", "input is out of range");
}

/* ---- the first quadrant, from 0 to 90 degrees */

static gdouble
sine_to_30 (gdouble x)
{
  volatile gdouble sine = sin (x * RADIANS_PER_DEGREE);
  volatile gdouble sine_30 = sin (thirty * RADIANS_PER_DEGREE);

  return sine / sine_30 / 2;
}

static gdouble
cosine_to_60 (gdouble x)
{
  volatile gdouble less = 1 - cos (x * RADIANS_PER_DEGREE);
  volatile gdouble less_60 = one - cos (sixty * RADIANS_PER_DEGREE);

  return 1 - less / less_60 / 2;
}

static gdouble
quadrant_sine (gdouble x)
{
  return x <= 30 ? sine_to_30 (x) : cosine_to_60 (90 - x);
}

static gdouble
quadrant_cosine (gdouble x)
{
  return x <= 60 ? cosine_to_60 (x) : sine_to_30 (90 - x);
}

static gdouble
quadrant_tangent (gdouble x)
{
  volatile gdouble tangent = quadrant_sine (x) / quadrant_cosine (x);
  volatile gdouble tangent_45 = quadrant_sine (forty_five) / quadrant_cosine (forty_five);

  return tangent / tangent_45;
}

static gdouble
quadrant_cotangent (gdouble x)
{
  volatile gdouble cotangent = quadrant_cosine (x) / quadrant_sine (x);
  volatile gdouble cotangent_45 = quadrant_cosine (forty_five) / quadrant_sine (forty_five);

  return cotangent / cotangent_45;
}

/* ---- any angle */

/* Moves @x into the first quadrant. Whether the sine and the cosine change their signs. */
static gdouble
to_quadrant (gdouble x, gboolean *sine_is_negative, gboolean *cosine_is_negative)
{
  *sine_is_negative = *cosine_is_negative = FALSE;
  x = fmod (x, 360);
  if (x < 0)
    {
      x = -x;
      *sine_is_negative = TRUE;
    }
  if (x > 180)
    {
      x = 360 - x;
      *sine_is_negative = !*sine_is_negative;
    }
  if (x > 90)
    {
      x = 180 - x;
      *cosine_is_negative = TRUE;
    }
  return x;
}

static gboolean
sind (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out, GError **error)
{
  gboolean is_negative, unused;
  gdouble x = arguments[0].real;

  if (isinf (x))
    return fail_range (error);
  if (isnan (x))
    return set_real (x, out);
  x = quadrant_sine (to_quadrant (x, &is_negative, &unused));
  return set_real (is_negative ? -x : x, out);
}

static gboolean
cosd (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out, GError **error)
{
  gboolean is_negative, unused;
  gdouble x = arguments[0].real;

  if (isinf (x))
    return fail_range (error);
  if (isnan (x))
    return set_real (x, out);
  x = quadrant_cosine (to_quadrant (x, &unused, &is_negative));
  return set_real (is_negative ? -x : x, out);
}

/* -0 is 0, as in PostgreSQL. */
static gboolean
set_ratio (gdouble ratio, gboolean is_negative, KvsqlValue *out)
{
  ratio = is_negative ? -ratio : ratio;
  return set_real (ratio == 0 ? 0 : ratio, out);
}

static gboolean
tand (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out, GError **error)
{
  gboolean sine_is_negative, cosine_is_negative;
  gdouble x = arguments[0].real;

  if (isinf (x))
    return fail_range (error);
  if (isnan (x))
    return set_real (x, out);
  x = quadrant_tangent (to_quadrant (x, &sine_is_negative, &cosine_is_negative));
  return set_ratio (x, sine_is_negative != cosine_is_negative, out);
}

static gboolean
cotd (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out, GError **error)
{
  gboolean sine_is_negative, cosine_is_negative;
  gdouble x = arguments[0].real;

  if (isinf (x))
    return fail_range (error);
  if (isnan (x))
    return set_real (x, out);
  x = quadrant_cotangent (to_quadrant (x, &sine_is_negative, &cosine_is_negative));
  return set_ratio (x, sine_is_negative != cosine_is_negative, out);
}

/* ---- inverses */

/* Of 0 to 1, in degrees. */
static gdouble
arcsine (gdouble x)
{
  volatile gdouble angle, known;

  if (x <= 0.5)
    {
      angle = asin (x);
      known = asin (half);
      return angle / known * 30;
    }
  angle = acos (x);
  known = acos (half);
  return 90 - angle / known * 60;
}

static gdouble
arccosine (gdouble x)
{
  volatile gdouble angle, known;

  if (x <= 0.5)
    {
      angle = asin (x);
      known = asin (half);
      return 90 - angle / known * 30;
    }
  angle = acos (x);
  known = acos (half);
  return angle / known * 60;
}

static gdouble
arctangent (gdouble radians)
{
  volatile gdouble known = atan (one);

  return radians / known * 45;
}

static gboolean
asind (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out, GError **error)
{
  gdouble x = arguments[0].real;

  if (x < -1 || x > 1)
    return fail_range (error);
  if (isnan (x))
    return set_real (x, out);
  return set_real (x >= 0 ? arcsine (x) : -arcsine (-x), out);
}

static gboolean
acosd (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out, GError **error)
{
  gdouble x = arguments[0].real;

  if (x < -1 || x > 1)
    return fail_range (error);
  if (isnan (x))
    return set_real (x, out);
  return set_real (x >= 0 ? arccosine (x) : 90 + arcsine (-x), out);
}

static gboolean
atand (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out, GError **error)
{
  return set_real (arctangent (atan (arguments[0].real)), out);
}

static gboolean
atan2d (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out, GError **error)
{
  return set_real (arctangent (atan2 (arguments[0].real, arguments[1].real)), out);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_1 ("sind", DOUBLE, DOUBLE, sind),
  KVSQL_FUNCTION_1 ("cosd", DOUBLE, DOUBLE, cosd),
  KVSQL_FUNCTION_1 ("tand", DOUBLE, DOUBLE, tand),
  KVSQL_FUNCTION_1 ("cotd", DOUBLE, DOUBLE, cotd),
  KVSQL_FUNCTION_1 ("asind", DOUBLE, DOUBLE, asind),
  KVSQL_FUNCTION_1 ("acosd", DOUBLE, DOUBLE, acosd),
  KVSQL_FUNCTION_1 ("atand", DOUBLE, DOUBLE, atand, NULL, TRUE),
  KVSQL_FUNCTION_2 ("atan2d", DOUBLE, DOUBLE, DOUBLE, atan2d, NULL, TRUE),
};

const KvsqlFunctionFamily kvsql_functions_angle = { functions, G_N_ELEMENTS (functions) };
