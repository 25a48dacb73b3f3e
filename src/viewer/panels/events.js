/* The events of the active run, and the search's story of the one that is looked at. Only the rows in sight are made. */

import { button, h } from '../ui/dom.js';
import { short, timeText } from '../ui/number.js';

const row = 26;

export class EventsPanel {
  constructor(report) {
    this.report = report;
    this.current = -1;
    this.filter = h('input', { type: 'search', placeholder: 'Joint, cause or mode', 'aria-label': 'Show only events with these words', on: { input: () => this.#narrow() } });
    this.count = h('span', { class: 'quiet' });
    this.rows = h('div', { class: 'event-rows' });
    this.list = h('div', { class: 'event-list', role: 'list', 'aria-label': 'Events', tabindex: '-1' }, this.rows);
    this.story = h('div', { class: 'story', role: 'region', 'aria-label': 'The search' });
    this.element = h('div', { class: 'events' }, h('div', { class: 'tools' }, this.filter, this.count),
      h('div', { class: 'event event-head', 'aria-hidden': 'true' }, ...['time', 'joint', 'mode', 'cause', 'margin'].map((word) => h('span', {}, word))),
      this.list, this.story);
    this.list.addEventListener('scroll', () => this.#draw());
    this.places = new Map(); // the row of each index in sight
    new ResizeObserver(() => this.#draw()).observe(this.list);
    report.clock.changed.listen(() => this.#follow());
    report.runsChanged.listen(() => { if (this.run !== report.active) this.#narrow(); });
    this.#narrow();
  }

  #narrow() {
    this.run = this.report.active;
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = this.run ? this.run.events : [];
    this.events = all.filter((event) => {
      const text = `${event.joint} ${event.from} ${event.to} ${event.cause} ${event.kind}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    this.count.textContent = words.length ? `${this.events.length} of ${all.length} events` : `${all.length} events`;
    this.rows.style.height = `${row * this.events.length}px`;
    this.current = -1;
    this.#draw(true);
    this.#follow();
  }

  /* The event that is looked at is the one last gone to, as long as the clock is there, or else the last one so far. */
  #follow() {
    if (this.frame && this.frame.hidden) return;
    const t = this.report.clock.time;
    let found = -1;
    let low = 0;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.events[middle].t <= t) low = middle + 1; else high = middle;
    }
    found = low - 1;
    if (this.gone && this.gone.t === t && this.events.includes(this.gone)) found = this.events.indexOf(this.gone);
    else this.gone = null;
    if (found === this.current) return;
    const before = this.current;
    this.current = found;
    const top = row * found;
    if (top < this.list.scrollTop || top + row > this.list.scrollTop + this.list.clientHeight)
      this.list.scrollTop = top - this.list.clientHeight / 2;
    this.#mark(before);
    this.#draw();
    this.#tell(this.events[found]);
  }

  /* When the panel comes in sight. */
  show() {
    this.current = -1;
    this.#follow();
    this.#draw();
  }

  go(event) {
    this.gone = event;
    this.report.clock.play(false);
    this.report.clock.seek(event.t);
  }

  /* Rows that stay in sight stay the same elements, or a click would be lost whose button is exchanged under it. */
  #draw(anew = false) {
    const from = Math.max(0, Math.floor(this.list.scrollTop / row) - 4);
    const to = Math.min(this.events.length, from + Math.ceil(this.list.clientHeight / row) + 9);
    if (anew) {
      this.places.clear();
      this.rows.replaceChildren();
    }
    for (const [index, place] of this.places) {
      if (index >= from && index < to) continue;
      place.remove();
      this.places.delete(index);
    }
    let next = this.rows.firstChild;
    for (let index = from; index < to; index++) {
      const place = this.places.get(index);
      if (place) {
        next = place.nextSibling;
      } else {
        this.places.set(index, this.#row(this.events[index], index));
        this.rows.insertBefore(this.places.get(index), next);
      }
      this.#mark(index);
    }
  }

  #mark(index) {
    const item = this.places.get(index)?.firstChild;
    if (!item) return;
    const current = index === this.current;
    item.classList.toggle('current', current);
    if (current) item.setAttribute('aria-current', 'true');
    else item.removeAttribute('aria-current');
  }

  #row(event, index) {
    const change = event.from || event.to ? `${event.from} → ${event.to}` : event.kind;
    const item = h('button', { type: 'button', class: 'event', 'data-index': index, title: `${event.joint}: ${change}, ${event.cause || event.kind}`,
      on: { click: () => this.go(event), keydown: (key) => this.#keys(key, index) } },
    h('span', {}, timeText(event.t, this.report.clock.end - this.report.clock.start)), h('span', {}, event.joint), h('span', {}, change),
    h('span', {}, event.cause || event.kind), h('span', {}, Number.isFinite(event.margin) ? short(event.margin, 3) : ''));
    const place = h('div', { role: 'listitem', class: 'event-place' }, item);
    place.style.top = `${row * index}px`;
    return place;
  }

  #keys(key, index) {
    const next = index + (key.key === 'ArrowDown' ? 1 : key.key === 'ArrowUp' ? -1 : 0);
    if (next === index || !this.events[next]) return;
    key.preventDefault();
    key.stopPropagation();
    this.go(this.events[next]);
    this.rows.querySelector(`[data-index="${next}"]`)?.focus({ preventScroll: true });
  }

  #tell(event) {
    if (!event) {
      this.story.replaceChildren(h('p', { class: 'quiet' }, this.events.length ? 'Before the first event.' : 'There are no events.'));
      return;
    }
    const facts = [event.kind, event.cause && event.cause !== event.kind ? `cause: ${event.cause}` : '',
      Number.isFinite(event.margin) ? `margin ${short(event.margin, 6)}` : ''].filter(Boolean).join(', ');
    this.story.replaceChildren(h('h3', {}, `${event.joint || 'Event'} at t = ${event.t} s`),
      h('p', {}, event.from || event.to ? `${event.from} → ${event.to}` : '', facts ? h('span', { class: 'quiet' }, ` ${facts}`) : null),
      event.story ? h('pre', {}, event.story) : h('p', { class: 'quiet' }, 'The data have no story of a search at this event.'),
      event.joint && this.run.joints.some((joint) => joint.name === event.joint)
        ? button(`Pick out ${event.joint}`, 'Pick out this joint', () => { this.report.pick(event.joint); }) : null);
  }
}
