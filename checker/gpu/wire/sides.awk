# sides.awk: writes what both sides of a CUDA call need, from its declaration in include/cuda_runtime_api.h, and what the
# program's side needs of cuBLAS, from cublas_v2.h. A call that a file of cudart/ defines is not among them: it does more
# there than to send its arguments.
#
#   awk -v part=PART -f sides.awk cudart/*.c include/cuda_runtime_api.h include/cublas_v2.h
#
# PART is
#   list      CUDA(name) for each call, for calls.def
#   client    the functions of libcudart.so: they send the arguments and store the results. Also the variants that nvcc
#             calls with --default-stream per-thread, NAME_ptsz and NAME_ptds
#   server    take_NAME(): takes the arguments out of the message, calls serve_NAME(), and answers with its results
#   serve     the declarations of serve_NAME() and take_NAME()
#   cublas        CALL(name) for each call of cuBLAS, for calls.def
#   cublas_client the functions of libcublas.so: they send all arguments as numbers. A call that creates or gets something
#                 stores the second result where its last argument says
#
# Copies and fills come in twos: NAME waits, NAMEAsync has a stream and does not. serve_NAME() serves both: it has a stream,
# which is 0 for NAME, and call->async says which one it is.
#
# The kind of a parameter follows from its type, as it is written there:
#   void *, const void *, const struct T *   an address, or NULL: a number for the server, as handles are
#   const T *         a structure of the caller: travels with the message; NULL there if it is NULL here. An array of
#                     handles has `count` of them
#   T by value        the same, if T is one of `by_value`
#   T *, void **      a place for a result. The server gets a place of its own. If it is NULL, the call fails, but for the
#                     calls of `may_be_null`. Results travel only if the call succeeds
# A `function` or `symbol` belongs to a module, which the GPU must have.

BEGIN {
    may_be_null["cudaDeviceGetStreamPriorityRange"] = 1
    split("cudaExtent cudaPitchedPtr cudaMemLocation dim3", words)
    for (i in words) by_value[words[i]] = 1
    if (part == "client")
        print "#include \"gpu/cudart/client.h\"\n#include \"gpu/cudart/register.h\"\n\n" \
            "static cudaStream_t own(cudaStream_t stream)\n{\n" \
            "    return stream == NULL ? cudaStreamPerThread : stream;\n}\n"
    if (part == "cublas_client")
        print "#include \"gpu/cudart/client.h\"\n#include \"gpu/include/cublas_v2.h\"\n\n" \
            "static cublasStatus_t send(enum wire_call call, const uint64_t *arguments, size_t bytes, uint64_t *second,\n" \
            "                           const void *pc)\n{\n" \
            "    struct remote remote = {.payload = {{arguments, bytes}}};\n    client_call(&remote, call, pc);\n" \
            "    *second = remote.result[1];\n    return (cublasStatus_t)remote.result[0];\n}\n"
    if (part == "server") print "#include \"gpu/wire/serve.h\"\n"
    if (part == "serve")
        print "#include \"gpu/server/call.h\"\n\n/* serve_NAME() has all parameters of the call, whatever it needs. */\n" \
            "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n"
}

# cudart/*.c
FILENAME ~ /\.c$/ {
    if (match($0, /^cudaError_t cuda[A-Za-z0-9_]+\(/)) by_hand[substr($0, 13, RLENGTH - 13)] = FILENAME
    next
}

# A declaration of cuBLAS; in a macro, P and T are the precision and its type.
/^ *cublasStatus_t cublas/ && part ~ /^cublas/ { blas = ""; inside_blas = 1 }
inside_blas {
    sub(/ *\\$/, "")
    blas = blas " " $0
    if (/;$/) {
        inside_blas = 0
        if (blas ~ /##P##/) {
            write_blas(blas, "S", "float")
            blas_of_doubles[++doubles] = blas
        } else
            write_blas(blas, "", "")
    }
}

/^cudaError_t cuda/ { texts[++calls] = ""; inside = 1 }
inside {
    texts[calls] = texts[calls] " " $0
    if (/;$/) inside = 0
}

END {
    for (c = 1; c <= doubles; c++) write_blas(blas_of_doubles[c], "D", "double")
    for (c = 1; c <= calls; c++) read_declaration(texts[c])
    for (c = 1; c <= calls; c++) {
        read_declaration(texts[c])
        write_call()
    }
    for (c = 1; part == "client" && c <= calls; c++)
        if (is_waiting(names[c])) write_waiting(names[c])
}

# Is it the one of two calls that waits? The other one of them?
function is_waiting(name) {
    return name ~ /Mem(cpy|set)/ && name "Async" in parameters_of
}
function is_async(name) {
    return sub(/Async$/, "", name) && is_waiting(name)
}

# Sets name, count, and type[i] and param[i] of its parameters.
function read_declaration(text,    i, list) {
    gsub(/ WARPUP_OR\([^()]*\)/, "", text)
    gsub(/[ \t]+/, " ", text)
    sub(/^ cudaError_t /, "", text)
    name = substr(text, 1, index(text, "(") - 1)
    parameters = substr(text, index(text, "(") + 1)
    sub(/\);$/, "", parameters)
    count = parameters == "void" ? 0 : split(parameters, list, /, */)
    for (i = 1; i <= count; i++) {
        match(list[i], /[A-Za-z0-9_]+$/)
        param[i] = substr(list[i], RSTART)
        type[i] = substr(list[i], 1, RSTART - 1)
        sub(/ $/, "", type[i])
        kind[i] = kind_of(type[i])
    }
    names[c] = name
    parameters_of[name] = parameters
}

function kind_of(type) {
    if (type in by_value) return "value"
    if (type == "const cudaGraphNode_t *") return "array"
    if (type !~ /\*$/ || type ~ /^(const )?void \*$/ || type ~ /^const struct /) return "number"
    return type ~ /^const / ? "structure" : "result"
}

# The type without "const" and "*"; addresses and handles are numbers for the server.
function plain(type) {
    if (type == "void **" || (type ~ /\*$/ && type ~ /void|struct/)) return "uint64_t"
    sub(/ ?\*$/, "", type)
    sub(/^const /, "", type)
    return type ~ /_t$/ && type != "size_t" ? "uint64_t" : type
}

function write_call(    i, client) {
    if (part == "client") write_per_thread()
    if (name in by_hand) return
    if (part == "list") print "CUDA(" name ")"
    if (part == "serve") print (is_async(name) ? "" : "cudaError_t " served() ";\n") "cudaError_t take_" name "(struct call *call);"
    if (part == "client") write_client()
    if (part == "server") write_server()
}

# ---- the program's side

function write_client(    i, arguments, payload, answer, loads) {
    for (i = 1; i <= count; i++) {
        arguments = arguments (i > 1 ? ", " : "") (kind[i] == "value" ? "1" : "AT(" param[i] ")")
        if (kind[i] == "value") payload = payload "{&" param[i] ", sizeof " param[i] "}, "
        if (kind[i] == "structure") payload = payload given(param[i], "sizeof *" param[i])
        if (kind[i] == "array") payload = payload given(param[i], "count * sizeof *" param[i])
        if (kind[i] == "result") answer = answer "{" param[i] ", sizeof *" param[i] "}, "
        if (param[i] ~ /^(function|symbol)$/ && type[i] == "const void *") loads = "    register_load();\n"
    }
    print "cudaError_t " name "(" parameters ")\n{\n    struct remote remote = {.request.argument = {" arguments "},"
    print "        .payload = {" payload "},\n        .answer = {" answer "}};"
    print loads "    return client_call(&remote, WIRE_" name ", RETURN_PC);\n}\n"
}

function given(name, bytes) {
    return "{" name ", " name " == NULL ? 0 : " bytes "}, "
}

# The default stream is the thread's own.
function write_per_thread(    i, list, found) {
    for (i = 1; i <= count; i++) {
        found = found || type[i] == "cudaStream_t"
        list = list (i > 1 ? ", " : "") (type[i] == "cudaStream_t" ? "own(stream)" : param[i])
    }
    if (found && !(name in by_hand && by_hand[name] ~ /version/)) print "cudaError_t " name "_ptsz(" parameters ")\n{\n    return " name "(" list ");\n}\n"
}

# A call that waits does so for the thread's own stream.
function write_waiting(name,    i, list, parameters) {
    parameters = parameters_of[name]
    for (i = split(parameters, list, /, */); i > 0; i--) sub(/.*[ *]/, "", list[i])
    print "cudaError_t " name "_ptds(" parameters ")\n{\n    cudaError_t error = " name "Async("
    for (i = 1; i in list; i++) print "        " list[i] ","
    print "        cudaStreamPerThread);"
    print "    return error != cudaSuccess ? error : cudaStreamSynchronize(cudaStreamPerThread);\n}\n"
}

# ---- the GPU's side

function served(    i, list) {
    for (i = 1; i <= count; i++)
        list = list ", " (kind[i] == "array" || kind[i] == "structure" ? "const " : "") plain(type[i]) \
            (kind[i] == "number" || kind[i] == "value" ? " " : " *") param[i]
    return "serve_" name "(struct call *call" list (is_waiting(name) ? ", uint64_t stream" : "") ")"
}

function write_server(    i, list, begin, end, has, server) {
    server = name
    if (is_async(name)) {
        sub(/Async$/, "", server)
        begin = "    call->async = true;\n"
    }
    for (i = 1; i <= count; i++) {
        has = "call->argument[" (i - 1) "]"
        if (kind[i] == "number") list = list ", (" plain(type[i]) ")" has
        if (kind[i] == "array") {
            begin = begin "    const " plain(type[i]) " *" param[i] " = call_take(call, " has " != 0, &at, call->argument[" \
                position_of("count") "], sizeof *" param[i] ");\n"
            list = list ", " param[i]
        }
        if (kind[i] == "structure" || kind[i] == "value") {
            begin = begin "    " plain(type[i]) " " param[i] " = {0};\n    " \
                (kind[i] == "value" ? "" : "bool has_" param[i] " = ") "call_copy(call, " has " != 0, &at, &" param[i] \
                ", sizeof " param[i] ");\n"
            list = list ", " (kind[i] == "value" ? param[i] : "has_" param[i] " ? &" param[i] " : NULL")
        }
        if (kind[i] == "result") {
            begin = begin "    " plain(type[i]) " " param[i] " = {0};\n"
            if (!(name in may_be_null)) begin = begin "    if (" has " == 0) return cudaErrorInvalidValue;\n"
            list = list ", &" param[i]
            end = end "    if (error == cudaSuccess && " has " != 0) call_answer(&" param[i] ", sizeof " param[i] ");\n"
        }
    }
    if (is_waiting(name)) list = list ", 0"
    if (begin ~ /&at/) begin = "    size_t at = 0;\n" begin
    print "cudaError_t take_" name "(struct call *call)\n{"
    print begin "    cudaError_t error = serve_" server "(call" list ");"
    print end "    return error;\n}\n"
}

function position_of(name,    i) {
    for (i = 1; i <= count; i++)
        if (param[i] == name) return i - 1
}

# ---- cuBLAS

function write_blas(text, precision, type,    name, parameters, list, count, i, values, result) {
    gsub(/##P##/, precision, text)
    gsub(/[ \t]+/, " ", text)
    match(text, /cublas[A-Za-z0-9]+\(/)
    name = substr(text, RSTART, RLENGTH - 1)
    if (name ~ /^cublas[GS]et(Matrix|Vector)/) return # copies: cudart/cublas.c
    if (part == "cublas") {
        print "CALL(" name ")"
        return
    }
    parameters = substr(text, index(text, "(") + 1)
    sub(/\);$/, "", parameters)
    if (type != "") parameters = with_type(parameters, type)
    count = split(parameters, list, /, */)
    result = name ~ /^cublas(Create|Get)/
    for (i = 1; i <= count; i++) {
        match(list[i], /[A-Za-z0-9_]+$/)
        values = values (i > 1 ? ", " : "") (result && i == count ? substr(list[i], RSTART) " != NULL" : "AT(" substr(list[i], RSTART) ")")
    }
    print "cublasStatus_t " name "(" parameters ")\n{\n    uint64_t second;\n    const uint64_t arguments[] = {" values "};"
    print "    cublasStatus_t status = send(WIRE_" name ", arguments, sizeof arguments, &second, RETURN_PC);"
    if (result) {
        sub(/ ?\*[a-z]+$/, "", list[count])
        match(values, /[a-z]+ != NULL/)
        print "    if (status == CUBLAS_STATUS_SUCCESS) *" substr(values, RSTART, RLENGTH - 8) " = (" list[count] ")second;"
    }
    print "    return status;\n}\n"
}

# Parameters of which the type T is this one
function with_type(parameters, type) {
    gsub(/const T /, "const " type " ", parameters)
    gsub(/, T \*/, ", " type " *", parameters)
    return parameters
}
