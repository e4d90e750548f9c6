#!/usr/bin/env bats
# Facts on which the image and the files around it must agree. checker/test/containers builds the image and uses it.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    cd "$TOP" || return
    command -v jq >/dev/null || skip "there is no jq"
}

# The options of checker/bin/setup that the Dockerfile uses by itself.
options() {
    sed -n 's/^ARG SETUP="\(.*\)"$/\1/p' Dockerfile
}

@test "the Dockerfile begins with a slim Debian of one release, and copies files that its context has" {
    local file
    [[ $(sed -n 's/^FROM //p' Dockerfile) =~ ^debian:[a-z]+-slim$ ]]
    while read -r file; do
        [ -f "$file" ]
        grep -qx "!$file" .dockerignore
    done < <(sed -n 's/^COPY \(.*\) .*/\1/p' Dockerfile | tr " " "\n")
    [ "$(grep -c '^!' .dockerignore)" = 2 ]
}

@test "VS Code builds the same image, with more options that setup knows, for the same user" {
    local file=.devcontainer/devcontainer.json option
    [ "$(realpath ".devcontainer/$(jq -r .build.dockerfile "$file")")" = "$(realpath Dockerfile)" ]
    [ "$(realpath ".devcontainer/$(jq -r .build.context "$file")")" = "$(realpath .)" ]
    [ "$(options)" != "" ]
    [[ "$(jq -r .build.args.SETUP "$file") " == "$(options) "* ]]
    for option in $(jq -r .build.args.SETUP "$file"); do
        grep -q "^    $option) " checker/bin/setup
    done
    [ "$(jq -r .remoteUser "$file")" = "$(sed -n 's/^USER //p' Dockerfile)" ]
    grep -q "^RUN useradd .* $(jq -r .remoteUser "$file")\$" Dockerfile
}

@test "the README mounts the lab where the image expects it" {
    grep -qF -- "-v \"\$PWD:$(sed -n 's/^WORKDIR //p' Dockerfile):z\" warpup" README.md
    grep -qF -- 'docker build -t warpup .' README.md
}
