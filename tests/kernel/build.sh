#!/bin/sh
# Builds the kernel in which the drivers are tested: Linux as an ordinary process, with real spidev and GPIO devices
# and a virtual SPI controller (vspi.c). Usage: tests/kernel/build.sh; prints the kernel's path, made or found.
# It is kept in $DCM_RUN_KERNEL, else in the user's cache, under a name that changes with everything it is made of.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
say() { echo "$@" >&2; }
package=linux-source-6.12
cache=${DCM_RUN_KERNEL:-${XDG_CACHE_HOME:-$HOME/.cache}/dcm-run/kernel}
key=$(cat "$here/build.sh" "$here/kernel.config" "$here/vspi.c" | sha256sum | cut -c1-16)
linux=$cache/$key/linux
[ -x "$linux" ] && { echo "$linux"; exit 0; }

needed=""
for it in gcc make flex bison bc xz-utils libc6-dev busybox-static; do
    dpkg -s "$it" >/dev/null 2>&1 || needed="$needed $it"
done
if [ -n "$needed" ]; then
    [ "$(id -u)" = 0 ] || { say "tests/kernel: install$needed, or run this once as root"; exit 1; }
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends $needed; } >/dev/null 2>&1 ||
        { say "tests/kernel: these packages could not be installed:$needed"; exit 1; }
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -qq "$package" >/dev/null 2>&1 || { apt-get update -qq >/dev/null 2>&1 && apt-get download -qq "$package" >/dev/null 2>&1; } ||
    { say "tests/kernel: the package $package, the kernel's sources, could not be fetched"; exit 1; }
# All of the configuration, but of the sources only what this architecture reads.
mkdir src
dpkg-deb --fsys-tarfile "$package"_*.deb | tar xOf - --wildcards "*$package.tar.xz" | tar xJf - -C src --strip-components=1 \
    --exclude='*/Documentation/[a-z]*' --exclude='*/LICENSES' --exclude='*/samples/*.[ch]' --exclude='*/tools/testing' \
    --exclude='*/tools/perf' --exclude='*/drivers/gpu/*.[ch]' --exclude='*/drivers/net/*/*.[ch]' \
    --exclude='*/drivers/media/*.[ch]' --exclude='*/drivers/staging/*.[ch]' --exclude='*/drivers/infiniband/*.[ch]' \
    --exclude='*/drivers/scsi/*.[ch]' --exclude='*/drivers/usb/*.[ch]' --exclude='*/sound/*.[ch]' \
    --exclude='*/arch/[a-tv-w]*/*.[chS]' --exclude='*.dts' --exclude='*.dtsi'
rm -f "$package"_*.deb
cp "$here/vspi.c" src/drivers/spi/
echo 'obj-y += vspi.o' >>src/drivers/spi/Makefile
# This kernel asks its host for 2,696 bytes of a process' floating-point registers. A processor with AMX has 11,008, and
# its kernel takes all of them or none; it gives and takes fewer where there are fewer.
sed -i 's/DEFINE_LONGS(HOST_FP_SIZE, 2696)/DEFINE_LONGS(HOST_FP_SIZE, 16384)/' src/arch/x86/um/user-offsets.c
grep -q 'HOST_FP_SIZE, 16384' src/arch/x86/um/user-offsets.c || { say "tests/kernel: other sources than expected"; exit 1; }
um() { make -s -C src ARCH=um O="$work/b" "$@"; }
um tinyconfig >log 2>&1 || { cat log >&2; exit 1; }
(cd src && ARCH=um scripts/kconfig/merge_config.sh -m -O "$work/b" "$work/b/.config" "$here/kernel.config" >/dev/null)
um olddefconfig >log 2>&1 || { cat log >&2; exit 1; }
for it in $(grep -o '^CONFIG_[A-Z0-9_]*=[y0-9]*' "$here/kernel.config"); do
    grep -q "^$it" b/.config || { say "tests/kernel: not in this kernel: $it"; exit 1; }
done
um -j"$(nproc)" linux >log 2>&1 || { tail -40 log >&2; exit 1; }
mkdir -p "$cache/$key"
strip -o "$linux.draft" b/linux
mv "$linux.draft" "$linux"
echo "$linux"
