#!/bin/sh
# The first process in the kernel. / is the host's file tree, to be read only, so that a program runs straight from
# where cargo built it.
PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH
# $out comes from the kernel command line (unknown key=value words become environment)
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mountpoint -q /dev/ || mount -t devtmpfs dev /dev
mount -t configfs configfs /sys/kernel/config
mkdir -p /dev/shm; mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs tmpfs /run; mkdir /run/out /run/tmp
mount -t hostfs none /run/out -o "$out"
exec >/run/out/log 2>&1 </dev/null
busybox ifconfig lo 127.0.0.1 up
TMPDIR=/run/tmp; HOME=/run/tmp; export TMPDIR HOME
sh /run/out/cmd
echo $? >/run/out/rc
dmesg >/run/out/dmesg 2>&1
sync; echo o >/proc/sysrq-trigger; sleep 10
