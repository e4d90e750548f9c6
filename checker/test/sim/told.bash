# told.bash: for tests that compile one program after another in their own directory, and read what it said.

# Runs a program; its output, then a line for each fault.
told() { # SOURCE
    "$BUILD/cc" "$1" out
    mkdir -p run
    WARPUP_TRACE=run timeout 60 out/program
    jq -r 'select(.event == "fault") | "\(.name) \(.line)"' run/trace.jsonl
}
