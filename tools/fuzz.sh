#!/bin/sh
# Fuzz every parser for some seconds each (20), under the sanitizers: tools/fuzz.sh [SECONDS [PARSER…]]
# What crashes one lies in build-fuzz afterwards; it belongs into fuzz/corpus, with a test of its own.
set -eu
cd "$(dirname "$0")/.."

seconds=${1:-20}
[ $# -eq 0 ] || shift
if [ ! -f build-fuzz/build.ninja ]; then
    CC=clang meson setup build-fuzz -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false \
        -Doptimization=1 -Dc_args=-fsanitize=fuzzer-no-link -Dtests=disabled >/dev/null
fi
meson compile -C build-fuzz >/dev/null
# shellcheck disable=SC2046 # a list of names
[ $# -gt 0 ] || set -- $(ls fuzz/corpus)
for parser in "$@"; do
    echo "== $parser"
    mkdir -p "build-fuzz/corpus/$parser"
    (cd build-fuzz && UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 "fuzz/fuzz_$parser" -max_total_time="$seconds" -print_final_stats=1 \
        -rss_limit_mb=2048 -malloc_limit_mb=100000 -timeout=10 "corpus/$parser" "../fuzz/corpus/$parser" 2>&1 |
        grep -E 'ERROR|SUMMARY|stat::number_of_executed|Test unit written') || true
done
