#!/bin/sh
# Plain English in // comments: the component is the subject ("the reader", "no thread"), and what
# comes later is "after" or "past". Prints each comment with a word in place of these. `whose` is
# not among them: it is right for data. tests/plugins/abi_1_0 stays as it was published.
#
# A comment is a sentence with a subject and a verb. Notes without a verb mostly begin with the
# words in the second check, so that no line of a comment in the sources may begin with them.
cd "$(dirname "$0")/../.." || exit 2
bad=0
# shellcheck disable=SC2046 # no blanks in our names
awk '
  {
    gsub(/[a-z]+:\/\/[^ "]*/, "")  # URLs
    gsub(/\047\\?"\047/, "")       # a quote as a character
    while (match($0, /"([^"\\]|\\.)*"|\/\//)) {
      found = substr($0, RSTART, RLENGTH)
      $0 = substr($0, RSTART + RLENGTH)
      if (found != "//") continue
      if (tolower(" " $0 " ") ~ /[^a-z0-9_](behind|who|whoever|whom|nobody|somebody)[^a-z0-9_]/) {
        print FILENAME ":" FNR ": //" $0
        bad = 1
      }
      break
    }
  }
  END { exit bad }' $(git ls-files '*.cc' '*.h' '*.hpp' '*.c' '*.inc' ':!tests/plugins/abi_1_0') ||
  bad=1
git grep -nE '^[[:space:]]*(//|/\*|\*) (Of|The same|What|Those|As) ' -- \
  'src/*.*' 'cmd/*.cc' 'cmd/*.h' 'cmd/*.inc' 'plugins/*' && bad=1
exit "$bad"
