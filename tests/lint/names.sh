#!/bin/sh
# Names of tests: no two cases of a verb have the same number. The name of a unit test begins
# with that of a source file in the folder that it mirrors.
cd "$(dirname "$0")/../.." || exit 2
bad=0
say() {
  echo "names: $*"
  bad=1
}

for verb in tests/cases/*/; do
  for case in "$verb"*/; do
    name=${case%/}
    case ${name##*/} in
      [0-9][0-9][0-9][0-9]-?*) ;;
      *) say "$case is not NNNN-what-it-shows" ;;
    esac
  done
  for number in $(basename -a "$verb"*/ | cut -c 1-4 | sort | uniq -d); do
    say "$verb has several cases $number"
  done
done

for test in $(git ls-files 'tests/unit/*_test.cc'); do
  name=${test#tests/unit/}
  case $name in
    cmd/*) ;;
    *) name=src/$name ;;
  esac
  until [ -f "$name.cc" ] || [ -f "$name.h" ] || [ -f "${name%/*}/inner/${name##*/}.h" ]; do
    case ${name##*/} in
      *_*) name=${name%_*} ;;
      *) say "$test does not begin with the name of a source file in ${name%/*}" && break ;;
    esac
  done
done
exit $bad
