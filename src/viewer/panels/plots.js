/* The panel of plots. */

import { firstQuantities, quantitiesOf } from '../data/quantities.js';
import { Picker } from '../plots/picker.js';
import { Plot } from '../plots/plot.js';
import { button, h, icon } from '../ui/dom.js';

export class PlotsPanel {
  constructor(report) {
    this.report = report;
    this.plots = [];
    this.picker = new Picker(report);
    this.stack = h('div', { class: 'plots' });
    this.element = h('div', {}, this.stack, h('div', { class: 'plot-tools' },
      h('button', { type: 'button', on: { click: () => this.choose() } }, icon('plus'), 'Add a plot'),
      h('button', { type: 'button', on: { click: () => report.clock.setView(report.clock.start, report.clock.end) } }, 'Whole run'),
      h('span', { class: 'quiet' }, 'Drag to zoom, click to go there.')), this.picker.element);
    report.picked.listen(() => this.#joint());
  }

  fill() {
    if (this.report.active) firstQuantities(this.report.active).forEach((keys) => this.#add(keys));
  }

  choose() {
    this.picker.open((key) => this.#add([key]).element.scrollIntoView({ block: 'nearest' }));
  }

  #add(keys) {
    const plot = new Plot(this.report, keys, { onAdd: (to) => this.picker.open((key) => to.add(key)), onClose: (which) => this.#close(which) });
    this.plots.push(plot);
    this.stack.append(plot.element);
    plot.load();
    return plot;
  }

  #close(plot) {
    this.plots.splice(this.plots.indexOf(plot), 1);
    plot.close();
  }

  /* A joint that is picked out shows its velocity and its friction, in place of those of the one before it. */
  #joint() {
    const name = this.report.joint;
    this.plots.filter((plot) => plot.ofPicked).forEach((plot) => this.#close(plot));
    if (name === null || !this.report.active) return;
    const all = quantitiesOf(this.report.active);
    for (const quantity of ['friction', 'velocity']) {
      const key = `joint\n${name}\n${quantity}`;
      if (!all.has(key) || this.plots.some((plot) => plot.keys.length === 1 && plot.keys[0] === key)) continue;
      const plot = this.#add([key]);
      plot.ofPicked = true;
      this.stack.prepend(plot.element);
    }
  }
}
