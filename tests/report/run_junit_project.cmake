# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=... -DBINARY=... -DJUNIT=... -P: configures junit_project and lets CTest itself write its JUnit.
file(REMOVE_RECURSE ${BINARY})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BINARY} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
# Some of its tests fail: that is what they are for, and 8 is how CTest says so.
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${BINARY} --output-junit ${JUNIT} RESULT_VARIABLE result OUTPUT_QUIET
                ERROR_QUIET)
if(NOT result EQUAL 8)
  message(FATAL_ERROR "junit_project: ctest returned ${result}, expected 8 (some tests failed)")
endif()
