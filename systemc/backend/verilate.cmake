# SPDX-License-Identifier: Apache-2.0
# RTL modules as C++ classes, by Verilator. Warnings of Verilator are errors; rtl/waivers.vlt lists
# the exceptions.
find_program(WEIR_VERILATOR verilator)
if(NOT WEIR_VERILATOR)
  message(FATAL_ERROR "verilator not found: scripts/lib/install-packages build")
endif()
find_path(WEIR_VERILATOR_INCLUDE verilated.h
          PATHS /usr/share/verilator/include /usr/local/share/verilator/include
                $ENV{VERILATOR_ROOT}/include
          REQUIRED)
set(WEIR_RTL_DIR ${PROJECT_SOURCE_DIR}/rtl CACHE PATH "Folder of the RTL sources and of files.f")
set(weir_verilate_dir ${CMAKE_CURRENT_LIST_DIR})

# weir_latency(<constant> <result>): a constant of pipeline_latency_pkg.sv.
set(weir_latency_package ${CMAKE_CURRENT_LIST_DIR}/../../rtl/pkg/pipeline_latency_pkg.sv)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${weir_latency_package})
function(weir_latency constant result)
  file(STRINGS ${weir_latency_package} line REGEX "localparam int ${constant} += [0-9]+;")
  if(NOT line MATCHES "= ([0-9]+)")
    message(FATAL_ERROR "${weir_latency_package} has no ${constant}")
  endif()
  set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

# Verilator's run-time, once.
find_package(Threads REQUIRED)
add_library(weir_verilated STATIC
  ${WEIR_VERILATOR_INCLUDE}/verilated.cpp ${WEIR_VERILATOR_INCLUDE}/verilated_threads.cpp
  ${WEIR_VERILATOR_INCLUDE}/verilated_cov.cpp ${WEIR_VERILATOR_INCLUDE}/verilated_vcd_c.cpp)
set_target_properties(weir_verilated PROPERTIES CXX_STANDARD 17 POSITION_INDEPENDENT_CODE ON)
target_include_directories(weir_verilated SYSTEM PUBLIC
  ${WEIR_VERILATOR_INCLUDE} ${WEIR_VERILATOR_INCLUDE}/vltstd)
target_compile_definitions(weir_verilated PUBLIC
  VM_TRACE=1 VM_TRACE_FST=0 VM_TRACE_VCD=1 VM_SC=0 VL_IGNORE_UNKNOWN_ARCH
  VM_COVERAGE=$<BOOL:${WEIR_RTL_COVERAGE}>)
target_compile_options(weir_verilated PRIVATE -O2 -w)
target_link_libraries(weir_verilated PUBLIC Threads::Threads)

# weir_verilated_sources(<name> <folder> TOP <module> [PARAMETERS A=1 ...] [OPTIONS ...] [SOURCES
# ...]) makes <folder>/V<name>.h and the class V<name> as three units, which weir_verilated_target
# adds to a library. SOURCES are added after those of the RTL.
function(weir_verilated_sources name folder)
  cmake_parse_arguments(arg "" "TOP" "PARAMETERS;OPTIONS;SOURCES" ${ARGN})
  list(TRANSFORM arg_PARAMETERS PREPEND -G)
  file(GLOB texts ${weir_verilate_dir}/one_text*.vlt)
  file(GLOB_RECURSE rtl CONFIGURE_DEPENDS ${WEIR_RTL_DIR}/*.sv ${WEIR_RTL_DIR}/*.vlt ${WEIR_RTL_DIR}/*.f)
  add_custom_command(
    OUTPUT ${folder}/fast.cpp ${folder}/trace.cpp ${folder}/slow.cpp
           ${folder}/V${name}.h  # else users of it are stale
    COMMAND ${CMAKE_COMMAND} -DVERILATOR=${WEIR_VERILATOR} -DRTL=${WEIR_RTL_DIR} -DTOP=${arg_TOP}
            -DFOLDER=${folder} -DPREFIX=V${name} "-DOPTIONS=${arg_PARAMETERS};${arg_OPTIONS}"
            "-DSOURCES=${arg_SOURCES}"
            -P ${weir_verilate_dir}/run_verilator.cmake
    DEPENDS ${rtl} ${arg_SOURCES} ${texts} ${weir_verilate_dir}/run_verilator.cmake
    COMMENT "Verilating ${arg_TOP} (${name})" VERBATIM)
endfunction()

# Adds such sources, and the settings that they need, to a library. The variable WEIR_VERILATED_LEVEL
# says how the part that runs in each cycle is optimised.
function(weir_verilated_target target folder)
  set(level -O2)
  if(WEIR_VERILATED_LEVEL)
    set(level ${WEIR_VERILATED_LEVEL})
  endif()
  target_sources(${target} PRIVATE ${folder}/fast.cpp ${folder}/trace.cpp ${folder}/slow.cpp)
  set_target_properties(${target} PROPERTIES CXX_STANDARD 17 POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} SYSTEM PUBLIC ${folder})
  target_link_libraries(${target} PUBLIC weir_verilated)
  target_compile_options(${target} PRIVATE -w)
  set_source_files_properties(${folder}/fast.cpp PROPERTIES COMPILE_OPTIONS ${level})
  set_source_files_properties(${folder}/trace.cpp PROPERTIES COMPILE_OPTIONS -O1)
  set_source_files_properties(${folder}/slow.cpp PROPERTIES COMPILE_OPTIONS -O0)
endfunction()
