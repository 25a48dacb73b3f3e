/* The keyboard, and the sheet that tells of it. One table: what is listed is what works. */

import { button, h, icon } from './dom.js';
import { theme } from './theme.js';

export class Keys {
  constructor(report, { transport, viewer, side }) {
    const { clock } = report;
    const page = (direction) => clock.seek(clock.time + direction * (clock.view[1] - clock.view[0]) / 20);
    const press = (element) => element && element.click();
    this.table = [
      [['Space', 'k'], 'play or pause', () => clock.play(!clock.playing)],
      [['→', '←'], 'one row on or back', (key) => transport.row(key === '→' ? 1 : -1)],
      [['Shift →', 'Shift ←'], 'a twentieth of what is seen on or back', (key) => page(key === 'Shift →' ? 1 : -1)],
      [['.', ','], 'next event, event before', (key) => transport.event(key === '.' ? 1 : -1)],
      [['Home', 'End'], 'to the start or the end', (key) => clock.seek(key === 'Home' ? clock.start : clock.end)],
      [[']', '['], 'faster, slower', (key) => clock.faster(key === ']' ? 1 : -1)],
      [['l'], 'play over and over', () => press(transport.loop)],
      [['+', '−'], 'see less or more of the time', (key) => clock.zoom(key === '+' ? 0.5 : 2)],
      [['0'], 'see the whole time', () => clock.setView(clock.start, clock.end)],
      [['1', '…', '9'], 'look at this run', (key) => { const run = report.runs[Number(key) - 1]; if (run) report.activate(run); }],
      [['t'], 'runs side by side, or one', () => press(viewer.tiledToggle)],
      [['n'], 'names of the joints', () => press(viewer.namesToggle)],
      [['f'], 'fit the mechanism into the view', () => { if (viewer.stage) viewer.stage.fit(); }],
      [['r', 'q', 'm'], 'arrows: reaction force, friction, reaction torque', (key) => {
        if (viewer.arrowToggles) press(viewer.arrowToggles[{ r: 'force', q: 'friction', m: 'torque' }[key]]); }],
      [['p', 'e', 'b', 'i', 's'], 'plots, events, energy balance, run, source', (key) =>
        side.show({ p: 'Plots', e: 'Events', b: 'Energy', i: 'Run', s: 'Source' }[key])],
      [['a'], 'add a plot', () => { side.show('Plots'); side.panels.Plots.choose(); }],
      [['Esc'], 'let go of the joint that is picked out', () => { if (report.joint !== null) report.pick(report.joint); }],
      [['d'], 'dark or light', () => theme.flip()],
      [['?'], 'this sheet', () => this.element.showModal()],
    ];
    this.element = h('dialog', { class: 'sheet', 'aria-label': 'Keyboard' },
      h('div', { class: 'dialog-head' }, h('h2', {}, 'Keyboard'), button('Close', icon('close'), () => this.element.close())),
      h('table', {}, h('tbody', {}, ...this.table.map(([names, what]) =>
        h('tr', {}, h('th', { scope: 'row' }, ...names.flatMap((name) => [h('kbd', {}, name), ' '])), h('td', {}, what))))),
      h('p', { class: 'quiet' }, 'In the picture: drag to turn, wheel to come nearer, right button to move; click a joint to pick it out. On the time line: drag, Ctrl and wheel to zoom, double click for all of it.'));
    this.element.addEventListener('click', (event) => { if (event.target === this.element) this.element.close(); });
    document.addEventListener('keydown', (event) => this.#press(event));
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.target.closest('input[type="text"], input[type="search"], select, textarea')) return;
    if (event.key === ' ' && event.target.closest('button, input')) return;
    if (event.target.matches('input[type="range"]') && event.key.startsWith('Arrow')) return;
    const name = { ' ': 'Space', ArrowRight: '→', ArrowLeft: '←', Escape: 'Esc', '-': '−', '=': '+' }[event.key] || event.key;
    const key = event.shiftKey && name.length === 1 && '→←'.includes(name) ? `Shift ${name}` : name;
    const found = this.table.find(([names]) => names.includes(key) || (names.includes('…') && /^[1-9]$/.test(key)));
    if (!found) return;
    event.preventDefault();
    found[2](key);
  }
}
