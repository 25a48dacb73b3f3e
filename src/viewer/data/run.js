/* One run of the report, as read from the data: what is missing is null or empty, columns of a wrong length are left out
 * and told in `faults`. */

import { columnOf } from './column.js';

const list = (x) => (Array.isArray(x) ? x : []);
const text = (x, otherwise = '') => (x === undefined || x === null ? otherwise : String(x));
const pairs = (x) => list(x).filter(Array.isArray).map((row) => [text(row[0]), text(row[1])]);

function vector(x, length, otherwise) {
  return Array.isArray(x) && x.length >= length && x.slice(0, length).every(Number.isFinite)
    ? x.slice(0, length) : otherwise;
}

/* A mesh may be a file's name alone: its body is then one without shapes. */
const canBeDrawn = (shape) => Boolean(shape) && (shape.type === 'mesh' ? Boolean(shape.vertices && shape.faces)
  : list(shape.size).length > 0 && shape.size.every(Number.isFinite));

const energyParts = ['kinetic', 'potential', 'work_in', 'dissipated', 'error'];
const jointNumbers = ['position', 'velocity', 'acceleration', 'friction', 'limit_low', 'limit_high'];

export class Run {
  constructor(raw, index, faulted = null) {
    this.index = index;
    this.name = text(raw.name, `run ${index + 1}`);
    this.title = text(raw.title);
    this.fingerprint = text(raw.fingerprint);
    this.program = text(raw.program);
    this.file = text(raw.file);
    this.source = text(raw.source);
    this.settings = pairs(raw.settings);
    this.counters = pairs(raw.counters);
    this.outcome = text(raw.outcome);
    this.thinned = raw.thinned || null;
    this.up = vector(raw.up, 3, [0, 0, 1]);
    this.size = raw.size > 0 ? Number(raw.size) : 0;
    this.faults = [];
    this.faulted = faulted; // told of each of them
    this.timeColumn = columnOf(raw.time);
    this.time = new Float64Array(0);
    this.bodies = list(raw.bodies).map((body, i) => this.#body(body, i));
    this.joints = list(raw.joints).map((joint, i) => this.#joint(joint, i));
    this.outputs = list(raw.outputs).map((output) => ({
      name: text(output.name), unit: text(output.unit), value: columnOf(output.value) }));
    this.energy = {};
    for (const part of energyParts) this.energy[part] = columnOf((raw.energy || {})[part]);
    this.events = list(raw.events).map((event, i) => ({
      index: i, t: Number(event.t), row: event.row, joint: text(event.joint), kind: text(event.kind),
      from: text(event.from), to: text(event.to), cause: text(event.cause),
      margin: event.margin === null || event.margin === undefined ? NaN : Number(event.margin),
      story: text(event.story) }));
    this.#shareStories();
  }

  #body(raw, i) {
    return { name: text(raw.name, i ? `body ${i}` : 'ground'), pose: columnOf(raw.pose),
      center: vector(raw.center, 3, [0, 0, 0]), shapes: list(raw.shapes).filter(canBeDrawn) };
  }

  #joint(raw, i) {
    const joint = { index: i, name: text(raw.name, `joint ${i + 1}`), type: text(raw.type, 'revolute'),
      base: Number.isInteger(raw.base) ? raw.base : 0, follower: Number.isInteger(raw.follower) ? raw.follower : -1,
      closesLoop: Boolean(raw.closes_loop), stiction: Boolean(raw.stiction), place: columnOf(raw.place),
      axis: columnOf(raw.axis), reactionForce: columnOf(raw.reaction_force),
      reactionTorque: columnOf(raw.reaction_torque), mode: columnOf(raw.mode), segments: [] };
    for (const name of jointNumbers) joint[name] = columnOf(raw[name]);
    return joint;
  }

  /* The story of an instant is told with its first event. */
  #shareStories() {
    this.events.forEach((event, i) => {
      const before = this.events[i - 1];
      if (!event.story && before && before.t === event.t && before.row === event.row) event.story = before.story;
    });
  }

  get start() { return this.time.length ? this.time[0] : 0; }
  get end() { return this.time.length ? this.time[this.time.length - 1] : 0; }

  /* A column of `width` numbers a row, or one row of them for what rests; null, and a fault told, if it is neither. */
  async numbers(column, width, what) {
    if (!column) return null;
    try {
      const values = await column.load();
      if (values.length === width * this.time.length || (width > 1 && values.length === width)) return values;
      this.#fault(`${what} has ${values.length} numbers; expected ${width} for each of ${this.time.length} rows`);
    } catch (error) {
      this.#fault(`${what} cannot be read: ${error.message}`);
    }
    return null;
  }

  #fault(sentence) {
    if (this.faults.includes(sentence)) return;
    this.faults.push(sentence);
    if (this.faulted) this.faulted.send();
  }

  /* Time and modes: what the time line needs. */
  async prepare() {
    this.time = this.timeColumn ? await this.timeColumn.load().catch(() => null) : null;
    if (!this.time) {
      this.time = new Float64Array(0);
      this.#fault('time cannot be read');
    }
    for (let i = 1; i < this.time.length; i++) {
      if (!(this.time[i] >= this.time[i - 1])) {
        this.#fault(`time runs backwards at row ${i}`);
        this.time = this.time.slice(0, i);
        break;
      }
    }
    this.events = this.events.filter((event) => Number.isFinite(event.t));
    await Promise.all(this.joints.map(async (joint) => {
      const mode = await this.numbers(joint.mode, 1, `the mode of ${joint.name}`);
      if (mode) joint.segments = segmentsOf(this.time, mode);
    }));
  }
}

/* Stretches of time of one mode: [from, to, mode]. */
function segmentsOf(time, mode) {
  const segments = [];
  for (let i = 0; i < time.length;) {
    let k = i + 1;
    while (k < time.length && mode[k] === mode[i]) k++;
    segments.push([time[i], k < time.length ? time[k] : time[k - 1], mode[i]]);
    i = k;
  }
  return segments;
}

/* The last row at or before `t`, and how far `t` is on the way to the next one. `hint` is a row near it. */
export function bracket(time, t, out) {
  const last = time.length - 1;
  let row = out.row;
  if (!(row >= 0 && row <= last && time[row] <= t && (row === last || time[row + 1] > t))) {
    let low = 0;
    let high = last;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (time[middle] <= t) low = middle; else high = middle - 1;
    }
    row = low;
  }
  out.row = row;
  out.fraction = row < last && t > time[row] ? (t - time[row]) / (time[row + 1] - time[row]) : 0;
  return out;
}

export const modeName = (mode) =>
  ({ 0: 'locked', 1: 'unlocked +', '-1': 'unlocked −', 2: 'wait +', '-2': 'wait −' })[mode] || '';
