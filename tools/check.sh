#!/bin/bash
# Everything that CI checks beyond the tests: style, layers, interface, warnings of two compilers,
# static analysis, sanitizers, valgrind, replay of the fuzz corpus. One count a stage; with names as
# arguments only those stages. The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 1
build=${BUILD:-build}
folder=$(mktemp -d)
log=$folder/log
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0 skipped=0
selected=" $* "

stage() { # stage NAME COMMAND…
    local name=$1 began=$SECONDS status
    shift
    [[ $selected == "  " || $selected == *" $name "* ]] || return 0
    "$@" >"$log" 2>&1
    status=$?
    if [ $status -eq 0 ]; then
        passed=$((passed + 1))
        echo "ok      $name ($((SECONDS - began)) s) $(tail -n 1 "$log")"
    elif [ $status -eq 77 ]; then
        skipped=$((skipped + 1))
        echo "skipped $name: $(tail -n 1 "$log")"
    else
        failed=$((failed + 1))
        tail -n 60 "$log"
        echo "FAILED  $name ($((SECONDS - began)) s)"
    fi
}

format() { # other versions of clang-format would argue about spaces
    if ! clang-format --version | grep -q 'version 14\.'; then
        echo "clang-format 14 decides, here is $(clang-format --version)"
        return 77
    fi
    git ls-files '*.[ch]' | xargs clang-format --dry-run -Werror
}

shell() {
    git ls-files '*.sh' .ci/run | xargs shellcheck
}

# compile FOLDER COMPILER OPTIONS…: a build of its own with warnings as errors.
compile() {
    local folder=$1 compiler=$2
    shift 2
    if [ ! -f "$folder/build.ninja" ]; then
        CC=$compiler meson setup "$folder" --werror "$@" || return 1
    fi
    meson compile -C "$folder"
}

sanitized() {
    compile build-asan clang -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=1 \
        -Dtests=enabled || return 1
    UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 \
        LSAN_OPTIONS="suppressions=$PWD/tools/lsan.supp:print_suppressions=0" \
        python3 tools/run_tests.py build-asan --suite unit --suite ops --suite golden --suite fuzz \
        --suite torture --suite examples --timeout-multiplier 5
}

memcheck() {
    cat >"$folder/net.yaml" <<'END' || return 1
model:
  - input: [8, 8]
  - flatten:
  - dense: {units: 20, activation: relu}
  - dropout: 0.2
  - batch_normalization:
  - dense: {units: 10, activation: softmax}
train: {loss: categorical_crossentropy, optimizer: nadam, metrics: [accuracy]}
END
    QUICKSTEP_IMPL=ref valgrind --quiet --error-exitcode=1 --leak-check=full \
        --errors-for-leak-kinds=definite "$build/quickstep" train "$folder/net.yaml" --data digits \
        --epochs 2 --steps 20 --batch 50 --threads 2 --out "$folder/run" \
        --save "$folder/net.keras" --quiet
}

stage format format
stage layers tools/check_layers.py
stage api tools/check_api.py "$build"
stage sizes tools/check_sizes.py
stage shell shell
stage gcc compile build-gcc gcc -Dtests=enabled
stage sanitizers sanitized
stage valgrind memcheck
stage clang-tidy tools/tidy.py "$build"

if [ $skipped -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ]
