# trust.awk: refuses a program that could change or hide what the simulated GPU records: both share one process. Reads
# `readelf -W -l -d -r --dyn-syms` of the program and of device.so. In the program, only what comes from a library may
# be visible to libraries (stderr, for one): a write() of the program's own would replace the one that writes the trace.
# No code of the program may run before the simulated GPU has begun. If this does not hold, it prints one line and exits
# with 4. Variable: name, the source's.

function refuse(why) {
    printf "%s: %s\n", name, why
    exit status = 4
}

/^File: / { device = $2 ~ /device\.so$/ }

/Requesting program interpreter:/ && !/: \/lib[^ ]*\/ld-linux[^ \/]*\]/ { refuse("it asks for a loader of its own") }

$2 == "(PREINIT_ARRAY)" || device && ($2 == "(INIT)" || $2 == "(INIT_ARRAY)") {
    refuse("some of its code would run before the simulated GPU begins")
}

$3 ~ /^R_.*_IRELATIV/ || $4 == "IFUNC" { refuse("it chooses a function while it is loaded (ifunc)") }

# Num: Value Size Type Bind Vis Ndx Name
!device && $4 != "SECTION" && $1 ~ /^[0-9]+:$/ && $7 != "UND" && $7 != "Ndx" && $8 !~ /^_Z/ && !($4 == "OBJECT" && $8 ~ /@/) {
    refuse(sprintf("its %s %s would replace the one that the simulated GPU uses: rename it, or make it static",
        $4 == "OBJECT" ? "variable" : "function", $8))
}
