# SPDX-License-Identifier: LGPL-2.1-or-later
# Functions of ./check and ./quickstart: messages, packages, builds. Sourced by bash.

# Colours on a terminal only.
if test -t 1 && test -z "${NO_COLOR:-}"; then
  bold=$'\e[1m' dim=$'\e[2m' red=$'\e[31m' green=$'\e[32m' cyan=$'\e[36m' plain=$'\e[0m'
else
  bold='' dim='' red='' green='' cyan='' plain=''
fi

# Debian's names of packages: first those to build kvsql, then those for its tests.
build_packages=(
  autoconf automake autoconf-archive libtool pkg-config make gcc libc6-dev
  libglib2.0-dev thrift-compiler libthrift-c-glib-dev librocksdb-dev libzookeeper-mt-dev
  libjson-glib-dev libgmp-dev libmpfr-dev zlib1g-dev libedit-dev libsystemd-dev libmicrohttpd-dev libcurl4-openssl-dev libsqlite3-dev
  libgnutls28-dev
  coinor-libcbc-dev
)
live_packages=(zookeeper openjdk-17-jdk-headless maven libfaketime)
test_packages=(ccache python3 python3-venv clang-format-14 spin xz-utils postgresql-15 postgresql-client-15)

say ()
{
  printf '%s\n' "$*"
}

heading ()
{
  printf '\n%s== %s%s\n' "$bold" "$*" "$plain"
}

die ()
{
  printf '%s%s: %s%s\n' "$red" "${0##*/}" "$*" "$plain" >&2
  exit 1
}

# Some packages are needed for a program only, which may be installed in another way.
is_satisfied ()
{
  case $1 in
    openjdk-17-jdk-headless) command -v javac >/dev/null && return 0 ;;
    maven) command -v mvn >/dev/null && return 0 ;;
    python3) command -v python3 >/dev/null && return 0 ;;
    python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null && return 0 ;;
    gcc) command -v gcc >/dev/null && return 0 ;;
    pkg-config) command -v pkg-config >/dev/null && return 0 ;;
  esac
  dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# Installs the missing ones of the named packages, and prints their names.
install_packages ()
{
  local package missing=() as_root=()
  if ! command -v apt-get >/dev/null; then
    say "This is no Debian: not installing anything. Needed are, by Debian's names: $*"
    return 0
  fi
  for package in "$@"; do
    is_satisfied "$package" || missing+=("$package")
  done
  if test ${#missing[@]} -eq 0; then
    say "All packages are there."
    return 0
  fi
  if test "$(id -u)" -ne 0; then
    command -v sudo >/dev/null || die "cannot install ${missing[*]}: neither root nor sudo"
    as_root=(sudo)
  fi
  say "Installing with apt-get: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q update &&
         "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
           apt-get -qy install --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
    tail -20 "$log" >&2
    rm -f "$log"
    die "apt-get could not install: ${missing[*]}"
  fi
  rm -f "$log"
}

# Reduces make's output to progress: one line for many files and tests; warnings and failures at once.
show_progress ()
{
  awk '
    function note (text) { print "  " text; fflush () }
    /^ +(CC|CXX) / || /libtool: compile:/ { if (++files % 40 == 0) note(files " files compiled"); next }
    /^PASS: / { if (++passed % 100 == 0) note(passed " tests passed"); next }
    /^(FAIL|ERROR|XPASS): / { note($0); next }
    /warning: |error: |\*\*\* |^\[FATAL\]/ { note($0); next }
  '
}

# Runs a command with its output in a log, and shows progress, or the end of the log after a failure.
# logged LOG COMMAND...
logged ()
{
  local log=$1 status=0
  shift
  mkdir -p "$(dirname "$log")"
  set +e
  "$@" </dev/null 2>&1 | tee "$log" | show_progress
  status=${PIPESTATUS[0]}
  set -e
  return "$status"
}

# configure_in BUILD_DIR ARGUMENT...: generates the build system and configures, both only when they are needed. configure
# prefers bash, which takes twice the time of Debian's sh for libtool.
configure_in ()
{
  local build=$1
  shift
  if ! test -x "$top/configure" || test "$top/configure.ac" -nt "$top/configure"; then
    logged "$build/logs/autogen.log" "$top/autogen.sh" ||
      { tail -20 "$build/logs/autogen.log" >&2; return 1; }
  fi
  if ! test -e "$build/config.status" || test "$(cat "$build/configured-with" 2>/dev/null)" != "$*"; then
    (cd "$build" && CONFIG_SHELL=/bin/sh logged "$build/logs/configure.log" /bin/sh "$top/configure" --quiet "$@") ||
      { tail -20 "$build/logs/configure.log" >&2; return 1; }
    printf '%s' "$*" >"$build/configured-with"
  fi
}
