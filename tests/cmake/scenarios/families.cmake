# SPDX-License-Identifier: Apache-2.0
# kernel_tasks() declares what lies below a folder: task.yaml, the tasks of a family, what has a CMakeLists.txt. A changed line of a family
# compiles candidates of that line's task alone.
include("${CMAKE_CURRENT_LIST_DIR}/../scenario.cmake")
file(READ "${source}/CMakeLists.txt" text)
string(REGEX REPLACE "add_subdirectory.tasks/activation/relu.\nadd_subdirectory.tasks/reduce/sum." "kernel_tasks(tasks LEFT_OUT sine LABELS own CANARY cosine)" text "${text}")
file(WRITE "${source}/CMakeLists.txt" "${text}")
file(REMOVE "${source}/tasks/reduce/sum/CMakeLists.txt")
file(WRITE "${source}/tasks/math/unary.yaml" "summary: One.
difficulty: 1
suites: [some]
timing: {cpu: {dims: {N: 8}}}
types: [float, bfloat16]
variants:
  plain: {}
  inplace: {difficulty: 3}
tasks:
  cosine: {op: Cos, variants: [plain]}  # [not, a, list]
  sine: {op: Sin, types: [float], difficulty: 2, suites: {other: [Sin], more: [a, b]}}
")
file(WRITE "${source}/tasks/suites/some.yaml" "title: of no tasks\n")
foreach(name IN ITEMS cosine sine)
  file(WRITE "${source}/references/math/${name}.cpp" ok)
endforeach()
candidate(a/cosine/000.cpp ok)
candidate(a/cosine_bfloat16/000.cpp ok)
candidate(a/sine_inplace/000.cpp ok)
candidate(a/sum/000.cpp ok)
configure()
build()
set(declared a.cosine.cpp.000 a.cosine_bfloat16.cpp.000 a.sine_inplace.cpp.000 a.sum.cpp.000 reference.cosine.cpp.000 reference.relu.cpp.000)
expect_compiled(${declared})
expect_candidates(${declared})  # the reference of sine is left out

function(expect_tests label)  # <task>...: exactly these have a fixture with the label
  test(-N -L "^${label}$" -R "^a[.].*[.]compile$")
  string(REGEX MATCHALL "a[.][a-z0-9_]+[.]cpp" got "${output}")
  list(TRANSFORM got REPLACE "^a[.](.*)[.]cpp$" "\\1")
  expect_same("${label}" "${got}" "${ARGN}")
endfunction()
expect_tests(math cosine cosine_bfloat16 sine_inplace)
expect_tests(difficulty:1 cosine cosine_bfloat16)
expect_tests(difficulty:3 sine_inplace sum)
expect_tests(suite:some cosine cosine_bfloat16)
expect_tests(suite:more sine_inplace)
expect_tests(own cosine cosine_bfloat16 sine_inplace sum)
test(-N -V -R "^assay.canary.before$")
expect_said("kernelassay/cosine/cpp.plan.json")
file(READ "${build}/kernelassay/sine_inplace/task.json" json)
string(JSON got GET "${json}" task_yaml)
expect_same("task_yaml" "${got}" "${source}/tasks/math/unary.yaml#sine_inplace")

# The line of one task; a line more; a task.yaml more.
file(READ "${source}/tasks/math/unary.yaml" text)
string(REPLACE "{op: Cos," "{op: Cosh," text "${text}")
file(WRITE "${source}/tasks/math/unary.yaml" "${text}")
build()
expect_compiled(a.cosine.cpp.000 reference.cosine.cpp.000)
file(APPEND "${source}/tasks/math/unary.yaml" "  tangent: {op: Tan, types: [float], variants: [plain]}\n")
candidate(a/tangent/000.cpp ok)
build()
expect_compiled(a.tangent.cpp.000)
file(WRITE "${source}/tasks/math/cube/task.yaml" "summary: Cube.\ndifficulty: 1\n")
candidate(a/cube/000.cpp ok)
build()
expect_compiled(a.cube.cpp.000)
build()
expect_said("no work to do")

# A suite that lists tasks: their label, and their references whether or not they have candidates.
file(WRITE "${source}/tasks/suites/own.yaml" "title: some  # [no, names]\ntasks:\n  math: [cube,\n         sine_inplace]\n  activation: [relu]\n")
foreach(name IN ITEMS cube sine_inplace relu)
  file(WRITE "${source}/references/math/${name}.cpp" ok)
endforeach()
candidate(a/relu/000.cpp ok)
configure(-DKERNELASSAY_REFERENCES=own)
expect_tests(suite:own cube relu sine_inplace)
# On one backend, unless there is something to compare with.
foreach(name IN ITEMS math/cube activation/relu)
  file(WRITE "${source}/references/${name}.gpu" ok)
endforeach()
file(REMOVE_RECURSE "${source}/generated/a/cube")
configure()
test(-N -R "^reference[.].*[.]compile$")
string(REGEX MATCHALL "reference[.][a-z0-9_]+[.](cpp|gpu)" got "${output}")
expect_same("references of the suite and of what has candidates" "${got}"
  "reference.cosine.cpp;reference.cube.cpp;reference.relu.cpp;reference.relu.gpu;reference.sine_inplace.cpp")
file(READ "${build}/kernelassay/candidates.txt" text)
string(REGEX MATCHALL "reference[.][a-z0-9_]+[.](cpp|gpu)" listed "${text}")
expect_same("references that are listed" "${listed}" "${got}")
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${build}/runs/reference" -N -R "^reference[.]cube[.]" OUTPUT_VARIABLE output)
expect_said("reference.cube.cpp.000.test")
