/* The time line: a lane for each joint that can stick, coloured by mode, below the marks of the events. Where it is unlocked the
 * upper half of the lane is filled if it moves forward, the lower one in reverse; what waits is hatched: colours are not needed. */

import { modeClass, modeColors } from '../palette.js';
import { h } from './dom.js';
import { ticks, timeText } from './number.js';
import { cssColor, theme } from './theme.js';

const lane = 16;
const axis = 30;

export class Timeline {
  /* As of the last drawing: asking the element would make the browser lay the page out in every frame. */
  #width = 0;
  #gutter = 14;
  #top = 0;

  constructor(report) {
    this.report = report;
    this.canvas = h('canvas', { 'aria-hidden': 'true' });
    this.cursor = h('div', { class: 'cursor' });
    this.spacer = h('div', {});
    this.element = h('div', { class: 'timeline', role: 'slider', tabindex: '0', 'aria-label': 'Time line', 'aria-orientation': 'horizontal' },
      this.canvas, this.cursor, this.spacer);
    this.hatches = {};
    const redraw = () => this.draw();
    report.clock.changed.listen(() => this.#moveCursor());
    report.clock.viewChanged.listen(redraw);
    report.runsChanged.listen(() => this.#fill());
    report.picked.listen(redraw);
    theme.changed.listen(redraw);
    this.element.addEventListener('scroll', redraw);
    this.#pointer();
    new ResizeObserver(redraw).observe(this.element);
    this.#fill();
  }

  #fill() {
    const run = this.report.active;
    this.joints = run ? run.joints.filter((joint) => joint.segments.length &&
      (joint.stiction || joint.segments.some((segment) => modeClass(segment[2]) !== 'none'))) : [];
    this.spacer.style.height = `${axis + lane * this.joints.length + 4}px`;
    this.element.style.setProperty('--lanes', this.joints.length);
    this.draw();
  }

  #x(t) {
    const [from, to] = this.report.clock.view;
    const width = this.#width - this.#gutter - 14;
    return this.#gutter + (to > from ? (t - from) / (to - from) : 0) * width;
  }

  #t(x) {
    const [from, to] = this.report.clock.view;
    const width = this.#width - this.#gutter - 14;
    return from + (x - this.#gutter) / width * (to - from);
  }

  #pointer() {
    const { element, report } = this;
    const seek = (event) => report.clock.seek(this.#t(event.clientX - element.getBoundingClientRect().left));
    element.addEventListener('pointerdown', (event) => {
      const box = element.getBoundingClientRect();
      const x = event.clientX - box.left;
      if (event.button || x > element.clientWidth) return; // the scroll bar
      const joint = this.joints[Math.floor((event.clientY - box.top + element.scrollTop - axis) / lane)];
      if (x < this.#gutter && event.clientY - box.top > axis) {
        if (joint) report.pick(joint.name);
        return;
      }
      element.setPointerCapture(event.pointerId);
      seek(event);
    });
    element.addEventListener('pointermove', (event) => {
      if (element.hasPointerCapture(event.pointerId)) seek(event);
    });
    element.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.altKey) return;
      event.preventDefault();
      report.clock.zoom(Math.exp(event.deltaY * 0.002), this.#t(event.clientX - element.getBoundingClientRect().left));
    }, { passive: false });
    element.addEventListener('dblclick', () => report.clock.setView(report.clock.start, report.clock.end));
  }

  #moveCursor() {
    const { clock } = this.report;
    const x = this.#x(clock.time);
    this.cursor.style.transform = `translate(${x}px, ${this.#top}px)`;
    this.cursor.style.visibility = x >= this.#gutter - 1 && x <= this.#width - 12 ? 'visible' : 'hidden';
    const now = timeText(clock.time, clock.end - clock.start);
    if (now === this.said) return;
    this.said = now;
    this.element.setAttribute('aria-valuemin', clock.start);
    this.element.setAttribute('aria-valuemax', clock.end);
    this.element.setAttribute('aria-valuenow', now);
    this.element.setAttribute('aria-valuetext', `${now} s`);
  }

  draw() {
    const { canvas, element } = this;
    const width = element.clientWidth;
    const height = element.clientHeight;
    if (!width || !height) return;
    this.#width = width;
    this.#top = element.scrollTop;
    this.#gutter = !this.joints.length ? 14 : width < 560 ? 70 : 120;
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const c = canvas.getContext('2d');
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    c.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    c.textBaseline = 'middle';
    const colors = modeColors(theme.dark);
    this.#lanes(c, width, height, colors);
    this.#axis(c, width);
    this.#events(c, width);
    this.#moveCursor();
  }

  #lanes(c, width, height, colors) {
    const right = width - 14;
    const top = this.#top;
    const hatch = hatched(c, colors.wait, theme.dark ? '#1b1f24' : '#ffffff');
    for (let k = Math.floor(top / lane); k < this.joints.length && k * lane < top + height; k++) {
      const y = axis + k * lane - top;
      const joint = this.joints[k];
      const picked = joint.name === this.report.joint;
      c.fillStyle = cssColor('--lane');
      c.fillRect(this.#gutter, y + 2, right - this.#gutter, lane - 4);
      c.save();
      c.beginPath();
      c.rect(this.#gutter, y, right - this.#gutter, lane);
      c.clip();
      this.#segments(c, joint, y + 2, lane - 4, colors, hatch, right);
      c.restore();
      c.fillStyle = cssColor(picked ? '--accent' : '--text');
      c.textAlign = 'right';
      c.fillText(fitted(c, joint.name, this.#gutter - 14), this.#gutter - 8, y + lane / 2);
    }
    c.clearRect(0, 0, width, axis);
  }

  #segments(c, joint, y, h, colors, hatch, right) {
    let drawn = -Infinity; // up to here: of many modes within half a pixel one is drawn
    for (const [from, to, mode] of joint.segments) {
      const end = this.#x(to);
      const x = this.#x(from);
      if (x > right || end < this.#gutter || end - drawn < 0.5) continue;
      drawn = end;
      const w = Math.max(end - x, 0.7);
      const name = modeClass(mode);
      c.fillStyle = name === 'wait' ? hatch : colors[name];
      if (name === 'locked' || name === 'none') c.fillRect(x, y, w, h);
      else c.fillRect(x, mode > 0 ? y : y + h / 2, w, h / 2);
    }
  }

  #axis(c, width) {
    const [from, to] = this.report.clock.view;
    c.fillStyle = cssColor('--quiet');
    c.strokeStyle = cssColor('--line');
    c.textAlign = 'center';
    const marks = ticks(from, to, (width - this.#gutter) / 90);
    const step = marks.length > 1 ? marks[1] - marks[0] : 1;
    for (const t of marks) {
      const x = Math.round(this.#x(t)) + 0.5;
      c.beginPath();
      c.moveTo(x, 16);
      c.lineTo(x, 20);
      c.stroke();
      c.fillText(Number(t.toFixed(Math.max(0, Math.ceil(-Math.log10(step)) + 1))).toString(), x, 9);
    }
    if (this.joints.length) {
      c.textAlign = 'right';
      c.fillText('t, s', this.#gutter - 22, 9);
    }
  }

  #events(c, width) {
    const run = this.report.active;
    if (!run) return;
    let last = -Infinity;
    for (const event of run.events) {
      const x = this.#x(event.t);
      if (x < this.#gutter - 1 || x > width - 13 || x - last < 0.6) continue;
      last = x;
      c.fillStyle = cssColor(this.report.joint !== null && event.joint === this.report.joint ? '--accent' : '--mark');
      c.beginPath();
      c.moveTo(x - 3, 21);
      c.lineTo(x + 3, 21);
      c.lineTo(x, 28);
      c.fill();
    }
  }
}

function hatched(c, color, ground) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const t = tile.getContext('2d');
  t.fillStyle = color;
  t.fillRect(0, 0, 6, 6);
  t.strokeStyle = ground;
  t.lineWidth = 1.2;
  for (const shift of [-6, 0, 6]) {
    t.beginPath();
    t.moveTo(shift, 6);
    t.lineTo(shift + 6, 0);
    t.stroke();
  }
  return c.createPattern(tile, 'repeat');
}

function fitted(c, text, width) {
  if (c.measureText(text).width <= width) return text;
  let n = text.length;
  while (n > 1 && c.measureText(`${text.slice(0, n)}…`).width > width) n--;
  return `${text.slice(0, n)}…`;
}
