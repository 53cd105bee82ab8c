# SPDX-License-Identifier: Apache-2.0
# What continuous integration leaves to campaigns it runs a share of, chosen by the commit: each has its turn, and a commit is judged
# alike wherever it is built. The choice is made when CMake configures.

# Sets <out> to what chooses: the commit's hash, or, where the tree is no repository of its own (an archive), the hash of
# tests/corpus.lock. A shallow clone has its commit's hash.
function(pick_commit out)
  cmake_path(SET root NORMALIZE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..")
  cmake_path(GET root PARENT_PATH root)
  set(commit "")
  if(EXISTS "${root}/.git")
    execute_process(COMMAND git -C "${root}" rev-parse --verify --quiet HEAD OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  if(NOT commit MATCHES "^[0-9a-f]+$")
    set(commit none)
    if(EXISTS "${root}/tests/corpus.lock")
      file(SHA256 "${root}/tests/corpus.lock" commit)
    endif()
  endif()
  set(${out} ${commit} PARENT_SCOPE)
endfunction()

# Sets <out> to a number below <count> that <text> chooses.
function(pick_number out text count)
  string(SHA256 hash "${text}")
  string(SUBSTRING ${hash} 0 8 hash)
  math(EXPR number "0x${hash} % ${count}")
  set(${out} ${number} PARENT_SCOPE)
endfunction()

# Sets <picked> to about one in <share> of ARGN, and <rest> to the others.
function(pick_share picked rest share)
  pick_commit(commit)
  set(in "")
  set(others "")
  foreach(name IN LISTS ARGN)
    pick_number(turn "${commit} ${name}" ${share})
    if(turn EQUAL 0)
      list(APPEND in ${name})
    else()
      list(APPEND others ${name})
    endif()
  endforeach()
  set(${picked} "${in}" PARENT_SCOPE)
  set(${rest} "${others}" PARENT_SCOPE)
endfunction()

# Tests of a minute or two, which have their turns: each commit has one of them run. Sets <out> to the labels of <name>, which are ARGN and,
# where it is not its turn, rotated-campaign.
function(pick_turn out name)
  set(all cmake.contributing.harness cmake.contributing.tools mutants.quick)
  list(FIND all ${name} place)
  if(place EQUAL -1)
    message(FATAL_ERROR "pick_turn: ${name} is none of those that have turns: ${all}")
  endif()
  pick_commit(commit)
  list(LENGTH all count)
  pick_number(turn "${commit}" ${count})
  set(labels ${ARGN})
  if(NOT turn EQUAL place)
    list(APPEND labels rotated-campaign)
  endif()
  set(${out} "${labels}" PARENT_SCOPE)
endfunction()
