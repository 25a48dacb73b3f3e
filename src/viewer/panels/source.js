/* The mechanism's text, with numbered lines. */

import { h } from '../ui/dom.js';

/* A line's pieces: a comment, a key, the rest. */
function pieces(line) {
  const comment = line.search(/(^|\s)#/);
  const code = comment < 0 ? line : line.slice(0, comment);
  const key = code.match(/^(\s*(?:- )?)([^\s:{}[\],"'][^:{}[\],"']*)(?=:(\s|$))/);
  const parts = key ? [key[1], h('b', {}, key[2]), code.slice(key[0].length)] : [code];
  return comment < 0 ? parts : [...parts, h('i', {}, line.slice(comment))];
}

export class SourcePanel {
  constructor(report) {
    this.report = report;
    this.element = h('div', {});
    report.runsChanged.listen(() => this.fill());
    this.fill();
  }

  fill() {
    const run = this.report.active;
    if (this.run === run && this.element.firstChild) return;
    this.run = run;
    if (!run || !run.source) {
      this.element.replaceChildren(h('p', { class: 'quiet' }, 'The data hold no text of the mechanism.'));
      return;
    }
    const lines = run.source.replace(/\n$/, '').split('\n');
    this.element.replaceChildren(h('p', { class: 'quiet' }, run.file), h('pre', { class: 'source', tabindex: '0', 'aria-label': 'The text of the mechanism' },
      ...lines.map((line) => h('span', { class: 'source-line' }, ...pieces(line), '\n'))));
  }
}
