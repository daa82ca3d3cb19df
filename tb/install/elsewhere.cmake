# SPDX-License-Identifier: Apache-2.0
# Starts PROGRAM in a folder without the scenario that it names: exit 2, nothing on stdout and one
# line on stderr that names the file.
file(MAKE_DIRECTORY ${SCRATCH})
execute_process(COMMAND ${PROGRAM} WORKING_DIRECTORY ${SCRATCH} RESULT_VARIABLE status
                OUTPUT_VARIABLE output ERROR_VARIABLE error)
if(NOT status EQUAL 2 OR NOT output STREQUAL ""
   OR NOT error MATCHES "^\"vectors/scenarios/[a-z0-9_]+[.]toml\": no such file\n$")
  message(FATAL_ERROR "${PROGRAM}: exit ${status}\nstdout: ${output}\nstderr: ${error}")
endif()
