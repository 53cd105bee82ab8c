# SPDX-License-Identifier: Apache-2.0
# Makes one file of a reference and the blocks that it includes, which a candidate could be: a line #include "blocks/<file>" becomes the
# text of that file of <references>/blocks, the first time, and then nothing.
#
#   cmake -D SOURCE=<reference> -D OUT=<file> -P KernelBlocks.cmake
cmake_minimum_required(VERSION 3.25...4.0)

cmake_path(GET SOURCE PARENT_PATH category)
cmake_path(GET category PARENT_PATH references)
file(READ "${SOURCE}" text)
set(taken "")
while(text MATCHES "(^|\n)(#include \"blocks/([A-Za-z0-9_.]+)\"[^\n]*\n)")
  set(line "${CMAKE_MATCH_2}")
  set(file "${references}/blocks/${CMAKE_MATCH_3}")
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "${SOURCE}: includes a block that is missing. got: blocks/${CMAKE_MATCH_3}. do: write ${file}, or name one that is there")
  endif()
  string(FIND "${text}" "${line}" at)
  string(LENGTH "${line}" length)
  math(EXPR behind "${at} + ${length}")
  string(SUBSTRING "${text}" 0 ${at} before)
  string(SUBSTRING "${text}" ${behind} -1 after)
  set(block "")
  if(NOT file IN_LIST taken)
    list(APPEND taken "${file}")
    file(READ "${file}" block)
    string(REPLACE "#pragma once\n" "" block "${block}")
  endif()
  set(text "${before}${block}${after}")
endwhile()
file(WRITE "${OUT}" "${text}")
