# fixture.bash: makes check directories for the judge's tests. A check starts out as a good one of a program on rung 6;
# each test spoils a copy of it in one way and looks at fields of the verdict. Loaded by the file, after helper.bash.

# Makes the judge, and checks to copy, for the tests of one file.
setup_file() {
    build_judge
    export TOOLS
    make_good_checks
}

# Builds the judge of the tests' own exercise and the writer of results.
build_judge() {
    local here=$TOP/checker/test/judge flags=(-std=c11 -O2 "-I$TOP/checker" ${SANITIZE:+"-fsanitize=$SANITIZE"})
    TOOLS=$BATS_FILE_TMPDIR/tools
    mkdir -p "$TOOLS" "$BUILD"
    make -s -C "$TOP" -f checker/lab.mk "${WARPUP_BUILD:-build}/fsutil"
    "$BUILD/fsutil" lock "$BUILD/lock" make -s -C "$TOP" -f checker/lab.mk "${WARPUP_BUILD:-build}/judge.a"
    gcc "${flags[@]}" -fopenmp -o "$TOOLS/judge" "$here/oracle.c" "$BUILD/judge.a" -ljansson -lm
    gcc "${flags[@]}" -fopenmp -o "$TOOLS/questions" "$here/questions.c" "$here/oracle.c" "$BUILD/judge.a" -ljansson -lm
    gcc "${flags[@]}" -o "$TOOLS/floats" "$here/floats.c" "$here/oracle.c" -lm
    cp "$here/ladder.tsv" "$TOOLS/"
}

# Prints the lines of a program whose part B runs at this rate, for N elements.
printed() { # GBYTES DIFF [N]
    printf ' CPU: nthr =   16   t0 = 0.000001000 sec   P = 200.000 Gflop/s   B = 1200.000 GB/s\n'
    awk -v b="$1" -v n="${3-100000}" 'BEGIN {
        printf " GPU: nthr =  256   t0 = %.9f sec   P = %.6g Gflop/s   B = %s GB/s\n", 12e-9 * n / b, b / 6, b }'
    printf ' Diff = %s\n' "$2"
}

# One good run of N elements: 4000 GB/s, float4 accesses, 256 threads per block, a whole grid.
good_run() { # DIRECTORY DEVICE N
    local dir=$1 kind=simulated n=$3 requests blocks ns
    [[ $2 == sim ]] || kind=real
    requests=$(((n + 127) / 128)) blocks=$(((n + 255) / 256)) ns=$((n * 12 / 4000 + 1))
    mkdir "$dir"
    printed "$(awk -v n="$n" -v ns=$ns 'BEGIN { printf "%.3f", 12 * n / ns }')" 1.02e-08 "$n" >"$dir/stdout"
    : >"$dir/stderr"
    printf '{"argv":["./p","%d"],"exit":0,"signal":null,"timed_out":false,"seconds":0.1,"stdout_truncated":false,"stderr_truncated":false,"internal_error":null}\n' "$n" >"$dir/run.json"
    "$TOOLS/floats" "$n" >"$dir/data-0.bin"
    cp "$dir/data-0.bin" "$dir/data-2.bin"
    "$TOOLS/floats" "$n" input 0 >"$dir/data-1.bin"
    cat >"$dir/trace.jsonl" <<END
{"event":"begin","version":1,"device":"NVIDIA H200","kind":"$kind","profile":"h200","capability":90,"sms":132,"copy_gbs":4000}
{"event":"alloc","id":1,"space":"device","bytes":$((4 * n)),"address":8192,"t":10,"file":"program.cu","line":10}
{"event":"alloc","id":2,"space":"device","bytes":$((4 * n)),"address":900000000,"t":20,"file":"program.cu","line":11}
{"event":"copy","direction":"h2d","bytes":$((4 * n)),"host":50000000,"to":1,"offset":0,"start":30,"end":40,"file":"program.cu","line":12}
{"event":"copy","direction":"h2d","bytes":$((4 * n)),"host":70000000,"to":2,"offset":0,"start":40,"end":50,"file":"program.cu","line":13}
{"event":"clock","call":"omp_get_wtime","t":900,"file":"program.cu","line":14}
{"event":"launch","id":1,"kernel":"add","grid":[$blocks,1,1],"block":[256,1,1],"shared":0,"stream":0,"error":0,"t":1000,"file":"program.cu","line":15}
{"event":"kernel","id":1,"start":1000,"end":$((1000 + ns)),"kind":"stream","dram_bytes":$((12 * n)),"threads":$((n + 3)),"load_requests":$((2 * requests)),"load_sectors":$((32 * requests)),"load_ideal":$((32 * requests)),"load_bytes":$((8 * n)),"store_requests":$requests,"store_sectors":$((16 * requests)),"store_ideal":$((16 * requests)),"store_bytes":$((4 * n))}
{"event":"access","kernel":1,"kind":"load","size":16,"requests":$((2 * requests)),"sectors":$((32 * requests)),"ideal":$((32 * requests)),"lanes":$((64 * requests)),"worst_lanes":32,"worst_sectors":16,"file":"program.cu","line":5}
{"event":"access","kernel":1,"kind":"store","size":16,"requests":$requests,"sectors":$((16 * requests)),"ideal":$((16 * requests)),"lanes":$((32 * requests)),"worst_lanes":32,"worst_sectors":16,"file":"program.cu","line":5}
{"event":"sync","what":"device","start":1001,"end":$((1000 + ns)),"file":"program.cu","line":16}
{"event":"clock","call":"omp_get_wtime","t":$((1001 + ns)),"file":"program.cu","line":17}
{"event":"copy","direction":"d2h","bytes":$((4 * n)),"host":70000000,"from":2,"offset":0,"data":"data-0.bin","start":$((2000 + ns)),"end":$((3000 + ns)),"file":"program.cu","line":18}
{"event":"final","alloc":1,"bytes":$((4 * n)),"data":"data-1.bin","leaked":false}
{"event":"final","alloc":2,"bytes":$((4 * n)),"data":"data-2.bin","leaked":false}
{"event":"end","how":"exit","records":15,"dropped":0}
END
}

# The good checks: `sim` without a GPU, `both` with one. The speed runs have 100000 elements.
make_good_checks() {
    local good=$BATS_FILE_TMPDIR/good
    mkdir -p "$good/sim" "$good/both"
    good_run "$good/sim/sim-0" sim 31
    good_run "$good/sim/sim-1" sim 1000
    good_run "$good/sim/sim-2" sim 100000
    cp -r "$good/sim/"* "$good/both/"
    good_run "$good/both/real-0" real 1000
    good_run "$good/both/real-1" real 100000
    cp -r "$good/both/real-1" "$good/both/real-2"
    sed -i '/"clock"\|"access"/d; s/"records":15/"records":11/; s/,"profile":"h200"//; s/,"file":"program.cu","line":[0-9]*//' "$good/both"/real-*/trace.jsonl
    sed -i '/"kernel","id"/s/"end":[0-9]*/"end":1400/' "$good/both/real-1/trace.jsonl"
    echo '{"value":4000.0,"unit":"GB/s","how":"measured","device":"NVIDIA H200"}' >"$good/both/limit.json"
    local sim='{"dir":"sim-0","device":"sim","purpose":"right","arguments":["31"]},{"dir":"sim-1","device":"sim","purpose":"right","arguments":["1000"]},{"dir":"sim-2","device":"sim","purpose":"speed","arguments":["100000"]}'
    local real='{"dir":"real-0","device":"real","purpose":"right","arguments":["1000"]},{"dir":"real-1","device":"real","purpose":"speed","arguments":["100000"]},{"dir":"real-2","device":"real","purpose":"speed","arguments":["100000"]}'
    echo '{"seed":1,"compile":[{"device":"sim","exit":0,"log":"compile-sim.log"}],"runs":['"$sim"'],"limit":null,"notes":[]}' >"$good/sim/check.json"
    echo '{"seed":1,"compile":[{"device":"sim","exit":0,"log":"compile-sim.log"},{"device":"real","exit":0,"log":"compile-real.log"}],"runs":['"$sim,$real"'],"limit":{"dir":"limit.json"},"notes":["a note"]}' >"$good/both/check.json"
    touch "$good"/{sim,both}/compile-{sim,real}.log
    printf 'line %d\n' {1..20} >"$good/program.cu"
    sed -i '5s/.*/    y[i] = 2 * x[i] + y[i]; /' "$good/program.cu"
}

# A copy of a good check to spoil, in $CHECK; the test goes on inside it.
take() { # sim|both
    CHECK=$BATS_TEST_TMPDIR/check
    cp -r "$BATS_FILE_TMPDIR/good/$1" "$CHECK"
    cd "$CHECK" || return
}

# Changes the records of traces by a jq filter that sees one record at a time, and sets the count
# of records in `end` right again.
records() { # FILTER DIRECTORY...
    local filter=$1 dir
    shift
    for dir; do
        jq -nc "[inputs | $filter] | if .[-1].event == \"end\" then .[-1].records = length - 1 else . end | .[]" \
            "$dir/trace.jsonl" >"$dir/new"
        mv "$dir/new" "$dir/trace.jsonl"
    done
}

# Changes a JSON file by a jq filter.
change() { # FILTER FILE...
    local filter=$1 file
    shift
    for file; do
        jq "$filter" "$file" >"$file.new"
        mv "$file.new" "$file"
    done
}

# Replaces the result that came to the host, and the device's own, by one that is wrong, as the
# program says itself.
result() { # DIRECTORY N WAY [FIGURE]
    "$TOOLS/floats" "${@:2}" >"$1/data-0.bin"
    cp "$1/data-0.bin" "$1/data-2.bin"
    differs "$1"
}

# The program prints that its two results differ.
differs() { # DIRECTORY
    sed -i 's/^ Diff = .*/ Diff = 0.5/' "$1/stdout"
}

# Runs the judge on the check, with further options; $VERDICT is its verdict, $CODE its exit code.
# shellcheck disable=SC2120
judge() {
    CODE=0
    # shellcheck disable=SC2086 # words: test/sanitize puts valgrind in front
    VERDICT=$(${WARPUP_UNDER-} "$TOOLS/judge" --exercise ex00_test --source "$BATS_FILE_TMPDIR/good/program.cu" \
        --checker "$TOOLS" --runs "$CHECK" "$@") || CODE=$?
}

# Judges, and holds the status, the rung and the exit code to what is expected. What the functions
# below look at is taken out of the verdict in one go.
expect() { # STATUS RUNG
    local code lines
    case $1 in reached) code=0 ;; 'not yet') code=1 ;; *) code=2 ;; esac
    # shellcheck disable=SC2119
    judge
    mapfile -t lines < <(jq -r '"\(.status), rung \(.rung)", (.diagnoses[0] | "\(.name) \(.line // "-")", .text),
        " \([.diagnoses[].name] | join(" ")) ", .internal_errors[0], ([.criteria[].passed] | unique | tostring)' <<<"$VERDICT")
    FIRST=${lines[1]} FIRST_TEXT=${lines[2]} NAMES=${lines[3]} TROUBLE=${lines[4]} PASSED=${lines[5]}
    is "${lines[0]}" "$1, rung $2"
    is "exit code $CODE" "exit code $code"
}

# The first diagnosis has this name, and this line (- for none); its text contains the words.
diagnosed() { # NAME LINE [WORDS]
    is "$FIRST" "$1 $2"
    has "$FIRST_TEXT" "${3-}"
}

# Some diagnosis has this name.
also_diagnosed() { # NAME
    has "$NAMES" " $1 "
}

# The verdict could not be made, and says so with these words.
could_not_judge() { # WORDS
    expect 'could not check' 0
    has "$TROUBLE" "$1"
    is "$PASSED" '[null]'
}

# A field of the verdict, by a jq filter. jq 1.7 and later print 4.0 as it stands there, unless it is calculated.
field() { # FILTER
    jq -r "walk(if type == \"number\" then . + 0 else . end) | $1" <<<"$VERDICT"
}

is() { # SEEN EXPECTED
    [[ $1 == "$2" ]] || fail "seen: $1" "expected: $2"
}

has() { # TEXT PART
    [[ $1 == *"$2"* ]] || fail "seen: $1" "expected in it: $2"
}

fail() { # LINE...
    printf '%s\n' "$@" "${VERDICT-}" >&2
    return 1
}
