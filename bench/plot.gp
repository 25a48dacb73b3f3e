# gnuplot -c bench/plot.gp FOLDER: draws the .dat files that detent-bench --plots FOLDER wrote, each as
# SVG and PNG. A block of data is a curve; its first line holds the curve's names in quotes.
folder = ARG1
set encoding utf8
set logscale xy
set format xy "10^{%T}"
set grid back linecolor rgb "#dddddd" linetype 1 linewidth 0.5
set border 3 linecolor rgb "#444444"
set tics nomirror scale 0.6
set key outside right top Left reverse spacing 1.25 samplen 2
set linetype 1 linecolor rgb "#0b5fa5"
set linetype 2 linecolor rgb "#d1495b"
set linetype 3 linecolor rgb "#2e8b57"
set linetype 4 linecolor rgb "#e09f1f"
set linetype 5 linecolor rgb "#7a4fa3"
set linetype 6 linecolor rgb "#00a0a8"
set linetype 7 linecolor rgb "#8c5a3c"
set linetype 8 linecolor rgb "#6b7280"
set linetype cycle 8

# How many curves a file has, and what stands behind the name of curve i: colour, mark and dash are
# the last but 2, the last but 1 and the last word.
count(file) = int(system("cat '".file."' 2>/dev/null | grep -c '^\"' || true"))
style(file, i, back) = int(system(sprintf("awk '/^\"/ && k++ == %d {print $(NF - %d)}' '%s'", i, back, file)))
name(file) = system("basename '".file."' .dat")

svg = "set terminal svg size 900,500 font 'Helvetica,13' background '#ffffff'"
png = "set terminal pngcairo size 1350,750 font 'Helvetica,19' background '#ffffff' linewidth 1.5"

# A folder without data for a plot gets no such plot.
do for [file in system("ls '".folder."' | sed -n 's/^precision-.*[.]dat$/&/p'")] {
    file = folder."/".file
    all = count(file)
    if (all == 0) { continue }
    what = substr(name(file), 11, 99)
    do for [kind in "svg png"] {
        eval(kind eq "svg" ? svg : png)
        set output folder."/precision-".what.".".kind
        set title what.": error against CPU time" noenhanced
        set xlabel "CPU time, s"
        set ylabel "error at the end, rad or m"
        plot for [i = 0:all - 1] file index i using 1:2 with linespoints \
            linetype style(file, i, 2) dashtype 0 + style(file, i, 0) linewidth 2 \
            pointtype style(file, i, 1) pointsize 1 title columnheader(1)
        unset output
    }
}

file = folder."/dynamics.dat"
all = count(file)
if (all > 0) {
    do for [kind in "svg png"] {
        eval(kind eq "svg" ? svg : png)
        set output folder."/dynamics.".kind
        set title "Forward dynamics, one evaluation"
        set xlabel "n, joints"
        set xrange [5:*]
        set ylabel "CPU time, s"
        plot for [i = 0:all - 1] file index i using 1:2 with linespoints linetype style(file, i, 1) \
            dashtype 0 + style(file, i, 0) linewidth 2 pointtype 7 pointsize 0.9 \
            title columnheader(1)
        unset output
    }
}

# The key names the full lines, all lines if none is full.
full(file) = int(system("grep -c '^\".* 1$' '".file."' || true"))
label(file, i) = system(sprintf("awk -F '\"' '/^\"/ && k++ == %d {print $2}' '%s'", i, file))
key(file, i) = style(file, i, 0) == 1 || full(file) == 0 ? label(file, i) : ""
do for [what in "growth growth-event"] {
    file = folder."/".what.".dat"
    all = count(file)
    if (all == 0) { continue }
    per = what eq "growth" ? "" : " per event"
    do for [kind in "svg png"] {
        eval(kind eq "svg" ? svg : png)
        set output folder."/".what.".".kind
        set title "CPU time".per." against size; full lines: erk, dashed: ida, dotted: auto"
        set xlabel "n, joints"
        set xrange [8:*]
        set ylabel "CPU time".per.", s"
        plot for [i = 0:all - 1] file index i using 1:2 with linespoints \
            linetype style(file, i, 1) dashtype 0 + style(file, i, 0) \
            linewidth 2 pointtype 7 pointsize 0.9 title key(file, i)
        unset output
    }
}
