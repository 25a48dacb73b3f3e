/* Play, pause, speed, steps from event to event, and the time as a number. */

import { speeds } from '../data/clock.js';
import { button, h, icon, toggle } from './dom.js';
import { timeText } from './number.js';

export class Transport {
  constructor(report) {
    const { clock } = report;
    this.report = report;
    this.clock = clock;
    this.play = button('Play (space)', icon('play'), () => clock.play(!clock.playing), { class: 'play' });
    this.speed = h('select', { 'aria-label': 'Speed', title: 'Speed ([ and ])', on: {
      change: () => clock.setSpeed(Number(this.speed.value)) } },
    ...speeds.map((speed) => h('option', { value: speed }, `${speed}×`)));
    this.time = h('input', { type: 'text', inputmode: 'decimal', 'aria-label': 'Time in seconds', class: 'number',
      autocomplete: 'off', spellcheck: 'false', on: { change: () => this.#typed() } });
    this.end = h('span', { class: 'quiet' });
    this.loop = toggle('Play over and over (l)', icon('loop'), false, (on) => { clock.loops = on; });
    this.element = h('div', { class: 'transport', role: 'toolbar', 'aria-label': 'Time' },
      button('Event before (,)', icon('previous'), () => this.event(-1)), this.play,
      button('Next event (.)', icon('next'), () => this.event(1)), this.loop, this.speed,
      h('label', { class: 'now' }, h('span', { class: 'quiet wide' }, 't ='), this.time, this.end));
    clock.changed.listen(() => this.update());
    this.update();
  }

  #typed() {
    const time = Number(this.time.value.replace(',', '.'));
    if (this.time.value.trim() !== '' && Number.isFinite(time)) this.clock.seek(time);
    this.time.blur();
    this.update();
  }

  /* From event to event of the active run. */
  event(direction) {
    const times = this.report.active ? this.report.active.events.map((event) => event.t) : [];
    const now = this.clock.time;
    const found = direction > 0 ? times.find((t) => t > now) : times.filter((t) => t < now).pop();
    if (found !== undefined) this.clock.seek(found);
  }

  /* From row to row of the active run. */
  row(direction) {
    if (!this.report.active) return;
    const { time } = this.report.active;
    const now = this.clock.time;
    let found;
    if (direction > 0) found = time.find((t) => t > now);
    else for (const t of time) if (t < now) found = t; else break;
    if (found !== undefined) this.clock.seek(found);
  }

  update() {
    const { clock } = this;
    if (this.playing !== clock.playing) {
      this.playing = clock.playing;
      const label = clock.playing ? 'Pause (space)' : 'Play (space)';
      this.play.replaceChildren(icon(clock.playing ? 'pause' : 'play'));
      this.play.setAttribute('aria-label', label);
      this.play.title = label;
    }
    if (Number(this.speed.value) !== clock.speed) this.speed.value = clock.speed;
    const span = clock.end - clock.start;
    if (document.activeElement !== this.time) this.time.value = timeText(clock.time, span);
    const end = `/ ${timeText(clock.end, span).replace(/\.0+$/, '')} s`;
    if (this.end.textContent !== end) this.end.textContent = end;
  }
}
