#!/bin/sh
# Make the virtual environment with real Keras that `make check-keras` compares with; prints the path
# of its Python. $QS_KERAS_PYTHON names one that is there already.
set -eu
cd "$(dirname "$0")/.."

packages="keras==3.15.1 tensorflow-cpu==2.21.0 numpy pytest"
folder=.venv-keras

if [ -n "${QS_KERAS_PYTHON:-}" ]; then
    echo "$QS_KERAS_PYTHON"
    exit 0
fi
if [ "$(cat "$folder/installed" 2>/dev/null)" != "$packages" ]; then
    echo "setup: installing $packages into $folder" >&2
    rm -rf "$folder"
    python3 -m venv "$folder"
    # shellcheck disable=SC2086 # a list of names
    "$folder/bin/pip" install --quiet --disable-pip-version-check $packages >&2
    echo "$packages" >"$folder/installed"
fi
echo "$PWD/$folder/bin/python"
