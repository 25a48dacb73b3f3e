/* The choice of a quantity: what is typed narrows the list. */

import { quantitiesOf } from '../data/quantities.js';
import { button, h, icon } from '../ui/dom.js';

const most = 200;

export class Picker {
  constructor(report) {
    this.report = report;
    this.filter = h('input', { type: 'search', placeholder: 'Narrow the list, as in: knee velocity', 'aria-label': 'Narrow the list', on: { input: () => this.#fill() } });
    this.list = h('div', { class: 'picker-list' });
    this.element = h('dialog', { class: 'picker', 'aria-label': 'Choose a quantity' },
      h('div', { class: 'dialog-head' }, h('h2', {}, 'Choose a quantity'), button('Close', icon('close'), () => this.element.close())),
      this.filter, this.list);
    this.element.addEventListener('click', (event) => { if (event.target === this.element) this.element.close(); });
  }

  open(chosen) {
    this.chosen = chosen;
    this.filter.value = '';
    this.#fill();
    this.element.showModal();
    this.filter.focus();
  }

  #fill() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = new Map();
    for (const run of this.report.shownRuns()) {
      for (const [key, quantity] of quantitiesOf(run)) {
        const text = `${quantity.label} ${quantity.group}`.toLowerCase();
        if (words.every((word) => text.includes(word))) found.set(key, quantity);
      }
    }
    const rows = [];
    let group = null;
    for (const [key, quantity] of [...found].slice(0, most)) {
      if (quantity.group !== group) rows.push(h('h3', {}, group = quantity.group));
      rows.push(h('button', { type: 'button', on: { click: () => { this.element.close(); this.chosen(key); } } },
        quantity.label, h('span', { class: 'quiet' }, quantity.unit)));
    }
    if (found.size > most) rows.push(h('p', { class: 'quiet' }, `… and ${found.size - most} more: type to narrow the list.`));
    if (!found.size) rows.push(h('p', { class: 'quiet' }, 'Nothing of that name.'));
    this.list.replaceChildren(...rows);
  }
}
