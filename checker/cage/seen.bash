# seen.bash: what was unusual about a submission, in plain words. A line in WORK/seen explains why there may be no
# verdict; one in WORK/hints is only for the reader. sandbox-mount sources it.

readonly COMPILER_SECONDS=60 # as bin/check gives it

seen() { # LINE
    printf '%s\n' "$1" >>"$WORK/seen"
}

# How many processes the limit on the memory has ended so far.
memory_kills() {
    echo $(($(group_figure memory.oom_control oom_kill) + $(group_figure memory.events oom_kill)))
}

# True if the limit on the memory has ended a process of the check that counts.
reached_memory() {
    (($(memory_kills) > ${MEMORY_KILLS:-0}))
}

# Which limits of the control groups were reached.
see_groups() {
    local gb
    gb=$(awk -v mb="$MEMORY_MB" 'BEGIN { printf "%.3g GB", mb / 1024 }')
    ! reached_memory || seen "It used more than $gb of memory."
    (($(group_figure pids.events max) == 0)) || seen "It started too many processes and threads."
}

# Which limits its steps reached, and what of this system its source includes.
see_steps() { # DIRECTORY of the check
    local report
    for report in "$1"/*/run.json; do
        [[ -f $report ]] || continue
        # Where the machine was too busy, the time was up as well.
        if [[ $(<"$report") == *'"timed_out":true'*'"internal_error":null'* ]]; then
            case $report in
            */compile-*) seen "Its compilation did not end within $COMPILER_SECONDS s." ;;
            *) seen "A run did not end within ${WARPUP_SECONDS:-20} s." ;;
            esac
        fi
        [[ $(<"$report") != *'"stdout_truncated":true'* && $(<"$report") != *'"stderr_truncated":true'* ]] ||
            seen "It printed more than 1 MB."
    done
    (($(stat -f -c '%a * %S' "$WORK") > 1 << 20)) || seen "The files that it wrote are more than the check can hold."
    if grep -qs 'File size limit exceeded\|No space left on device' "$1"/compile-*.log "$1"/compile-*/std*; then
        seen "Its compilation wrote more than $SCRATCH MB."
    fi
    ! grep -qs '^cc: .* crashed$' "$1"/compile-*.log "$1"/compile-*/std* || seen "It makes the compiler crash."
    cat "$1"/compile-*.log "$1"/compile-*/std* 2>/dev/null | LC_ALL=C.UTF-8 awk '
        match($0, /(fatal error: |incbin file )[^:]*/) {
            name = substr($0, RSTART, RLENGTH)
            gsub(/^(fatal error|incbin file):? | file not found$|'\''/, "", name)
            if ((name ~ /^\// || name ~ /\.\.\// || name ~ /solutions/) && !told[name]++)
                printf "It includes a file from outside of the submission: %.200s\n", name
        }' >>"$WORK/seen"
}

# What the program can do that no exercise needs, in WORK/hints. It may have a reason: this is not a fault.
see_program() {
    [[ -s $WORK/program ]] || return 0
    readelf -W --dyn-syms "$WORK/program" | awk -F'\t' '
        NR == FNR { if (!/^#/) does[$1] = $2; next }
        {
            split($0, word, " ")
            name = word[8]
            sub(/@.*/, "", name)
            if (word[7] == "UND" && name in does) calls[does[name]] = calls[does[name]] ", " name
        }
        END { for (what in calls) printf "Its program can %s: it calls %s.\n", what, substr(calls[what], 3) }
    ' "$CHECKER/cage/calls.tsv" - >>"$WORK/hints"
    # What its constants name: system files of users and processes, and files of the lab.
    readelf -W -p .rodata -p .data "$WORK/program" 2>/dev/null | LC_ALL=C awk '
        match($0, /^ *\[[ 0-9a-f]+\]  /) {
            text = substr($0, RLENGTH + 1, 200)
            if (text ~ /^\/(etc|root|home|proc|sys|dev|boot|var)\// ||
                text ~ /(^|\/)(solutions|oracle\.c|ladder\.tsv|sizes\.tsv|verdict\.json|trace\.jsonl|run\.json|judge)(\/|$)/ ||
                (text ~ /^WARPUP_/ && text !~ /^WARPUP_SEED/)) # every starter reads its seed
                if (!told[text]++ && length(names) < 300) names = names ", " text
        }
        END { if (names != "") printf "Its program names files that no exercise needs: %s.\n", substr(names, 3) }' >>"$WORK/hints"
}
