# SPDX-License-Identifier: Apache-2.0
# What the scenarios are written with. Each works in WORK: source folder `${source}` (a copy of skeleton/), build folder
# `${build}`. configure(), build() and test() leave stdout and stderr in `output`; expect_* end the script with a message.
cmake_minimum_required(VERSION 3.25)
set(source "${WORK}/my source")
set(build "${WORK}/my build")
file(REMOVE_RECURSE "${WORK}")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/skeleton/" DESTINATION "${source}")
set(kernelassay "${CMAKE_CURRENT_LIST_DIR}")

function(run_or_die)  # <command...>
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

macro(configure)  # [-D...]
  run_or_die(${CMAKE_COMMAND} -G Ninja -S "${source}" -B "${build}" "-DCMAKE_CXX_COMPILER=${CXX}"
             "-DKERNELASSAY=${kernelassay}" ${ARGN})
endmacro()

macro(build)  # [<target>]
  set(target all ${ARGN})
  list(GET target -1 target)
  run_or_die(${CMAKE_COMMAND} --build "${build}" --target ${target})
  execute_process(COMMAND sleep 0.02)  # file times tick every 4 ms: what is written next must be newer
endmacro()

macro(test)  # [<ctest arguments>]: sets result, the exit code
  execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${build}" ${ARGN}
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
endmacro()

function(candidate path)  # [<text>]: writes generated/<path>
  file(WRITE "${source}/generated/${path}" "${ARGN}")
endfunction()

function(expect_said regex)
  if(NOT output MATCHES "${regex}")
    message(FATAL_ERROR "expected: ${regex}\ngot:\n${output}")
  endif()
endfunction()

function(expect_not_said regex)
  if(output MATCHES "${regex}")
    message(FATAL_ERROR "not expected: ${regex}\ngot:\n${output}")
  endif()
endfunction()

# The build compiled exactly these candidates: <run>.<task>.<backend>.<NNN>...
function(expect_compiled)
  string(REGEX MATCHALL "[] 0-9/]+[a-z0-9-]+\\.[a-z0-9_]+\\.[a-z]+\\.[0-9][0-9][0-9]\n" got "${output}")
  string(REGEX REPLACE "[^;]*\\] |\n" "" got "${got}")
  expect_same("compiled candidates" "${got}" "${ARGN}")
endfunction()

# Sets <out> to what `ctest --show-only=json-v1` says.
function(read_tests out)
  execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${build}" --show-only=json-v1 OUTPUT_VARIABLE json
                  COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${json}" PARENT_SCOPE)
endfunction()

# Candidates' tests are exactly those of <run>.<task>.<backend>.<NNN>..., three stages each; our own fixtures aside.
function(expect_candidates)
  read_tests(json)
  string(REGEX MATCHALL "\"name\" : \"[^\"]*\\.compile\"" got "${json}")
  string(REGEX REPLACE "\"name\" : \"|\\.compile\"" "" got "${got}")
  expect_same("candidates" "${got}" "${ARGN}")
endfunction()

function(expect_same what got expected)
  list(SORT got)
  list(SORT expected)
  if(NOT got STREQUAL expected)
    message(FATAL_ERROR "${what}: expected '${expected}', got '${got}'\n${output}")
  endif()
endfunction()
