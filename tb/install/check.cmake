# SPDX-License-Identifier: Apache-2.0
# Installs BUILD into a fresh prefix, moves that prefix (no file may contain the old path), then
# configures, builds and runs the consumer project against it.
function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: exit ${status}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
must(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/staged)
file(RENAME ${SCRATCH}/staged ${SCRATCH}/prefix)
must(${CMAKE_COMMAND} -G Ninja -S ${CONSUMER} -B ${SCRATCH}/build -DCMAKE_BUILD_TYPE=Release
     -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix -DCMAKE_CXX_COMPILER=${COMPILER}
     -DCMAKE_CXX_FLAGS=${FLAGS})
must(${CMAKE_COMMAND} --build ${SCRATCH}/build)
must(${SCRATCH}/build/uses_core)
if(NOT output MATCHES "^${VERSION} 2 cells")
  message(FATAL_ERROR "the consumer printed `${output}`, not version ${VERSION} and 2 cells")
endif()
must(${SCRATCH}/build/uses_model)
# Presets are found next to the moved program; manual pages and completions are there.
if(EXISTS ${SCRATCH}/prefix/bin/weir)
  must(${CMAKE_COMMAND} -E env SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
       ${SCRATCH}/prefix/bin/weir show dsh_trident2)
  foreach(file IN ITEMS man/man1/weir.1 man/man1/weir-run.1 bash-completion/completions/weir
                        zsh/site-functions/_weir fish/vendor_completions.d/weir.fish
                        weir/vectors/scenarios/incast_star16_dt_trident2.toml)
    if(NOT EXISTS ${SCRATCH}/prefix/share/${file})
      message(FATAL_ERROR "the installation lacks share/${file}")
    endif()
  endforeach()
endif()
