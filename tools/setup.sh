#!/bin/sh
# Install the Debian packages that are missing for one purpose: build, run, test, check or keras.
# Says what it does; says nothing and takes no time when everything is there.
set -eu

build="gcc libc6-dev make meson ninja-build pkg-config libjansson-dev libyaml-dev libzip-dev
 zlib1g-dev libdeflate-dev libhdf5-dev libpng-dev libjpeg-dev"
run="dataset-fashion-mnist"
test="g++ libcriterion-dev python3 python3-numpy python3-h5py python3-pytest"
check="clang clang-format clang-tidy llvm valgrind shellcheck binutils git"

case "${1:-build}" in
build) wanted="$build" ;;
run) wanted="$build $run" ;;
test) wanted="$build $run $test" ;;
check) wanted="$build $run $test $check" ;;
keras) wanted="$build python3 python3-venv" ;;
*)
    echo "usage: tools/setup.sh build|run|test|check|keras" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is not Debian, nothing is installed; needed are: $wanted"
    exit 0
fi

# shellcheck disable=SC2086 # a list of names
there=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' $wanted 2>/dev/null || true)
missing=""
for package in $wanted; do
    case "
$there" in
    *"
$package installed"*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: error: missing$missing; run as root: apt-get install$missing" >&2
        exit 1
    fi
    as_root="sudo"
fi
echo "setup: installing$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086 # lists of names
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing \
    </dev/null
