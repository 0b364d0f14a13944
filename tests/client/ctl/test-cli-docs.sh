#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every command and option of kvsqlctl is in its manual page and in the completion, and the page names no others;
# every function of the headers that the page kvsql.h(3) names exists.
set -eu

program=$top_builddir/kvsqlctl
page=$top_srcdir/man/kvsqlctl.1
failures=0

# The commands and options in the program's own help.
commands=$("$program" complete "")
options ()
{
  "$program" complete ${1+"$1"} -- | sort -u
}
global=$(options)

report ()
{
  if test -n "$3"; then
    echo "$3" | sed 's/^/# /'
    echo "not ok $1 /ctl/docs/$2"
    failures=$((failures + 1))
  else
    echo "ok $1 /ctl/docs/$2"
  fi
}

# The page without its markup, as a reader sees it: options are written "\-c", "\-\-connect".
plain=$(sed -e 's/\\-/-/g' -e 's/\\f[BRI]//g' -e 's/"//g' "$page")

# in_section COMMAND: the part of the page about a command.
in_section ()
{
  echo "$plain" | awk -v "wanted=^\\.SS kvsqlctl $1( |\$)" '/^\.S[SH]/ { inside = $0 ~ wanted } inside'
}

echo 1..6

problems=$(for command in $commands; do
  echo "$plain" | grep -q "^\.SS kvsqlctl $command\( \|\$\)" || echo "$command has no section in the manual page"
  "$program" help | grep -q "^  $command " || echo "$command is not in the help"
done)
report 1 commands-are-documented "$problems"

problems=$(for option in $global; do
  echo "$plain" | sed -n '/^\.SH OPTIONS/,/^\.SH COMMANDS/p' | grep -q -- "$option" || echo "$option is not in the manual page"
done
for command in $commands; do
  for option in $(options "$command"); do
    echo "$global" | grep -qx -- "$option" || in_section "$command" | grep -q -- "$option" ||
      echo "$command $option is not in its section of the manual page"
    "$program" help "$command" | grep -q -- "$option" || echo "$command $option is not in the help"
  done
done)
report 2 options-are-documented "$problems"

problems=$(
  echo "$plain" | sed -n 's/^\.SS kvsqlctl \([a-z]*\).*/\1/p' | sort -u | while read -r command; do
    echo "$commands" | grep -qx "$command" || echo "the manual page has a command $command"
  done
  echo "$plain" | grep -oE -- '--[a-z][a-z-]*' | sort -u | while read -r option; do
    for command in "" $commands; do options ${command:+"$command"}; done | grep -qx -- "$option" ||
      echo "the manual page has an option $option"
  done)
report 3 nothing-else-is-documented "$problems"

if command -v bash >/dev/null; then
  problems=$(PATH=$top_builddir:$PATH bash -c '
    . "$1"
    shift
    # offers LINE WANTED...: the completion of LINE offers each of WANTED
    offers ()
    {
      COMP_LINE=$1 COMP_POINT=${#1}
      read -ra COMP_WORDS <<<"$1"
      [[ $1 == *" " ]] && COMP_WORDS+=("")
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      shift
      _kvsqlctl 2>/dev/null
      for wanted in "$@"; do
        [[ " ${COMPREPLY[*]} " == *" $wanted "* ]] || echo "completing \"$COMP_LINE\" does not offer $wanted"
      done
    }
    offers "kvsqlctl " "$@"
    offers "kvsqlctl --connect kvsql://h:1 " "$@"
    offers "kvsqlctl help " "$@"
    offers "kvsqlctl exec --" --file --param --format
    offers "kvsqlctl --format " table csv tsv json ndjson vertical
    offers "kvsqlctl schema " list show check test export
    offers "kvsqlctl adopt " phoenix hive describe
  ' bash "$top_srcdir/data/kvsqlctl.bash" $commands)
  report 4 completion-offers-them "$problems"
else
  echo "ok 4 /ctl/docs/completion-offers-them # SKIP there is no bash"
fi

problems=$(grep -oE 'kvsql_[a-z0-9_]+ \(' "$top_srcdir/man/kvsql.h.3" | tr -d ' (' | sort -u | while read -r function; do
  grep -q "  $function;" "$top_srcdir/client/libkvsql.map" || echo "kvsql.h(3) names $function, which does not exist"
done)
report 5 functions-exist "$problems"

if command -v groff >/dev/null; then
  problems=$(for each in kvsqlctl.1 kvsql.h.3; do
    groff -man -ww -z -Tutf8 "$top_srcdir/man/$each" 2>&1 | sed "s|^|$each: |"
  done)
  report 6 pages-are-well-formed "$problems"
else
  echo "ok 6 /ctl/docs/pages-are-well-formed # SKIP there is no groff"
fi
exit $((failures > 0))
