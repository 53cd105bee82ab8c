# SPDX-License-Identifier: Apache-2.0
# Which tasks' references and admission a build of the project's own tests judges.
include("${CMAKE_CURRENT_LIST_DIR}/../pick.cmake")

set(KERNELASSAY_CORPUS all CACHE STRING "Tasks whose references and admission are judged: all, or picked (tests/corpus/lock.py)")
set_property(CACHE KERNELASSAY_CORPUS PROPERTY STRINGS all picked)

# corpus_pick(<out> <source>): sets <out> to the tasks of the tree <source> that are left out: none where KERNELASSAY_CORPUS is all,
# else those that tests/corpus.lock vouches for, but for one in twenty.
function(corpus_pick out source)
  set(${out} "" PARENT_SCOPE)
  if(KERNELASSAY_CORPUS STREQUAL "all")
    return()
  elseif(NOT KERNELASSAY_CORPUS STREQUAL "picked")
    message(FATAL_ERROR "corpus_pick: KERNELASSAY_CORPUS must be all or picked. got: '${KERNELASSAY_CORPUS}'")
  endif()
  pick_commit(commit)
  set(lock "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/lock.py")
  find_program(python NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH NO_CACHE)
  find_program(python NAMES python3 NO_CACHE)
  execute_process(COMMAND ${python} -B "${lock}" --source "${source}" pick --commit ${commit}
                  OUTPUT_VARIABLE lines ERROR_VARIABLE error RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "corpus_pick: ${lock} fails. got: ${error}")
  endif()
  string(REGEX MATCHALL "out [^\n]+" left_out "${lines}")
  list(TRANSFORM left_out REPLACE "^out " "")
  string(REGEX MATCHALL "in [^\n]+" judged "${lines}")
  list(LENGTH judged count)
  message(STATUS "corpus: ${count} tasks are judged, chosen by ${commit}; all: -DKERNELASSAY_CORPUS=all")
  # What is changed is judged by the next build.
  file(GLOB references "${source}/references/*/*")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${lock}" "${source}/tests/corpus.lock" ${references})
  set(${out} "${left_out}" PARENT_SCOPE)
endfunction()
