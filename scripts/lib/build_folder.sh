# SPDX-License-Identifier: Apache-2.0
# A copied or moved build folder still builds the tree that it was made in; this empties such a
# folder. Here is also what the scripts that build and start something have in common. For scripts that
# build: read it with `.`.

# use_ccache_for <source tree>: ccache finds what another clone has compiled. It takes the headers of
# a source from the compiler, and does not preprocess the source itself.
use_ccache_for() {
  export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$1}" CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
}

# is_build_of <build folder> <source tree>: the folder belongs to this tree, or is not configured
# yet.
is_build_of() {
  local home
  home=$(grep -s '^CMAKE_HOME_DIRECTORY:INTERNAL=' "$1/CMakeCache.txt") || return 0
  [ "${home#*=}" -ef "$2" ]
}

# keep_build_of <build folder> <source tree>: empties a folder that builds another tree.
keep_build_of() {
  is_build_of "$1" "$2" && return
  echo "weir: $1 is the build of another tree; it is made again" >&2
  find "$1" -mindepth 1 -maxdepth 1 ! -name .lock -exec rm -rf {} +
}

# is_newer_than_sources <stamp> <source tree>: nothing that the program is built from has changed
# since. Folders count as well: a deleted or renamed file changes the time of its folder.
is_newer_than_sources() {
  [ -f "$1" ] && [ -z "$(find "$2/CMakeLists.txt" "$2/CMakePresets.json" "$2/systemc" \
    "$2/scripts/lib/packages.txt" -newer "$1" -print -quit)" ]
}

# lock_build <build folder>, unlock_build: of several simultaneous starts one builds, the others wait.
lock_build() {
  mkdir -p "$1"
  exec 9>"$1/.lock"
  flock 9
}
unlock_build() { exec 9>&-; }

# build_once <who says so> <packages> <stamp> <build folder> <source tree>: calls build_it where
# is_built says no, both of the caller. Exits with 3 where that fails. The stamp has the time before
# the build, so that a file saved during the build counts as newer.
build_once() {
  is_built && return
  "$5/scripts/lib/install-packages" "$2" </dev/null || exit
  lock_build "$4"
  is_built || { keep_build_of "$4" "$5" && touch "$3.next" && build_it && mv "$3.next" "$3"; } 1>&2 </dev/null || {
    echo "$1: the build failed; nothing was run" >&2
    exit 3
  }
  unlock_build
}
