#!/usr/bin/env bash
# fetch-ceph.sh FOLDER: unpacks Debian's packages of Ceph RGW, a real S3 server, below FOLDER, for the tests.
# About 60 MB to download and 300 MB on the disk. Nothing is installed, and nothing is written elsewhere; no root, but
# the package lists must exist (apt-get update). Does nothing if it was done earlier.
set -euo pipefail

fail() {
  echo "fetch-ceph: $*" >&2
  exit 1
}

(($# == 1)) || fail 'a folder is needed'
command -v apt-get dpkg ldd >/dev/null || fail 'this is no Debian'
[[ -x /usr/bin/python3 ]] || fail 'the ceph command needs /usr/bin/python3'
mkdir -p "$1"
prefix=$(cd "$1" && pwd -P)
[[ ! -e $prefix/.complete ]] || exit 0

# Hardware, encryption and the dashboards of a real cluster: a test server has none of them.
unneeded=(lvm2 dmeventd liblvm2cmd2.03 libdevmapper-event1.02.1 cryptsetup-bin gdisk hdparm parted libparted2 smartmontools
  nvme-cli libnvme1 xfsprogs libinih1 liburcu8 sudo logrotate libpopt0 uuid-runtime dmidecode python3-cephfs python3-rbd
  python3-rgw python3-ceph python3-requests python3-urllib3 python3-idna python3-certifi python3-chardet
  python3-charset-normalizer)

downloads=$(mktemp -d "$prefix/.debs.XXXXXX")
trap 'rm -rf "$downloads"' EXIT
cd "$downloads"
mapfile -t packages < <(
  apt-get install --simulate --no-install-recommends radosgw ceph-mon ceph-osd ceph-common |
    awk '/^Inst /{print $2}' | grep -vxF -f <(printf '%s\n' "${unneeded[@]}")
)
# None: all of it is installed.
if ((${#packages[@]} > 0)); then
  apt-get download -qq "${packages[@]}" 2> >(grep -v 'unsandboxed' >&2) || fail 'the packages are not available'
  for package in *.deb; do dpkg --extract "$package" "$prefix"; done
fi
rm -rf "$prefix"/etc "$prefix"/usr/sbin "$prefix"/usr/share/{doc,man,lintian,bash-completion}

for library in "$prefix"/{usr/lib,lib}/*-linux-gnu{,/ceph}; do
  LD_LIBRARY_PATH=$library:${LD_LIBRARY_PATH:-}
done
export LD_LIBRARY_PATH PATH=$prefix/usr/bin:$PATH
for program in ceph-mon ceph-osd radosgw radosgw-admin monmaptool; do
  found=$(command -v "$program") || fail "$program is not among the packages"
  # No pipe into grep -q: ldd would be cut off, and its failure taken for a match.
  missing=$(ldd "$found" | grep 'not found' || true)
  [[ -z $missing ]] || fail "$program lacks libraries: $missing"
done
touch "$prefix/.complete"
