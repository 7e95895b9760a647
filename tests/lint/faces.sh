#!/bin/sh
# A folder's face: the headers of src/<folder>/ that other folders and cmd/ include. These are the
# header with the folder's name and those that src/README.md lists under Faces, all of them; of
# base, every header.
cd "$(dirname "$0")/../.." || exit 2
included=$(grep -rnoE '#include "[a-z]+/[a-z_0-9]+\.h"' --include='*.h' --include='*.cc' src cmd |
  sed -E 's,^(src/([a-z]+)|cmd).*#include "(([a-z]+)/.*)"$,\2 \4 \3,' |
  awk 'NF == 2 { print $2; next } $1 != $2 { print $3 }' | # from cmd/, then from src/
  awk -F / '$1 != "cmd" && $1 != "base" && $2 != $1 ".h"' | LC_ALL=C sort -u)
listed=$(awk '/^## / { inside = ($0 == "## Faces") } inside && /^\| `/ {
    gsub(/[`|,]/, ""); for (i = 2; i <= NF; i++) print $1 $i }' src/README.md | LC_ALL=C sort -u)
[ "$included" = "$listed" ] && exit
echo 'inner headers that other folders include (-) and that src/README.md lists (+):'
{ echo "$included" | sed 's/^/-/' && echo "$listed" | sed 's/^/+/'; } | sort -k1.2 | uniq -u -s1
exit 1
