# SPDX-License-Identifier: Apache-2.0
# judge_mutants(<folder>/<source> PROGRAM <target> TESTS <filter> [BY <target>] [SECONDS <n>] [SHARDS <n>] [FUNCTIONS <name>...]): a
# source of harness/ itself, which its tests must guard: ctest --test-dir build/dev -L '^judge-mutants$' --verbose. PROGRAM is linked
# with the mutants; it has the tests, or is tested by those of BY. SHARDS of the tests run side by side. Two seconds a mutant and more:
# too long for the ordinary suite.
function(judge_mutants source)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROGRAM;TESTS;BY;SECONDS;SHARDS" "FUNCTIONS")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    list(JOIN arg_UNPARSED_ARGUMENTS " " unknown)
    message(FATAL_ERROR "judge_mutants(${source}): unknown argument(s): ${unknown}. known: PROGRAM TESTS BY SECONDS SHARDS FUNCTIONS")
  endif()
  cmake_path(REMOVE_EXTENSION source OUTPUT_VARIABLE name)
  list(TRANSFORM arg_FUNCTIONS PREPEND "--function=")
  if(arg_BY)
    list(APPEND arg_FUNCTIONS --by $<TARGET_FILE:${arg_BY}>)
  endif()
  if(arg_SECONDS)
    list(APPEND arg_FUNCTIONS --seconds ${arg_SECONDS})
  endif()
  if(arg_SHARDS)
    list(APPEND arg_FUNCTIONS --shards ${arg_SHARDS})
  endif()
  string(REPLACE "/" "." test "judge_mutants.${name}")
  add_test(NAME ${test} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/judge_campaign.py
    --mutate $<TARGET_FILE:mutate> --build ${PROJECT_BINARY_DIR} --work ${CMAKE_CURRENT_BINARY_DIR}/judge/${name}
    --source harness/${source} --program ${arg_PROGRAM} --tests ${arg_TESTS} ${arg_FUNCTIONS} COMMAND_EXPAND_LISTS)
  set_tests_properties(${test} PROPERTIES LABELS judge-mutants TIMEOUT 14400
    PROCESSORS 2 ENVIRONMENT "NINJA=${CMAKE_MAKE_PROGRAM}")
endfunction()
