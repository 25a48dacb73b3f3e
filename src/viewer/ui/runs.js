/* Several runs: which are shown, and which one the time line, the events and the text are of. */

import { h } from './dom.js';
import { swatch } from './swatch.js';
import { theme } from './theme.js';

export function runChips(report) {
  const element = h('div', { class: 'runs', role: 'group', 'aria-label': 'Runs' });
  const fill = () => {
    const focused = element.contains(document.activeElement) ? document.activeElement.getAttribute('aria-label') : null;
    element.replaceChildren(...report.runs.map((run) => {
      const active = run === report.active;
      const shown = h('input', { type: 'checkbox', 'aria-label': `Show ${run.name}`, title: 'Show', on: { change: () => report.show(run, shown.checked) } });
      shown.checked = report.shown.has(run.index);
      const name = h('button', { type: 'button', 'aria-pressed': String(active), 'aria-label': `Look at ${run.name}`, title: `${run.name} (${run.index + 1})`,
        on: { click: () => report.activate(run) } },
      swatch(run.index, run.index), h('span', {}, run.name));
      return h('span', { class: active ? 'run active' : 'run' }, shown, name);
    }));
    if (focused) [...element.querySelectorAll('[aria-label]')].find((each) => each.getAttribute('aria-label') === focused)?.focus();
  };
  report.runsChanged.listen(fill);
  theme.changed.listen(fill);
  fill();
  return element;
}
