# What a tab shows at the end of each line, in bash.
source <(mrc completion bash)
tab() {
  read -ra COMP_WORDS <<<"$1"
  [[ $1 == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _mrc
  echo "$1<TAB> ${COMPREPLY[*]}"
}
tab 'mrc '
tab 'mrc wo'
tab 'mrc wordcount --wo'
tab 'mrc wordcount --words '
tab 'mrc wordcount --words = al'
tab 'mrc wordcount --words ='
tab 'mrc count --wo'
tab 'mrc count --io m'
tab 'mrc count -j '
tab 'mrc count -o '
tab 'mrc count fi'
tab 'mrc help '
tab 'mrc completion f'
tab 'mrc kme'
tab 'mrc kmeans --forc'
tab 'mrc kmeans --to m'
tab 'mrc kmeans po'
tab 'mrc help k'
tab 'mrc plugins '
tab 'mrc plugins check '
complete -p mrc
