#!/usr/bin/env bats
# rooms.bats: the order of the checker's folders and files. Which file calls which is read from the
# object files, because the linker knows it best. The tracer has object files only where CUPTI is.
bats_require_minimum_version 1.5.0

setup_file() {
    load helper
    cd "$TOP" || return
    make -s -j"$(nproc)" -f checker/lab.mk
    definitions >"$BATS_FILE_TMPDIR/definitions"
    calls "$BATS_FILE_TMPDIR/definitions" >"$BATS_FILE_TMPDIR/calls"
}

setup() {
    load helper
    cd "$TOP" || return
}

# The C files of the checker's own parts, without folder "checker" and without ending.
sources() {
    (cd checker && find . -path ./test -prune -o -name '*.c' -print) | sed 's,^\./,,; s,\.c$,,' | sort
}

# Every global symbol of every object file: FILE TYPE SYMBOL. Type U is a symbol that others define.
definitions() {
    local source files=()
    for source in $(sources); do
        [ ! -e "$BUILD/obj/$source.o" ] || files+=("$source.o")
    done
    (cd "$BUILD/obj" && nm -A "${files[@]}") | sed -nE 's,^(.*)\.o:[0-9a-f ]* ([A-Z]) (.*),\1 \2 \3,p'
}

# Which file uses what of which other one: CALLER FILE SYMBOL. Parts are separate programs, so a
# symbol of the caller's own part comes first. The simulated GPU has two more programs: the compiler driver, and the
# library that programs are linked with. Nobody else sees what that library defines: it replaces functions of C.
calls() { # DEFINITIONS
    awk '
        function part(file) {
            if (file ~ "^gpu/(cc|cudart)/") sub("/[^/]*$", "", file)
            else sub("/.*", "", file)
            return file
        }
        NR == FNR && $2 != "U" { own[part($1), $3] = $1 }
        NR == FNR && $2 != "U" && part($1) != "gpu/cudart" { any[$3] = $1 }
        NR != FNR && $2 == "U" {
            to = (part($1), $3) in own ? own[part($1), $3] : any[$3]
            if (to != "") print $1, to, $3
        }' "$1" "$1"
}

# Fails with the names of a circle, if the pairs on standard input have one.
no_circle() {
    local answer
    answer=$(sort -u | tsort 2>&1 >/dev/null) && [ -z "$answer" ] && return
    echo "$answer"
    return 1
}

# The functions and variables that headers declare: HEADER SYMBOL.
declarations() { # HEADER...
    local header
    for header in "$@"; do
        # This only removes the comments.
        gcc -w -fpreprocessed -dD -E -P "$header" | grep -v '^#\|^extern "C"' | awk -v header="${header#checker/}" '
            function names(text,    i, count, list) {
                if (text ~ /typedef|^ *static/) return
                gsub(/__attribute__ *\(\([^()]*(\([^()]*\))?[^()]*\)\)/, "", text)
                if (match(text, /[A-Za-z_0-9]+ *\(/)) {
                    print header, substr(text, RSTART, RLENGTH - 1)
                } else if (text ~ /extern/) {
                    count = split(text, list, ",")
                    for (i = 1; i <= count; i++) {
                        sub(/ *\[.*/, "", list[i])
                        sub(/.*[ *]/, "", list[i])
                        print header, list[i]
                    }
                }
            }
            { text = text " " $0 }
            END {
                for (i = 1; i <= length(text); i++) {
                    c = substr(text, i, 1)
                    if (c == "{") depth++
                    else if (c == "}") { if (--depth <= 0) { depth = 0; if (open ~ /\(/) open = "" } }
                    else if (depth == 0 && c == ";") { names(open); open = "" }
                    else if (depth == 0) open = open c
                }
            }'
    done
}

@test "all parts are compiled, and the tracer if CUPTI is installed" {
    local part
    for part in gpu judge run trace occupancy; do
        grep -q "^$part/" "$BATS_FILE_TMPDIR/definitions"
    done
    [ "$(wc -l <"$BATS_FILE_TMPDIR/calls")" -gt 500 ]
    grep -q '^tracer/' "$BATS_FILE_TMPDIR/definitions" || skip "there is no CUPTI: the tracer was not looked at"
}

# The files of most rooms of the simulated GPU may call each other; those of ptx/ and warp/ may not.
@test "no files call each other in a circle, outside of some of the simulated GPU's rooms" {
    awk '$1 !~ "^gpu/" || $2 !~ "^gpu/" || $1 ~ "^gpu/(ptx|warp)/" { print $1, $2 }' "$BATS_FILE_TMPDIR/calls" | no_circle
}

@test "calls between folders go one way" {
    awk '$1 !~ "^gpu/" || $2 !~ "^gpu/" { sub("/[^/]*$", "", $1); sub("/[^/]*$", "", $2); print $1, $2 }' "$BATS_FILE_TMPDIR/calls" | no_circle
    awk '{ sub("/.*", "", $1); sub("/.*", "", $2); print $1, $2 }' "$BATS_FILE_TMPDIR/calls" | no_circle
}

# The rooms of the simulated GPU in the order of the table in its README: the name of the room is the first link of a row.
gpu_rooms() {
    sed -nE 's,^\| \[([a-z]+)/\]\(\1\) \|.*,\1,p' checker/gpu/README.md
}

# Prints calls from a room to one that is not below it: ROOM ROOM, files and symbol. Rooms that serve calls may use
# three files of the server, because the program waits there meanwhile.
calls_upwards() { # CALLS
    awk '
        function room(file,    parts) { split(file, parts, "/"); return parts[2] }
        NR == FNR { place[$1] = NR; next }
        $1 !~ "^gpu/" || $2 !~ "^gpu/" || room($1) == room($2) { next }
        room($1) ~ "^(runtime|blas)$" && $2 ~ "^gpu/server/(call|clock|modules)$" { next }
        !(room($1) in place) || !(room($2) in place) || place[room($1)] > place[room($2)] { print room($1), room($2) ": " $0 }
    ' <(gpu_rooms) "$1"
}

@test "a room of the simulated GPU calls only rooms below it in its README" {
    diff <(gpu_rooms | sort) <(find checker/gpu -mindepth 1 -maxdepth 1 -type d ! -name profiles -printf '%f\n' | sort)
    [ "$(grep -c '^gpu/.* gpu/' "$BATS_FILE_TMPDIR/calls")" -gt 500 ]
    calls_upwards "$BATS_FILE_TMPDIR/calls" | tee "$BATS_TEST_TMPDIR/upwards"
    [ ! -s "$BATS_TEST_TMPDIR/upwards" ]
}

@test "the test sees a call to a room above" {
    printf '%s\n' 'gpu/warp/a gpu/memory/b c' 'gpu/blas/a gpu/server/call c' 'gpu/memory/a gpu/warp/b c' 'gpu/warp/a gpu/server/call c' \
        >"$BATS_TEST_TMPDIR/calls"
    [ "$(calls_upwards "$BATS_TEST_TMPDIR/calls" | cut -d : -f 1 | paste -sd ,)" = "memory warp,warp server" ]
}

@test "the test sees a circle" {
    run -1 no_circle <<<$'a b\nb c\nc a'
    [[ $output == *loop* ]]
}

# A header of a room of the simulated GPU speaks for the room: other files of the room define some of it.
@test "a header declares what the .c file of the same name defines, or another one of its room: in the simulated GPU, and the kinds of diagnoses" {
    local headers
    mapfile -t headers < <(find checker \( -path checker/test -o -path checker/gpu/include \) -prune -o -name '*.h' -print)
    declarations "${headers[@]}" >"$BATS_TEST_TMPDIR/declared"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/declared")" -gt 200 ]
    awk '
        function part(file) { sub("/.*", "", file); return file }
        function folder(file) { sub("/[^/]*$", "", file); return file }
        NR == FNR { compiled[part($1)] = 1 }
        NR == FNR && $2 != "U" { own[part($1), $3] = any[$3] = $1 }
        NR != FNR && part($1) in compiled {
            file = (part($1), $2) in own ? own[part($1), $2] : any[$2]
            if (file != "" && file ".h" != $1 && !(folder(file) == folder($1) && $1 ~ "^gpu/|^judge/diagnose/kinds")) { print $1 " declares " $2 ", which " file ".c defines"; wrong = 1 }
        }
        END { exit wrong }' "$BATS_FILE_TMPDIR/definitions" "$BATS_TEST_TMPDIR/declared"
}

# The files that the checker is made of, without headers, pages, tables and tests.
source_files() {
    find checker -path checker/test -prune -o -type f ! -name '*.h' ! -name '*.md' ! -name '*.tsv' -print
}

@test "no folder has more than 35 source files" {
    # CUDA's headers are where programs include them from.
    source_files | sed 's,/[^/]*$,,' | grep -v '^checker/gpu/include' | sort | uniq -c |
        awk '$1 > 35 { print; large = 1 } END { exit large }'
}

@test "every part, and every room of the simulated GPU and of the judge, has a README" {
    local folder
    for folder in $(source_files | sed -E 's,^(checker/((gpu|judge)/)?[^/]+)/.*,\1,' | sort -u) checker/test; do
        [ ! -d "$folder" ] || [ -f "$folder/README.md" ] || { echo "$folder has none"; wrong=1; }
    done
    [ -z "${wrong:-}" ]
}
