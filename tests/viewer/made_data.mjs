/* Data for the page as `detent report` gives them, made here: a chain of any number of bodies that swing and stick, a four-bar
 * and a slide. The mechanics are simple enough to be written down; the page does not know. */

import { deflateSync } from 'node:zlib';

const base64 = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');

export const f64 = (x) => ({ f64: base64(Float64Array.from(x)) });
export const f32 = (x) => ({ f32: base64(Float32Array.from(x)) });
export const f32z = (x) => ({ f32z: deflateSync(Buffer.from(Float32Array.from(x).buffer)).toString('base64') });
export const i8 = (x) => ({ i8: base64(Int8Array.from(x)) });

/* An angle that moves and sticks by turns: what it is, how fast it goes, and the mode at `t`. */
function stickSlip(t, period, amplitude, phase) {
  const half = period / 2;
  const s = t / half + phase;
  const k = Math.floor(s);
  const f = s - k; // moves in the first 0.6 of each half, waits a moment, rests in the rest of it
  const direction = k % 2 === 0 ? 1 : -1;
  const moving = f < 0.6;
  const u = moving ? f / 0.6 : 1;
  const swing = 0.5 - 0.5 * Math.cos(Math.PI * u);
  return { angle: amplitude * (direction * (2 * swing - 1)),
    velocity: moving ? amplitude * direction * Math.PI * Math.sin(Math.PI * u) / (0.6 * half) : 0,
    mode: moving ? direction : f < 0.65 ? 2 * direction : 0 };
}

const rotation = (angle) => [Math.cos(angle / 2), 0, -Math.sin(angle / 2), 0]; // about -y: from x towards z

function modeText(mode) {
  return ({ 0: 'locked', 1: 'unlocked+', '-1': 'unlocked-', 2: 'wait+', '-2': 'wait-' })[mode];
}

/* The events of joints' modes, with their stories. */
function eventsOf(time, joints, modes) {
  const events = [];
  for (let i = 1; i < time.length; i++) {
    joints.forEach((joint, j) => {
      const from = modes[j][i - 1];
      const to = modes[j][i];
      if (from === to) return;
      const cause = to === 0 ? 'stop' : Math.abs(to) === 2 ? 'limit' : 'threshold';
      events.push({ t: time[i], row: i, joint: joint.name, kind: cause === 'stop' ? 'stop' : 'breakaway', from: modeText(from),
        to: modeText(to), cause, margin: 0.1 + 0.01 * j, story: `search at t = ${time[i]} s: 1 of ${joints.length} stiction joints at rest: ${joint.name}\n`
          + `  round 1, active set in 3 solves so far: nothing more gives way\n  locked: ${joint.name} (margin 0.4)\n  verified after 1 round and 4 solves` });
    });
  }
  return events;
}

function joint(name, base, follower, values, more = {}) {
  const { place, axis, angle, velocity, mode, force, friction } = values;
  return { name, type: 'revolute', base, follower, closes_loop: false, stiction: true, place: f32z(place), axis: f32(axis),
    position: f32(angle), velocity: f32(velocity), friction: f32(friction), limit_low: f32(friction.map(() => -1)),
    limit_high: f32(friction.map(() => 1)), reaction_force: f32z(force), reaction_torque: f32(force.map((x) => 0.1 * x)), mode: i8(mode), ...more };
}

const empty = () => ({ place: [], angle: [], velocity: [], mode: [], force: [], friction: [] });

function energyOf(time) {
  const kinetic = time.map((t) => 2 + Math.sin(3 * t));
  const potential = time.map((t) => -4 + Math.cos(3 * t));
  const work = time.map((t) => 0.6 * t);
  const dissipated = time.map((t, i) => work[i] - kinetic[i] - potential[i] - 1);
  return { kinetic: f64(kinetic), potential: f64(potential), work_in: f64(work), dissipated: f64(dissipated), error: f64(time.map((t) => 1e-9 * t)) };
}

function about(name, time, more) {
  return { name, file: `${name}.yaml`, source: `# ${name}\ndetent: 1\nname: ${name}\ngravity: [0, 0, -9.81]\n\nbodies:\n  link 1: {mass: 1 kg}  # the first\n`,
    settings: [['integrator', 'ida'], ['rtol', '1e-06'], ['end', `${time[time.length - 1]} s`]], counters: [['steps', '1234'], ['searches', '17']],
    outcome: 'finished', time: f64(time), up: [0, 0, 1], energy: energyOf(time), thinned: { rows: 10 * time.length, kept: time.length }, ...more };
}

const instants = (rows, end) => Array.from({ length: rows }, (_, i) => i * end / (rows - 1));

export function chain({ bodies = 5, rows = 600, end = 10, name = 'chain', period = 4, shapes = false } = {}) {
  const time = instants(rows, end);
  const length = 1;
  const poses = Array.from({ length: bodies }, () => []);
  const values = Array.from({ length: bodies }, empty);
  for (const t of time) {
    let x = 0;
    let z = 0;
    let total = -Math.PI / 2;
    for (let b = 0; b < bodies; b++) {
      const { angle, velocity, mode } = stickSlip(t, period * (1 + 0.13 * (b % 5)), 0.5 / Math.sqrt(1 + b / 4), 0.37 * b);
      total += angle;
      const v = values[b];
      v.place.push(x, 0, z);
      v.angle.push(angle);
      v.velocity.push(velocity);
      v.mode.push(mode);
      v.friction.push(mode ? -Math.sign(mode) * 0.8 : 0.6 * Math.sin(3 * t + b));
      v.force.push(2 * Math.cos(total), 0.2, 5 + 4 * Math.sin(t + b));
      poses[b].push(x, 0, z, ...rotation(total));
      x += length * Math.cos(total);
      z += length * Math.sin(total);
    }
  }
  const joints = values.map((v, b) => joint(`joint ${b + 1}`, b, b + 1, { ...v, axis: [0, -1, 0] }));
  const looks = [{ type: 'box', size: [0.9, 0.14, 0.1], pose: [0.5, 0, 0, 1, 0, 0, 0] }, { type: 'capsule', size: [0.08, 0.8], pose: [0.5, 0, 0, Math.SQRT1_2, 0, Math.SQRT1_2, 0], color: '#c2a98f' },
    { type: 'sphere', size: [0.16], pose: [0.5, 0, 0, 1, 0, 0, 0] }];
  return about(name, time, { size: bodies * length, joints, events: eventsOf(time, joints, values.map((v) => v.mode)),
    bodies: [{ name: 'ground' }, ...poses.map((pose, b) => ({ name: `link ${b + 1}`, pose: f32(pose), center: [length / 2, 0, 0],
      shapes: shapes ? [looks[b % 3]] : [] }))],
    outputs: [{ name: `position(joint ${bodies})`, unit: 'rad', value: f32(values[bodies - 1].angle) },
      { name: 'velocity(joint 1)', unit: 'rad/s', value: f32(values[0].velocity) }] });
}

/* Crank, coupler and rocker on the ground; the crank goes to and fro and sticks. */
export function fourBar({ rows = 500, end = 8, name = 'four-bar' } = {}) {
  const [crank, coupler, rocker, ground] = [0.4, 1.1, 0.9, 1.2];
  const time = instants(rows, end);
  const poses = [[], [], []];
  const values = Array.from({ length: 4 }, empty);
  const before = [0, 0, 0, 0];
  for (const [i, t] of time.entries()) {
    const { angle, mode } = stickSlip(t, 5, 1.2, 0.2);
    const a = 1.3 + angle;
    const pin = [crank * Math.cos(a), crank * Math.sin(a)];
    const dx = ground - pin[0];
    const dz = -pin[1];
    const d = Math.hypot(dx, dz);
    const b = Math.atan2(dz, dx) + Math.acos((coupler ** 2 + d * d - rocker ** 2) / (2 * coupler * d));
    const head = [pin[0] + coupler * Math.cos(b), pin[1] + coupler * Math.sin(b)];
    const c = Math.atan2(head[1], head[0] - ground);
    poses[0].push(0, 0, 0, ...rotation(a));
    poses[1].push(pin[0], 0, pin[1], ...rotation(b));
    poses[2].push(ground, 0, 0, ...rotation(c));
    const places = [[0, 0], pin, head, [ground, 0]];
    const angles = [a, b - a, c - b, c];
    values.forEach((v, j) => {
      v.place.push(places[j][0], 0, places[j][1]);
      v.angle.push(angles[j]);
      v.velocity.push(i ? (angles[j] - before[j]) / (t - time[i - 1]) : 0);
      v.mode.push(mode);
      v.friction.push(mode ? -0.5 * Math.sign(mode) : 0.3 * Math.sin(t));
      v.force.push(3 * Math.cos(b), 0, 3 * Math.sin(b));
      before[j] = angles[j];
    });
  }
  const joints = ['main', 'pin', 'head', 'foot'].map((joint_, j) => joint(joint_, [0, 1, 2, 0][j], [1, 2, 3, 3][j], { ...values[j], axis: [0, -1, 0] },
    { closes_loop: j === 3 }));
  return about(name, time, { size: 1.2, joints, events: eventsOf(time, joints, values.map((v) => v.mode)),
    bodies: [{ name: 'ground' }, ...['crank', 'coupler', 'rocker'].map((body, b) => ({ name: body, pose: f32(poses[b]), center: [[crank, coupler, rocker][b] / 2, 0, 0] }))],
    outputs: [{ name: 'position(foot)', unit: 'rad', value: f32(values[3].angle) }] });
}

/* A body at rest with a shape of each type, one above the other, half a metre apart, each 0.3 m wide. */
export function everyShape() {
  const corners = [0, 0, 0, 0.3, 0, 0, 0, 0.3, 0, 0, 0, 0.3];
  const shapes = [{ type: 'box', size: [0.3, 0.2, 0.1], color: '#c2a98f' }, { type: 'sphere', size: [0.15] }, { type: 'cylinder', size: [0.15, 0.2] },
    { type: 'capsule', size: [0.1, 0.2] }, { type: 'ellipsoid', size: [0.15, 0.1, 0.05] }, { type: 'line', size: [0, 0, 0, 0.3, 0, 0, 0.3, 0.3, 0] },
    { type: 'mesh', vertices: f32(corners), faces: { i32: base64(Int32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)) } },
    { type: 'mesh', file: 'arm.stl' }, { type: 'teapot', size: [1] }, { type: 'box', size: ['x'] }];
  shapes.forEach((shape, i) => { shape.pose = [0, 0, 0.5 * i, Math.cos(0.3), 0, 0, Math.sin(0.3)]; });
  return { name: 'shapes', time: f64([0, 1]), bodies: [{ name: 'ground' }, { name: 'post', pose: f32([0, 0, 0, 1, 0, 0, 0]), center: [0, 0, 1.5], shapes },
    { name: 'imported', pose: f32([1, 0, 0, 1, 0, 0, 0]), center: [0, 0, 1], shapes: [{ type: 'mesh', file: 'arm.stl' }] }],
  joints: [{ name: 'hinge', type: 'revolute', base: 0, follower: 2, place: f32([1, 0, 0]), axis: f32([0, 1, 0]) }] };
}

export const reportOf = (...runs) => ({ format: 1, program: 'detent (made data)', runs });
