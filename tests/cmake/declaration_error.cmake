# SPDX-License-Identifier: Apache-2.0
# Configures PROJECT (in BUILD, default PROJECT/build), which must fail and say EXPECTED; if EXPECTED is empty it must not fail.
# What it says is left in the file SAID.
if(NOT DEFINED BUILD)
  set(BUILD "${PROJECT}/build")
endif()
file(REMOVE_RECURSE "${BUILD}")
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S "${PROJECT}" -B "${BUILD}"
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE stderr)
if(DEFINED SAID)
  file(WRITE "${SAID}" "${stderr}")
endif()
string(REGEX REPLACE "[ \n]+" " " said "${stderr}")  # CMake wraps long messages
if(EXPECTED STREQUAL "")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "must configure, but failed:\n${stderr}")
  endif()
elseif(result EQUAL 0)
  message(FATAL_ERROR "must fail to configure, but did not. expected: ${EXPECTED}")
elseif(NOT said MATCHES "${EXPECTED}")
  message(FATAL_ERROR "failed, but did not say: ${EXPECTED}\ngot:\n${stderr}")
endif()
