# SPDX-License-Identifier: Apache-2.0
# Makes the source that holds what `weir new` writes: the files of docs/guide/first, which a page
# explains; `new_files` is its name.
foreach(pair IN ITEMS chip:tor scenario:incast sweep:size)
  string(REGEX MATCH "^(.*):(.*)$" pair ${pair})
  set(file ${PROJECT_SOURCE_DIR}/docs/guide/first/${CMAKE_MATCH_2}.toml)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} first_${CMAKE_MATCH_1})
endforeach()
set(new_files ${CMAKE_CURRENT_BINARY_DIR}/templates.cpp)
configure_file(${CMAKE_CURRENT_LIST_DIR}/templates.cpp.in ${new_files} @ONLY)
