# SPDX-License-Identifier: LGPL-2.1-or-later
# Completion of kvsqlctl for bash. kvsqlctl itself computes the candidates ("kvsqlctl complete").

_kvsqlctl ()
{
  local line=${COMP_LINE:0:COMP_POINT} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local -a words
  COMPREPLY=()
  case $previous in
    -f | --file | --rejects | --state | --output | -w | --workload)
      mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
      compopt -o filenames 2>/dev/null
      return
      ;;
  esac
  # bash splits words at ":" and "=", which URIs contain. kvsqlctl needs words that are split at blanks only.
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  mapfile -t COMPREPLY < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
}

# If kvsqlctl has no candidates, as for the file of an import, complete file names.
complete -o default -F _kvsqlctl kvsqlctl
