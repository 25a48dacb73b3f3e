/* What lies behind the lines of a plot: the modes of its joint as bands, and its events as marks. */

import { modeClass, modeColors } from '../palette.js';
import { cssColor, theme } from '../ui/theme.js';

/* Height of a run's strip, CSS pixels. */
export const stripHeight = (runs) => Math.max(2, Math.min(4, 16 / runs));

/* The active run's bands fill the plot faintly; at its lower edge each shown run has a strip of full colour. */
export function drawBands(u, report, jointName) {
  if (!jointName) return;
  const { ctx: c } = u;
  const { left, top, width, height } = u.bbox;
  const ratio = window.devicePixelRatio || 1;
  const colors = modeColors(theme.dark);
  const runs = report.shownRuns();
  const strip = stripHeight(runs.length) * ratio;
  c.save();
  c.beginPath();
  c.rect(left, top, width, height);
  c.clip();
  runs.forEach((run, i) => {
    const joint = run.joints.find((each) => each.name === jointName);
    if (!joint) return;
    let drawn = -Infinity; // up to here: of many modes within a pixel one is drawn
    for (const [from, to, mode] of joint.segments) {
      if (to < u.scales.x.min || from > u.scales.x.max || modeClass(mode) === 'none') continue;
      const end = u.valToPos(to, 'x', true);
      if (end - drawn < 1) continue;
      drawn = end;
      const x = u.valToPos(from, 'x', true);
      const w = Math.max(end - x, 1);
      c.fillStyle = colors[modeClass(mode)];
      c.globalAlpha = theme.dark ? 0.16 : 0.1;
      if (run === report.active && modeClass(mode) !== 'unlocked') c.fillRect(x, top, w, height);
      c.globalAlpha = 1;
      c.fillRect(x, top + height - (runs.length - i) * strip, w, strip - 0.5 * ratio);
    }
  });
  c.restore();
}

export function drawEvents(u, report, jointName) {
  const run = report.active;
  if (!run) return;
  const { ctx: c } = u;
  const { top, height } = u.bbox;
  c.save();
  c.lineWidth = 1;
  c.strokeStyle = cssColor('--mark');
  c.globalAlpha = 0.45;
  c.setLineDash([2, 3]);
  c.beginPath();
  let last = -Infinity;
  for (const event of run.events) {
    if (jointName && event.joint && event.joint !== jointName) continue;
    if (event.t < u.scales.x.min || event.t > u.scales.x.max) continue;
    const x = Math.round(u.valToPos(event.t, 'x', true)) + 0.5;
    if (x - last < 3) continue;
    last = x;
    c.moveTo(x, top);
    c.lineTo(x, top + height);
  }
  c.stroke();
  c.restore();
}
