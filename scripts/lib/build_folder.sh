# SPDX-License-Identifier: Apache-2.0
# A copied or moved build folder still builds the tree that it was made in; this empties such a
# folder. For scripts that build: read it with `.`.

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
