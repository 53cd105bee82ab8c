#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stands in for `assay`, `assay-context`, `assay-compile`, `assay-judge` and `assay-program` where only CMake's and CTest's side is tested: it takes the same arguments, writes the same files,
# and judges by grep. A candidate that holds the word "broken" does not compile; one that holds "wrong" fails its test; the bench of one that
# holds "together" passes where another of its run and task begins on another of CTest's devices before it ends.
set -eu
case $1 in  # two of the programs have no commands
  --task) command=context ;;
  --*) command=build ;;
  *) command=$1; shift ;;
esac
while [ $# -gt 0 ]; do
  case $1 in
    --plan) plan=$2; shift 2 ;;
    --run) run=$2; shift 2 ;;
    --sample) sample=$2; shift 2 ;;
    --source) source=$2; shift 2 ;;
    --prefix) prefix=$2; shift 2 ;;
    --task) task=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    --results | --toolchain) shift 2 ;;
    *) echo "fake assay: unknown argument: $1" >&2; exit 2 ;;
  esac
done

if [ "$command" = candidate ]; then command=build; fi
if [ "$command" = test ] && [ -z "${prefix-}" ]; then command=problem; fi

case $command in
  problem)
    mkdir -p "$(dirname "$plan")/program"
    echo '{}' > "$(dirname "$plan")/program/test.json" ;;
  context)
    mkdir -p "$out"
    echo "/* $(grep -e ^summary: -e "^  ${task##*#}:" "${task%#*}") */" > "$out/new"  # a family's task has a line of its own
    cmp -s "$out/new" "$out/kernel.h" || cp "$out/new" "$out/kernel.h"
    test -e "$out/stub.cpp" || printf '#include "kernel.h"\nextern "C" void assay_call(void* const*, const long*) {}\n' > "$out/stub.cpp" ;;
  cases | timing) cp "$plan" "$(dirname "$plan")/$command.bin" ;;
  machine | canary) echo '{}' > "$out" ;;
  compile)
    cat "$prefix.compile.json"
    grep -q '"PASS"' "$prefix.compile.json" ;;
  build)
    rm -f "$prefix.so"
    verdict=COMPILE_ERROR
    grep -rq broken "$source" || { verdict=PASS; cat "$source" "$source"/* > "$prefix.so" 2> /dev/null || true; }
    echo "assay: {\"run\":\"$run\",\"sample\":$sample,\"verdict\":\"$verdict\"}" > "$prefix.compile.json" ;;
  test | bench)
    [ "$command" = test ] && needed=cases || needed=timing
    test -e "$(dirname "$plan")/$needed.bin"
    if [ "$command" = bench ] && grep -q together "$prefix.so"; then
      echo "$CTEST_RESOURCE_GROUP_0_GPUS" > "$prefix.began"
      tries=0
      until [ "$(cat "$(dirname "$prefix")"/*.began | sort -u | wc -l)" -ge 2 ]; do
        tries=$((tries + 1))
        [ $tries -lt 50 ] || { echo "fake assay: no other device is at work" >&2; exit 1; }
        sleep 0.1
      done
    fi
    echo "assay: {\"run\":\"$run\",\"sample\":$sample,\"stage\":\"$command\"}"
    head -c 4000 /dev/zero | tr '\0' x
    echo " end of the record"
    ! grep -q wrong "$prefix.so" ;;
esac
