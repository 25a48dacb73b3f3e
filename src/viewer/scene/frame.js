/* Where everything is at one instant, between the rows on either side of it: positions and vectors on a straight line,
 * rotations on the great circle's chord. All of it in arrays made once, for a frame has no time for garbage. */

import { bracket } from '../data/run.js';

/* `out[o..]` becomes `width` numbers of `values` at the instant of `at`; a single row rests. */
function mix(values, width, at, out, o) {
  const rests = values.length === width;
  const a = rests ? 0 : at.row * width;
  const b = rests || at.fraction === 0 ? a : a + width;
  for (let i = 0; i < width; i++) out[o + i] = values[a + i] + at.fraction * (values[b + i] - values[a + i]);
}

/* The rotation matrix, by columns, and the position: twelve numbers. */
function poseMatrix(values, at, out, o) {
  const rests = values.length === 7;
  const a = rests ? 0 : at.row * 7;
  const b = rests || at.fraction === 0 ? a : a + 7;
  const f = at.fraction;
  let along = 0;
  for (let i = 3; i < 7; i++) along += values[a + i] * values[b + i];
  const g = along < 0 ? -f : f; // q and -q are the same rotation
  let w = (1 - f) * values[a + 3] + g * values[b + 3];
  let x = (1 - f) * values[a + 4] + g * values[b + 4];
  let y = (1 - f) * values[a + 5] + g * values[b + 5];
  let z = (1 - f) * values[a + 6] + g * values[b + 6];
  const n = 1 / (Math.sqrt(w * w + x * x + y * y + z * z) || 1);
  w *= n; x *= n; y *= n; z *= n;
  out[o] = 1 - 2 * (y * y + z * z); out[o + 1] = 2 * (x * y + w * z); out[o + 2] = 2 * (x * z - w * y);
  out[o + 3] = 2 * (x * y - w * z); out[o + 4] = 1 - 2 * (x * x + z * z); out[o + 5] = 2 * (y * z + w * x);
  out[o + 6] = 2 * (x * z + w * y); out[o + 7] = 2 * (y * z - w * x); out[o + 8] = 1 - 2 * (x * x + y * y);
  for (let i = 0; i < 3; i++) out[o + 9 + i] = values[a + i] + f * (values[b + i] - values[a + i]);
}

const resting = Float64Array.of(0, 0, 0, 1, 0, 0, 0);

export class Frame {
  constructor(run) {
    const bodies = run.bodies.length;
    const joints = run.joints.length;
    this.run = run;
    this.at = { row: 0, fraction: 0 };
    this.pose = new Float32Array(12 * bodies);
    this.center = new Float32Array(3 * bodies);
    this.place = new Float32Array(3 * joints);
    this.axis = new Float32Array(3 * joints);
    this.mode = new Int8Array(joints).fill(100);
    this.position = new Float64Array(joints); // zero where it is not needed
    this.friction = new Float32Array(joints);
    this.force = new Float32Array(3 * joints);
    this.torque = new Float32Array(3 * joints);
    this.hasPlace = new Uint8Array(joints);
  }

  /* What moves: loaded before the first picture. */
  async prepare() {
    const { run } = this;
    const load = (items, name, width, what) => Promise.all(items.map((item) =>
      run.numbers(item[name], width, `the ${what} of ${item.name}`)));
    const slides = (joint) => (joint.type === 'prismatic' ? run.numbers(joint.position, 1, `the position of ${joint.name}`) : null);
    [this.poses, this.places, this.axes, this.modes, this.positions] = await Promise.all([load(run.bodies, 'pose', 7, 'pose'),
      load(run.joints, 'place', 3, 'place'), load(run.joints, 'axis', 3, 'axis'), load(run.joints, 'mode', 1, 'mode'), Promise.all(run.joints.map(slides))]);
    this.places.forEach((place, j) => { this.hasPlace[j] = place ? 1 : 0; });
  }

  /* What arrows show: loaded when they are first asked for. */
  async prepareForces() {
    const { run } = this;
    const load = (name, width, what) => Promise.all(run.joints.map((joint) =>
      run.numbers(joint[name], width, `the ${what} of ${joint.name}`)));
    const [frictions, forces, torques] = await Promise.all([load('friction', 1, 'friction'),
      load('reactionForce', 3, 'reaction force'), load('reactionTorque', 3, 'reaction torque')]);
    this.arrows = { frictions, forces, torques };
  }

  compute(t) {
    const at = bracket(this.run.time, Math.min(Math.max(t, this.run.start), this.run.end), this.at);
    this.#bodies(at);
    for (let j = 0; j < this.places.length; j++) {
      if (this.places[j]) mix(this.places[j], 3, at, this.place, 3 * j);
      if (this.axes[j]) mix(this.axes[j], 3, at, this.axis, 3 * j);
      if (this.positions[j]) mix(this.positions[j], 1, at, this.position, j);
      this.mode[j] = this.modes[j] ? this.modes[j][at.row] : 100;
    }
    if (this.arrows) this.#forces(at);
  }

  #bodies(at) {
    const { pose, center, run } = this;
    for (let b = 0; b < this.poses.length; b++) {
      const o = 12 * b;
      const c = run.bodies[b].center;
      poseMatrix(this.poses[b] || resting, at, pose, o);
      for (let i = 0; i < 3; i++)
        center[3 * b + i] = pose[o + i] * c[0] + pose[o + 3 + i] * c[1] + pose[o + 6 + i] * c[2] + pose[o + 9 + i];
    }
  }

  #forces(at) {
    const { frictions, forces, torques } = this.arrows;
    for (let j = 0; j < frictions.length; j++) {
      if (frictions[j]) mix(frictions[j], 1, at, this.friction, j);
      if (forces[j]) mix(forces[j], 3, at, this.force, 3 * j);
      if (torques[j]) mix(torques[j], 3, at, this.torque, 3 * j);
    }
  }
}
