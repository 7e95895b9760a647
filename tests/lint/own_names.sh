#!/bin/sh
# Names that files keep to themselves, in namespaces without a name: two files of a folder do not
# have the same one, because they may be compiled together (MRC_TOGETHER in CMakeLists.txt). An
# alias may be repeated if it is the same. inflate_zlib.cc stands in for inflate_isal.cc, so these
# may have the same names.
cd "$(dirname "$0")/../.." || exit 2
# shellcheck disable=SC2046 # no blanks in our names
repeated=$(awk '
  FNR == 1 { own = 0; folder = FILENAME; sub(/\/[^\/]*$/, "", folder) }
  /^namespace \{/ { own = 1; next }
  /^}  \/\/ namespace$/ { own = 0 }
  !own { next }
  function note(name, what) {
    if (first[folder, name] == "") {
      first[folder, name] = FILENAME
      text[folder, name] = what
    } else if (first[folder, name] != FILENAME && (what == "" || text[folder, name] != what)) {
      print FILENAME ": " first[folder, name] " has its own " name ", too"
    }
  }
  /^using [A-Za-z]/ { note($2, $0); next }
  /^(struct|class|enum) [A-Za-z]/ {
    name = $2 == "class" ? $3 : $2
    if (name !~ /;$/) note(name, "")
    next
  }
  /^[A-Za-z]/ && !/^(template|namespace|static_assert|return|typedef|extern|TEST)/ {
    if (match($0, /[ *&][A-Za-z_][A-Za-z0-9_]*(\(|\[|\{| = |;)/)) {
      name = substr($0, RSTART + 1, RLENGTH - 1)
      sub(/[^A-Za-z0-9_].*$/, "", name)
      note(name, "")
    }
  }' $(git ls-files 'src/*.cc' 'cmd/*.cc' 'tests/unit/*.cc' |
  grep -v -e src/combine/ -e /verbs/ -e /package/ -e inflate_isal))
[ -z "$repeated" ] || { echo "$repeated"; exit 1; }
