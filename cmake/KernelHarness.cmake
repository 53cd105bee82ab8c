# SPDX-License-Identifier: Apache-2.0
# A task's own C++ in its folder harness/: oracle.cpp, verify.cpp and headers.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

# Sets <out> to EXCLUDE_FROM_ALL: a library of a task is built for candidates that need it, or as a target of its own. Of tasks whose
# admission is judged, which those LEFT_OUT are not, all are built.
function(_kernel_built_when_needed out)
  set(${out} EXCLUDE_FROM_ALL PARENT_SCOPE)
  if(KERNELASSAY_ADMISSION)
    set(${out} "" PARENT_SCOPE)
  endif()
endfunction()

# <name>.harness: the library that oracle.cpp and verify.cpp in <folder> become, which the judge loads and no candidate sees. Sets <out>
# to its file, or to nothing where the task has neither.
function(_kernel_add_harness out who name folder)
  set(${out} "" PARENT_SCOPE)
  if(NOT IS_DIRECTORY "${folder}")
    return()
  endif()
  set(sources "")
  file(GLOB found RELATIVE "${folder}" "${folder}/*")
  foreach(file IN LISTS found)
    if(file MATCHES "^(oracle|verify)[.]cpp$")
      list(APPEND sources "${folder}/${file}")
    elseif(NOT file MATCHES "[.]h$")
      message(FATAL_ERROR "${who}: ${folder} has a file that nobody reads: ${file}. do: keep oracle.cpp, verify.cpp and headers there")
    endif()
  endforeach()
  if(sources STREQUAL "")
    message(FATAL_ERROR "${who}: ${folder} has neither oracle.cpp nor verify.cpp. do: write one of them, or remove the folder")
  endif()
  if(NOT TARGET Eigen3::Eigen)
    find_package(Eigen3 QUIET NO_MODULE)
  endif()
  if(NOT TARGET Boost::headers)
    find_package(Boost QUIET)
  endif()
  _kernel_built_when_needed(built)
  add_library(${name}.harness MODULE ${built} ${sources})
  target_link_libraries(${name}.harness PRIVATE KernelAssay::task-harness $<TARGET_NAME_IF_EXISTS:Eigen3::Eigen> $<TARGET_NAME_IF_EXISTS:Boost::headers>)
  target_compile_options(${name}.harness PRIVATE -O2)
  # The oracle is float64. Boost.Math would compute in long double, which is up to 12 times as slow.
  target_compile_definitions(${name}.harness PRIVATE BOOST_MATH_PROMOTE_DOUBLE_POLICY=false)
  set_target_properties(${name}.harness PROPERTIES PREFIX "" OUTPUT_NAME harness SUFFIX .so CXX_VISIBILITY_PRESET hidden UNITY_BUILD OFF
                        LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/kernelassay/${name}/harness")
  set(${out} "${CMAKE_BINARY_DIR}/kernelassay/${name}/harness/harness.so" PARENT_SCOPE)
endfunction()
