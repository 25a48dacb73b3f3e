/* The whole report: its runs, which of them are shown, which one is looked at closely, and the clock. */

import { Clock } from './clock.js';
import { Run } from './run.js';
import { Signal } from './signal.js';

export class Report {
  constructor(raw) {
    this.program = raw.program === undefined ? '' : String(raw.program);
    this.faulted = new Signal();
    this.runs = (Array.isArray(raw.runs) ? raw.runs : []).map((run, i) => new Run(run || {}, i, this.faulted));
    this.clock = new Clock();
    this.shown = new Set(this.runs.map((run) => run.index));
    this.active = this.runs[0] || null;
    this.joint = null; // the index of one that is picked out, in every run that has one of its name
    this.runsChanged = new Signal();
    this.picked = new Signal();
  }

  async prepare() {
    await Promise.all(this.runs.map((run) => run.prepare()));
    const timed = this.runs.filter((run) => run.time.length);
    if (!timed.length) return;
    this.clock.setRange(Math.min(...timed.map((run) => run.start)), Math.max(...timed.map((run) => run.end)));
  }

  shownRuns() {
    return this.runs.filter((run) => this.shown.has(run.index));
  }

  activate(run) {
    this.active = run;
    this.shown.add(run.index);
    this.runsChanged.send();
  }

  show(run, shown) {
    if (shown) this.shown.add(run.index);
    else this.shown.delete(run.index);
    if (!this.shown.has(this.active.index) && this.shown.size) this.active = this.shownRuns()[0];
    if (!this.shown.size) this.shown.add(run.index);
    this.runsChanged.send();
  }

  pick(name) {
    this.joint = this.joint === name ? null : name;
    this.picked.send();
  }
}
