# SPDX-License-Identifier: Apache-2.0
# Runs each ```sh block of CONTRIBUTING.md that is marked <!-- run: ... -->, as it stands, in a copy of the tree.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
set(prefix "${WORK}/tools")
execute_process(COMMAND ${CMAKE_COMMAND} --install "${KERNELASSAY_BUILD}" --config "${CONFIG}" --prefix "${prefix}"
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(tree "${WORK}/tree")
file(COPY "${SOURCE}/tasks" "${SOURCE}/references" "${SOURCE}/cmake" "${SOURCE}/CMakeLists.txt" "${SOURCE}/CMakePresets.json"
     DESTINATION "${tree}")
execute_process(COMMAND ${CMAKE_COMMAND} --preset dev -DKERNELASSAY_TOOLS=${prefix} -DKERNELASSAY_BUILD_TESTS=OFF
                WORKING_DIRECTORY "${tree}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(CREATE_LINK "${prefix}/bin" "${tree}/build/dev/bin" SYMBOLIC)

file(READ "${SOURCE}/CONTRIBUTING.md" text)
string(REGEX MATCHALL "<!-- run: [^>]+-->\n```sh\n[^`]+```" blocks "${text}")
list(LENGTH blocks count)
if(count EQUAL 0)
  message(FATAL_ERROR "CONTRIBUTING.md has no block marked <!-- run: ... -->")
endif()
foreach(block IN LISTS blocks)
  string(REGEX REPLACE "^.*```sh\n([^`]+)```$" "\\1" script "${block}")
  execute_process(COMMAND sh -e -x -c "${script}" WORKING_DIRECTORY "${tree}" OUTPUT_VARIABLE output ERROR_VARIABLE output
                  RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "CONTRIBUTING.md: this block fails (${result}):\n${script}\n${output}")
  endif()
endforeach()
if(NOT output MATCHES "reference.scale_and_shift.cpp.000.test [.]+ +Passed" OR NOT output MATCHES "Write a fast compute kernel")
  message(FATAL_ERROR "the new task was not judged:\n${output}")
endif()
