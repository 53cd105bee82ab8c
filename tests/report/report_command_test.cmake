# SPDX-License-Identifier: Apache-2.0
# report_command_test(<name> EXIT <code> [OUT <regex>] [ERR <regex>] ARGUMENTS <argument>...)
function(report_command_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXIT;OUT;ERR" "ARGUMENTS")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    list(JOIN arg_UNPARSED_ARGUMENTS " " unknown)
    message(FATAL_ERROR "report_command_test(${name}): unknown argument(s): ${unknown}. "
                        "known: EXIT OUT ERR ARGUMENTS")
  endif()
  add_test(NAME report.command.${name} COMMAND ${CMAKE_COMMAND}
    -DPROGRAM=$<TARGET_FILE:assay> "-DARGUMENTS=report;${arg_ARGUMENTS}" -DEXIT=${arg_EXIT}
    "-DOUT=${arg_OUT}" "-DERR=${arg_ERR}" -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check_command.cmake)
  set_tests_properties(report.command.${name} PROPERTIES FIXTURES_REQUIRED report.junit LABELS unit)
endfunction()
