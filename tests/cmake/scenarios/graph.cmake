# SPDX-License-Identifier: Apache-2.0
# What is built when, what a stage needs, and what reaches the JUnit.
include("${CMAKE_CURRENT_LIST_DIR}/../scenario.cmake")
candidate(a/relu/000.cpp ok)
configure()
build()
expect_not_said("sum")  # of a task without candidates nothing is built

candidate(a/relu/001.cpp broken)
candidate(b/sum/000.cpp wrong)
configure()
build()
expect_compiled(a.relu.cpp.001 b.sum.cpp.000)
build()
expect_said("no work to do")

# One candidate changed: one candidate compiled. A task's kernel.h changed: all of its candidates, no other's.
candidate(a/relu/000.cpp "ok again")
build()
expect_compiled(a.relu.cpp.000)
file(READ "${source}/tasks/reduce/sum/task.yaml" text)
file(WRITE "${source}/tasks/reduce/sum/task.yaml" "${text}# a new thought\nsuites: [of_its_own]\n")
build()
expect_compiled()
string(REPLACE "Sum over" "The sum of" text "${text}")
file(WRITE "${source}/tasks/reduce/sum/task.yaml" "${text}suites: [of_its_own]\n")
build()
expect_compiled(b.sum.cpp.000)
build()
expect_said("no work to do")
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${build}" -N -L "^suite:of_its_own$" OUTPUT_VARIABLE output)
expect_said("Total Tests: 9")  # three stages, the machine, two canaries, cases and timing of this task, the timing of theirs

# What is chosen for the run compiles nothing.
configure(-DKERNELASSAY_EFFORT=publish -DKERNELASSAY_CACHE=cold -DKERNELASSAY_REQUIRE_TIER=reduced)
build()
expect_said("no work to do")
configure(-DKERNELASSAY_EFFORT=standard -DKERNELASSAY_CACHE=warm -DKERNELASSAY_REQUIRE_TIER=)

# A missing library is no reason to build; cleaning takes the libraries along and leaves the plans.
if(NOT EXISTS "${build}/kernelassay/relu/a/000.cpp.so" OR EXISTS "${build}/kernelassay/relu/a/001.cpp.so")
  message(FATAL_ERROR "the stand-in must leave a library for 000, none for 001")
endif()
build(clean)
if(EXISTS "${build}/kernelassay/relu/a/000.cpp.so" OR NOT EXISTS "${build}/kernelassay/relu/cpp.plan.json")
  message(FATAL_ERROR "after clean: 000.cpp.so must be gone, cpp.plan.json must be there")
endif()
build()
expect_compiled(a.relu.cpp.000 a.relu.cpp.001 b.sum.cpp.000 reference.relu.cpp.000)

# Fixtures: what did not compile is not tested, what fails is not timed, others go on.
test(--output-junit "${WORK}/junit.xml")
foreach(line IN ITEMS "a.relu.cpp.000.bench [.]+ +Passed" "a.relu.cpp.001.compile [.]+[*]+Failed"
        "a.relu.cpp.001.test [.]+[*]+Not Run" "a.relu.cpp.001.bench [.]+[*]+Not Run" "b.sum.cpp.000.test [.]+[*]+Failed"
        "b.sum.cpp.000.bench [.]+[*]+Not Run" "reference.relu.cpp.000.bench [.]+ +Passed")
  expect_said("${line}")
endforeach()
file(READ "${WORK}/junit.xml" junit)  # 4,000 characters of a passing test, and what comes after them
if(NOT junit MATCHES "x end of the record")
  message(FATAL_ERROR "CTest cut the output of a passing test: CTestCustom.cmake is not in force")
endif()

# A stage by itself draws in what it needs, and nothing else.
test(-R "^a.relu.cpp.000.bench$")
foreach(name IN ITEMS a.relu.cpp.000.compile assay.relu.cases assay.relu.timing a.relu.cpp.000.test assay.machine assay.canary.before
        a.relu.cpp.000.bench assay.canary.after)
  expect_said("${name} [.]+ +Passed")
endforeach()
expect_said("100% tests passed[^\n]* out of 8")

# <task>.test and <task>.bench build, then run their stage.
candidate(a/relu/002.cpp ok)
file(REMOVE "${source}/generated/a/relu/001.cpp")
build(relu.test)
expect_compiled(a.relu.cpp.002)
expect_said("a.relu.cpp.002.test [.]+ +Passed")
expect_not_said("[.]bench|sum[.]")
build(relu.bench)
expect_said("a.relu.cpp.002.bench [.]+ +Passed")
build(relu.context)

# A CTestCustom.cmake of the project's own is left alone.
file(WRITE "${build}/CTestCustom.cmake" "# mine\n")
configure()
file(READ "${build}/CTestCustom.cmake" custom)
expect_same(CTestCustom.cmake "${custom}" "# mine\n")
