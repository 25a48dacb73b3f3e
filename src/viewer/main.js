/* The page of `detent report`. The data are read once the empty page has been painted. */

import { Report } from './data/report.js';
import { button, h, icon } from './ui/dom.js';
import { Keys } from './ui/keys.js';
import { runChips } from './ui/runs.js';
import { Side } from './ui/side.js';
import { theme } from './ui/theme.js';
import { Timeline } from './ui/timeline.js';
import { Transport } from './ui/transport.js';
import { Viewer3d } from './ui/viewer3d.js';

const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/* Milliseconds of script in each of the last frames, and until the first of them, for whoever measures. */
const frames = { times: [] };

function run(report, viewer) {
  let before = null;
  const frame = (now) => {
    const begin = performance.now();
    report.clock.tick(before === null ? 0 : Math.min((now - before) / 1000, 0.25));
    before = now;
    if (viewer.draw(report.clock.time)) {
      frames.times.push(performance.now() - begin);
      if (frames.times.length > 2000) frames.times.splice(0, 1000);
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function titleOf({ runs }) {
  if (runs.length === 1) return runs[0].title || runs[0].name;
  const same = runs.length > 0 && runs.every((run) => run.title === runs[0].title) ? runs[0].title : '';
  return same ? `${same}, ${runs.length} runs` : `${runs.length} runs`;
}

/* The data, out of the page, which then need not be kept twice. */
function reportOf(element) {
  const raw = JSON.parse(element.textContent);
  element.textContent = '';
  if (raw.format !== undefined && raw.format !== 1) throw new Error(`they are of format ${raw.format}, this page reads format 1`);
  return new Report(raw);
}

async function start() {
  theme.apply();
  await painted();
  try {
    await show(reportOf(document.getElementById('detent-data')));
  } catch (error) {
    document.getElementById('app').replaceChildren(h('p', { id: 'wait', role: 'alert' }, `The data of this page cannot be shown: ${error.message}`));
    document.documentElement.dataset.failed = error.message;
  }
}

async function show(report) {
  await report.prepare();
  const viewer = new Viewer3d(report);
  const transport = new Transport(report);
  const timeline = new Timeline(report);
  const side = new Side(report);
  const keys = new Keys(report, { transport, viewer, side });
  document.getElementById('wait').remove();
  document.title = `${titleOf(report)} – detent report`;
  document.getElementById('app').append(
    h('header', {}, h('h1', {}, titleOf(report)), report.runs.length > 1 ? runChips(report) : null, h('span', { class: 'grow' }),
      button('Light or dark (d)', icon('theme'), () => theme.flip()), button('Keyboard (?)', '?', () => keys.element.showModal())),
    viewer.element, h('section', { class: 'time', 'aria-label': 'Time' }, transport.element, timeline.element), side.element, keys.element);
  await viewer.prepare();
  run(report, viewer);
  side.panels.Plots.fill();
  frames.ready = performance.now();
  window.detentViewer = { report, viewer, side, frames }; // for tests and for the curious
}

start();
