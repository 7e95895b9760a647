# What a tab offers at the end of each line, in fish.
mrc completion fish | source
for line in 'mrc ' 'mrc wordc' 'mrc wordcount --wo' 'mrc wordcount --words ' 'mrc count --wo' 'mrc count --io m' 'mrc help ' 'mrc kme' 'mrc kmeans --forc' 'mrc kmeans --to m' 'mrc help k' 'mrc plugins '
    echo "$line<TAB>"
    complete -C "$line" | string replace -r '^' '  '
end
