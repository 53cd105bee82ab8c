# SPDX-License-Identifier: Apache-2.0
# kernel_candidates(): a drop-in directory becomes build edges and tests. Nothing in it is trusted: names are matched
# against rules before they are used, and what fits no rule is reported and skipped.
#
# Written for 10,000 candidates: no quadratic list search, absolute paths (CMake looks relative outputs up linearly),
# and the *directories* as configure dependencies, whose modification times Ninja compares; GLOB's CONFIGURE_DEPENDS
# would run a script of globs on every build.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)

#[=======================================================================[.rst:
kernel_candidates
-----------------

.. code-block:: cmake

  kernel_candidates(<folder>)

Reads ``<folder>/<run>/<task>/<NNN>.<suffix>`` and ``<folder>/<run>/<task>/<NNN>/`` (a candidate of several files: sources
of one backend, and its own headers). For each it adds a build edge, which leaves ``<NNN>.<backend>.compile.json`` and does
not fail if the candidate does not compile, and the tests ``<run>.<task>.<backend>.<NNN>.{compile,test,bench}``, each
stage a fixture of the next. Their newest results are kept in ``results`` of the build folder. The target
``<run>.<task>.candidates`` builds all candidates of a run and task. The build's top directory has all tests. ``<build>/runs/<run>``
has those of one run and the fixtures that they need, which CTest lists faster.

``<run>`` is ``[a-z0-9][a-z0-9-]*`` other than ``reference``, ``<task>`` a declared task. ``run.yaml``, ``requests.jsonl`` and
``answers.jsonl`` beside the tasks and hidden files are ignored. Whatever fits no rule is named on stderr and skipped, and so are links and
files that are not regular. The next ``cmake --build`` notices files that are added or removed later. ``<folder>`` may be missing. Call it after all
``kernel_task()``. It may be called several times, with one folder each.
#]=======================================================================]
function(kernel_candidates folder)
  set(who "kernel_candidates(${folder})")
  if(ARGC GREATER 1)
    list(JOIN ARGN " " got)
    message(FATAL_ERROR "${who}: unknown argument(s): ${got}. known: one folder per call")
  endif()
  cmake_path(ABSOLUTE_PATH folder NORMALIZE)
  if(folder MATCHES "[][*?;$\"\\]")  # file(GLOB) would take them for patterns, lists for separators
    message(FATAL_ERROR "${who}: the path contains one of []*?;$\"\\. do: move the folder")
  endif()
  if(EXISTS "${folder}" AND NOT IS_DIRECTORY "${folder}")
    message(FATAL_ERROR "${who}: is no folder. do: name the folder that holds <run>/<task>/<NNN>.<suffix>")
  endif()
  set_property(GLOBAL PROPERTY KERNELASSAY_CANDIDATES_READ ON)
  _kernel_watch("${folder}")
  _kernel_find_odd_files("${folder}")
  _kernel_list_folder(runs "${folder}")
  foreach(run IN LISTS runs)
    set(path "${folder}/${run}")
    _kernel_why_odd("${path}")
    if(NOT IS_DIRECTORY "${path}" OR NOT run MATCHES "^[a-z0-9][a-z0-9-]*$")
      _kernel_skip("${path}" "a run is a folder named [a-z0-9][a-z0-9-]*")
    elseif(why)
      _kernel_skip("${path}" "${why}")
    elseif(run STREQUAL "reference")
      _kernel_skip("${path}" "the run 'reference' is the tasks' own")
    else()
      _kernel_read_run(${run} "${path}")
    endif()
  endforeach()
endfunction()

function(_kernel_read_run run folder)
  _kernel_watch("${folder}")
  _kernel_list_folder(tasks "${folder}")
  list(REMOVE_ITEM tasks run.yaml requests.jsonl answers.jsonl)
  foreach(task IN LISTS tasks)
    set(path "${folder}/${task}")
    _kernel_why_odd("${path}")
    if(NOT IS_DIRECTORY "${path}" OR NOT task MATCHES "^[a-z][a-z0-9_]*$")
      _kernel_skip("${path}" "a task is a folder named [a-z][a-z0-9_]*")
    elseif(why)
      _kernel_skip("${path}" "${why}")
    elseif(NOT TARGET ${task}.context)
      get_property(reason GLOBAL PROPERTY KERNELASSAY_SKIPPED_${task})
      if("${reason}" STREQUAL "")
        _kernel_skip("${path}" "unknown task '${task}'")
      else()
        _kernel_skip("${path}" "the task is skipped here (${reason})")
        get_property(spec GLOBAL PROPERTY KERNELASSAY_SKIPPED_SPEC_${task})
        set_property(GLOBAL APPEND_STRING PROPERTY KERNELASSAY_SKIPPED_LIST "${run}\t${task}\t${spec}\t${path}\t${reason}\n")
      endif()
    elseif(TARGET ${run}.${task}.candidates)
      _kernel_skip("${path}" "another folder has given candidates of this run and task")
    else()
      _kernel_read_samples(${run} ${task} "${path}")
      get_target_property(spec ${task}.context KERNELASSAY_TASK_FILE)
      get_target_property(reason ${task}.context KERNELASSAY_COMPILE_ONLY)  # of program tasks
      if(reason)
        set_property(GLOBAL APPEND_STRING PROPERTY KERNELASSAY_SKIPPED_LIST "${run}\t${task}\t${spec}\t${path}\t${reason}\n")
      endif()
    endif()
  endforeach()
endfunction()

# The candidates of one run and task.
function(_kernel_read_samples run task folder)
  set(outputs "")
  set(script "")
  set(watched "${folder}")
  get_target_property(backends ${task}.context KERNELASSAY_BACKENDS)
  get_target_property(program ${task}.context KERNELASSAY_PROGRAM)
  _kernel_list_folder(names "${folder}")
  foreach(name IN LISTS names)
    set(path "${folder}/${name}")
    set(why "")
    if(name MATCHES "^([0-9][0-9][0-9])((\\.[A-Za-z0-9_]+)+)$")
      set(sample ${CMAKE_MATCH_1})
      set(files "${path}")
      _kernel_check_file("${path}" ${CMAKE_MATCH_2} "${folder}/${sample}")
    elseif(name MATCHES "^[0-9][0-9][0-9]$")
      set(sample ${name})
      list(APPEND watched "${path}")
      _kernel_check_folder("${path}")
    else()
      set(why "a candidate is <NNN>.<suffix> or a folder <NNN>, three digits")
    endif()
    if(why)
      _kernel_skip("${path}" "${why}")
    elseif(NOT backend IN_LIST backends)
      _kernel_skip("${path}" "the task ${task} takes no candidates of backend ${backend}")
    else()
      _kernel_add_candidate(${run} ${task} ${backend} ${sample} "${path}" ${files})
      string(APPEND script "${tests}")
    endif()
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${watched})
  _kernel_add_candidates_target(${run} ${task} "${script}" ${outputs})
  if(NOT KERNELASSAY_REFERENCES MATCHES "^(ON|OFF)$" AND NOT TARGET reference.${task}.candidates)
    _kernel_add_references(${task})
  endif()
endfunction()

# Sets backend, and why to the reason if <path> cannot be a candidate of one file.
function(_kernel_check_file path suffix rival)
  _kernel_backend_of(${suffix})
  if(NOT EXISTS "${path}")
    set(why "no such file: a dangling link, or a name with ';'")
  elseif(IS_DIRECTORY "${path}")
    set(why "is a folder. a candidate of several files is a folder <NNN> without a suffix")
  elseif(EXISTS "${rival}")
    set(why "the folder of the same number is here too. do: keep one of them")
  elseif(NOT why)
    _kernel_why_odd("${path}")
  endif()
  return(PROPAGATE why backend)
endfunction()

# Sets backend, files, and why to the reason if <path> cannot be a candidate of several files.
function(_kernel_check_folder path)
  set(why "")
  set(suffix "")
  set(files "${path}")  # the folder itself: a header that goes away must recompile too
  if(NOT IS_DIRECTORY "${path}")
    set(why "a candidate of one file needs a suffix: <NNN>.<suffix>")
    return(PROPAGATE why)
  endif()
  _kernel_why_odd("${path}")
  if(why)
    return(PROPAGATE why)
  endif()
  file(GLOB rivals "${path}.*")
  if(rivals)
    set(why "a file of the same number is here too. do: keep one of them")
    return(PROPAGATE why)
  endif()
  _kernel_list_folder(names "${path}")
  foreach(name IN LISTS names)
    list(APPEND files "${path}/${name}")
    string(REGEX MATCH "^[A-Za-z0-9_][A-Za-z0-9_.-]*(\\.[A-Za-z0-9_]+)$" plain "${name}")
    set(ending "${CMAKE_MATCH_1}")
    if(name MATCHES "(\\.[A-Za-z0-9_]+\\.[A-Za-z0-9_]+)$")
      get_property(owner GLOBAL PROPERTY KERNELASSAY_BACKEND_OF_${CMAKE_MATCH_1})
      if(NOT "${owner}" STREQUAL "")
        set(ending "${CMAKE_MATCH_1}")
      endif()
    endif()
    _kernel_why_odd("${path}/${name}")
    if(why)
      set(why "'${name}' in it ${why}")
    elseif(NOT plain OR NOT EXISTS "${path}/${name}" OR IS_DIRECTORY "${path}/${name}")
      set(why "'${name}' in it is no file <name>.<suffix> of letters, digits, '_', '.' and '-'")
    elseif(ending MATCHES "^\\.(h|hh|hpp|hxx|inc|inl|cuh)$" OR ending STREQUAL suffix)
      continue()
    elseif(suffix STREQUAL "")
      set(suffix ${ending})
      _kernel_backend_of(${suffix})
    else()
      set(why "holds sources of two kinds, ${suffix} and ${ending}")
    endif()
    if(why)
      return(PROPAGATE why)
    endif()
  endforeach()
  if(suffix STREQUAL "")
    set(why "holds no source")
  endif()
  return(PROPAGATE why backend files)
endfunction()

# Sets why if <path> is a link, or one of the odd files of _kernel_find_odd_files().
function(_kernel_why_odd path)
  set(why "")
  if(IS_SYMLINK "${path}")
    set(why "is a symbolic link. do: put the file or folder itself here")
  elseif(DEFINED "_kernel_odd_${path}")
    set(why "${_kernel_odd_${path}}")
  endif()
  return(PROPAGATE why)
endfunction()

# For each file below <folder> that is a pipe, a socket or a device, or has several names (hard links), sets _kernel_odd_<path> to why
# it is no candidate. `assay compile` refuses them, too: the machine may have another find, and the file may be newer.
function(_kernel_find_odd_files folder)
  if(NOT IS_DIRECTORY "${folder}")
    return()
  endif()
  execute_process(COMMAND find "${folder}/" -type f -links +1 -printf "h%p\n" -o ! -type f ! -type d ! -type l -printf "s%p\n"
                  OUTPUT_VARIABLE lines ERROR_QUIET)
  string(REGEX REPLACE "[][\\;]" "?" lines "${lines}")
  string(REGEX REPLACE "\n" ";" lines "${lines}")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([hs])(/.+)$")  # a piece of a name with a newline, which no rule lets pass
      continue()
    endif()
    string(REPLACE "//" "/" path "${CMAKE_MATCH_2}")
    if(CMAKE_MATCH_1 STREQUAL "h")
      set("_kernel_odd_${path}" "is a hard link, a file of several names. do: put a copy here" PARENT_SCOPE)
    else()
      set("_kernel_odd_${path}" "is neither a file nor a folder" PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Sets backend; sets why to the reason if no backend has the suffix, or the backend is off. Reads program: the suffixes that a program task
# takes, or NOTFOUND.
function(_kernel_backend_of suffix)
  set(why "")
  if(program)
    set(backend program)
    if(NOT suffix IN_LIST program)
      set(why "the task takes ${program} alone")
    endif()
    return(PROPAGATE why backend)
  endif()
  get_property(backend GLOBAL PROPERTY KERNELASSAY_BACKEND_OF_${suffix})
  get_property(reason GLOBAL PROPERTY KERNELASSAY_BACKEND_${backend}_OFF)
  if("${backend}" STREQUAL "")
    set(why "no backend has the suffix ${suffix}")
  elseif(NOT "${reason}" STREQUAL "")
    set(why "backend ${backend} is off (${reason})")
  endif()
  return(PROPAGATE why backend)
endfunction()

# The build edge (kernel.h reaches it by way of the stub, where there is one) and the three tests of one candidate; appends to outputs and
# sets tests, a script. ARGN: the files it consists of.
function(_kernel_add_candidate run task backend sample source)
  set(root "${CMAKE_BINARY_DIR}/kernelassay/${task}")
  set(prefix "${root}/${run}/${sample}.${backend}")
  set(id ${run}.${task}.${backend}.${sample})
  get_property(interface GLOBAL PROPERTY KERNELASSAY_BACKEND_${backend}_INTERFACE)
  set(compiler KernelAssay::assay-compile)
  if(interface STREQUAL "function")
    set(built_by $<TARGET_OBJECTS:${task}.stub.${backend}> ${compiler})
  elseif(interface STREQUAL "program")
    set(compiler KernelAssay::assay-program candidate)
    set(built_by KernelAssay::assay-program "${root}/program/test.json")
  else()
    get_property(box GLOBAL PROPERTY KERNELASSAY_BACKEND_${backend}_BOX)
    _kernel_header_folder(context ${task} ${backend})
    set(built_by KernelAssay::${box} "${context}/kernel.h" ${compiler})
  endif()
  set(common --plan "${root}/${backend}.plan.json" --run ${run} --sample ${sample} --prefix "${prefix}")
  add_custom_command(OUTPUT "${prefix}.compile.json"
    COMMAND ${compiler} ${common} --source "${source}"
    DEPENDS ${ARGN} "${root}/${backend}.plan.json" "${CMAKE_BINARY_DIR}/kernelassay/${backend}.toolchain.json" ${built_by}
    COMMENT "${id}" VERBATIM)
  list(APPEND outputs "${prefix}.compile.json")
  set_property(GLOBAL APPEND_STRING PROPERTY KERNELASSAY_CANDIDATE_LIST "${id}\t${source}\n")
  _kernel_candidate_tests(tests ${run} ${task} ${backend} ${sample} "${source}")
  return(PROPAGATE outputs tests)
endfunction()

# candidates.txt: all candidates and their sources. A candidate with a kept result that is not listed here was removed. skipped.txt: run, task,
# spec, folder and reason of the candidates whose task is skipped here, or only compiled.
function(_kernel_write_candidate_list)
  get_property(lines GLOBAL PROPERTY KERNELASSAY_CANDIDATE_LIST)
  file(WRITE "${CMAKE_BINARY_DIR}/kernelassay/candidates.txt" "${lines}")
  get_property(lines GLOBAL PROPERTY KERNELASSAY_SKIPPED_LIST)
  file(WRITE "${CMAKE_BINARY_DIR}/kernelassay/skipped.txt" "${lines}")
endfunction()

# <run>.<task>.candidates: what a plain build and <task>.test, <task>.bench build, with the task's own harness, which their tests load; and
# the tests <script>. ARGN: what is built.
function(_kernel_add_candidates_target run task script)
  if(ARGN)
    add_custom_target(${run}.${task}.candidates ALL DEPENDS ${ARGN})
    set_target_properties(${run}.${task}.candidates PROPERTIES
      ADDITIONAL_CLEAN_FILES "${CMAKE_BINARY_DIR}/kernelassay/${task}/${run}")
    if(TARGET ${task}.harness)
      add_dependencies(${run}.${task}.candidates ${task}.harness)
    endif()
    add_dependencies(${task}.test ${run}.${task}.candidates)
    add_dependencies(${task}.bench ${run}.${task}.candidates)
    _kernel_write_run_tests(${run} ${task} "${script}")
  endif()
endfunction()

# Lists a folder without hidden files. file(GLOB) joins names with ';', and '[', ']' or a backslash in a name would swallow
# that separator: such characters become '?', which no rule lets pass.
function(_kernel_list_folder out folder)
  file(GLOB names RELATIVE "${folder}" "${folder}/*")
  string(REGEX REPLACE "[^ -Z^-~]" "?" names "${names}")
  list(FILTER names EXCLUDE REGEX "^(\\..*)?$")
  list(REMOVE_DUPLICATES names)
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# Has the next build configure again if <folder> changes. A missing file would make every build do so, hence the ancestor.
function(_kernel_watch folder)
  while(NOT IS_DIRECTORY "${folder}")
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}")
endfunction()

function(_kernel_skip path why)
  message(NOTICE "kernel_candidates: skipped ${path}: ${why}")
endfunction()
