# SPDX-License-Identifier: Apache-2.0
# Writes the ports of a Verilated class as a header: for_each_block_pin(model, f) calls
# f(name, input, bits, port) for each.
cmake_minimum_required(VERSION 3.25)
file(STRINGS ${FOLDER}/${CLASS}.h ports REGEX "^ *VL_(IN|OUT)[0-9W]*\\(&")
set(calls "")
foreach(port IN LISTS ports)
  string(REGEX MATCH "VL_(IN|OUT)[0-9W]*\\(&([A-Za-z0-9_]+),([0-9]+),([0-9]+)" port "${port}")
  set(input false)
  if(CMAKE_MATCH_1 STREQUAL "IN")
    set(input true)
  endif()
  math(EXPR bits "${CMAKE_MATCH_3} - ${CMAKE_MATCH_4} + 1")
  string(APPEND calls
         "  f(\"${CMAKE_MATCH_2}\", ${input}, ${bits}U, model.${CMAKE_MATCH_2});\n")
endforeach()
if(NOT calls)
  message(FATAL_ERROR "${FOLDER}/${CLASS}.h: no ports found")
endif()
file(WRITE ${OUT} "#pragma once\n\ntemplate <class Model, class F>\n"
                  "void for_each_block_pin(Model& model, F&& f) {\n${calls}}\n")
