#!/bin/bash -eu
# OSS-Fuzz runs this in its container: the drivers of tests/fuzz with libFuzzer, each with its corpus and what it is linked with, in $OUT.
# $SRC/hiera-mpi is the source; $CC, $CFLAGS, $WORK and $OUT are OSS-Fuzz's.
cd "$SRC/hiera-mpi"
meson setup "$WORK/build" -Dtests=true -Dfuzz=true -Dlibfuzzer=true -Dcollector=disabled
mapfile -t drivers < <(ninja -C "$WORK/build" -t targets all | sed -n 's|^\(tests/fuzz/fuzz-[a-z-]*\):.*LINKER$|\1|p')
ninja -C "$WORK/build" "${drivers[@]}"
mkdir -p "$OUT/lib"
for driver in "${drivers[@]}"; do
    name=${driver##*/fuzz-}
    case $name in
    image) seeds=$WORK/build/tests/fuzz/fuzz-image-subject ;;
    execution) seeds=$WORK/build/tests/fuzz/fuzz-walked ;;
    image-subject | walked) continue ;; # programs that drivers read
    *) seeds=tests/fuzz/corpus/$name ;;
    esac
    cp "$WORK/build/$driver" "$OUT"
    ldd "$OUT/fuzz-$name" | sed -n 's|.* => \(/[^ ]*\) .*|\1|p' | grep -vE '/(libc|libm|ld-linux[^/]*)\.so' | xargs -r cp -u -t "$OUT/lib"
    # shellcheck disable=SC2016
    patchelf --set-rpath '$ORIGIN/lib' "$OUT/fuzz-$name"
    zip -q -j -r "$OUT/fuzz-${name}_seed_corpus.zip" "$seeds"
done
