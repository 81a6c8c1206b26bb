#!/bin/sh
# Boots systemd as pid 1 of a machine of its own: new pid, mount, uts, ipc, network and cgroup namespaces over a root folder,
# which stays as it is: what is written goes to a file system in memory and is gone when pid 1 ends. Needs root, Linux 5.2 and overlayfs.
#
#   boot-systemd.sh ROOT FOLDER [FROM:TO]...
#
# ROOT: "/" or the folder of another system with systemd in it. FOLDER: an empty folder, used in the new mount namespace only.
# FROM:TO: a folder of this machine, shown at TO. `unshare` ends with pid 1 and kills it when it is killed,
# as it is when the process that started this ends. booted.ts starts it.
set -eu

if [ "$1" != --inside ]; then
  # A cgroup of its own: the root of the cgroup namespace. On a machine with version 1, version 2 is mounted without controllers.
  cgroups=$(findmnt -n -o TARGET -t cgroup2 | head -n 1)
  [ -n "$cgroups" ] || { echo "cgroup version 2 is not mounted" >&2; exit 1; }
  mkdir -p "$cgroups/desk-booted-$$"
  echo $$ >"$cgroups/desk-booted-$$/cgroup.procs"
  exec setpriv --pdeathsig=KILL \
    unshare --mount --uts --ipc --net --cgroup --pid --fork --kill-child=SIGKILL "$0" --inside "$@"
fi

root=$2 folder=$3
shift 3
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs "$folder"
mkdir "$folder/changed" "$folder/work" "$folder/root"
mount -t overlay -o "lowerdir=$root,upperdir=$folder/changed,workdir=$folder/work" overlay "$folder/root"
cd "$folder/root"
mkdir -p proc sys dev run tmp
mount -t proc -o nosuid,nodev,noexec proc proc
mount -t sysfs -o nosuid,nodev,noexec sysfs sys
mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755,nosuid tmpfs dev
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for device in null:3 zero:5 full:7 random:8 urandom:9; do mknod -m 666 "dev/${device%:*}" c 1 "${device#*:}"; done
mknod -m 666 dev/tty c 5 0
# The console of the machine outside is left alone.
mknod -m 600 dev/console c 1 3
mount -t tmpfs -o mode=755,nosuid,nodev tmpfs run
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs tmp
for pair in "$@"; do
  mkdir -p ".${pair#*:}"
  mount --rbind "${pair%%:*}" ".${pair#*:}"
done
rm -f etc/machine-id
tr -d - <proc/sys/kernel/random/uuid >etc/machine-id
hostname booted
ip link set lo up 2>/dev/null || true
# Devices, consoles and log-ins are those of the machine outside.
mkdir -p etc/systemd/system
for unit in systemd-udevd.service systemd-udev-trigger.service systemd-udevd-control.socket systemd-udevd-kernel.socket \
  console-getty.service getty.target systemd-logind.service systemd-remount-fs.service systemd-networkd.service \
  systemd-resolved.service systemd-timesyncd.service; do
  ln -sf /dev/null "etc/systemd/system/$unit"
done
mkdir old-root
pivot_root . old-root
umount -l /old-root
rmdir /old-root
# In a container systemd does not do it itself: mounts that it makes for a service (credentials) must reach it.
mount --make-rshared /
exec env -i container=desk-booted PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --unit=basic.target --log-target=console --log-level=warning --show-status=no </dev/null
