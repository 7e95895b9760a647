#!/bin/sh
# The layer rule: a file in src/<folder>/ includes its own folder, folders to its left
# in this line, and the nouns: record.h and portion.h, which include base only, and from map on the
# interface to plugins. base includes none of them. cmd/ may include everything; nothing includes
# cmd/.
# Third-party packages have one door each.
order='base record.h portion.h kinds sched input scan split regex fields expr'
order="$order mrc_plugin.h mrc_reader.h map store group combine reduce rows output join plugin"
order="$order check kept engine lab"
cd "$(dirname "$0")/../../src" || exit 2
bad=0
grep -rnoE '#include "[^"]+"' --include='*.h' --include='*.cc' . |
  awk -v order="$order" '
    BEGIN { n = split(order, o, " "); for (i = 1; i <= n; i++) rank[o[i]] = i }
    { split($0, p, /[\/:]/); from = p[2]; to = $0; gsub(/^.*#include "|\/.*$|"$/, "", to)
      if (!(to in rank)) { print "unknown layer: " $0; bad = 1 }
      else if (!(from in rank)) { print "file outside the layers: " $0; bad = 1 }
      else if (rank[to] > rank[from]) { print from " must not include " to ": " $0; bad = 1 } }
    END { exit bad }' || bad=1

# door PATTERN ALLOWED: the header is included only below paths that match ALLOWED.
door() {
  if (cd .. && grep -rnE "#include <$1" src cmd | grep -vE "^($2)"); then
    echo "$1 has one door: $2"
    bad=1
  fi
}
door 'CLI/' 'cmd/parse\.cc|cmd/version\.cc'
door 'spdlog/' 'cmd/'
door 'mimalloc' 'cmd/allocator\.cc'
door 'xxhash' 'src/base/hash\.cc|cmd/version\.cc'
door 'hwloc' 'src/sched/topology_hwloc\.cc|cmd/version\.cc'
door 're2/' 'src/regex/regex\.cc|cmd/version\.cc'
door 'absl/' 'src/kinds/zone\.cc|cmd/version\.cc'
door 'gmp' 'src/base/fraction\.h|cmd/version\.cc'
door 'simdjson' 'src/fields/json_index_simdjson\.cc|cmd/version\.cc'
door 'zlib' 'src/input/inflate_zlib\.cc|cmd/version\.cc'
door 'isa-l' 'src/input/inflate_isal\.cc|cmd/version\.cc'
door 'zstd' \
  'src/input/zstd\.cc|src/output/zstd_frame\.cc|cmd/(version|help|package/embed_pages)\.cc'
door 'maxminddb' 'src/expr/inner/geo_database\.h|cmd/version\.cc'
door 'utf8proc' 'src/(base/case_fold|output/encode)\.cc|cmd/version\.cc'
door 'iostream' 'nowhere'

# Options are spelled in cmd/: messages below it name what users can set by setting_name().
if grep -rnE '^[^"]*"([^"]*[^"a-z-])?(--[a-z]|\(-[a-zA-Z]\))' --include='*.h' --include='*.cc' . |
  grep -vE '^[^:]*:[0-9]*: *//'; then
  echo 'an option is spelled below cmd/: use setting_name()'
  bad=1
fi
names=$(grep -rhoE 'setting_name\("[a-z-]+"\)' --include='*.cc' . | cut -d '"' -f 2 | sort -u)
for name in $names; do
  grep -rqE -e "--$name\"" ../cmd || { echo "no option is called --$name"; bad=1; }
done
exit $bad
