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

# Sets <picked> to about one in <share> of ARGN, and <rest> to the others.
function(pick_share picked rest share)
  pick_commit(commit)
  set(in "")
  set(others "")
  foreach(name IN LISTS ARGN)
    string(SHA256 hash "${commit} ${name}")
    string(SUBSTRING ${hash} 0 8 hash)
    math(EXPR turn "0x${hash} % ${share}")
    if(turn EQUAL 0)
      list(APPEND in ${name})
    else()
      list(APPEND others ${name})
    endif()
  endforeach()
  set(${picked} "${in}" PARENT_SCOPE)
  set(${rest} "${others}" PARENT_SCOPE)
endfunction()
