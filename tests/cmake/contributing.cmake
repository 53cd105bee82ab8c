# SPDX-License-Identifier: Apache-2.0
# Runs the marked ```sh blocks of CONTRIBUTING.md, as they stand, in a copy of the tree. KIND is one of
#   tools    blocks marked <!-- run: ... -->; the copy has no harness and uses the tools that KERNELASSAY_BUILD installs
#   harness  blocks marked <!-- run with the harness: ... -->, which build it: in the copy it has no operator but theirs
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
set(tree "${WORK}/tree")
file(COPY "${SOURCE}/cmake" "${SOURCE}/packaging" "${SOURCE}/CMakeLists.txt" "${SOURCE}/CMakePresets.json"
     "${SOURCE}/LICENSE" "${SOURCE}/README.md" "${SOURCE}/CHANGELOG.md" DESTINATION "${tree}")
file(COPY "${SOURCE}/tasks/matrix_multiply/matmul_with_irregular_shapes" DESTINATION "${tree}/tasks/matrix_multiply")  # the canary
file(WRITE "${tree}/tests/CMakeLists.txt" "")  # the tests themselves need the harness and its operators

if(KIND STREQUAL "tools")
  set(mark "run")
  set(expected "reference.scale_and_shift.cpp.000.test [.]+ +Passed" "Write a fast compute kernel"
      "mine.relu.strict.000.test [.]+ +Passed")
  set(options "-DKERNELASSAY_TOOLS=${WORK}/tools")
  execute_process(COMMAND ${CMAKE_COMMAND} --install "${KERNELASSAY_BUILD}" --config "${CONFIG}"
                  --prefix "${WORK}/tools" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  # One category: what the blocks do takes as long with a task as with a thousand.
  file(COPY "${SOURCE}/tasks/activation" DESTINATION "${tree}/tasks")
  file(COPY "${SOURCE}/references/activation" "${SOURCE}/references/blocks" DESTINATION "${tree}/references")
  file(MAKE_DIRECTORY "${tree}/build/dev")
  file(CREATE_LINK "${WORK}/tools/bin" "${tree}/build/dev/bin" SYMBOLIC)
elseif(KIND STREQUAL "harness")
  set(mark "run with the harness")
  set(expected "reference.ramp.cpp.000.test [.]+ +Passed")
  if(LAUNCHER AND CONFIG STREQUAL "RelWithDebInfo")
    set(options ${LIKE_THE_BUILD})  # whose objects the cache has
  else()  # what compiles in the least time
    set(options -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG= -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=13)
  endif()
  file(COPY "${SOURCE}/harness" DESTINATION "${tree}")
  file(REMOVE_RECURSE "${tree}/harness/oracle/operators")
  file(MAKE_DIRECTORY "${tree}/harness/oracle/operators")
else()
  message(FATAL_ERROR "contributing.cmake: KIND must be tools or harness. got: '${KIND}'")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --preset dev ${options} WORKING_DIRECTORY "${tree}" OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)

# One block after the other, never as a CMake list: the blocks have semicolons and brackets of their own.
file(READ "${SOURCE}/CONTRIBUTING.md" text)
set(all "")
while(text MATCHES "<!-- ${mark}: [^>]+ -->\n```sh\n([^`]+)```(.*)$")
  set(script "${CMAKE_MATCH_1}")
  set(text "${CMAKE_MATCH_2}")
  execute_process(COMMAND sh -e -x -c "${script}" WORKING_DIRECTORY "${tree}"
                  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "CONTRIBUTING.md: this block fails (${result}):\n${script}\n${output}")
  endif()
  string(APPEND all "${output}")
endwhile()
if(all STREQUAL "")
  message(FATAL_ERROR "CONTRIBUTING.md has no block marked <!-- ${mark}: ... -->")
endif()
foreach(line IN LISTS expected)
  if(NOT all MATCHES "${line}")
    message(FATAL_ERROR "expected: ${line}\ngot:\n${all}")
  endif()
endforeach()
