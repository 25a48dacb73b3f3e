/* One plot: some quantities of the shown runs over time. With one quantity each run has its colour, with several each quantity
 * has one and each run its dashes. Dragging zooms, a click goes there. */

import uPlot from 'uplot';
import { bracket } from '../data/run.js';
import { quantitiesOf, valuesOf } from '../data/quantities.js';
import { dashOf, lineColor } from '../palette.js';
import { button, h, icon } from '../ui/dom.js';
import { short, timeText } from '../ui/number.js';
import { swatch } from '../ui/swatch.js';
import { cssColor, theme } from '../ui/theme.js';
import { drawBands, drawEvents, stripHeight } from './marks.js';
import { merged } from './merge.js';

export class Plot {
  constructor(report, keys, { onAdd = null, onClose = null, height = 150 } = {}) {
    this.report = report;
    this.keys = [...keys];
    this.height = height;
    this.lines = [];
    this.u = null;
    this.turn = 0;
    this.hover = null; // the time under the pointer, in this plot or another
    this.legend = h('div', { class: 'plot-legend' });
    this.pointed = h('span', { class: 'quiet plot-pointed' });
    this.readings = [];
    this.chart = h('div', { class: 'plot-chart' });
    this.cursor = h('div', { class: 'plot-cursor' });
    this.element = h('article', { class: 'plot' }, h('div', { class: 'plot-head' }, this.legend, this.pointed,
      h('div', { class: 'plot-buttons' }, onAdd && button('Add a quantity to this plot', icon('plus'), () => onAdd(this)),
        onClose && button('Close this plot', icon('close'), () => onClose(this)))), this.chart);
    this.unlisten = [report.clock.changed.listen(() => this.follow()), report.clock.viewChanged.listen(() => this.#zoom()),
      report.runsChanged.listen(() => this.load()), theme.changed.listen(() => this.#recolor())];
    this.observer = new ResizeObserver(() => this.#resize());
    this.observer.observe(this.chart);
  }

  close() {
    this.unlisten.forEach((unlisten) => unlisten());
    this.observer.disconnect();
    if (this.u) this.u.destroy();
    this.element.remove();
  }

  add(key) {
    if (!this.keys.includes(key)) this.keys.push(key);
    return this.load();
  }

  /* The joint whose modes and events are drawn: that of the first quantity. */
  get joint() {
    for (const run of this.report.runs) {
      const quantity = quantitiesOf(run).get(this.keys[0]);
      if (quantity) return quantity.joint;
    }
    return null;
  }

  async load() {
    const turn = ++this.turn; // a later call overtakes
    const runs = this.report.shownRuns();
    const lines = [];
    for (const run of runs) {
      for (const [k, key] of this.keys.entries()) {
        const quantity = quantitiesOf(run).get(key);
        const values = quantity && run.time.length ? await valuesOf(run, quantity) : null;
        if (!values) continue;
        const color = this.keys.length > 1 || this.report.runs.length < 2 ? k : run.index;
        lines.push({ run, quantity, time: run.time, values, color, dash: this.report.runs.length > 1 ? run.index : 0, main: true });
        if (this.keys.length > 1 || runs.length > 2) continue; // limits would be a thicket
        for (const limit of quantity.limits) {
          const bound = await run.numbers(limit, 1, `a limit of ${quantity.label}`);
          if (bound) lines.push({ run, quantity, time: run.time, values: bound, color, dash: 1, main: false });
        }
      }
    }
    if (turn !== this.turn) return;
    this.lines = lines;
    this.#make();
  }

  #make() {
    if (this.u) this.u.destroy();
    this.u = null;
    this.#fillLegend();
    if (!this.lines.length) {
      this.chart.replaceChildren(h('p', { class: 'quiet' }, 'None of the shown runs has this.'));
      return;
    }
    this.chart.replaceChildren();
    this.u = new uPlot(this.#options(), merged(this.lines), this.chart);
    this.u.over.append(this.cursor);
    this.#click();
    this.follow();
  }

  #options() {
    const { report } = this;
    const axis = { stroke: () => cssColor('--quiet'), grid: { stroke: () => cssColor('--line'), width: 1 }, ticks: { show: false },
      font: `11px ${getComputedStyle(document.body).fontFamily}`, gap: 4 };
    const number = (u, values) => values.map((value) => short(value, 6));
    return { width: Math.max(this.chart.clientWidth, 120), height: this.height, legend: { show: false }, pxAlign: 0, padding: [5, 14, 0, 0],
      cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 6 }, sync: { key: 'time' }, y: false },
      scales: { x: { time: false, range: () => report.clock.view }, y: { range: (u, low, high) => padded(low, high, this.#strips()) } },
      axes: [{ ...axis, size: 22, values: number }, { ...axis, size: 58, values: number }],
      series: [{}, ...this.lines.map((line) => ({ stroke: () => lineColor(line.color, theme.dark), width: line.main ? 1.5 : 1,
        dash: dashOf(line.dash), alpha: line.main ? 1 : 0.6, points: { show: false } }))],
      hooks: { drawClear: [(u) => { drawBands(u, report, this.joint); drawEvents(u, report, this.joint); }],
        setCursor: [(u) => this.#hovered(u)], draw: [() => this.follow(true)], setSelect: [(u) => this.#selected(u)] } };
  }

  /* The part of the plot's height that the strips of modes take. */
  #strips() {
    const runs = this.report.shown.size;
    return this.joint ? runs * stripHeight(runs) / (this.height - 27) : 0;
  }

  #hovered(u) {
    const { left } = u.cursor;
    this.hover = left >= 0 ? u.posToVal(left, 'x') : null;
    this.#read();
  }

  #selected(u) {
    const { left, width } = u.select;
    if (width >= 4) this.report.clock.setView(u.posToVal(left, 'x'), u.posToVal(left + width, 'x'));
    if (width > 0) u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  #click() {
    const { over } = this.u;
    let down = 0;
    over.addEventListener('mousedown', (event) => { down = event.clientX; });
    over.addEventListener('click', (event) => {
      if (Math.abs(event.clientX - down) < 4) this.report.clock.seek(this.u.posToVal(event.clientX - over.getBoundingClientRect().left, 'x'));
    });
    over.addEventListener('dblclick', () => this.report.clock.setView(this.report.clock.start, this.report.clock.end));
  }

  #fillLegend() {
    const several = this.report.runs.length > 1;
    this.readings = [];
    this.legend.replaceChildren(...this.keys.flatMap((key) => {
      const lines = this.lines.filter((line) => line.main && line.quantity.key === key);
      if (!lines.length) return [h('span', {}, key.split('\n').slice(1).join(' '))];
      const { label, unit } = lines[0].quantity;
      return [h('span', {}, h('strong', {}, label), h('span', { class: 'quiet' }, unit ? ` ${unit}` : '')), ...lines.map((line) => {
        const value = h('output', {});
        this.readings.push({ line, value, at: { row: 0, fraction: 0 } });
        return h('span', { class: 'reading', title: several ? line.run.name : label }, swatch(line.color, line.dash), value);
      })];
    }));
  }

  #recolor() {
    if (this.u) this.u.redraw(false);
    this.#fillLegend();
    this.follow();
  }

  #zoom() {
    if (!this.u) return;
    const [min, max] = this.report.clock.view;
    this.u.setScale('x', { min, max });
    this.follow();
  }

  #resize() {
    const width = this.chart.clientWidth;
    if (this.u && width > 0 && width !== this.u.width) {
      this.u.setSize({ width, height: this.height });
      this.follow();
    }
  }

  /* The line at the time shown, and the values there; the latter ten times a second while it plays. */
  follow(always = false) {
    if (!this.u) return;
    const { clock } = this.report;
    const [min, max] = clock.view;
    const x = (clock.time - min) / (max - min || 1) * this.u.bbox.width / (window.devicePixelRatio || 1);
    this.cursor.style.transform = `translateX(${x}px)`;
    this.cursor.style.visibility = clock.time >= min && clock.time <= max ? 'visible' : 'hidden';
    const now = performance.now();
    if (!always && clock.playing && now - this.read < 100) return;
    this.read = now;
    this.#read();
  }

  /* The values under the pointer, or else at the time shown. */
  #read() {
    const { clock } = this.report;
    for (const { line, value, at } of this.readings) value.textContent = short(valueAt(line, this.hover ?? clock.time, at));
    this.pointed.textContent = this.hover === null ? '' : `t = ${timeText(this.hover, clock.end - clock.start)}`;
  }
}

export function valueAt({ time, values }, t, at) {
  if (t < time[0] || t > time[time.length - 1]) return NaN;
  bracket(time, t, at);
  return at.fraction > 0 ? values[at.row] + at.fraction * (values[at.row + 1] - values[at.row]) : values[at.row];
}

/* Room above and below, there for `strips` of the height as well; what does not change is in the middle. */
function padded(low, high, strips) {
  if (!(Number.isFinite(low) && Number.isFinite(high))) return [-1, 1];
  const room = high > low ? 0.06 * (high - low) : Math.abs(low) * 0.1 || 1;
  return [low - room - strips / (1 - strips) * (high - low + 2 * room), high + room];
}
