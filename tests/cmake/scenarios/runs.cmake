# SPDX-License-Identifier: Apache-2.0
# Each run's own test directory, what stands in it, and what a task says of its tests: backends, labels, limits, the canary.
include("${CMAKE_CURRENT_LIST_DIR}/../scenario.cmake")
candidate(a/relu/000.cpp ok)
candidate(a/relu/001.gpu ok)
candidate(a/sum/000.cpp ok)
candidate(b/sum/000.cpp broken)
candidate(b/sum/001.cpp wrong)

# The tests that ctest finds in <folder> are exactly these.
function(expect_tests folder)
  execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${build}${folder}" -N OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX MATCHALL "Test +#[0-9]+: [^\n]+" got "${output}")
  list(TRANSFORM got REPLACE ".*: " "")
  expect_same("tests in ${folder}" "${got}" "${ARGN}")
endfunction()

function(stages out)
  set(names "")
  foreach(id IN LISTS ARGN)
    list(APPEND names ${id}.compile ${id}.test ${id}.bench)
  endforeach()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

set(around assay.machine assay.canary.before assay.canary.after)
configure()
stages(of_a a.relu.cpp.000 a.relu.gpu.001 a.sum.cpp.000)
stages(of_b b.sum.cpp.000 b.sum.cpp.001)
stages(of_reference reference.relu.cpp.000)
expect_tests(/runs/a ${of_a} ${around} assay.relu.cases assay.relu.timing assay.sum.cases assay.sum.timing)
expect_tests(/runs/b ${of_b} ${around} assay.relu.cases assay.relu.timing assay.sum.cases assay.sum.timing)  # relu is the canary, as the first task that is timed
expect_tests(/runs/reference ${of_reference} ${around} assay.relu.cases assay.relu.timing)
expect_tests("" ${of_a} ${of_b} ${of_reference} ${around} assay.relu.cases assay.relu.timing assay.sum.cases assay.sum.timing)

# Its results are those of the whole, records uncut.
build()
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${build}/runs/b" --output-junit "${WORK}/b.xml" RESULT_VARIABLE result
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
foreach(line IN ITEMS "b.sum.cpp.000.compile [.]+[*]+Failed" "b.sum.cpp.000.test [.]+[*]+Not Run" "b.sum.cpp.001.compile [.]+ +Passed"
        "b.sum.cpp.001.test [.]+[*]+Failed" "assay.canary.after [.]+ +Passed")
  expect_said("${line}")
endforeach()
expect_not_said(" (a|reference)[.]")
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${build}/runs/a" -R "^a.relu.cpp.000.bench$" --output-junit "${WORK}/a.xml"
                RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
expect_said("100% tests passed[^\n]* out of 8")
file(READ "${WORK}/a.xml" junit)
if(NOT junit MATCHES "x end of the record")
  message(FATAL_ERROR "CTest cut the output of a passing test in a run's directory")
endif()

# A run that goes takes its tests along; a new one has a directory with the next build.
file(REMOVE_RECURSE "${source}/generated/b")
candidate(c/sum/000.cpp ok)
build()
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${build}/runs/b" -N OUTPUT_VARIABLE output ERROR_VARIABLE output)
expect_said("Total Tests: 0")
stages(of_c c.sum.cpp.000)
expect_tests(/runs/c ${of_c} ${around} assay.relu.cases assay.relu.timing assay.sum.cases assay.sum.timing)

# Benches that take a device run side by side, where there are several.
candidate(d/relu/000.gpu together)
candidate(d/relu/001.gpu together)
build()
foreach(devices IN ITEMS "{\"id\": \"0\"}, {\"id\": \"1\"}" "{\"id\": \"0\"}")
  file(WRITE "${WORK}/devices.json" "{\"version\": {\"major\": 1, \"minor\": 0}, \"local\": [{\"gpus\": [${devices}]}]}")
  file(REMOVE "${build}/kernelassay/relu/d/000.gpu.began" "${build}/kernelassay/relu/d/001.gpu.began")
  execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${build}/runs/d" --parallel 4 --resource-spec-file "${WORK}/devices.json"
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX MATCHALL "d.relu.gpu.00[01].bench [.]+ +Passed" passed "${output}")
  list(LENGTH passed count)
  list(APPEND counts ${count})
endforeach()
if(NOT counts STREQUAL "2;0")
  message(FATAL_ERROR "two benches must run side by side on two devices, one after the other on one. got: ${counts}\n${output}")
endif()

# What a task says of its tests.
file(WRITE "${source}/tasks/reduce/sum/CMakeLists.txt"
     "kernel_task(sum BACKENDS gpu absent LABELS vision for.later TIME_LIMIT 30 MEMORY_LIMIT 4096 CANARY)\n")
file(APPEND "${source}/tasks/reduce/sum/task.yaml" "timing:\n  cpu: {dims: {N: 4}}\n")
candidate(c/sum/001.gpu ok)
configure()
expect_said("skipped [^\n]*/c/sum/000.cpp: the task sum takes no candidates of backend cpp")
stages(of_c c.sum.gpu.001)
expect_tests(/runs/c ${of_c} ${around} assay.sum.cases assay.sum.timing)
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${build}/runs/c" -N -L "^vision$" -L "^for.later$" -L "^stage:bench$"
                OUTPUT_VARIABLE output)
expect_said("c.sum.gpu.001.bench")
file(READ "${build}/runs/c/sum.cmake" tests)
foreach(line IN ITEMS "TIMEOUT 900 FIXTURES_SETUP c.sum.gpu.001.test" "TIMEOUT 2700 PROCESSORS 2")
  if(NOT tests MATCHES "${line}")
    message(FATAL_ERROR "no '${line}' in:\n${tests}")
  endif()
endforeach()
file(READ "${build}/kernelassay/sum/task.json" task)
string(JSON got GET "${task}" time_limit)
expect_same(time_limit "${got}" 30)
string(JSON got GET "${task}" memory_limit)
expect_same(memory_limit "${got}" 4096)

# References of tasks that have candidates, or of none.
configure(-DKERNELASSAY_REFERENCES=CANDIDATES)
expect_tests(/runs/reference ${of_reference} ${around} assay.relu.cases assay.relu.timing assay.sum.cases assay.sum.timing)
file(REMOVE_RECURSE "${source}/generated/a/relu" "${source}/generated/d")
build()
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${build}/runs/reference" -N OUTPUT_VARIABLE output ERROR_VARIABLE output)
expect_said("Total Tests: 0")
candidate(a/relu/000.cpp ok)
configure(-DKERNELASSAY_REFERENCES=OFF)
test(-N -R "^reference[.]")
expect_said("Total Tests: 0")
