#!/bin/bash -eu
# What OSS-Fuzz runs to build the drivers of tests/fuzz, in its folder projects/hiera-mpi: with clang of the environment, into $OUT, which has nothing but what is put there.
# By hand: CC=clang CFLAGS='-O1 -g -fsanitize=address,fuzzer-no-link' SRC=/where/hiera-mpi/is/in OUT=/tmp/out WORK=/tmp/work packaging/oss-fuzz/build.sh; DRIVERS='rules saved': some of them

source=$SRC/hiera-mpi
build=$WORK/build
drivers=${DRIVERS-reader settings rules expressions assertions probes saved image}
meson setup "$build" "$source" --buildtype=plain -Db_lundef=false -Dtests=true -Dfuzz=true -Dlibfuzzer=true -Dcollector=disabled -Dpredict=disabled -Dcc=disabled
# shellcheck disable=SC2086
ninja -C "$build" $(printf 'tests/fuzz/fuzz-%s ' $drivers) tests/fuzz/fuzz-image-subject

# The corpus of a driver, and what else it begins with.
seeds() {
    ls -d "$source/tests/fuzz/corpus/$1"/* 2>/dev/null || true
    case $1 in
    reader) find "$source/tests/golden/traces" -name 'trace*.xml' -size -64k ;;
    assertions) find "$source/tests/golden/traces" "$source/examples" -name rules.txt ;;
    probes) ls "$source"/common/probes/ready/*.probe ;;
    image) echo "$build/tests/fuzz/fuzz-image-subject" ;;
    esac
}

mkdir -p "$OUT/lib"
for driver in $drivers; do
    program=$OUT/fuzz-$driver
    cp "$build/tests/fuzz/fuzz-$driver" "$program"
    # Libraries of the system are not where the drivers run. Those of the C library are.
    ldd "$program" | awk '/=> \// && !/lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+)\.so/ {print $3}' | xargs -r cp -u -t "$OUT/lib"
    # shellcheck disable=SC2016
    patchelf --force-rpath --set-rpath '$ORIGIN/lib' "$program"
    number=0
    folder=$(mktemp -d)
    for seed in $(seeds "$driver"); do
        number=$((number + 1))
        cp "$seed" "$folder/$number"
    done
    [ $number = 0 ] || (cd "$folder" && zip -q -r "$program""_seed_corpus.zip" .)
    rm -r "$folder"
    printf '[libfuzzer]\ntimeout = 20\nrss_limit_mb = 3000\nmax_len = 65536\n' >"$program.options"
done
