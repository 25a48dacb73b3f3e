# gnuplot docs/images/sticky_double_pendulum.gp, after scripts/demo: the picture of the README.
set terminal svg size 900,460 font "sans,13" background "#ffffff"
set output "docs/images/sticky_double_pendulum.svg"
set datafile separator ","
file = "results/demo/sticky_double_pendulum.csv"
set xrange [0:8]
set grid lc rgb "#dddddd"
set border lc rgb "#888888"
set multiplot layout 2,1 margins 0.09,0.98,0.11,0.94 spacing 0.02
set format x ""
set ylabel "angle / rad" offset 1.5
set key top left
plot file using "time":"position(shoulder)" with lines lw 2 lc rgb "#1f5fa8" title "shoulder", \
     file using "time":"position(elbow)" with lines lw 2 lc rgb "#c8501e" title "elbow"
set format x "%g"
set xlabel "time / s" offset 0,0.5
set ylabel "friction / N m" offset 1.5
unset key
plot file using "time":"friction(shoulder)" with lines lw 1.5 lc rgb "#1f5fa8", \
     file using "time":"friction(elbow)" with lines lw 1.5 lc rgb "#c8501e"
