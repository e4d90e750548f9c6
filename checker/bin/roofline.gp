# roofline.gp: the picture of checker/bin/roofline, three times: picture.svg, picture.png, and on the
# terminal. Variables, all text: data (a table: point, name, intensity, gflops, how, size, height
# of its label), gbs and gflops (the roof), title, ceiling (what its flat part is), picture.
gbs = gbs + 0.0
gflops = gflops + 0.0
roof(x) = gbs * x < gflops ? gbs * x : gflops
smaller(a, b) = a < b ? a : b
larger(a, b) = a > b ? a : b

set datafile separator "\t"
stats data every ::1 using 3:4 name "seen" nooutput
lowest_x = smaller(0.1, seen_min_x / 4)
highest_x = larger(100, 20 * seen_max_x) # room for labels
lowest_y = 10.0 ** floor(log10(smaller(seen_min_y, roof(lowest_x))))
highest_y = 10.0 ** ceil(log10(2 * gflops))

set title title noenhanced
set xlabel "flop for each byte from DRAM"
set ylabel "Gflop/s"
set logscale xy
set xrange [lowest_x : highest_x]
set yrange [lowest_y : highest_y]
set format x "%g"
set format y "%.0s%c"
set samples 400
unset key

# Who is not meant stands left of the picture: a list of labels that are all NaN crashes gnuplot 5.4.
stage(point, value) = point eq "you" ? lowest_x / 10 : value
student(point, value) = point eq "you" ? value : lowest_x / 10
slope_x = sqrt(lowest_x * gflops / gbs) # in the middle of the sloping part
set label 1 at slope_x, roof(slope_x) right offset -2, 1
set label 2 at highest_x, gflops right offset -1, 1

set terminal dumb size 79, 22 mono
set output
set label 1 sprintf("%.0f GB/s", gbs)
set label 2 sprintf("%.0f Gflop/s", gflops)
plot roof(x) with lines, \
    data every ::1 using (stage(strcol(1), $3)):4:1 with labels, \
    data every ::1 using (student(strcol(1), $3)):4:1 with labels right offset -1, 0

set grid xtics ytics lt 1 lc rgb "#dddddd"
set border 3 lc rgb "#444444"
set tics nomirror
set label 1 sprintf("copy rate %.0f GB/s", gbs) textcolor rgb "#444444"
set label 2 sprintf("%s %.0f Gflop/s", ceiling, gflops) textcolor rgb "#444444"
do for [kind in "svg png"] {
    if (kind eq "svg") { set terminal svg size 860, 560 font "sans,14" background "white" } \
    else { set terminal pngcairo size 860, 560 font "sans,11" background "white" }
    set output picture . "." . kind
    plot roof(x) with lines lw 3 lc rgb "#004488", \
        data every ::1 using (stage(strcol(1), $3)):4 with points pt 7 ps 1 lc rgb "#4477aa", \
        data every ::1 using (stage(strcol(1), $3)):7:(strcol(1) . "  " . strcol(2)) \
            with labels left offset 1.5, 0 noenhanced textcolor rgb "#333333", \
        data every ::1 using (student(strcol(1), $3)):4 with points pt 7 ps 1.6 lc rgb "#bb5566", \
        data every ::1 using (student(strcol(1), $3)):7:2 \
            with labels left offset 1.5, 0 noenhanced textcolor rgb "#bb5566"
}
set output
