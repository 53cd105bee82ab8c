# SPDX-License-Identifier: Apache-2.0
# cmake -DPROGRAM=... -DARGUMENTS=a;b -DEXIT=... -DOUT=regex -DERR=regex -P: runs a command and checks what it says.
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE err)
if(NOT result EQUAL EXIT)
  message(FATAL_ERROR "expected exit code ${EXIT}, got ${result}\n${out}${err}")
endif()
foreach(stream IN ITEMS out err)
  string(TOUPPER ${stream} wanted)
  if(NOT "${${stream}}" MATCHES "${${wanted}}")
    message(FATAL_ERROR "std${stream}: expected /${${wanted}}/, got:\n${${stream}}")
  endif()
endforeach()
