# SPDX-License-Identifier: Apache-2.0
# The first file to read. kernel_task() declares a task, kernel_tasks() (KernelTasks.cmake) all below a folder; KernelBackend.cmake says how candidates are built;
# KernelCandidates.cmake turns files into build edges and tests, the task's own reference among them; KernelTests.cmake writes the tests,
# KernelPlan.cmake what the judge is told.
#
# What kernel_candidates() must know of a task lies in properties of the target <task>.context: KERNELASSAY_LABELS (category, suites,
# difficulty, its own), KERNELASSAY_BACKENDS (whose candidates it takes), KERNELASSAY_PLAN (of the first of them), KERNELASSAY_TIME_LIMIT,
# KERNELASSAY_TASK_FILE (task.yaml, or <family>.yaml#<name>), KERNELASSAY_REFERENCES (their folder, if they are judged). The global property KERNELASSAY_TASKS has the
# names of all but program tasks.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/KernelHarness.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/KernelPlan.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/KernelBackend.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/KernelCandidates.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/KernelTests.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/KernelTasks.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/KernelProgram.cmake")

set(KERNELASSAY_EFFORT standard CACHE STRING "How long to time: quick, standard or publish")
set_property(CACHE KERNELASSAY_EFFORT PROPERTY STRINGS quick standard publish)
set(KERNELASSAY_REQUIRE_TIER "" CACHE STRING "Judge nothing in a weaker sandbox: full, reduced, none, or empty for any")
set_property(CACHE KERNELASSAY_REQUIRE_TIER PROPERTY STRINGS "" full reduced none)
set(KERNELASSAY_SHAPES cpu CACHE STRING "Sizes that are timed: cpu or gpu, of a task's timing, or a suite's")
set_property(CACHE KERNELASSAY_SHAPES PROPERTY STRINGS cpu gpu)
set(KERNELASSAY_CACHE warm CACHE STRING "Data of a timed call: warm, as the judge left it in the shared cache, or cold, in memory alone")
set_property(CACHE KERNELASSAY_CACHE PROPERTY STRINGS warm cold)
set(KERNELASSAY_BASELINE eigen CACHE STRING "What speedups are measured against: eigen, which is built in, or a framework: torch, torch-compile, onnxruntime")
set(KERNELASSAY_PROFILE "" CACHE STRING "Judge by another system's inputs and tolerances, for comparison: see assay-judge cases --help")
set(KERNELASSAY_REFERENCES ON CACHE STRING "References to judge: ON (of all tasks), CANDIDATES (of tasks that have some), a suite that lists its tasks (of these, too, on one backend) or OFF")
set_property(CACHE KERNELASSAY_REFERENCES PROPERTY STRINGS ON CANDIDATES OFF)
option(KERNELASSAY_VERBATIM "Judge program tasks by their own system's rule: commands as they stand, exit status 0" OFF)
option(KERNELASSAY_ADMISSION "Add the test assay.<task>.admission for every task" OFF)

#[=======================================================================[.rst:
kernel_task
-----------

.. code-block:: cmake

  kernel_task(<name> [SPEC <task.yaml>] [REFERENCES <folder>] [BACKENDS <backend>...] [LABELS <label>...]
    [TIME_LIMIT <seconds>] [MEMORY_LIMIT <MiB>] [CANARY])

Declares the task of ``SPEC`` (default: ``task.yaml`` beside the calling CMakeLists.txt), which lies in
``<tasks>/<category>/<name>/``, or the task ``<name>`` of a family, ``<tasks>/<category>/<family>.yaml``. Its one-line keys ``difficulty`` (1..5) and ``suites`` become labels, ``degenerate`` the label
of that name. The targets are

``<name>.context``
  INTERFACE library: the generated ``kernel.h`` and the folder ``context/`` beside ``SPEC``, all that a candidate includes.
``<name>.test``, ``<name>.bench``
  Build all candidates of the task and run their stage ``test`` or ``bench`` with CTest.

and two fixtures, tests of CTest: ``assay.<name>.cases`` draws inputs and computes the oracle's results for the stage test,
``assay.<name>.timing`` draws the shapes for the stage bench and learns the error bounds there. Around all timings run ``assay.machine``, which measures the machine, and ``assay.canary.before`` and ``assay.canary.after``, which time a baseline
against itself. It is the baseline of the one task with ``CANARY`` (choose one whose calls take about a millisecond), or of the first
timed task if none has it.
``<REFERENCES>/<category>/<name><suffix>``, where it exists, is the known-good solution: sample 000 of the run
``reference``: where ``KERNELASSAY_REFERENCES`` is ON of every task, where it is CANDIDATES of a task that has candidates, where it is a suite of ``suites/`` that lists tasks of these, too, on their first backend that has one. ``REFERENCES`` defaults to ``references`` beside ``<tasks>``.

A ``SPEC`` called ``problem-spec.yaml``, or one that says ``interface: program``, is a problem that brings its own tests (docs/programs.md): a
program of ``test/`` that is linked with the candidate and run whole, or, in Python, calls it in a process of its own. Its reference is the folder ``solution/`` beside it, its candidates have
the backend ``program``, and its ``group`` and ``tags`` become the labels ``group:<group>`` and ``tag:<tag>``. Where the toolkit that it needs is
missing it is *skipped*: a status line says why; one in Python where no Python has its packages, and ``KERNELASSAY_PROGRAM_PYTHON``, where it is
set, names the one to look at. ``BACKENDS``, ``REFERENCES`` and ``TIME_LIMIT`` do not concern it. With
``KERNELASSAY_VERBATIM`` its own commands decide, and their exit status.

Candidates of all backends are taken, or those of ``BACKENDS`` alone. ``LABELS`` (letters, digits, ``_``, ``.``, ``-``) are added to
the labels of all tests of the task. ``TIME_LIMIT`` (1 to 60, default 10) is what a call of a candidate may take, twice that while
it is timed. A longer call is a ``TIMEOUT``. All its calls together have 15 times the limit in the stage test and 45 times in the stage
bench, and at least what the default gives. ``MEMORY_LIMIT`` (256 to 65536, default 2560) is the address space that a candidate may have beside
the task's tensors, with the stacks of its threads (8 MiB each). A candidate that needs more is a ``MEMORY_LIMIT``.

The cache variable ``KERNELASSAY_EFFORT`` says how long to time: ``quick``, ``standard`` or ``publish``; ``KERNELASSAY_SHAPES``
at which of the task's sizes (``cpu`` or ``gpu``, for all backends alike), or at those of its rows in a suite of ``suites/`` that gives them ``shapes``
(where it gives none, ``cpu``); ``KERNELASSAY_CACHE`` whether a timed call finds its data in the shared cache (``warm``) or in memory alone (``cold``). With
``KERNELASSAY_PROFILE`` candidates are judged by another system's inputs and tolerances. With ``KERNELASSAY_ADMISSION`` the test
``assay.<name>.admission``, label ``admission``, shows that the task's cases reject altered outputs and accept honest kernels.
Backends come before, ``kernel_candidates()`` after all tasks.
#]=======================================================================]
function(kernel_task name)
  set(who "kernel_task(${name})")
  cmake_parse_arguments(PARSE_ARGV 1 arg "CANARY" "SPEC;REFERENCES;TIME_LIMIT;MEMORY_LIMIT" "BACKENDS;LABELS")
  _kernel_check_arguments("${who}" "SPEC REFERENCES BACKENDS LABELS TIME_LIMIT MEMORY_LIMIT CANARY")
  _kernel_check_name("${who}" "${name}" "^[a-z][a-z0-9_]*$")
  _kernel_check_project("${who}")
  if(TARGET ${name}.context)
    message(FATAL_ERROR "${who}: declared twice")
  endif()
  if("${arg_SPEC}" STREQUAL "")
    set(arg_SPEC task.yaml)
    if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/task.yaml" AND EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/problem-spec.yaml")
      set(arg_SPEC problem-spec.yaml)
    endif()
  endif()
  _kernel_locate_spec("${who}" ${name} "${arg_SPEC}")
  _kernel_read_spec("${who}" "${spec}" "${member}")
  get_property(listed_by GLOBAL PROPERTY KERNELASSAY_SUITES_OF_${name})
  list(APPEND suites ${listed_by})
  _kernel_is_program(is_program "${spec}")
  if(is_program)
    _kernel_check_limit(memory_limit "${who}: MEMORY_LIMIT" "${arg_MEMORY_LIMIT}" 8192 256 65536 "MiB")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${spec}")
    _kernel_add_program_task(${arg_LABELS})
    return()
  endif()
  _kernel_locate_references("${who}" "${arg_REFERENCES}" "${source_folder}")
  _kernel_choose_backends(backends "${who}" ${arg_BACKENDS})
  _kernel_check_limit(time_limit "${who}: TIME_LIMIT" "${arg_TIME_LIMIT}" 10 1 60 "seconds")
  _kernel_check_limit(memory_limit "${who}: MEMORY_LIMIT" "${arg_MEMORY_LIMIT}" 2560 256 65536 "MiB")
  _kernel_choose_canary("${who}" ${name} "${spec}" ${arg_CANARY} ${backends})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${spec}")
  set_property(GLOBAL APPEND PROPERTY KERNELASSAY_TASKS ${name})

  set(task_file "${spec}")
  if(NOT member STREQUAL "")
    set(task_file "${spec}#${member}")
  endif()
  _kernel_add_context(${name} "${spec}" "${task_file}" "${source_folder}" ${backends})
  _kernel_labels(labels "${who}" ${arg_LABELS})
  set_target_properties(${name}.context PROPERTIES KERNELASSAY_LABELS "${labels}" KERNELASSAY_BACKENDS "${backends}"
                        KERNELASSAY_TIME_LIMIT ${time_limit} KERNELASSAY_TASK_FILE "${task_file}")
  _kernel_add_harness(harness "${who}" ${name} "${source_folder}/harness")
  _kernel_write_task(${name} ${category} ${difficulty} "${task_file}" "${harness}" ${time_limit} ${memory_limit} ${suites})
  _kernel_add_stage_targets(${name})
  foreach(backend IN LISTS backends)
    get_property(interface GLOBAL PROPERTY KERNELASSAY_BACKEND_${backend}_INTERFACE)
    if(interface STREQUAL "function")
      _kernel_add_stub(${name} ${backend})
    endif()
    _kernel_write_plan(${name} ${backend})
  endforeach()
  if(NOT backends STREQUAL "")
    list(GET backends 0 backend)
    set_target_properties(${name}.context PROPERTIES KERNELASSAY_PLAN "${CMAKE_BINARY_DIR}/kernelassay/${name}/${backend}.plan.json")
    _kernel_write_fixtures(${name} 1800 cases timing)
    _kernel_add_admission(${name} "${task_file}" "${labels}")
  endif()
  if(KERNELASSAY_REFERENCES)
    set_target_properties(${name}.context PROPERTIES KERNELASSAY_REFERENCES "${references}/${category}")
    _kernel_choose_references(${name} ${suites})
  endif()
endfunction()

# What must hold of the calling project; checked once.
function(_kernel_check_project who)
  get_property(closed GLOBAL PROPERTY KERNELASSAY_CANDIDATES_READ)
  if(closed)
    message(FATAL_ERROR "${who}: comes after kernel_candidates(). do: declare all tasks before")
  endif()
  get_property(checked GLOBAL PROPERTY KERNELASSAY_PROJECT_CHECKED)
  if(checked)
    return()
  endif()
  set_property(GLOBAL PROPERTY KERNELASSAY_PROJECT_CHECKED ON)
  if(NOT CMAKE_GENERATOR STREQUAL "Ninja")  # the judge's edges rely on Ninja: directories as dependencies, -k 0
    message(FATAL_ERROR "${who}: needs the generator Ninja. got: ${CMAKE_GENERATOR}. do: cmake -G Ninja")
  endif()
  foreach(tool IN ITEMS assay assay-context assay-compile assay-judge assay-box assay-baseline assay-escape)
    if(NOT TARGET KernelAssay::${tool})
      message(FATAL_ERROR "${who}: target KernelAssay::${tool} is missing. do: find_package(KernelAssay) before")
    endif()
  endforeach()
  if(NOT KERNELASSAY_EFFORT MATCHES "^(quick|standard|publish)$")
    message(FATAL_ERROR "${who}: KERNELASSAY_EFFORT must be quick, standard or publish. got: '${KERNELASSAY_EFFORT}'")
  endif()
  if(NOT "${KERNELASSAY_REQUIRE_TIER}" STREQUAL "" AND NOT KERNELASSAY_REQUIRE_TIER MATCHES "^(full|reduced|none)$")
    message(FATAL_ERROR "${who}: KERNELASSAY_REQUIRE_TIER must be full, reduced or none. got: '${KERNELASSAY_REQUIRE_TIER}'")
  endif()
  get_property(own_suites GLOBAL PROPERTY KERNELASSAY_SUITES)
  if(NOT KERNELASSAY_REFERENCES IN_LIST own_suites AND NOT KERNELASSAY_REFERENCES MATCHES "^(ON|CANDIDATES|OFF)$")
    message(FATAL_ERROR "${who}: KERNELASSAY_REFERENCES must be ON, CANDIDATES, OFF or a suite that lists its tasks. got: '${KERNELASSAY_REFERENCES}'")
  endif()
  get_property(shaped GLOBAL PROPERTY KERNELASSAY_SUITES_WITH_SHAPES)
  if(NOT KERNELASSAY_SHAPES IN_LIST shaped AND NOT KERNELASSAY_SHAPES MATCHES "^(cpu|gpu)$")
    list(PREPEND shaped cpu gpu)
    list(JOIN shaped ", " known)
    message(FATAL_ERROR "${who}: KERNELASSAY_SHAPES: no task or suite has such shapes. known: ${known}. got: '${KERNELASSAY_SHAPES}'")
  endif()
  _kernel_frameworks(baselines)
  list(PREPEND baselines eigen)
  set_property(CACHE KERNELASSAY_BASELINE PROPERTY STRINGS ${baselines})
  if(NOT KERNELASSAY_BASELINE IN_LIST baselines)
    list(JOIN baselines ", " baselines)
    message(FATAL_ERROR "${who}: KERNELASSAY_BASELINE must be one of ${baselines}. got: '${KERNELASSAY_BASELINE}'")
  endif()
  if(NOT KERNELASSAY_CACHE MATCHES "^(warm|cold)$")
    message(FATAL_ERROR "${who}: KERNELASSAY_CACHE must be warm or cold. got: '${KERNELASSAY_CACHE}'")
  endif()
  _kernel_keep_whole_records()
  _kernel_write_settings()
  cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _kernel_add_suite_references)
  cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _kernel_write_candidate_list)
endfunction()

# CTest cuts the output of a passing test at 1,024 bytes, and with it the record. A project's own file is left alone.
function(_kernel_keep_whole_records)
  if(NOT EXISTS "${CMAKE_BINARY_DIR}/CTestCustom.cmake")
    file(WRITE "${CMAKE_BINARY_DIR}/CTestCustom.cmake" "# Written by kernel_task()
set(CTEST_CUSTOM_MAXIMUM_PASSED_TEST_OUTPUT_SIZE 65536)
set(CTEST_CUSTOM_MAXIMUM_FAILED_TEST_OUTPUT_SIZE 65536)\n")
  endif()
endfunction()

# Sets <out> to the lines of <file> that match. A family's file is read once, not once for each of its tasks.
function(_kernel_lines_of out file regex)
  set(key "KERNELASSAY_LINES ${file} ${regex}")
  get_property(is_read GLOBAL PROPERTY "${key}" SET)
  if(NOT is_read)
    file(STRINGS "${file}" lines REGEX "${regex}" ENCODING UTF-8)
    set_property(GLOBAL PROPERTY "${key}" "${lines}")
  endif()
  get_property(lines GLOBAL PROPERTY "${key}")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# Refuses a SPEC that is neither <category>/<name>/task.yaml nor a family with the task. Sets spec, member (the name, of a family's task), source_folder, category.
function(_kernel_locate_spec who name spec)
  cmake_path(ABSOLUTE_PATH spec NORMALIZE)
  if(NOT EXISTS "${spec}" OR IS_DIRECTORY "${spec}")
    message(FATAL_ERROR "${who}: no such file: ${spec}. do: write it, or name it with SPEC")
  endif()
  cmake_path(GET spec PARENT_PATH source_folder)
  set(category "${source_folder}")
  _kernel_lines_of(tasks "${spec}" "^tasks:")
  if(NOT tasks STREQUAL "")
    _kernel_read_family("${who}" "${spec}")
    get_property(names GLOBAL PROPERTY "KERNELASSAY_FAMILY ${spec}")
    if(NOT name IN_LIST names)
      message(FATAL_ERROR "${who}: the family ${spec} has no such task. do: add a line '  ${name}: {...}' below 'tasks:'")
    endif()
    set(member ${name})
    set(source_folder "${source_folder}/${name}")  # of nothing: a family's tasks have kernel.h alone
  else()
    set(member "")
    cmake_path(GET source_folder FILENAME folder_name)
    if(NOT folder_name STREQUAL name)
      message(FATAL_ERROR "${who}: a task is called as its folder. got: folder '${folder_name}'. do: rename one of them")
    endif()
    cmake_path(GET source_folder PARENT_PATH category)
  endif()
  cmake_path(GET category FILENAME category)
  _kernel_check_name("${who}: category" "${category}" "^[a-z][a-z0-9_]*$")
  return(PROPAGATE spec member source_folder category)
endfunction()

# Sets difficulty, suites (a list) and degenerate. What the task <member> of a family says itself comes before what the family says.
function(_kernel_read_spec who spec member)
  set(own -;-;-)
  if(NOT member STREQUAL "")
    get_property(own GLOBAL PROPERTY "KERNELASSAY_FAMILY ${spec}#${member}")
  endif()
  list(GET own 0 own_difficulty)
  list(GET own 1 own_suites)
  list(GET own 2 own_degenerate)
  _kernel_lines_of(line "${spec}" "^difficulty:")
  if(NOT own_difficulty STREQUAL "-")
    set(line "difficulty: ${own_difficulty}")
  endif()
  if(NOT line MATCHES "^difficulty:[ \t]*([1-5])[ \t]*(#[^;]*)?$")
    message(FATAL_ERROR "${who}: ${spec} needs one line 'difficulty: <1..5>'. got: '${line}'")
  endif()
  set(difficulty ${CMAKE_MATCH_1})
  set(suites "")
  _kernel_lines_of(line "${spec}" "^suites:")
  if(NOT own_suites STREQUAL "-")
    set(line "suites: ${own_suites}")
  endif()
  string(REGEX REPLACE "[ \t]+(#[^;]*)?$" "" line "${line}")
  if(line MATCHES "^suites:[ \t]*\\[([A-Za-z0-9_., \t-]*)\\]$")
    string(REGEX MATCHALL "[^, \t]+" suites "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^suites:[ \t]*{([^{}]*)}$")
    string(REGEX REPLACE ":[ \t]*\\[[^]]*\\]" "" names "${CMAKE_MATCH_1}")
    string(REGEX MATCHALL "[^, \t]+" suites "${names}")
  elseif(NOT line STREQUAL "")
    message(FATAL_ERROR "${who}: ${spec} needs one line 'suites: [<name>, ...]' or 'suites: {<name>: [<row>, ...]}'. got: '${line}'")
  endif()
  _kernel_lines_of(degenerate "${spec}" "^degenerate:")
  if(NOT own_degenerate STREQUAL "-")
    set(degenerate ${own_degenerate})
  endif()
  return(PROPAGATE difficulty suites degenerate)
endfunction()

# Sets references to the folder of known-good solutions, which may be missing unless the caller named it.
function(_kernel_locate_references who references source_folder)
  if(references STREQUAL "")
    cmake_path(SET references NORMALIZE "${source_folder}/../../../references")
  else()
    cmake_path(ABSOLUTE_PATH references NORMALIZE)
    if(NOT IS_DIRECTORY "${references}")
      message(FATAL_ERROR "${who}: REFERENCES is no folder: ${references}. do: name <folder> of <category>/${name}.<suffix>")
    endif()
  endif()
  return(PROPAGATE references)
endfunction()

# <name>.context: what a candidate may include. The header is generated once per task, and once more as <name>.context.<backend> for each
# of the backends ARGN with types of its own.
function(_kernel_add_context name spec task_file source_folder)
  _kernel_generate_context(${name}.context "${CMAKE_BINARY_DIR}/kernelassay/${name}/context" "${name}: kernel.h")
  foreach(backend IN LISTS ARGN)
    _kernel_context_of(target ${name} ${backend})
    if(NOT target STREQUAL "${name}.context")
      _kernel_generate_context(${target} "${CMAKE_BINARY_DIR}/kernelassay/${name}/${backend}.context" "${name}: kernel.h of ${backend}"
                               --toolchain "${CMAKE_BINARY_DIR}/kernelassay/${backend}.toolchain.json")
    endif()
  endforeach()
endfunction()

# The INTERFACE library <target> with <folder>, which gets kernel.h and the stub. Reads spec, task_file and source_folder. ARGN: more arguments.
function(_kernel_generate_context target folder comment)
  set(files ${ARGN})
  list(REMOVE_ITEM files --toolchain)
  add_custom_command(OUTPUT "${folder}/kernel.h" "${folder}/stub.cpp"
    COMMAND KernelAssay::assay-context --task "${task_file}" --out "${folder}" ${ARGN}
    DEPENDS "${spec}" ${files} KernelAssay::assay-context
    COMMENT "${comment}" VERBATIM)
  _kernel_built_when_needed(built)
  add_library(${target} INTERFACE ${built} "${folder}/kernel.h")
  target_include_directories(${target} INTERFACE "${folder}")
  if(IS_DIRECTORY "${source_folder}/context")
    target_include_directories(${target} INTERFACE "${source_folder}/context")
  endif()
endfunction()

# Sets <out> to the target with what candidates of <backend> may include.
function(_kernel_context_of out name backend)
  get_property(own GLOBAL PROPERTY KERNELASSAY_BACKEND_${backend}_OWN_CONTEXT)
  set(${out} ${name}.context${own} PARENT_SCOPE)
endfunction()

# Sets <out> to the folder with their kernel.h.
function(_kernel_header_folder out name backend)
  _kernel_context_of(context ${name} ${backend})
  get_target_property(folders ${context} INTERFACE_INCLUDE_DIRECTORIES)
  list(GET folders 0 folder)
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# <name>.test, <name>.bench: `cmake --build build --target relu.bench` builds and times all candidates of relu.
function(_kernel_add_stage_targets name)
  foreach(stage IN ITEMS test bench)
    add_custom_target(${name}.${stage}
      COMMAND ${CMAKE_CTEST_COMMAND} --test-dir "${CMAKE_BINARY_DIR}" -L "^task:${name}$" -L "^stage:${stage}$"
              --no-tests=error --output-on-failure
      COMMENT "${name}: stage ${stage} of every candidate" USES_TERMINAL VERBATIM)
  endforeach()
endfunction()

# <name>.stub.<backend>: an object that is linked to every candidate. It turns the box's argument vector into the call of kernel.h.
function(_kernel_add_stub name backend)
  _kernel_context_of(context ${name} ${backend})
  _kernel_header_folder(folder ${name} ${backend})
  add_library(${name}.stub.${backend} OBJECT EXCLUDE_FROM_ALL "${folder}/stub.cpp")
  target_link_libraries(${name}.stub.${backend} PRIVATE ${context})
  target_compile_features(${name}.stub.${backend} PRIVATE cxx_std_20)
  get_property(include GLOBAL PROPERTY KERNELASSAY_BACKEND_${backend}_INCLUDE)
  target_include_directories(${name}.stub.${backend} SYSTEM PRIVATE ${include})
  # The candidate that it is linked to has no sanitizer's run-time library, whatever this build has.
  target_compile_options(${name}.stub.${backend} PRIVATE -fno-sanitize=all)
  set_target_properties(${name}.stub.${backend} PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
endfunction()

# Sets <out> to the backends whose candidates the task takes, of those that are on. ARGN: what the caller named.
function(_kernel_choose_backends out who)
  get_property(on GLOBAL PROPERTY KERNELASSAY_BACKENDS)
  get_property(declared GLOBAL PROPERTY KERNELASSAY_DECLARED_BACKENDS)
  set(chosen ${on})
  if(ARGN)
    set(chosen "")
    foreach(backend IN LISTS ARGN)
      if(NOT backend IN_LIST declared)
        list(JOIN declared " " declared)
        message(FATAL_ERROR "${who}: BACKENDS: no backend is called '${backend}'. known: ${declared}")
      elseif(backend IN_LIST on)
        list(APPEND chosen ${backend})
      endif()
    endforeach()
    list(REMOVE_DUPLICATES chosen)
  endif()
  set(${out} "${chosen}" PARENT_SCOPE)
endfunction()

# Sets <out> to <text>, or to <default> where it is empty; refuses what is no number from <least> to <most>.
function(_kernel_check_limit out who text default least most unit)
  if("${text}" STREQUAL "")
    set(text ${default})
  elseif(NOT text MATCHES "^[1-9][0-9]?[0-9]?[0-9]?[0-9]?$" OR text LESS least OR text GREATER most)
    message(FATAL_ERROR "${who} must be ${least} to ${most} ${unit}. got: '${text}'")
  endif()
  set(${out} ${text} PARENT_SCOPE)
endfunction()

# Sets <out> to the labels that all tests of the task have, by kernel_task()'s variables. ARGN: its own.
function(_kernel_labels out who)
  set(labels ${category} task:${name} difficulty:${difficulty})
  foreach(suite IN LISTS suites)
    list(APPEND labels suite:${suite})
  endforeach()
  if(degenerate)
    list(APPEND labels degenerate)
  endif()
  foreach(label IN LISTS ARGN)
    _kernel_check_name("${who}: LABELS" "${label}" "^[A-Za-z0-9_][A-Za-z0-9_.-]*$")
    list(APPEND labels ${label})
  endforeach()
  set(${out} "${labels}" PARENT_SCOPE)
endfunction()

# Notes the task if it is to be the project's canary (<wanted>), or is the first that could be. ARGN: its backends.
function(_kernel_choose_canary who name spec wanted)
  set(target ${KERNELASSAY_SHAPES})
  if(NOT target STREQUAL "gpu")  # cpu's are those of a task that has none in the suite
    set(target cpu)
  endif()
  _kernel_lines_of(timed "${spec}" "^ +${target}:|^timing:.*${target}:")
  get_property(canary GLOBAL PROPERTY KERNELASSAY_CANARY)
  get_property(first GLOBAL PROPERTY KERNELASSAY_FIRST_TIMED)
  if(wanted AND NOT "${canary}" STREQUAL "")
    message(FATAL_ERROR "${who}: CANARY: ${canary} is the canary already. do: choose one of them")
  elseif(wanted AND NOT timed)
    message(FATAL_ERROR "${who}: CANARY: ${spec} has no timing for ${target}. do: add one, or choose another task")
  elseif(wanted)
    set_property(GLOBAL PROPERTY KERNELASSAY_CANARY ${name})
  elseif(timed AND ARGN AND "${first}" STREQUAL "")
    set_property(GLOBAL PROPERTY KERNELASSAY_FIRST_TIMED ${name})
  endif()
endfunction()

# assay.<name>.admission, where it is asked for: the task's cases reject altered outputs and accept honest kernels.
function(_kernel_add_admission name task_file labels)
  if(KERNELASSAY_ADMISSION)
    add_test(NAME assay.${name}.admission COMMAND KernelAssay::assay admit "${task_file}" --build "${CMAKE_BINARY_DIR}")
    set_tests_properties(assay.${name}.admission PROPERTIES TIMEOUT 600 LABELS "${labels};admission")
  endif()
endfunction()

# Sets <out> to <source>, or where that includes blocks to the file that is made of it and them.
function(_kernel_assemble_reference out name source)
  set(included "")
  if(NOT IS_DIRECTORY "${source}")
    file(STRINGS "${source}" included REGEX "^#include \"blocks/")
  endif()
  if(included)
    cmake_path(GET source FILENAME file)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(SET blocks NORMALIZE "${folder}/../blocks")
    set(assembled "${CMAKE_BINARY_DIR}/kernelassay/${name}/reference/${file}")
    set(script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/KernelBlocks.cmake")
    _kernel_watch("${blocks}")
    file(GLOB files "${blocks}/*")
    add_custom_command(OUTPUT "${assembled}"
      COMMAND "${CMAKE_COMMAND}" -D "SOURCE=${source}" -D "OUT=${assembled}" -P "${script}"
      DEPENDS "${source}" ${files} "${script}"
      COMMENT "" VERBATIM)
    set(source "${assembled}")
  endif()
  set(${out} "${source}" PARENT_SCOPE)
endfunction()

# References of a task that is in the suites ARGN. The chosen suite's are added when all candidates are known.
function(_kernel_choose_references name)
  if(KERNELASSAY_REFERENCES STREQUAL "ON")
    _kernel_add_references(${name})
  elseif(KERNELASSAY_REFERENCES IN_LIST ARGN)
    set_property(GLOBAL APPEND PROPERTY KERNELASSAY_SUITE_REFERENCES ${name})
  endif()
endfunction()

# A task that has candidates has all of its references by now, for comparison. Another one has one.
function(_kernel_add_suite_references)
  get_property(names GLOBAL PROPERTY KERNELASSAY_SUITE_REFERENCES)
  foreach(name IN LISTS names)
    if(NOT TARGET reference.${name}.candidates)
      _kernel_add_references(${name} ONE)
    endif()
  endforeach()
endfunction()

# The known-good solutions are candidates like any other: sample 000 of the run `reference`. With ONE, that of the first backend that has
# one alone.
function(_kernel_add_references name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ONE" "" "")
  get_target_property(folder ${name}.context KERNELASSAY_REFERENCES)
  get_target_property(backends ${name}.context KERNELASSAY_BACKENDS)
  _kernel_watch("${folder}")
  set(outputs "")
  set(script "")
  foreach(backend IN LISTS backends)
    get_property(suffix GLOBAL PROPERTY KERNELASSAY_BACKEND_${backend}_SUFFIX)
    set(source "${folder}/${name}${suffix}")
    if(backend STREQUAL "program")
      set(source "${folder}")
    endif()
    _kernel_why_odd("${source}")
    if(why)
      _kernel_skip("${source}" "${why}")
    elseif(EXISTS "${source}")
      _kernel_assemble_reference(source ${name} "${source}")
      _kernel_add_candidate(reference ${name} ${backend} 000 "${source}" "${source}")
      string(APPEND script "${tests}")
      if(arg_ONE)
        break()
      endif()
    endif()
  endforeach()
  _kernel_add_candidates_target(reference ${name} "${script}" ${outputs})
endfunction()
