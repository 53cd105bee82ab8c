# SPDX-License-Identifier: Apache-2.0
# Where tests are declared. For each test that has properties CTest (3.25 to 4.4) searches all tests that it has read before: the time
# that a directory takes grows with the square of its tests. The build's top has all tests; <build>/runs/<run> has those of one run and the fixtures that they
# need: `ctest --test-dir build/runs/my-model`.
#
# Tests are therefore scripts of CTest's own, each written once and included by both. What is collected lies in global properties:
# KERNELASSAY_RUNS (names), KERNELASSAY_RUN_<run>_TASKS, KERNELASSAY_CANARY (the task of kernel_task(... CANARY)),
# KERNELASSAY_FIRST_TIMED (the task that stands in where there is none), KERNELASSAY_TESTS_<task>_<backend> (a candidate's tests).
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

# Appends to the script <out> a test that calls `assay-judge` with the arguments ARGN. <properties>: as set_tests_properties() takes them.
function(_kernel_append_test out name properties)
  list(JOIN ARGN "]==] [==[" arguments)
  string(APPEND ${out} "add_test(${name} \"\${judge}\" [==[${arguments}]==])
set_tests_properties(${name} PROPERTIES ${properties})\n")
  return(PROPAGATE ${out})
endfunction()

# Writes <script> to <file>; the calling directory has its tests.
function(_kernel_write_tests file script)
  file(GENERATE OUTPUT "${file}" CONTENT "set(judge [==[$<TARGET_FILE:KernelAssay::assay-judge>]==])\n${script}")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${file}")
endfunction()

# Before the task's candidates are tested, assay.<name>.cases draws inputs and computes what they must give. Before they are timed,
# assay.<name>.timing draws the shapes and learns the error bounds there. Of a program task the former runs its controls, and the latter, where it
# has a benchmark, the reference's.
# ARGN: the fixtures, of which each has <seconds>.
function(_kernel_write_fixtures name seconds)
  _kernel_begin_tests()
  get_target_property(plan ${name}.context KERNELASSAY_PLAN)
  set(script "")
  foreach(fixture IN LISTS ARGN)
    _kernel_append_test(script assay.${name}.${fixture}
                        "FIXTURES_SETUP ${fixture}.${name} TIMEOUT ${seconds} LABELS \"task:${name};stage:${fixture}\""
                        ${fixture} --plan "${plan}" --results "${CMAKE_BINARY_DIR}/results")
  endforeach()
  _kernel_write_tests("${CMAKE_BINARY_DIR}/kernelassay/${name}/tests.cmake" "${script}")
endfunction()

# Sets <out> to the tests of one candidate, a script.
function(_kernel_candidate_tests out run task backend sample source)
  get_property(script GLOBAL PROPERTY KERNELASSAY_TESTS_${task}_${backend})
  if("${script}" STREQUAL "")
    _kernel_write_template(script ${task} ${backend})
    set_property(GLOBAL PROPERTY KERNELASSAY_TESTS_${task}_${backend} "${script}")
  endif()
  string(REPLACE "<run>" "${run}" script "${script}")
  string(REPLACE "<NNN>" "${sample}" script "${script}")
  string(REPLACE "<source>" "${source}" script "${script}")
  set(${out} "${script}" PARENT_SCOPE)
endfunction()

# What all candidates of a task and backend have in common, with <run>, <NNN> and <source> in their places.
function(_kernel_write_template out task backend)
  get_target_property(labels ${task}.context KERNELASSAY_LABELS)
  get_target_property(seconds ${task}.context KERNELASSAY_TIME_LIMIT)
  get_property(resources GLOBAL PROPERTY KERNELASSAY_BACKEND_${backend}_RESOURCES)
  set(labels "${labels};${backend};run:<run>")
  # The time limits are a safety net above the tools' own, which end with a verdict.
  if(seconds LESS 10)
    set(seconds 10)
  endif()
  math(EXPR test_seconds "30 * ${seconds}")
  math(EXPR bench_seconds "90 * ${seconds}")
  # Timings disturb each other on processors, and not on devices that CTest hands out: there each has two processors of its own, and
  # takes turns with others on its device (device_turns.h).
  set(alone "RUN_SERIAL ON")
  set(groups "")
  if(NOT "${resources}" STREQUAL "")
    set(alone "PROCESSORS 2")
    set(groups "RESOURCE_GROUPS \"${resources}\"")
  endif()
  get_property(compile_only GLOBAL PROPERTY KERNELASSAY_BACKEND_${backend}_COMPILE_ONLY)
  set(controls "")  # whether a program task's test says anything is a part of each result
  if(backend STREQUAL "program")
    get_target_property(compile_only ${task}.context KERNELASSAY_COMPILE_ONLY)
    if("${compile_only}" STREQUAL "")
      set(controls "FIXTURES_REQUIRED cases.${task}")
    endif()
  endif()
  set(disabled "")
  if(NOT "${compile_only}" STREQUAL "")
    set(disabled "DISABLED ON")
  endif()
  set(root "${CMAKE_BINARY_DIR}/kernelassay/${task}")
  set(common --plan "${root}/${backend}.plan.json" --run <run> --sample <NNN> --prefix "${root}/<run>/<NNN>.${backend}"
             --results "${CMAKE_BINARY_DIR}/results")
  set(id <run>.${task}.${backend}.<NNN>)
  set(test_source "")
  if(backend STREQUAL "program")
    set(test_source --source "<source>")
  endif()
  set(script "")
  _kernel_append_test(script ${id}.compile "LABELS \"${labels};stage:compile\" TIMEOUT 90 FIXTURES_SETUP ${id}.compile ${controls}"
                      compile ${common} --source "<source>")
  _kernel_append_test(script ${id}.test "LABELS \"${labels};stage:test\" TIMEOUT ${test_seconds} FIXTURES_SETUP ${id}.test\
 FIXTURES_REQUIRED \"${id}.compile;cases.${task}\" ${groups} ${disabled}" test ${common} ${test_source})
  if(backend STREQUAL "program")
    get_target_property(bench_seconds ${task}.context KERNELASSAY_BENCH_SECONDS)
    if("${bench_seconds}" STREQUAL "")
      set(${out} "${script}" PARENT_SCOPE)
      return()
    endif()
  endif()
  _kernel_append_test(script ${id}.bench "LABELS \"${labels};stage:bench\" TIMEOUT ${bench_seconds} ${alone}\
 FIXTURES_REQUIRED \"${id}.test;timing.${task};machine\" ${groups} ${disabled}" bench ${common})
  set(${out} "${script}" PARENT_SCOPE)
endfunction()

# The tests <script> of candidates of one run and task.
function(_kernel_write_run_tests run task script)
  _kernel_write_tests("${CMAKE_BINARY_DIR}/runs/${run}/${task}.cmake" "${script}")
  get_property(known GLOBAL PROPERTY KERNELASSAY_RUN_${run}_TASKS SET)
  if(NOT known)
    set_property(GLOBAL APPEND PROPERTY KERNELASSAY_RUNS ${run})
  endif()
  set_property(GLOBAL APPEND PROPERTY KERNELASSAY_RUN_${run}_TASKS ${task})
endfunction()

# Acts on the first call only: the calling directory gets the tests around all timings, and _kernel_finish_tests() runs when the whole
# project has been read.
function(_kernel_begin_tests)
  get_property(begun GLOBAL PROPERTY KERNELASSAY_TESTS_BEGUN)
  if(begun)
    return()
  endif()
  set_property(GLOBAL PROPERTY KERNELASSAY_TESTS_BEGUN ON)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${CMAKE_BINARY_DIR}/kernelassay/tests.cmake")
  cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _kernel_finish_tests)
endfunction()

function(_kernel_finish_tests)
  set(script "")
  _kernel_append_test(script assay.machine "FIXTURES_SETUP machine TIMEOUT 300 RUN_SERIAL ON LABELS stage:machine"
                      machine --out "${CMAKE_BINARY_DIR}/kernelassay/machine.json" --results "${CMAKE_BINARY_DIR}/results")
  get_property(canary GLOBAL PROPERTY KERNELASSAY_CANARY)
  set(plan "")
  if(NOT "${canary}" STREQUAL "")
    get_target_property(plan ${canary}.context KERNELASSAY_PLAN)
  endif()
  if(NOT plan)  # there is none, or its backends are off
    get_property(canary GLOBAL PROPERTY KERNELASSAY_FIRST_TIMED)
  endif()
  if(NOT "${canary}" STREQUAL "")
    _kernel_append_canaries(script ${canary})
  endif()
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/kernelassay/tests.cmake"
       CONTENT "set(judge [==[$<TARGET_FILE:KernelAssay::assay-judge>]==])\n${script}")
  get_property(runs GLOBAL PROPERTY KERNELASSAY_RUNS)
  _kernel_forget_other_runs(${runs})
  foreach(run IN LISTS runs)
    _kernel_write_run_directory(${run} "${canary}")
  endforeach()
endfunction()

# assay.canary.before and assay.canary.after, around all timings: the baseline of <task> against itself.
function(_kernel_append_canaries out task)
  get_target_property(plan ${task}.context KERNELASSAY_PLAN)
  set(common "FIXTURES_REQUIRED timing.${task} TIMEOUT 300 RUN_SERIAL ON LABELS stage:bench")
  _kernel_append_test(${out} assay.canary.before "FIXTURES_SETUP machine ${common}"
                      canary --plan "${plan}" --out "${CMAKE_BINARY_DIR}/kernelassay/canary.before.json" --results "${CMAKE_BINARY_DIR}/results")
  _kernel_append_test(${out} assay.canary.after "FIXTURES_CLEANUP machine ${common}"
                      canary --plan "${plan}" --out "${CMAKE_BINARY_DIR}/kernelassay/canary.after.json" --results "${CMAKE_BINARY_DIR}/results")
  return(PROPAGATE ${out})
endfunction()

# <build>/runs/<run>: a directory for ctest with this run's tests, and the fixtures of its tasks and of <canary>.
function(_kernel_write_run_directory run canary)
  set(folder "${CMAKE_BINARY_DIR}/runs/${run}")
  get_property(tasks GLOBAL PROPERTY KERNELASSAY_RUN_${run}_TASKS)
  set(fixtures ${tasks} ${canary})
  list(REMOVE_DUPLICATES fixtures)
  list(TRANSFORM fixtures REPLACE ".+" "${CMAKE_BINARY_DIR}/kernelassay/\\0/tests.cmake")
  list(TRANSFORM tasks REPLACE ".+" "${folder}/\\0.cmake")
  list(JOIN fixtures "]==])\ninclude([==[" fixtures)
  list(JOIN tasks "]==])\ninclude([==[" tasks)
  file(WRITE "${folder}/CTestTestfile.cmake" "# The tests of the run ${run} alone. Written by KernelAssay.
include([==[${CMAKE_BINARY_DIR}/kernelassay/tests.cmake]==])
include([==[${fixtures}]==])
include([==[${tasks}]==])\n")
  file(WRITE "${folder}/CTestCustom.cmake" "include([==[${CMAKE_BINARY_DIR}/CTestCustom.cmake]==])\n")
endfunction()

# Removes the tests of runs that no longer exist. ARGN: the runs that do.
function(_kernel_forget_other_runs)
  file(GLOB folders RELATIVE "${CMAKE_BINARY_DIR}/runs" "${CMAKE_BINARY_DIR}/runs/*")
  foreach(run IN LISTS folders)
    if(NOT run IN_LIST ARGN)
      file(REMOVE "${CMAKE_BINARY_DIR}/runs/${run}/CTestTestfile.cmake")
    endif()
  endforeach()
endfunction()
