/* The energy balance: how it goes, and what is where at the time shown. */

import { quantitiesOf, valuesOf } from '../data/quantities.js';
import { Plot, valueAt } from '../plots/plot.js';
import { h } from '../ui/dom.js';
import { short } from '../ui/number.js';

const parts = [['kinetic', 'Kinetic'], ['potential', 'Potential'], ['work_in', 'Work put in'], ['dissipated', 'Dissipated'], ['error', 'Unexplained']];

export class EnergyPanel {
  constructor(report) {
    this.report = report;
    this.table = h('table', { class: 'facts' });
    this.element = h('div', {});
    this.loaded = false;
    report.clock.changed.listen(() => this.#follow());
    report.runsChanged.listen(() => { if (this.loaded) this.show(); });
  }

  /* When it is first looked at. */
  async show() {
    const { report } = this;
    if (!this.loaded) {
      this.loaded = true;
      const has = (part) => report.runs.some((run) => quantitiesOf(run).has(`energy\n${part}`));
      const drawn = parts.map(([part]) => part).filter((part) => part !== 'error' && has(part));
      const plots = [drawn, has('error') ? ['error'] : []].filter((keys) => keys.length).map((keys, i) =>
        new Plot(report, keys.map((part) => `energy\n${part}`), { height: i ? 130 : 230 }));
      this.element.append(...plots.map((plot) => plot.element),
        plots.length ? this.table : h('p', { class: 'quiet' }, 'The runs tell nothing of energies.'));
      plots.forEach((plot) => plot.load());
    }
    this.values = await Promise.all(report.shownRuns().map(async (run) => ({ run, at: { row: 0, fraction: 0 },
      columns: Object.fromEntries(await Promise.all(parts.map(async ([part]) => {
        const quantity = quantitiesOf(run).get(`energy\n${part}`);
        return [part, quantity ? await valuesOf(run, quantity) : null];
      }))) })));
    this.#fill();
  }

  #fill() {
    this.cells = [];
    const rows = parts.map(([part, label]) => h('tr', {}, h('th', { scope: 'row' }, label), ...this.values.map((value) => {
      const cell = h('td', {});
      this.cells.push({ cell, value, part });
      return cell;
    })));
    this.table.replaceChildren(h('caption', {}, 'At the time shown, J'), h('thead', {}, h('tr', {}, h('td', {}),
      ...this.values.map(({ run }) => h('th', { scope: 'col' }, run.name)))), h('tbody', {}, ...rows));
    this.#follow();
  }

  #follow() {
    if (!this.cells || this.frame.hidden) return;
    const now = performance.now();
    if (this.report.clock.playing && now - this.read < 100) return;
    this.read = now;
    for (const { cell, value, part } of this.cells) {
      const column = value.columns[part];
      cell.textContent = column ? short(valueAt({ time: value.run.time, values: column }, this.report.clock.time, value.at), 6) : '–';
    }
  }
}
