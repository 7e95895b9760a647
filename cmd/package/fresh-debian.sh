# For scripts that need a fresh Debian; they source this file. fresh_debian SUITE makes one in
# the directory $root, which is removed when the script ends. inside COMMAND... runs a command
# there. This needs root, debootstrap and a mirror of Debian.
# shellcheck shell=sh
fresh_debian() {
  [ "$(id -u)" -eq 0 ] || { echo "mrc: error: ${0##*/}: chroot(8) needs root" >&2 && exit 1; }
  root=$(mktemp -d)
  trap 'umount "$root/proc" 2>/dev/null || true; rm -rf "$root" "$root.log"' EXIT
  echo "${0##*/}: making a fresh $1"
  quietly debootstrap --variant=minbase "$1" "$root"
  mount -t proc proc "$root/proc"
  mkdir "$root/work"
}
inside() {
  chroot "$root" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    DEBIAN_FRONTEND=noninteractive "$@"
}
# Shows the output of the command only if it fails.
quietly() { "$@" >"$root.log" 2>&1 || { cat "$root.log" && exit 1; }; }
