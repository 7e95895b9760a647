# What a tab makes of each line, in a real terminal of zsh.
zmodload zsh/zpty
zpty shell 'zsh -f -i'
send() { zpty -w shell "$1" }
send 'PS1=; stty -echo; unsetopt zle; autoload -Uz compinit; compinit -u -D'
send 'mrc completion zsh > $TMP/_mrc; source $TMP/_mrc; setopt zle; unsetopt beep'
# A widget that prints the line after completing it, and starts anew.
send 'show() { zle expand-or-complete; print -r -- "LINE[$BUFFER]"; BUFFER=; zle .accept-line }'
send 'zle -N show; bindkey "^I" show; stty echo; print READY'
zpty -r shell seen '*READY*READY*'
for line in 'mrc wordc' 'mrc wordcount --wor' 'mrc wordcount --words al' 'mrc count --io mm' \
  'mrc completion fi' 'mrc help cou' 'mrc count --zero'; do
  zpty -n -w shell "$line"$'\t'
  zpty -r shell seen '*LINE\[*\]*'
  print -r -- "$line<TAB> ${${seen##*LINE\[}%%\]*}"
done
zpty -d shell
