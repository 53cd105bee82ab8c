# SPDX-License-Identifier: Apache-2.0
# Has consumer/, a repository of tasks of its own, find and use PACKAGE, a .deb that packages.cmake has unpacked: the real
# tools compile, test and time a reference, a right candidate, a wrong one, and one that does not compile. Then backends come to
# the installed package, one file each and no other change, and the same project judges candidates in their languages: a function in C,
# a function that takes a stream, device code where the package has a program for it, and 16-bit reals, whose types in kernel.h are the
# backend's own.
cmake_minimum_required(VERSION 3.25)
set(prefix "${WORK}/installed here")
file(REMOVE_RECURSE "${WORK}")
file(COPY "${PACKAGE}/" DESTINATION "${prefix}")  # relocatable, to a path with a space

file(COPY "${CMAKE_CURRENT_LIST_DIR}/consumer/" DESTINATION "${WORK}/source")
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S "${WORK}/source" -B "${WORK}/build" "-DCMAKE_CXX_COMPILER=${CXX}"
                "-DKernelAssay_ROOT=${prefix}" -DKERNELASSAY_EFFORT=quick
                OUTPUT_VARIABLE output ERROR_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build "${WORK}/build" OUTPUT_VARIABLE output ERROR_VARIABLE output
                RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "a candidate that does not compile must not fail the build:\n${output}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build "${WORK}/build" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output MATCHES "no work to do")
  message(FATAL_ERROR "the second build must have nothing to do:\n${output}")
endif()

# Every line must be in `output`, which ctest has printed.
function(expect_lines)
  foreach(line IN LISTS ARGN)
    if(NOT output MATCHES "${line}")
      message(FATAL_ERROR "expected: ${line}\ngot:\n${output}")
    endif()
  endforeach()
endfunction()

set(untimed -LE "^stage:bench$")
if(TIMED)
  set(untimed "")
endif()
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${WORK}/build" ${untimed} --output-on-failure
                --output-junit "${WORK}/junit.xml" OUTPUT_VARIABLE output ERROR_VARIABLE output)
expect_lines("assay.scale_by_two.cases [.]+ +Passed"
        "reference.scale_by_two.cpp.000.test [.]+ +Passed"
        "mine.scale_by_two.cpp.000.compile [.]+ +Passed" "mine.scale_by_two.cpp.000.test [.]+ +Passed"
        "mine.scale_by_two.cpp.001.compile [.]+ +Passed" "mine.scale_by_two.cpp.001.test [.]+[*]+Failed"
        "mine.scale_by_two.cpp.002.compile [.]+[*]+Failed" "mine.scale_by_two.cpp.002.test [.]+[*]+Not Run"
        "mine.scale_by_two.cpp.003.test [.]+ +Passed")
file(READ "${WORK}/junit.xml" junit)
foreach(verdict IN ITEMS PASS WRONG_RESULT COMPILE_ERROR)
  if(NOT junit MATCHES "assay: {[^\n]*${verdict}")
    message(FATAL_ERROR "no record with ${verdict} in ${WORK}/junit.xml:\n${output}")
  endif()
endforeach()
if(junit MATCHES "HARNESS_ERROR")
  message(FATAL_ERROR "HARNESS_ERROR in ${WORK}/junit.xml:\n${output}")
endif()

file(GLOB backends LIST_DIRECTORIES true "${prefix}/*/cmake/KernelAssay/backends" "${prefix}/*/*/cmake/KernelAssay/backends")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/new_backend/backends/" DESTINATION "${backends}")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/new_backend/references" "${CMAKE_CURRENT_LIST_DIR}/new_backend/generated" "${CMAKE_CURRENT_LIST_DIR}/new_backend/tasks"
     DESTINATION "${WORK}/source")
file(READ "${WORK}/source/CMakeLists.txt" lists)
string(REPLACE "kernel_candidates(" "add_subdirectory(tasks/math/negate_halves)\nkernel_candidates(" lists "${lists}")
file(WRITE "${WORK}/source/CMakeLists.txt" "${lists}")
execute_process(COMMAND ${CMAKE_COMMAND} --build "${WORK}/build" OUTPUT_VARIABLE output ERROR_VARIABLE output
                RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the build with the new backends must pass:\n${output}")
endif()
set(device "")
if(NOT output MATCHES "backend plain_cl: off .this KernelAssay was built without assay-opencl")
  set(device "mine.scale_by_two.plain_cl.000.compile [.]+ +Passed" "mine.scale_by_two.plain_cl.000.test [.]+ +Passed")
endif()
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${WORK}/build" -L "^(c|ordered|plain_cl|task:negate_halves)$" -LE "^stage:bench$" --output-on-failure
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
expect_lines("reference.scale_by_two.c.000.compile [.]+ +Passed" "reference.scale_by_two.c.000.test [.]+ +Passed"
             "mine.scale_by_two.c.000.compile [.]+ +Passed" "mine.scale_by_two.c.000.test [.]+ +Passed"
             "mine.scale_by_two.c.001.compile [.]+ +Passed" "mine.scale_by_two.c.001.test [.]+[*]+Failed"
             "mine.scale_by_two.c.002.compile [.]+[*]+Failed" "mine.scale_by_two.c.002.test [.]+[*]+Not Run"
             "mine.scale_by_two.ordered.000.compile [.]+ +Passed" "mine.scale_by_two.ordered.000.test [.]+ +Passed"
             "reference.negate_halves.cpp.000.test [.]+ +Passed" ${device})
if(NOT output MATCHES "assay: {[^\n]*WRONG_RESULT" OR NOT output MATCHES "assay: {[^\n]*COMPILE_ERROR" OR output MATCHES "HARNESS_ERROR")
  message(FATAL_ERROR "expected WRONG_RESULT, COMPILE_ERROR and no HARNESS_ERROR. got:\n${output}")
endif()
