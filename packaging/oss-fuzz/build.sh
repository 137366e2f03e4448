#!/bin/bash -eu
# OSS-Fuzz runs this in its container: the drivers of tests/fuzz with libFuzzer, each with its corpus and what it is linked with, in $OUT.
# $SRC/hiera-mpi is the source; $CC, $CFLAGS, $WORK and $OUT are OSS-Fuzz's. By hand:
# CC=clang CFLAGS='-O1 -g -fsanitize=address,fuzzer-no-link' SRC=/where/hiera-mpi/is/in OUT=/tmp/out WORK=/tmp/work packaging/oss-fuzz/build.sh
cd "$SRC/hiera-mpi"
meson setup "$WORK/build" -Dtests=true -Dfuzz=true -Dlibfuzzer=true -Dcollector=disabled
mapfile -t drivers < <(ninja -C "$WORK/build" -t targets all | sed -n 's|^\(tests/fuzz/fuzz-[a-z]*\):.*LINKER$|\1|p' | grep -v walked)
ninja -C "$WORK/build" "${drivers[@]}"
# Programs that two of the drivers read, as the compiler makes them without sanitizers.
$CC -g -O2 -w tests/image/subject.c -o "$WORK/image"
$CC -g -O1 -w -shared -fPIC tests/fuzz/walked_mpi.c -o "$WORK/walked-mpi.so"
$CC -g -O1 -w tests/fuzz/walked.c "$WORK/walked-mpi.so" -o "$WORK/execution"
mkdir -p "$OUT/lib"
for driver in "${drivers[@]}"; do
    name=${driver##*/fuzz-}
    seeds=tests/fuzz/corpus/$name
    [ -d "$seeds" ] || seeds=$WORK/$name
    cp "$WORK/build/$driver" "$OUT"
    ldd "$OUT/fuzz-$name" | sed -n 's|.* => \(/[^ ]*\) .*|\1|p' | grep -vE '/(libc|libm|ld-linux[^/]*)\.so' | xargs -r cp -u -t "$OUT/lib"
    # shellcheck disable=SC2016
    patchelf --set-rpath '$ORIGIN/lib' "$OUT/fuzz-$name"
    zip -q -j -r "$OUT/fuzz-${name}_seed_corpus.zip" "$seeds"
    printf '[libfuzzer]\ntimeout = 20\nrss_limit_mb = 3000\nmax_len = 65536\n' >"$OUT/fuzz-$name.options"
done
# By path, since all have the same names.
(cd tests/golden/traces && find . -name 'trace*.xml' -size -64k | zip -q "$OUT/fuzz-reader_seed_corpus.zip" -@)
