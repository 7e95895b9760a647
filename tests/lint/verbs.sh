#!/bin/sh
# verbs.sh MRC: every verb has a man page and at least two cases; the options of
# `mrc VERB --help` are those of its page, the common ones those of mrc(1), and those
# about fields those of mrc-formats(7), in order. OPTIONS of each page names those that are
# described elsewhere, too. ENVIRONMENT of mrc(1) has all variables that are read. `mrc help engine`
# lists the containers and switches of mrc-engine(7).
mrc=$1
cd "$(dirname "$0")/../.." || exit 2
bad=0
say() {
  echo "verbs: $*"
  bad=1
}

# Names of the options in one section of a help text.
help_options() {
  "$mrc" "$1" --help | awk -v title="$2:" '
    $0 == title { inside = 1; next }
    /^[A-Z]/ || /^$/ { inside = 0 }
    { sub(/\[=[A-Z]*\]/, "") } # a value that may be left out
    inside && /^ +-/ { while (match($0, /(^| )(-[A-Za-z0-9]|--[a-z-]+)(,| |$)/)) {
        name = substr($0, RSTART, RLENGTH); gsub(/[ ,]/, "", name); print name
        if (substr($0, RSTART + RLENGTH - 1, 1) != ",") break
        $0 = substr($0, RSTART + RLENGTH - 1) } }'
}

# Names of the options in one section of a man page: .It Fl j , Fl -threads Ar N
page_options() {
  awk -v title="$2" '
    /^\.Sh/ { inside = ($0 == ".Sh " title) }
    inside && /^\.It Fl/ { n = split($0, word, " ")
      for (i = 1; i <= n; i++) if (word[i] == "Fl") print "-" word[i + 1] }' "$1"
}

# The first name of each option in one section of a help text: -h, the short one, or --help.
first_names_in() {
  "$mrc" "$1" "$2" | awk -v title="$3:" '
    $0 == title { inside = 1; next }
    /^[A-Z]/ || /^$/ { inside = 0 }
    inside && /^ +-/ { sub(/,$|\[=.*/, "", $1); print $1 }'
}

# The first names of options that the short help, which has the last names of all others, does not
# have: those for experiments.
experts=$(for title in 'Field options' 'Common options'; do
  "$mrc" stats --help | SHORT=$("$mrc" stats -h) awk -v title="$title:" '
    $0 == title { inside = 1; next }
    /^[A-Z]/ || /^$/ { inside = 0 }
    inside && /^ +-/ {
      for (i = 1; $i ~ /^-/; i++) { name = $i; sub(/,$|\[=.*/, "", name); if (i == 1) first = name }
      if (index(ENVIRON["SHORT"], name) == 0) print first }'
done)
first_names() { first_names_in "$1" --help "$2" | grep -vxF -e "$experts"; }

# All options that OPTIONS of a page mentions.
mentioned() {
  awk '/^\.Sh/ { inside = ($0 == ".Sh OPTIONS") }
    inside && /^\.(It )?Fl/ { for (i = 2; i <= NF; i++) print "-" $i }' "$1"
}

compare() {
  [ "$1" = "$2" ] || say "$3 differ:
help: $(echo "$1" | tr '\n' ' ')
page: $(echo "$2" | tr '\n' ' ')"
}

for file in cmd/verbs/*.cc; do
  verb=$(basename "$file" .cc)
  page=man/mrc-$verb.1
  [ -f "$page" ] || { say "$verb has no page $page"; continue; }
  cases=$(find "tests/cases/$verb" -name cmd 2>/dev/null | wc -l)
  [ "$cases" -ge 2 ] || say "$verb has $cases cases"
  compare "$(help_options "$verb" Options)" "$(page_options "$page" OPTIONS)" "options of $verb"
  for option in $(first_names "$verb" 'Field options'; first_names "$verb" 'Common options'); do
    mentioned "$page" | grep -qxe "$option" || say "OPTIONS of $page does not name $option"
  done
done
# Pages as they are printed: no long option has one dash, no sentence ends before --help, and no
# column runs into the next. Lines with options of hadoop are left out.
long_options=$(for verb in cmd/verbs/*.cc; do "$mrc" "$(basename "$verb" .cc)" --help; done |
  grep -oE '(^|[ ,])--[a-z-]+' | tr -d ' ,' | sort -u | cut -c 2-)
for page in man/*; do
  printed=$(mandoc -T ascii -O width=500 "$page" | sed 's,.\x08,,g' | grep -v hadoop)
  for option in $(echo "$printed" | grep -oE '(^|[ (])-[a-z][a-z-]+' | tr -d ' (' | sort -u); do
    echo "$long_options" | grep -qxe "$option" && say "$page prints $option for -$option"
  done
  echo "$printed" | grep -E '(^|[ ,])-{1,2}[a-z-]+\. +-{1,2}[a-z-]+\. ' &&
    say "$page prints a list of options as sentences"
done
variables=$(git grep -ohE '(getenv|environment)\("[A-Z_]+"' src cmd | cut -d '"' -f 2 | sort -u)
for name in $variables; do
  awk '/^\.Sh/ { inside = ($0 == ".Sh ENVIRONMENT") } inside' man/mrc.1 | grep -qwe "$name" ||
    say "ENVIRONMENT of mrc(1) does not have $name"
done
compare "$(help_options wordcount 'Common options'; help_options wordcount Help)" \
  "$(page_options man/mrc.1 'COMMON OPTIONS')" "common options"
compare "$(help_options stats 'Field options')" \
  "$(page_options man/mrc-formats.7 'FIELD OPTIONS')" "options about fields"
# The containers and switches: .It Cm drift Ns = Ns Cm on | off
page_items() {
  awk -v title="$1" '/^\.Sh/ { inside = ($0 == ".Sh " title) }
    inside && /^\.It Cm/ { gsub(/^\.It Cm|( Ns)? (Cm|Ar) |Ns| /, ""); print }' man/mrc-engine.7
}
help_items() {
  "$mrc" help engine | awk -v title="$1" '/^[A-Z]/ { inside = (index($0, title) == 1) }
    inside && /^  / { sub(/,$/, "", $1); print $1 }' | LC_ALL=C sort
}
compare "$(help_items Containers)" \
  "$(page_items CONTAINERS | sed 's/^auto,//' | LC_ALL=C sort)" containers
compare "$(help_items Switches)" "$(page_items SWITCHES | LC_ALL=C sort)" switches
exit $bad
