#!/usr/bin/env bats
# class_alike.bats: make class names programs that share passages, and copies with new comments or names.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    load class/fixture
    class_setup
}

@test "programs that share passages, whatever their names, numbers and comments, are alike; others are not" {
    local text=$'__global__ void k(int n, float *x) {\n int i = threadIdx.x; if (i < n) { x[i] = 3 * x[i]; }\n while (n > 4) { n = n / 2; x[n]++; }\n
        do { x[n] -= 5; n--; } while (n); switch (n) { case 1: x[0] = 1; break; default: return; }\n for (;;) { if (!n) break; n += i ? 2 : 4; x[n] <<= 1; } }\n'
    mkdir "$FROM"/{ann,ben,cat}
    printf '%s' "$text" >"$FROM/ann/axpy.cu"
    sed 's/\<x\>/vector/g; s/\<n\>/count/g; s/3/5/; s,if,/* a */ if,; 1i int mine;' <<<"$text" >"$FROM/ben/axpy.cu"
    solutions/stage ex01_axpy print 5 >"$FROM/cat/axpy.cu"
    class
    run -0 grep -A 4 'Programs that are alike' "$TO/class.html"
    [[ $output == *'>ann</a> and <a'*'>ben</a>'*'100 %'* ]]
    [[ $output != *cat* ]]
    mkdir "$FROM"/{dan,eve}
    cp "$FROM/cat/axpy.cu" "$FROM/dan/axpy.cu"
    cp ex01_axpy/checker/starter.cu "$FROM/eve/axpy.cu"
    cp -r "$FROM/eve" "$FROM/fay"
    class
    run -0 grep -o 'The same file: .*' "$TO/class.html"
    [[ $output == *'>cat</a>, <a'*'>dan</a>.'* && $output != *eve* ]]
    run -0 grep -A 1 'The unchanged starter: 2 students' "$TO/class.html"
    [[ $output == *'>eve<'*'>fay<'* ]]
    [[ $(grades 1,12) == *'eve,the unchanged starter'* ]]
}

# The students in the line of class.html on programs that are the same apart from something.
copies_apart_from() { # WHAT
    grep -oP "The same apart from $1: .*?</p>" "$TO/class.html" | grep -oP '(?<=>)\w(?=</a>)' | paste -sd ' '
}

@test "a copy with a new comment is named however many share the program" {
    local name
    for name in a b c d e f g h; do
        mkdir "$FROM/$name"
        { solutions/stage ex01_axpy print 5 && printf '// by %s\n' "$name"; } >"$FROM/$name/axpy.cu"
    done
    sed -i 's/gpu_axpy/mine/g' "$FROM/h/axpy.cu"
    class
    [ "$(copies_apart_from 'comments and spaces')" = "a b c d e f g" ]
    [ "$(copies_apart_from 'names, numbers, texts, comments and spaces')" = "a h" ]
    grep -q '>h</a>, and their copies above: 6 more' "$TO/class.html"
}

@test "copies count once: two groups of copies that share passages are named, however large they are" {
    local name text=$'__global__ void k(int n, float *x) {\n int i = threadIdx.x; if (i < n) { x[i] = 3 * x[i]; }\n while (n > 4) { n = n / 2; x[n]++; }\n
        do { x[n] -= 5; n--; } while (n); switch (n) { case 1: x[0] = 1; break; default: return; }\n for (;;) { if (!n) break; n += i ? 2 : 4; x[n] <<= 1; } }\n'
    for name in a b c d e f g h; do
        mkdir "$FROM/$name"
        printf '%s' "$text" >"$FROM/$name/axpy.cu"
        [[ $name < e ]] || sed -i '1i int other(int a) { return a ? a : 2; }' "$FROM/$name/axpy.cu"
    done
    class
    [[ $(grep -A 8 'Programs that are alike' "$TO/class.html") == *'>a</a> and <a'*'>e</a>'*'100 %'* ]]
}
