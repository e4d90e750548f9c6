# outside.awk: prints gcc's assembly unchanged, and writes to the file `found` the first line of machine code outside of
# functions: the program put it there with asm(). gcc marks such pieces with #APP and names no source in them. Inside of
# functions a line names it, and begins with # or, on aarch64, with //. Before #NO_APP, gcc may continue with its own data,
# in a section for data.

{ print }

/^#NO_APP/ || /^(#|\/\/) [0-9]+ "/ { piece = 0 }

piece && !noted {
    line = $0
    sub(/^[^ \t:"]*:/, "", line)
    sub(/^[ \t]+/, "", line)
    if (line ~ /^\.(push)?section/) in_data = line ~ /^\.(push)?section[ \t]+\.?(rodata|data|bss|tbss|tdata|warpup|gcc|note|debug)/
    else if (line ~ /^\.(data|bss)/) in_data = 1
    else if (line ~ /^\.(text|popsection|previous)/) in_data = 0
    else if (line ~ /^[^.#]/ || !in_data && line ~ /^\.(byte|value|short|long|int|quad|octa|zero|fill|skip|string|asci|incbin|2byte|4byte|8byte|macro|rept|irp)/) {
        print > found
        noted = 1
    }
}

/^#APP/ {
    piece = 1
    in_data = 0
}
