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

# Of precision there is a panel a size. A curve is called "ENGINE, SETTING, n = SIZE"; it has the same colour in each panel, and the last
# place holds the key.
sizes(file) = system("sed -n 's/^\".*n = \\([0-9]*\\)\".*/\\1/p' '".file."' | sort -nu | tr '\n' ' '")
engines(file) = system("sed -n 's/^\"\\(.*\\), n = [0-9]*\".*/\\1/p' '".file."' | awk '!seen[$0]++' | tr ' \n' '~ '")
found(file, engine, n) = int(system(sprintf("awk '/^\"/ {if (index($0, \"\\\"%s, n = %s\\\"\") == 1) place = k + 1; k++} END {print place - 1}' '%s'", engine, n, file)))
spaced(word) = system("echo '".word."' | tr '~' ' '")
lowest(file, column) = real(system(sprintf("awk '/^[0-9]/ && $%d > 0 {if (!k++ || $%d < m) m = $%d} END {printf \"%%.6e\", m}' '%s'", column, column, column, file)))
highest(file, column) = real(system(sprintf("awk '/^[0-9]/ && $%d > m {m = $%d} END {printf \"%%.6e\", m}' '%s'", column, column, file)))

# A folder without data for a plot gets no such plot.
do for [file in system("ls '".folder."' | sed -n 's/^precision-.*[.]dat$/&/p'")] {
    file = folder."/".file
    if (count(file) == 0) { continue }
    what = substr(name(file), 11, 99)
    panels = words(sizes(file)) + 1
    across = panels < 4 ? panels : panels < 7 ? 3 : 4
    down = int(ceil(panels / (1.0 * across)))
    do for [kind in "svg png"] {
        scale = kind eq "svg" ? 1.0 : 1.5
        area = sprintf("size %d,%d", scale * 330 * across, scale * (300 * down + 40))
        eval(kind eq "svg" ? "set terminal svg ".area." font 'Helvetica,13' background '#ffffff'" \
            : "set terminal pngcairo ".area." font 'Helvetica,19' background '#ffffff' linewidth 1.5")
        set output folder."/precision-".what.".".kind
        set multiplot layout down, across title what.": error against CPU time" noenhanced
        set xlabel "CPU time, s"
        set ylabel "error at the end, rad or m"
        set xrange [lowest(file, 1) / 2:highest(file, 1) * 2]
        set yrange [lowest(file, 2) / 3:highest(file, 2) * 3]
        unset key
        do for [n in sizes(file)] {
            set title "n = ".n
            colours = ""
            blocks = ""
            do for [k = 1:words(engines(file))] {
                i = found(file, spaced(word(engines(file), k)), n)
                colours = colours.(i < 0 ? "" : sprintf(" %d", k))
                blocks = blocks.(i < 0 ? "" : sprintf(" %d", i))
            }
            block(j) = int(word(blocks, j))
            plot for [j = 1:words(blocks)] file index block(j) using 1:2 with linespoints \
                linetype int(word(colours, j)) dashtype 0 + style(file, block(j), 0) linewidth 2 \
                pointtype style(file, block(j), 1) pointsize 0.8 notitle
        }
        unset title
        unset border
        unset tics
        unset grid
        unset xlabel
        unset ylabel
        set key inside left top Left reverse spacing 1.2 samplen 2
        first(k) = int(system(sprintf("awk '/^\"/ {if (index($0, \"\\\"%s, n = \") == 1) print j + 0; j++}' '%s' | head -1", spaced(word(engines(file), k)), file)))
        plot for [k = 1:words(engines(file))] NaN with linespoints linetype k dashtype 0 + style(file, first(k), 0) linewidth 2 \
            pointtype style(file, first(k), 1) pointsize 0.8 title spaced(word(engines(file), k)) noenhanced
        unset multiplot
        unset output
        set border 3 linecolor rgb "#444444"
        set tics nomirror scale 0.6
        set grid back linecolor rgb "#dddddd" linetype 1 linewidth 0.5
        set key outside right top Left reverse spacing 1.25 samplen 2
        set xrange [*:*]
        set yrange [*:*]
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
