# SPDX-License-Identifier: Apache-2.0
# judge_mutants(<source> TESTS <filter> [FUNCTIONS <name>...]): the judge's own code, which its unit tests must guard:
# ctest --test-dir build/dev -L '^judge-mutants$' --verbose. Two seconds a mutant: too long for the ordinary suite.
function(judge_mutants source)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TESTS" "FUNCTIONS")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    list(JOIN arg_UNPARSED_ARGUMENTS " " unknown)
    message(FATAL_ERROR "judge_mutants(${source}): unknown argument(s): ${unknown}. known: TESTS FUNCTIONS")
  endif()
  cmake_path(GET source STEM name)
  list(TRANSFORM arg_FUNCTIONS PREPEND "--function=")
  add_test(NAME judge_mutants.${name} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/judge_campaign.py
    --mutate $<TARGET_FILE:mutate> --build ${PROJECT_BINARY_DIR} --work ${CMAKE_CURRENT_BINARY_DIR}/judge/${name}
    --source harness/judge/${source} --tests ${arg_TESTS} ${arg_FUNCTIONS} COMMAND_EXPAND_LISTS)
  set_tests_properties(judge_mutants.${name} PROPERTIES LABELS judge-mutants TIMEOUT 5400
    PROCESSORS 2 ENVIRONMENT "NINJA=${CMAKE_MAKE_PROGRAM}")
endfunction()
