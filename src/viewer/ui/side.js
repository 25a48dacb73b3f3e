/* The panels beside the picture, one at a time. */

import { EnergyPanel } from '../panels/energy.js';
import { EventsPanel } from '../panels/events.js';
import { FactsPanel } from '../panels/facts.js';
import { PlotsPanel } from '../panels/plots.js';
import { SourcePanel } from '../panels/source.js';
import { h } from './dom.js';

export class Side {
  constructor(report) {
    this.panels = { Plots: new PlotsPanel(report), Events: new EventsPanel(report), Energy: new EnergyPanel(report),
      Run: new FactsPanel(report), Source: new SourcePanel(report) };
    this.tabs = {};
    const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Panels', on: { keydown: (event) => this.#keys(event) } });
    this.element = h('section', { class: 'side', 'aria-label': 'Data' }, list);
    for (const [name, panel] of Object.entries(this.panels)) {
      this.tabs[name] = h('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`,
        on: { click: () => this.show(name) } }, name);
      list.append(this.tabs[name]);
      const frame = h('div', { class: 'panel', role: 'tabpanel', id: `panel-${name}`, 'aria-labelledby': `tab-${name}` }, panel.element);
      panel.frame = frame;
      this.element.append(frame);
    }
    const faults = () => {
      if (!report.runs.some((run) => run.faults.length)) return;
      this.tabs.Run.replaceChildren('Run', h('span', { class: 'fault-mark', title: 'Not all data could be read' }, ' !'));
      this.panels.Run.fill();
    };
    report.faulted.listen(faults);
    faults();
    this.show('Plots');
  }

  show(name) {
    this.shown = name;
    for (const [each, panel] of Object.entries(this.panels)) {
      panel.frame.hidden = each !== name;
      this.tabs[each].setAttribute('aria-selected', String(each === name));
      this.tabs[each].tabIndex = each === name ? 0 : -1;
    }
    if (this.panels[name].show) this.panels[name].show();
  }

  #keys(event) {
    const names = Object.keys(this.panels);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.stopPropagation();
    this.show(names[(names.indexOf(this.shown) + step + names.length) % names.length]);
    this.tabs[this.shown].focus();
  }
}
