/* Settings, outcome and counters of all runs, one column each; what differs stands out. */

import { h } from '../ui/dom.js';

/* What was left out of the data so that they stay small. */
function thinned(run) {
  const { thinned: left } = run;
  if (!left) return [];
  return [['rows', 'kept', 'rows recorded'], ['events', 'events_kept', 'events recorded'], ['stories', 'stories_kept', 'stories recorded']]
    .filter(([all, kept]) => left[all] !== undefined && left[all] !== left[kept]).map(([all, , label]) => [label, String(left[all])]);
}

export class FactsPanel {
  constructor(report) {
    this.report = report;
    this.element = h('div', {});
    this.fill();
    report.runsChanged.listen(() => this.fill());
  }

  fill() {
    const runs = this.report.shownRuns();
    const general = (run) => [['mechanism', run.title], ['file', run.file], ['fingerprint', run.fingerprint], ['program', run.program], ['outcome', run.outcome], ['rows', String(run.time.length)],
      ...thinned(run), ['bodies', String(run.bodies.length)],
      ['joints', String(run.joints.length)], ['events', String(run.events.length)]].filter((pair) => pair[1]);
    const faults = runs.flatMap((run) => run.faults.map((fault) => h('li', {}, `${run.name}: ${fault}`)));
    this.element.replaceChildren(faults.length ? h('div', { class: 'faults', role: 'alert' }, h('strong', {}, 'Not all data could be read:'), h('ul', {}, ...faults)) : '',
      this.#table('Run', runs, general), this.#table('Settings', runs, (run) => run.settings), this.#table('Counters', runs, (run) => run.counters),
      h('p', { class: 'quiet' }, this.report.program));
  }

  #table(title, runs, pairsOf) {
    const maps = runs.map((run) => new Map(pairsOf(run)));
    const keys = [...new Set(maps.flatMap((map) => [...map.keys()]))];
    if (!keys.length) return '';
    return h('table', { class: 'facts' }, h('caption', {}, title),
      runs.length > 1 ? h('thead', {}, h('tr', {}, h('td', {}), ...runs.map((run) => h('th', { scope: 'col' }, run.name)))) : null,
      h('tbody', {}, ...keys.map((key) => {
        const differs = maps.some((map) => map.get(key) !== maps[0].get(key));
        return h('tr', { class: differs ? 'differs' : '' }, h('th', { scope: 'row' }, key), ...maps.map((map) => h('td', {}, map.get(key) ?? '–')));
      })));
  }
}
