# SPDX-License-Identifier: Apache-2.0
# cmake -DRECORD=... -DPROJECT=... -DBINARY=... -DGENERATOR=... -DCOMPILER=... -P: builds a copy of the record's room
# that has one verdict more, and writes and reads a record of it.
file(REMOVE_RECURSE "${BINARY}")
file(COPY "${RECORD}" DESTINATION "${BINARY}")
set(table "${BINARY}/record/include/assay/record/verdict.h")
file(READ "${table}" text)
string(REPLACE "\n  harness_error,\n" "\n  too_hot,\n  harness_error,\n" text "${text}")
string(REPLACE "\n    VerdictInfo{Verdict::harness_error" "\n    VerdictInfo{Verdict::too_hot, \"TOO_HOT\", \"limit\", \"H\", \"it melted\"},\n    VerdictInfo{Verdict::harness_error" text "${text}")
file(WRITE "${table}" "${text}")
execute_process(COMMAND ${CMAKE_COMMAND} -S "${PROJECT}" -B "${BINARY}/build" -G "${GENERATOR}" "-DRECORD=${BINARY}/record"
                        "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_UNITY_BUILD=ON COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build "${BINARY}/build" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${BINARY}/build/new_verdict" OUTPUT_VARIABLE line COMMAND_ERROR_IS_FATAL ANY)
file(READ "${BINARY}/build/record/record.schema.json" schema)
foreach(written IN ITEMS line schema)
  if(NOT ${written} MATCHES "\"TOO_HOT\"")
    message(FATAL_ERROR "record.new_verdict: the ${written} does not know the new verdict:\n${${written}}")
  endif()
endforeach()
file(REMOVE_RECURSE "${BINARY}")
