/* The page's own reading of the data, without a browser. */

import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { columnOf } from '../../src/viewer/data/column.js';
import { quantitiesOf, valuesOf } from '../../src/viewer/data/quantities.js';
import { bracket, Run } from '../../src/viewer/data/run.js';
import { Report } from '../../src/viewer/data/report.js';
import { lineColor, modeColors } from '../../src/viewer/palette.js';
import { merged } from '../../src/viewer/plots/merge.js';
import { short, ticks } from '../../src/viewer/ui/number.js';
import { f32, f64, f32z, i8 } from './made_data.mjs';

async function columns() {
  const numbers = [1.5, -2, NaN, 1e-3];
  for (const column of [f64(numbers), f32(numbers.map(Math.fround)), f32z(numbers.map(Math.fround)), [1.5, -2, null, 1e-3]]) {
    const values = Array.from(await columnOf(column).load());
    assert.deepEqual(values, Object.keys(column)[0].startsWith('f32') ? numbers.map(Math.fround) : numbers);
  }
  assert.deepEqual(Array.from(await columnOf(i8([0, 1, -2])).load()), [0, 1, -2]);
  const packed = { f64z: deflateSync(Buffer.from(Float64Array.of(3, 4).buffer)).toString('base64') };
  assert.deepEqual(Array.from(await columnOf(packed).load()), [3, 4]);
  await assert.rejects(columnOf({ f64: 'AAAA' }).load(), /cut off/);
  await assert.rejects(columnOf({ q7: 'AAAA' }).load(), /unknown type/);
  assert.equal(columnOf(undefined), null);
}

function rows() {
  const time = Float64Array.of(0, 1, 1, 3);
  const at = (t) => { const found = bracket(time, t, { row: 0, fraction: 0 }); return [found.row, found.fraction]; };
  assert.deepEqual(at(0), [0, 0]);
  assert.deepEqual(at(0.25), [0, 0.25]);
  assert.deepEqual(at(1), [2, 0]); // the row after the event
  assert.deepEqual(at(2), [2, 0.5]);
  assert.deepEqual(at(3), [3, 0]);
  for (let k = 0; k < 200; k++) { // whatever the hint
    const t = 3 * Math.random();
    const found = bracket(time, t, { row: Math.floor(6 * Math.random()) - 1, fraction: 0 });
    assert.deepEqual([found.row, found.fraction], at(t));
  }
}

/* Every row of every run is there, in order, with its value; what jumps still jumps. */
function merging() {
  const a = { time: Float64Array.of(0, 1, 1, 2), values: [1, 2, 3, NaN] };
  const b = { time: Float64Array.of(0.5, 1, 3), values: [10, 20, 30] };
  const [times, one, two] = merged([a, b]);
  assert.deepEqual(times, [0, 0.5, 1, 1, 2, 3]);
  assert.deepEqual(one, [1, undefined, 2, 3, null, undefined]);
  assert.deepEqual(two, [undefined, 10, 20, undefined, undefined, 30]);
  assert.deepEqual(merged([a, { time: a.time, values: [4, 5, 6, 7] }]), [[0, 1, 1, 2], [1, 2, 3, null], [4, 5, 6, 7]]);
}

async function reading() {
  const raw = { name: 'a', time: f64([0, 1, 1, 2]), joints: [{ name: 'j', mode: i8([0, 0, 1, 1]), velocity: f32([1, 2]), place: f32([0, 0, 1]) }],
    events: [{ t: 1, row: 2, joint: 'j', story: 'told once' }, { t: 1, row: 2, joint: 'k' }, { t: 2, row: 3, joint: 'k' }] };
  const run = new Run(raw, 0);
  await run.prepare();
  assert.deepEqual(run.joints[0].segments, [[0, 1, 0], [1, 2, 1]]);
  assert.deepEqual(run.events.map((event) => event.story), ['told once', 'told once', '']);
  assert.equal(await run.numbers(run.joints[0].velocity, 1, 'the velocity of j'), null);
  assert.match(run.faults.join(), /the velocity of j has 2 numbers; expected 1 for each of 4 rows/);
  assert.deepEqual(Array.from(await run.numbers(run.joints[0].place, 3, 'the place of j')), [0, 0, 1]);
  const backwards = new Run({ time: f64([0, 2, 1]) }, 0);
  await backwards.prepare();
  assert.deepEqual(Array.from(backwards.time), [0, 2]);
  assert.match(backwards.faults.join(), /time runs backwards at row 2/);
  for (const nothing of [{}, { runs: [] }, { runs: [{}] }]) await new Report(nothing).prepare();
}

/* A law that is no stiction has its friction in an output; both runs have one quantity then, with the limits where there are some. */
async function frictions() {
  const time = f64([0, 1]), joint = { name: 'slide', type: 'prismatic' };
  const outputs = [{ name: 'friction(slide)', unit: 'N', value: f32([3, 4]) }];
  const stuck = { ...joint, friction: f32([1, 2]), limit_low: f32([-5, -5]), limit_high: f32([5, 5]) };
  const found = [];
  for (const run of [new Run({ time, outputs, joints: [stuck] }, 0), new Run({ time, outputs, joints: [joint] }, 1), new Run({ time, joints: [joint] }, 2)]) {
    await run.prepare();
    const quantity = quantitiesOf(run).get('joint\nslide\nfriction');
    found.push(quantity && [Array.from(await valuesOf(run, quantity)), quantity.limits.length]);
  }
  assert.deepEqual(found, [[[1, 2], 2], [[3, 4], 0], undefined]);
}

async function clock() {
  const report = new Report({ runs: [{ time: f64([0, 10]) }, { time: f64([-1, 4]) }] });
  await report.prepare();
  const { clock } = report;
  assert.deepEqual([clock.start, clock.end, clock.time, clock.speed], [-1, 10, -1, 1]);
  clock.play(true);
  clock.tick(0.5);
  assert.equal(clock.time, -0.5);
  clock.setSpeed(100);
  clock.tick(0.5);
  assert.deepEqual([clock.time, clock.playing], [10, false]);
  clock.loops = true;
  clock.play(true);
  assert.equal(clock.time, -1);
  clock.tick(0.5);
  assert.deepEqual([clock.time, clock.playing], [-1, true]);
  clock.zoom(0.5, 0);
  assert.deepEqual(clock.view, [-0.5, 5]);
  clock.zoom(10, 0);
  assert.deepEqual(clock.view, [-1, 10]);
  clock.seek(99);
  assert.equal(clock.time, 10);
}

function numbers() {
  assert.deepEqual([0, 1.5, -2, 1234567, 1e-7, NaN, 100000, 20].map((x) => short(x)), ['0', '1.5', '−2', '1.235e+6', '1e−7', '–', '1e+5', '20']);
  assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks(0.1, 0.1, 5), [0.1]);
}

/* sRGB to CIELAB, as someone sees it who lacks one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1). */
const visions = { normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protan: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deutan: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881],
  tritan: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900] };

function lab(color, m) {
  const linear = [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  const [r, g, b] = [0, 3, 6].map((o) => Math.min(1, Math.max(0, m[o] * linear[0] + m[o + 1] * linear[1] + m[o + 2] * linear[2])));
  const f = (t) => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116);
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
  const z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/* What has to be told apart differs by ten just noticeable differences (of 2.3) if it is a surface; lines, which have dashes as
 * well, by five. */
function colors() {
  for (const dark of [false, true]) {
    const { locked, wait, unlocked } = modeColors(dark);
    const sets = [[[locked, wait, unlocked], 23], [[0, 1, 2].map((i) => lineColor(i, dark)), 11.5]];
    for (const [name, m] of Object.entries(visions)) {
      for (const [set, least] of sets) {
        set.forEach((one, i) => set.slice(0, i).forEach((other) => {
          const [p, q] = [lab(one, m), lab(other, m)];
          const difference = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
          assert.ok(difference >= least, `${one} and ${other} are ${difference.toFixed(1)} apart for ${name} (${dark ? 'dark' : 'light'})`);
        }));
      }
    }
  }
}

export const dataTests = { columns, rows, merging, reading, frictions, clock, numbers, colors };
