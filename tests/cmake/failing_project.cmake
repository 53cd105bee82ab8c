# SPDX-License-Identifier: Apache-2.0

#[=======================================================================[.rst:
.. command:: failing_project

  Adds the test ``cmake.error.<name>`` of a project that must fail to configure::

    failing_project(<name> <lines> <regex>)

  ``<lines>`` follow ``project(Error LANGUAGES NONE)``. What CMake says on stderr must match ``<regex>``; an empty one: the project
  must configure, which shows that the frame around the lines is no error itself.

  ``every_error.py`` reads what all of them have said: each ``FATAL_ERROR`` of the build needs one that ends in it.
#]=======================================================================]
function(failing_project name lines expected)
  set(project "${PROJECT_BINARY_DIR}/tests/cmake/errors/${name}")
  string(PREPEND lines "cmake_minimum_required(VERSION 3.25)\nproject(Error LANGUAGES NONE)\nenable_testing()\n")
  file(CONFIGURE OUTPUT "${project}/CMakeLists.txt" CONTENT "@lines@\n" @ONLY)
  add_test(NAME cmake.error.${name} COMMAND ${CMAKE_COMMAND} -DPROJECT=${project} "-DEXPECTED=${expected}"
    -DSAID=${PROJECT_BINARY_DIR}/tests/cmake/said/${name}.txt -P ${PROJECT_SOURCE_DIR}/tests/cmake/declaration_error.cmake)
  set_tests_properties(cmake.error.${name} PROPERTIES LABELS cmake TIMEOUT 120 FIXTURES_SETUP cmake.errors
    FIXTURES_REQUIRED cmake.no_errors)
endfunction()
