/* The 3-D view with what lies over it: switches for arrows, legend, names of runs and of the joint under the pointer. */

import { modeColors } from '../palette.js';
import { arrowKinds } from '../scene/arrows.js';
import { hasWebGL, Stage } from '../scene/stage.js';
import { modeName } from '../data/run.js';
import { button, h, toggle } from './dom.js';
import { Names } from './names.js';
import { short } from './number.js';
import { theme } from './theme.js';

/* The joint under the pointer: its mode, and what its arrows say. */
function told({ joint, frame }) {
  const j = joint.index;
  const turns = joint.type !== 'prismatic';
  const words = [joint.name, modeName(frame.mode[j])];
  if (frame.arrows) {
    if (frame.arrows.frictions[j]) words.push(`friction ${short(frame.friction[j])} ${turns ? 'N m' : 'N'}`);
    for (const [name, values, unit] of [['force', frame.force, 'N'], ['torque', frame.torque, 'N m']])
      if (frame.arrows[`${name}s`][j]) words.push(`${name} ${short(Math.hypot(...values.subarray(3 * j, 3 * j + 3)))} ${unit}`);
  }
  return words.filter(Boolean).join(', ');
}

export class Viewer3d {
  constructor(report) {
    this.report = report;
    this.canvas = h('canvas', { role: 'img', 'aria-label': 'The mechanism in three dimensions' });
    this.labels = h('div', { class: 'tile-labels' });
    this.tip = h('div', { class: 'tip', hidden: true });
    this.element = h('section', { class: 'view', 'aria-label': 'Mechanism' }, this.canvas, this.labels, this.tip);
    this.stage = null;
  }

  async prepare() {
    const { report } = this;
    if (!report.runs.length) return this.#instead('There is no run in this page.');
    if (!hasWebGL()) return this.#instead('This browser shows no 3-D pictures (WebGL is missing or switched off). Everything else works.');
    this.stage = new Stage(this.canvas, report);
    if (!(await this.stage.prepare())) {
      this.stage = null;
      return this.#instead('There are no rows to show.');
    }
    this.names = new Names(this.stage);
    this.labels.after(this.names.element);
    this.bar = h('div', { class: 'bar' }, this.#legend(), this.#switches());
    this.element.append(this.bar);
    theme.changed.listen(() => this.#theme());
    this.#theme();
    const dirty = () => { this.stage.dirty = true; };
    report.clock.changed.listen(dirty);
    report.picked.listen(dirty);
    report.runsChanged.listen(() => this.#layout());
    new ResizeObserver(() => { this.stage.resize(); this.#layout(); }).observe(this.element);
    this.stage.resize();
    this.stage.margin = getComputedStyle(this.bar).position === 'absolute' ? this.bar.offsetHeight + 12 : 0;
    this.stage.fit();
    this.#layout();
    this.#pointer();
    return undefined;
  }

  /* The picture at `t`, if it is not there already. */
  draw(t) {
    const drawn = this.stage !== null && this.stage.draw(t);
    if (drawn) this.names.update();
    return drawn;
  }

  #instead(sentence) {
    this.canvas.remove();
    this.element.append(h('p', { class: 'instead', role: 'status' }, sentence));
  }

  #theme() {
    this.stage.setTheme(theme.dark);
    const colors = modeColors(theme.dark);
    for (const [name, value] of Object.entries(colors)) this.element.style.setProperty(`--mode-${name}`, value);
    for (const [kind, { light, dark }] of Object.entries(arrowKinds))
      this.element.style.setProperty(`--arrow-${kind}`, theme.dark ? dark : light);
  }

  #layout() {
    const tiles = this.stage.layout();
    this.labels.replaceChildren(...(this.report.runs.length < 2 ? [] : tiles.map(({ mechanism, left, top, width, height }) => {
      const tile = h('div', { class: 'tile' }, h('span', { class: mechanism.run === this.report.active ? 'tile-label active' : 'tile-label' }, mechanism.run.name));
      Object.assign(tile.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
      return tile;
    })));
  }

  #switches() {
    const { stage } = this;
    this.arrowToggles = {};
    const scale = h('input', { type: 'range', min: '-1', max: '1', step: '0.05', value: '0', 'aria-label': 'Length of arrows',
      title: 'Length of arrows', on: { input: () => { stage.view.scale = 10 ** Number(scale.value); stage.dirty = true; } } });
    const toggles = Object.entries(arrowKinds).map(([kind, { label }]) => {
      const element = toggle(`${label} arrows`, label, false, (on) => stage.showArrows(kind, on), { class: `arrow arrow-${kind}` });
      this.arrowToggles[kind] = element;
      return element;
    });
    const tiled = this.report.runs.length < 2 ? null : toggle('All shown runs side by side (t)', 'Tiled', stage.tiled, (on) => {
      stage.tiled = on;
      this.#layout();
      stage.fit();
    });
    this.tiledToggle = tiled;
    this.namesToggle = toggle('Names of the joints (n)', 'Names', false, (on) => this.names.show(on));
    return h('div', { class: 'switches', role: 'toolbar', 'aria-label': 'What the picture shows' },
      ...toggles, scale, this.namesToggle, tiled, button('Fit into the view (f)', 'Fit', () => stage.fit()));
  }

  #legend() {
    return h('div', { class: 'legend' }, ...['locked', 'wait', 'unlocked'].map((name) =>
      h('span', {}, h('i', { class: `swatch mode-${name}` }), name)));
  }

  #pointer() {
    let down = null;
    this.canvas.addEventListener('pointerdown', (event) => { down = [event.offsetX, event.offsetY]; });
    this.canvas.addEventListener('pointermove', (event) => {
      if (event.buttons) return;
      const found = this.stage.jointAt(event.offsetX, event.offsetY);
      this.tip.hidden = !found;
      if (!found) return;
      this.tip.textContent = told(found);
      this.tip.style.transform = `translate(${event.offsetX + 12}px, ${event.offsetY + 12}px)`;
    });
    this.canvas.addEventListener('pointerleave', () => { this.tip.hidden = true; });
    this.canvas.addEventListener('pointerup', (event) => {
      if (!down || Math.hypot(event.offsetX - down[0], event.offsetY - down[1]) > 4) return;
      const found = this.stage.jointAt(event.offsetX, event.offsetY);
      if (found) this.report.pick(found.joint.name);
    });
  }
}
