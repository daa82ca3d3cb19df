# SPDX-License-Identifier: Apache-2.0
# Makes the Debian package of BUILD, looks at what is in it, and runs the program from where it was
# unpacked.
function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE error)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: exit ${status}\n${output}${error}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
must(${CMAKE_CPACK_COMMAND} -G DEB --config ${BUILD}/CPackConfig.cmake -B ${SCRATCH})
file(GLOB package ${SCRATCH}/weir_${VERSION}_*.deb)
if(NOT package)
  message(FATAL_ERROR "cpack has made no weir_${VERSION}_*.deb in ${SCRATCH}")
endif()

must(dpkg-deb -c ${package})
foreach(file IN ITEMS
        bin/weir include/weir_mmu.h include/weir/core/mmu.hpp lib/libweir_core.a lib/libweir_mmu.so
        lib/libweir_mmu.a lib/pkgconfig/weir_mmu.pc lib/cmake/weir/weirConfig.cmake
        share/man/man1/weir-run.1 share/bash-completion/completions/weir
        share/zsh/site-functions/_weir share/fish/vendor_completions.d/weir.fish
        share/doc/weir/LICENSE share/doc/weir/README.md share/doc/weir/docs/guide/README.md
        share/weir/sv/weir_mmu_dpi_pkg.sv share/weir/sv/weir_mmu_dpi.c
        share/weir/sv/uvm/weir_mmu_uvm_pkg.sv share/weir/python/weir_mmu_c.py
        share/weir/sonic_mgmt/sim_pfc_xoff_probing_executor.py
        share/weir/sonic_mgmt/sim_ingress_drop_probing_executor.py
        share/weir/sonic_mgmt/sim_pfc_xon_probing_executor.py
        share/weir/sonic_mgmt/sim_egress_drop_probing_executor.py
        share/weir/rtl/weir_mmu.sv share/weir/rtl/files.f share/weir/rtl/weir.core
        share/weir/rtl/weir_mmu.rdl share/weir/rtl/weir_mmu.registers.csv
        share/weir/vectors/chips/dsh_trident2.toml
        share/weir/vectors/scenarios/incast_star16_dt_trident2.toml
        share/weir/vectors/workloads/websearch2010.csv)
  string(FIND "${output}" " ./usr/${file}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${package} lacks /usr/${file}:\n${output}")
  endif()
endforeach()
string(FIND "${output}" " ./usr/lib/libweir_mmu.so.1 -> " at)
if(at EQUAL -1)
  message(FATAL_ERROR "${package} lacks the link libweir_mmu.so.1")
endif()

must(dpkg-deb -f ${package} Depends)
foreach(library IN ITEMS libc6 libsystemc libfmt9 libsqlite3-0)
  if(NOT output MATCHES "(^|, )${library} ")
    message(FATAL_ERROR "${package} does not depend on ${library}: ${output}")
  endif()
endforeach()

# Far from the tree: the scenario, its chip and its page come from the package.
must(dpkg-deb -x ${package} ${SCRATCH}/root)
file(MAKE_DIRECTORY ${SCRATCH}/elsewhere)
execute_process(COMMAND ${SCRATCH}/root/usr/bin/weir run incast_star16_dt_trident2 --out out
                WORKING_DIRECTORY ${SCRATCH}/elsewhere RESULT_VARIABLE status
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0 OR NOT EXISTS ${SCRATCH}/elsewhere/out/summary.json)
  message(FATAL_ERROR "the program of the package: exit ${status}\n${output}")
endif()
# So does the Python module, where the build has one: it finds the program of the package.
if(PYTHON_DIR)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${SCRATCH}/root/usr/${PYTHON_DIR}
                          SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 /usr/bin/python3 -B -c
                          "import weir; weir.run('incast_star16_dt_trident2', out='from_python')"
                  WORKING_DIRECTORY ${SCRATCH}/elsewhere RESULT_VARIABLE status
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0 OR NOT EXISTS ${SCRATCH}/elsewhere/from_python/summary.json)
    message(FATAL_ERROR "the Python module of the package: exit ${status}\n${output}")
  endif()
endif()
file(REMOVE_RECURSE ${SCRATCH})
