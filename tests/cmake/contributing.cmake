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
file(WRITE "${tree}/tests/CMakeLists.txt" "")  # the tests themselves need the harness
execute_process(COMMAND ${CMAKE_COMMAND} --preset dev -DKERNELASSAY_TOOLS=${prefix}
                WORKING_DIRECTORY "${tree}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(CREATE_LINK "${prefix}/bin" "${tree}/build/dev/bin" SYMBOLIC)

file(READ "${SOURCE}/CONTRIBUTING.md" text)
string(REGEX MATCHALL "<!-- run: [^>]+-->\n```sh\n[^`]+```" blocks "${text}")
list(LENGTH blocks count)
if(count EQUAL 0)
  message(FATAL_ERROR "CONTRIBUTING.md has no block marked <!-- run: ... -->")
endif()
set(all "")
foreach(block IN LISTS blocks)
  string(REGEX REPLACE "^.*```sh\n([^`]+)```$" "\\1" script "${block}")
  execute_process(COMMAND sh -e -x -c "${script}" WORKING_DIRECTORY "${tree}" OUTPUT_VARIABLE output ERROR_VARIABLE output
                  RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "CONTRIBUTING.md: this block fails (${result}):\n${script}\n${output}")
  endif()
  string(APPEND all "${output}")
endforeach()
foreach(expected IN ITEMS "reference.scale_and_shift.cpp.000.test [.]+ +Passed" "Write a fast compute kernel"
        "mine.relu.strict.000.test [.]+ +Passed")
  if(NOT all MATCHES "${expected}")
    message(FATAL_ERROR "expected: ${expected}\ngot:\n${all}")
  endif()
endforeach()
