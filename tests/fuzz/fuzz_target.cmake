# SPDX-License-Identifier: Apache-2.0
if(KERNELASSAY_FUZZ AND NOT (CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_FLAGS MATCHES "fuzzer-no-link"))
  message(FATAL_ERROR "KERNELASSAY_FUZZ: needs clang and -fsanitize=fuzzer-no-link. "
                      "got: ${CMAKE_CXX_COMPILER_ID}, '${CMAKE_CXX_FLAGS}'. do: cmake --preset fuzz")
endif()

# fuzz_target(<name> LIBRARIES <library>... [SOURCES <file>...] [DICTIONARY <name>] [SEEDS <folder>...])
# <name>.cpp has FUZZ_TARGET(<name>). The corpus is corpus/<name>/ and, beside it, SEEDS.
function(fuzz_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DICTIONARY" "LIBRARIES;SOURCES;SEEDS")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    list(JOIN arg_UNPARSED_ARGUMENTS " " unknown)
    message(FATAL_ERROR "fuzz_target(${name}): unknown argument(s): ${unknown}. "
                        "known: LIBRARIES SOURCES DICTIONARY SEEDS")
  endif()
  set(corpus ${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name} ${arg_SEEDS})
  target_sources(replay PRIVATE ${name}.cpp ${arg_SOURCES})
  target_link_libraries(replay PRIVATE ${arg_LIBRARIES})
  add_test(NAME fuzz.${name} COMMAND replay ${name} ${corpus})
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT 300)
  if(NOT KERNELASSAY_FUZZ)
    return()
  endif()
  add_executable(${name}.fuzzer ${name}.cpp ${arg_SOURCES})
  target_link_libraries(${name}.fuzzer PRIVATE ${arg_LIBRARIES} assay_warnings)
  target_link_options(${name}.fuzzer PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzzers ${name}.fuzzer)
  set(found ${CMAKE_CURRENT_BINARY_DIR}/found/${name})  # inputs that reach new code, and below it those that fail
  file(MAKE_DIRECTORY ${found} ${found}.failures)
  if(arg_DICTIONARY)
    set(dictionary -dict=${CMAKE_CURRENT_SOURCE_DIR}/dictionaries/${arg_DICTIONARY}.dict)
  endif()
  math(EXPR limit "${KERNELASSAY_FUZZ_SECONDS} + 300")
  add_test(NAME fuzz.${name}.campaign
    COMMAND ${name}.fuzzer -max_total_time=${KERNELASSAY_FUZZ_SECONDS} -timeout=20 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1
            ${dictionary} -artifact_prefix=${found}.failures/ ${found} ${corpus})
  set_tests_properties(fuzz.${name}.campaign PROPERTIES LABELS fuzz-campaign TIMEOUT ${limit})
endfunction()
