#!/bin/sh
# Train random models in real Keras and here, and compare. The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 1

python=$(tools/setup_keras.sh) || exit 1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
CUDA_VISIBLE_DEVICES="" TF_CPP_MIN_LOG_LEVEL=3 "$python" tools/pytest_tap.py tests/keras "$@" \
    >"$log"
grep '^not ok' "$log"
passed=$(grep -c '^ok' "$log")
failed=$(grep -c '^not ok' "$log")
if [ "$passed" -eq 0 ] && [ "$failed" -eq 0 ]; then
    failed=1
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
