# pack.bash: how dist and bundle write an archive. They source it; it does nothing by itself. lab.bash comes first.

# Packs DIRECTORY/warpup, with gzip or, for an archive called .xz, with xz. The same files and the same commit give the
# same bytes: names are sorted, files have no owner, and their time is the commit's.
pack() { # DIRECTORY ARCHIVE
    local time compress=(gzip -9n)
    [[ $2 != *.xz ]] || compress=(xz -9e -T1)
    time=$(git -C "$TOP" show -s --format=%ct HEAD)
    mkdir -p "${2%/*}"
    tar -C "$1" --sort=name --format=ustar --mtime="@$time" --owner=0 --group=0 --numeric-owner \
        --mode=u+rwX,go+rX,go-w -cf - warpup | "${compress[@]}" >"$2.new"
    mv -- "$2.new" "$2"
}
