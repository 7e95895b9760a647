#!/bin/sh
# A folder's face: the headers in src/<folder>/, which other folders and cmd/ include. Headers in
# its subfolders are for the folder alone, so that a reader begins with few. All of base is face.
cd "$(dirname "$0")/../.." || exit 2
bad=0
includes=$(grep -rnoE '#include "[a-z]+/[a-z_0-9/]+\.h"' --include='*.h' --include='*.cc' src cmd |
  sed -E 's,^(src/([a-z]+)|(cmd))[^:]*:([0-9]+):#include "(.*)"$,\2\3 \5,')
inner=$(echo "$includes" | awk '{ split($2, part, "/") } part[3] != "" && part[1] != $1')
if [ -n "$inner" ]; then
  printf 'a folder includes what belongs to another alone:\n%s\n' "$inner"
  bad=1
fi
used=$(echo "$includes" | awk '{ split($2, part, "/") } part[1] != $1 { print $2 }' | sort -u)
for header in $(cd src && find . -mindepth 2 -maxdepth 2 -name '*.h' | sed 's,^./,,'); do
  [ "${header%%/*}" = base ] && continue
  echo "$used" | grep -qx "$header" && continue
  echo "no other folder includes src/$header: move it to src/${header%/*}/inner/"
  bad=1
done
exit $bad
