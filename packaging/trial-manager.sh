#!/bin/sh
# A service manager of its own in the initial pid, network and cgroup namespaces, where BPF and process events work as on a machine:
# systemd's user manager, run by root, which applies the same sandbox and capabilities. Only the mounts are its own.
# Usage: unshare --mount trial-manager.sh. packaging/capabilities.ts starts it.
set -eu
mount --make-rprivate /
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir -p /sys/fs/cgroup/desk-trial
echo $$ >/sys/fs/cgroup/desk-trial/cgroup.procs
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/user/0/config/systemd/user /run/systemd/system /run/systemd/inaccessible/dir
cd /run/systemd/inaccessible
: >reg
mkfifo fifo
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("sock")'
mknod chr c 0 0
mknod blk b 0 0
chmod 0 ./*
cd /
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root XDG_RUNTIME_DIR=/run/user/0 XDG_CONFIG_HOME=/run/user/0/config \
  /lib/systemd/systemd --user --unit=basic.target
