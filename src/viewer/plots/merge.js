/* Runs have rows at times of their own; a plot wants one list of times. Each distinct time is there as often as in the run that
 * has it most often, so that what jumps at an event still jumps. Where a run has no row its value is undefined (the line goes
 * on), where its value is NaN it is null (the line has a gap). */

const orNull = (x) => (Number.isFinite(x) ? x : null);

/* `lines` is a list of {time, values}; those of one run share one `time`. Gives [times, values, values, ...]. */
export function merged(lines) {
  const times = [...new Set(lines.map((line) => line.time))];
  if (times.length === 1) return [Array.from(times[0]), ...lines.map((line) => Array.from(line.values, orNull))];
  const heads = times.map(() => 0);
  const data = [[], ...lines.map(() => [])];
  for (;;) {
    let t = Infinity;
    times.forEach((time, k) => { if (heads[k] < time.length) t = Math.min(t, time[heads[k]]); });
    if (t === Infinity) return data;
    const here = times.map((time, k) => heads[k] < time.length && time[heads[k]] === t);
    data[0].push(t);
    lines.forEach((line, i) => {
      const k = times.indexOf(line.time);
      data[i + 1].push(here[k] ? orNull(line.values[heads[k]]) : undefined);
    });
    here.forEach((is, k) => { if (is) heads[k]++; });
  }
}
