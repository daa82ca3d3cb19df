# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that start a scheduler of one node for tests. They set `folder` (all its files),
# `packages` (Debian's, with its daemons), and define start, stop and show_exports.

usage() {
  sed -n 's/^#   scripts/usage: scripts/p' "$(readlink -f "$0")" >&2
  exit 2
}

find_program() { # <name>: daemons are not on every user's PATH
  command -v "$1" || PATH=/usr/sbin:/sbin:$PATH command -v "$1" || {
    echo "weir: $1 is missing. As root, type: apt-get install -y $packages" >&2
    exit 2
  }
}

# Two ports that nothing listens at. A daemon listens at its own only seconds later, so another scheduler that starts
# next to this one must not take one of them: its process id has another pair.
free_ports() {
  local port=$((20000 + $$ % 5000 * 2))
  while ss -Hltn "( sport = :$port or sport = :$((port + 1)) )" 2>/dev/null | grep -q .; do port=$((port + 2)); done
  echo "$port $((port + 1))"
}

wait_until() { # <what> <command...>
  local what=$1 tries
  shift
  for ((tries = 0; tries < 300; tries++)); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.1
  done
  echo "weir: $what does not answer" >&2
  exit 3
}

# Starts, or stops what has been started and says why not. 2: a program is missing, which has been said.
begin() {
  trap 'give_up $?' EXIT
  start
  trap - EXIT
}

give_up() { # <exit code>
  trap - EXIT
  [ "$1" -ne 2 ] || exit 2
  echo "weir: a daemon of the scheduler cannot be started. The ends of the logs:" >&2
  tail -qn 3 "$folder"/*.log "$folder"/*.out >&2 2>/dev/null || true
  stop
  exit 3
}

stop_daemon() { # <name> <file with its process id>
  local pid tries
  [ -s "$2" ] || return 0
  pid=$(cat "$2")
  # The process id may belong to another process by now.
  [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$1" ] || return 0
  kill "$pid" 2>/dev/null || true
  for ((tries = 0; tries < 100; tries++)); do
    kill -0 "$pid" 2>/dev/null || return 0
    sleep 0.1
  done
}

main() { # run COMMAND... | start | stop
  case ${1:-} in
    start)
      begin
      show_exports
      ;;
    stop) stop ;;
    run)
      shift
      [ $# -gt 0 ] || usage
      begin
      trap stop EXIT
      local status=0
      "$@" || status=$?
      exit "$status"
      ;;
    *) usage ;;
  esac
}
