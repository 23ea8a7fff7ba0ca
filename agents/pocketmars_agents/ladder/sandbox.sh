# Runs a program as an unprivileged user that sees only read-only folders and a small /tmp, and has no network.
# Started by `sandbox.py` in new namespaces: sandbox.sh ROOT USER PROGRAM_FOLDER FOLDER... -- LIMITS... -- COMMAND...
# This shell stays process 1 of its namespace. Its end, or that of the process that started it, ends all others.
set -eu
root=$1 user=$2 program=$3
shift 3
mount -t tmpfs -o size=1m,mode=755 none "$root"
mkdir "$root/program" "$root/proc" "$root/tmp" "$root/dev"
mount -t tmpfs -o size=16m,nr_inodes=1k,nosuid,nodev,mode=1777 none "$root/tmp"
while [ "$1" != -- ]; do
    if [ -L "$1" ]; then
        cp -P "$1" "$root$1" # such as /bin, a link to /usr/bin
    else
        mkdir -p "$root$1"
        mount -o bind,ro,nosuid,nodev "$1" "$root$1"
    fi
    shift
done
shift
mount -o bind,ro,nosuid,nodev "$program" "$root/program"
mount -t proc -o ro,nosuid,nodev,noexec none "$root/proc"
for device in null zero random urandom; do
    touch "$root/dev/$device"
    mount -o bind "/dev/$device" "$root/dev/$device"
done
mount -o remount,bind,ro "$root"
echo 0 2>/dev/null > /proc/sys/kernel/shmmni || true # no shared memory, which no limit counts; ignored by old kernels
echo 1000 > /proc/self/oom_score_adj # if memory runs out, the kernel kills these processes first
set -- --bounding-set=-all --inh-caps=-all --no-new-privs -- prlimit "$@"
[ "$user" = - ] || set -- --reuid="$user" --regid="$user" --clear-groups "$@"
chroot "$root" /bin/sh -c 'cd /program && exec setpriv "$@"' sh "$@"
exit $?
