# SPDX-License-Identifier: LGPL-2.1-or-later
# Completion of kvsqlctl for bash. kvsqlctl itself knows what may come next.

_kvsqlctl ()
{
  local line=${COMP_LINE:0:COMP_POINT} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local -a words
  COMPREPLY=()
  case $previous in
    -f | --file | --rejects | --state | --output)
      mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
      compopt -o filenames 2>/dev/null
      return
      ;;
  esac
  # bash cuts words at ":" and "=", which URIs are full of; a blank is what cuts them for kvsqlctl.
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  mapfile -t COMPREPLY < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
}

# Where kvsqlctl offers nothing, as for the file of an import, names of files are offered.
complete -o default -F _kvsqlctl kvsqlctl
