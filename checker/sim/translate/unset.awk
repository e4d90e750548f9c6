# unset.awk: from the compiler's messages, the declarations of variables that may be used before they are set, one line
# each: FILE:LINE: warning: 'NAME' is used before it is set. The judge takes them as places when a result shows that
# there is such a variable.
#
# Variable: include, the folder of our headers.

/: warning: .* uninitialized/ { split($0, quoted, "'"); name = quoted[2]; place = $1 }

# g++ names the place of the declaration too, except for a variable that is declared where it is used.
/: note: .* declared here/ && name != "" { place = $1 }
/: note: .* declared here/ || /: warning: .* is used uninitialized/ {
    sub(/:[0-9]*:$/, "", place)
    if (name != "" && index(place, include) != 1 && !said[place]++)
        print place ": warning: '" name "' is used before it is set"
}
