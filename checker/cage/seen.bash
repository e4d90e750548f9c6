# seen.bash: what was unusual about a submission, in plain words. A line in WORK/seen explains why there may be no
# verdict; one in WORK/hints is only for the reader. sandbox-mount sources it.

readonly COMPILER_SECONDS=60 # as bin/check gives it
readonly READER_KB=1000000 TABLES_BYTES=4000000 # the tables of the lab's own programs have 10 KB

seen() { # LINE
    printf '%s\n' "$1" >>"$WORK/seen"
}

# Sets KILLS to how many processes the limit on the memory has ended so far.
count_memory_kills() {
    group_figure memory.oom_control oom_kill
    KILLS=$FIGURE
    group_figure memory.events oom_kill
    KILLS=$((KILLS + FIGURE))
}

# True if the limit on the memory has ended a process of the check that counts.
reached_memory() {
    count_memory_kills
    ((KILLS > ${KILLS_BEFORE:-0}))
}

# Which limits of the control groups were reached.
see_groups() {
    ! reached_memory || seen "It used more than $(awk -v mb="$MEMORY_MB" 'BEGIN { printf "%.3g GB", mb / 1024 }') of memory."
    group_figure pids.events max
    ((FIGURE == 0)) || seen "It started too many processes and threads."
}

# Which limits its steps reached, and what of this system its source includes.
see_steps() { # DIRECTORY of the check
    local report text logs=()
    for report in "$1"/*/run.json; do
        [[ -f $report ]] || continue
        IFS= read -r -d '' text <"$report" || true
        # Where the machine was too busy, the time was up as well.
        if [[ $text == *'"timed_out":true'*'"internal_error":null'* ]]; then
            case $report in
            */compile-*) seen "Its compilation did not end within $COMPILER_SECONDS s." ;;
            *) seen "A run did not end within ${WARPUP_SECONDS:-20} s." ;;
            esac
        fi
        [[ $text != *'"stdout_truncated":true'* && $text != *'"stderr_truncated":true'* ]] ||
            seen "It printed more than 1 MB."
    done
    (($(stat -f -c '%a * %S' "$WORK") > 1 << 20)) || seen "The files that it wrote are more than the check can hold."
    for report in "$1"/compile-*.log "$1"/compile-*/std*; do
        [[ ! -s $report ]] || logs+=("$report")
    done
    [[ ${logs[*]} ]] || return 0
    if grep -qs 'File size limit exceeded\|No space left on device' "${logs[@]}"; then
        seen "Its compilation wrote more than $SCRATCH MB."
    fi
    ! grep -qs '^cc: .* crashed$' "${logs[@]}" || seen "It makes the compiler crash."
    cat "${logs[@]}" | LC_ALL=C.UTF-8 awk '
        match($0, /(fatal error: |incbin file )[^:]*/) {
            name = substr($0, RSTART, RLENGTH)
            gsub(/^(fatal error|incbin file):? | file not found$|'\''/, "", name)
            if ((name ~ /^\// || name ~ /\.\.\// || name ~ /solutions/) && !told[name]++)
                printf "It includes a file from outside of the submission: %.200s\n", name
        }' >>"$WORK/seen"
}

# Prints the functions that a program calls, then its texts. A program can have hundreds of MB of them, and this process is
# in no control group.
tables_of() { # PROGRAM
    (ulimit -v "$READER_KB" && readelf -W --dyn-syms -p .rodata -p .data "$1" 2>/dev/null | head -c "$TABLES_BYTES") || true
}

# Writes abilities of the program that no exercise needs to WORK/hints: the functions that it calls, and names in its constants:
# system files of users and processes, and files of the lab. It may have a reason: this is not a fault.
see_program() {
    [[ -s $WORK/program ]] || return 0
    tables_of "$WORK/program" | LC_ALL=C awk -F'\t' '
        NR == FNR { if (!/^#/) does[$1] = $2; next }
        /^String dump/ { strings = 1 }
        !strings {
            split($0, word, " ")
            name = word[8]
            sub(/@.*/, "", name)
            if (word[7] == "UND" && name in does) calls[does[name]] = calls[does[name]] ", " name
        }
        strings && match($0, /^ *\[[ 0-9a-f]+\]  /) {
            text = substr($0, RLENGTH + 1, 200)
            if (text ~ /^\/(etc|root|home|proc|sys|dev|boot|var)\// ||
                text ~ /(^|\/)(solutions|oracle\.c|ladder\.tsv|sizes\.tsv|verdict\.json|trace\.jsonl|run\.json|judge)(\/|$)/ ||
                (text ~ /^WARPUP_/ && text !~ /^WARPUP_SEED/)) # every starter reads its seed
                if (length(names) < 300 && !told[text]++) names = names ", " text
        }
        END {
            for (what in calls) printf "Its program can %s: it calls %s.\n", what, substr(calls[what], 3)
            if (names != "") printf "Its program names files that no exercise needs: %s.\n", substr(names, 3)
        }' "$CHECKER/cage/calls.tsv" - >>"$WORK/hints"
}
