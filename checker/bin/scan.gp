# scan.gp: the picture of checker/bin/scan, three times: picture.svg, picture.png, and on the terminal.
# Variables, all text: data (a table: the value, then each program's rate; above it a line of their
# names), marks (a letter for each program, for the terminal), argument, unit, title, picture.
set datafile separator "\t"
set datafile missing "NaN"
set title title noenhanced
set xlabel argument noenhanced
set ylabel unit
set logscale x 2
set offsets graph 0.05, graph 0.05, graph 0.1, 0
set yrange [0 : *]
last = words(marks) + 1
student = word(marks, 1) eq "y" ? 2 : 1 # its column; drawn last, dashed: a stage may lie below

set terminal dumb size 79, 22 mono
set output
unset key
plot for [i = 2 : last] data every ::1 using 1:i:(word(marks, i - 1)) with labels offset i - 0.5 * last - 1, 0

set key left top noenhanced
set grid xtics ytics lt 1 lc rgb "#dddddd"
set border 3 lc rgb "#444444"
set tics nomirror
set linetype 1 lc rgb "#bb5566"
set linetype 2 lc rgb "#004488"
set linetype 3 lc rgb "#ddaa33"
set linetype 4 lc rgb "#228833"
set linetype 5 lc rgb "#66ccee"
set linetype 6 lc rgb "#aa3377"
do for [kind in "svg png"] {
    if (kind eq "svg") { set terminal svg size 860, 560 font "sans,14" background "white" } \
    else { set terminal pngcairo size 860, 560 font "sans,11" background "white" }
    set output picture . "." . kind
    plot for [i = student + 1 : last] data using 1:i with linespoints lt i - 1 lw 2 pt 7 \
            title columnhead(i), \
        for [i = 2 : student] data using 1:i with linespoints lt 1 lw 3 dt 2 pt 6 ps 1.8 \
            title columnhead(i)
}
set output
