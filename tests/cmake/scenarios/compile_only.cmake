# SPDX-License-Identifier: Apache-2.0
# A backend whose candidates can be compiled here and not run: CTest reports their other stages as not run.
include("${CMAKE_CURRENT_LIST_DIR}/../scenario.cmake")
candidate(a/relu/000.far ok)
candidate(a/relu/001.far broken)
candidate(a/relu/000.cpp ok)
file(READ "${source}/CMakeLists.txt" lists)
string(REPLACE "kernel_backend(absent" "kernel_backend(far SUFFIX .far LANGUAGE CXX COMPILE_ONLY \"no such processor is here\" FLAGS -shared)\nkernel_backend(absent" lists "${lists}")
file(WRITE "${source}/CMakeLists.txt" "${lists}")
configure()
expect_said("-- backend far: [^\n]*, compiles only .no such processor is here.")
build()
expect_compiled(a.relu.cpp.000 a.relu.far.000 a.relu.far.001 reference.relu.cpp.000)
test(-R "^a[.]relu[.]")
foreach(line IN ITEMS "a.relu.far.000.compile [.]+ +Passed" "a.relu.far.000.test [.]+[*]+Not Run .Disabled."
        "a.relu.far.000.bench [.]+[*]+Not Run .Disabled." "a.relu.far.001.compile [.]+[*]+Failed" "a.relu.cpp.000.bench [.]+ +Passed")
  expect_said("${line}")
endforeach()
