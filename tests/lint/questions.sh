#!/bin/sh
# questions.sh [--write]: the end of tests/cases/questions/README.md is a table of the commands in
# the cases beside it and of questions.tsv, with their lengths. With --write it is written anew.
cd "$(dirname "$0")/../.." || exit 2
folder=tests/cases/questions
page=$folder/README.md
new=$(mktemp) || exit 2
trap 'rm -f "$new"' EXIT

# Prose as it is, then the summary and the table. In a case, a comment "# NUMBER: QUESTION" precedes
# the command that answers.
{
  sed '/^## Answers$/q' $page
  awk -F '\t' '
    function middle(lengths, n,   i, j, x) {
      for (i = 2; i <= n; i++) {
        x = lengths[i]
        for (j = i - 1; j >= 1 && lengths[j] > x; j--) lengths[j + 1] = lengths[j]
        lengths[j + 1] = x
      }
      return (lengths[int((n + 1) / 2)] + lengths[int(n / 2) + 1]) / 2
    }
    function cell(command) {
      gsub(/\|/, "\\|", command)
      return command == "" ? "" : "`" command "`"
    }
    FILENAME ~ /cmd$/ {
      if (answers) command[number] = $0
      answers = match($0, /^# [0-9]+: /)
      if (!answers) next
      number = substr($0, 3, RLENGTH - 4)
      if (number in question) print "the question " number " is answered twice"
      question[number] = substr($0, RLENGTH + 1)
      next
    }
    {
      asked++
      if (!($1 in question)) question[$1] = $2
      else if (question[$1] != $2) print "the question " $1 " is another in its case"
      long = length(command[$1])
      other = length($3)
      if (long) mine[++answered] = long
      if (long && other) { both++; ours[both] = long; theirs[both] = other }
      rows = rows "| " $1 " | " $2 " | " cell(command[$1]) " | " (long ? long : "") " | " \
        (other ? other : "") " |\n"
    }
    END {
      print "\nOne command of `mrc` answers " answered " of " asked " questions."
      print "The median of their lengths is " middle(mine, answered) "."
      print "Another program answers " both " of them, too: there it is " middle(ours, both) \
        " for `mrc`,"
      print "and " middle(theirs, both) " for the other program.\n"
      print "| | question | `mrc` | length | other |\n|---|---|---|---|---|"
      printf "%s", rows
    }' $folder/*/cmd $folder/questions.tsv
} >"$new"
[ "$1" = --write ] && cat "$new" >$page && exit
diff $page "$new" >&2 || { echo "$page: tests/lint/questions.sh --write writes its table"; exit 1; }
