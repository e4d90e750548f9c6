# messages.awk: the compiler's messages, in the student's terms. A message about one of our headers moves to the
# student's line that led there. Lines that are only about our headers are dropped. If the cause is something that the
# simulated GPU does not know, there is one line about this instead, and the exit code is 2. A message that appears
# twice for one place appears once, because a launch names its kernel more than once.
#
# Variables: include, the folder of our headers; scratch, the folder of the rewritten source; name,
# the source's own name; names, the list of what CUDA has and we have not.

BEGIN {
    unknown = "texture|surface|tex[123]D|surf[123]D|cublas|curand|cufft|cusparse|cusolver|nvtx|" \
        "thrust|cub|nvcuda|wmma|" \
        "__nv_bfloat16|nv_bfloat16|__nv_fp8|" \
        "__shfl|__ballot|__any|__all|__reduce_|" \
        "__cp_async|__cvta|__dp4a|__dp2a|__vadd|__vsub|__vabs|__viadd|__vimax|__vimin|" \
        "__isGlobal|__isShared|cu(Ctx|Mem|Launch|Module|Device|Init|Func|Stream|Event)"
    unknown = "^(" unknown "|__managed__)"
    unknown_header = "^(thrust/|cub/|cuda/|cooperative_groups|mma|cublas|curand|cufft|cusparse|" \
        "cusolver|nvtx|nvToolsExt|cuda_bf16|cuda_fp8|cuda_pipeline|cuda_texture|texture|" \
        "surface|cuComplex|cuda_gl|nvrtc|nvml|cudnn|nccl|cupti|cudaProfiler)"
    # What the rewriter refuses of a kernel's declaration, in nvcc's words
    refusal["MAIN"] = "function main cannot be marked __device__ or __global__"
    refusal["SIDES"] = "illegal combination of memory qualifiers: a kernel is __global__ alone"
    refusal["RETURNS"] = "a __global__ function must have a void return type"
    refusal["MEMBER"] = "a __global__ function or function template cannot be a member function"
    refusal["ELLIPSIS"] = "a __global__ function cannot have ellipsis"
    while ((getline line < names) > 0) {
        if (line ~ /^#/) continue
        count = split(line, list, " ")
        for (i = 1; i <= count; i++)
            lacking[list[i]] = 1
    }
}

# FILE:LINE of a line that begins with a place, else "".
function place_of(line,    parts) {
    if (!match(line, /^[^ :][^:]*:[0-9]+/)) return ""
    return substr(line, RSTART, RLENGTH)
}

function give_up(place, what) {
    if (index(place, include) == 1 || index(place, scratch) == 1 || place == "") place = from
    print place ": the simulated GPU does not know " what
    exit 2
}

# The name that a message is about, when it says that a name is not there: "f", "space::f" or "type::member".
function missing_name(line,    quoted, type, count) {
    if (line !~ /was not declared|has not been declared|does not name a (template )?type|is not a member|has no member named/) return ""
    count = split(line, quoted, "'")
    if (count < 3) return ""
    if (line ~ /in namespace '(cooperative_groups|cg)' does not name/) return "cooperative_groups::" quoted[2]
    if (line ~ /is not a member of '/) return (quoted[4] == "std" ? "std" : "cooperative_groups") "::" quoted[2]
    if (line !~ /has no member named/) return quoted[2]
    type = quoted[2]
    sub(/^(const )?(struct|class|union) /, "", type)
    sub(/<.*/, "", type)
    sub(/^.*has no member named '/, "", line)
    sub(/'.*/, "", line)
    return type "::" line
}

# The program says "using namespace cooperative_groups", or its usual short name.
function uses_groups(    line, found) {
    while (!found && (getline line < (scratch "source.cpp")) > 0)
        found = line ~ /using +namespace +(cooperative_groups|cg) *;/
    close(scratch "source.cpp")
    return found
}

function check_names(place, line,    missing, quoted, count, i) {
    missing = missing_name(line)
    if (missing in lacking) give_up(place, missing)
    if (("cooperative_groups::" missing) in lacking && uses_groups()) give_up(place, "cooperative_groups::" missing)
    if (missing == "" || line ~ /has no member named/) return
    sub(/; did you mean.*/, "", line)
    count = split(line, quoted, "'")
    for (i = 2; i <= count; i += 2)
        if (sub(/^WARPUP_UNKNOWN_/, "", quoted[i]) || quoted[i] ~ unknown) give_up(place, quoted[i])
}

{
    while (at = index($0, scratch "source.cpp")) {
        $0 = substr($0, 1, at - 1) name substr($0, at + length(scratch "source.cpp"))
    }
    # The linker of binutils 2.47 adds the folder and a section: /home/me/axpy.cu:2:(.text+0x5): undefined reference …
    if (/: undefined reference to /) {
        sub(/:\([^()]*\+0x[0-9a-f]+\)/, "")
        if (index($0, ENVIRON["PWD"] "/") == 1) $0 = substr($0, length(ENVIRON["PWD"]) + 2)
    }
    place = place_of($0)
}

# "In file included from axpy.cu:3," and "axpy.cu:12:5:   required from here": the way to a header
/^In file included from|^ +from / {
    if (match($0, /from [^ :]+:[0-9]+/)) {
        step = substr($0, RSTART + 5, RLENGTH - 5)
        if (index(step, include) != 1) from = step
    }
    keep = 0
    next
}
/required from|In instantiation of|In substitution of|In function|In member function|At global scope|In static member|In lambda function|In constructor/ {
    if (place != "" && index(place, include) != 1) from = place
    keep = 0
    next
}

# Warnings help only after the program compiles.
/: warning: / { warned = 1 }
/: (fatal )?error: / { warned = 0 }
warned && /: (warning|note): / {
    keep = 0
    next
}

place != "" {
    foreign = index(place, include) == 1
    is_error = $0 ~ /: (fatal )?error:/
    if (is_error && match($0, /error: (#error|static assertion failed:|call to .* declared with attribute error:) the simulated GPU does not know /))
        give_up(foreign ? from : place, substr($0, RSTART + RLENGTH))
    if (is_error && $0 ~ /in 'asm'|invalid 'asm'|impossible constraint|(output|input) (constraint|operand) [0-9]+ must/ ||
        $0 ~ /: Error: /)
        give_up(place, "PTX in asm statements")
    if (is_error && /'constinit' variable '[^']*' does not have a constant initializer/)
        give_up(place, "a __shared__ variable with a constructor")
    if (is_error && /no match for 'operator->\*' .*unresolved overloaded function.*'warpup::pending/)
        give_up(place, "a macro that holds only <<<...>>>, after a name that several kernels have")
    if (is_error && match($0, /error: 'WARPUP_KERNEL_[A-Z]*'/))
        $0 = substr($0, 1, RSTART + 6) refusal[substr($0, RSTART + 22, RLENGTH - 23)]
    if (is_error) sub(/error: 'WARPUP_SHARED_INITIALISER' .*/, "error: initializer not allowed for __shared__ variable")
    if (is_error && missing_name($0) ~ /^__(shfl(_(up|down|xor))?|any|all|ballot)$/)
        $0 = place ": error: " missing_name($0) "() does not exist on GPUs since Volta: use " missing_name($0) "_sync() with a mask"
    if (is_error) check_names(place, $0)
    if (is_error && match($0, /[^ ]+: No such file/)) {
        header = substr($0, RSTART, RLENGTH - 14)
        if (header ~ unknown_header) give_up(place, header)
    }
    if (is_error) repeated = said[$0]++
    if (repeated) {
        keep = 0
        next
    }
    if (is_error && foreign && from != "") {
        sub(/^[^ ]*: (fatal )?error:/, from ": error:")
        print
        keep = 0
        next
    }
    keep = !foreign
}

/undefined reference to `main'$/ { $0 = name ": error: there is no function main"; keep = !mainless++ }
/(^|\/)ld: .*: in function / || /^collect2: / { keep = 0 }

/^ +\| +WARPUP_[A-Z_]+$/ { next } # g++ suggests a name of ours

keep { print }
