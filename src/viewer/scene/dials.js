/* Bodies of no length, as wheels and shafts are where only their inertia is told: no stick would show that they turn. They get a
 * bar across their axis, one behind the other along it. */

import { Color } from 'three';
import { bodyColor } from '../palette.js';
import { Instances } from './instances.js';
import { box, surface } from './shared.js';

/* How far the places of the body's joints lie from its centre of mass, at most. */
function reach(frame, b) {
  let far = 0;
  frame.run.joints.forEach((joint, j) => {
    if ((joint.base !== b && joint.follower !== b) || !frame.hasPlace[j]) return;
    let square = 0;
    for (let i = 0; i < 3; i++) square += (frame.place[3 * j + i] - frame.center[3 * b + i]) ** 2;
    far = Math.max(far, Math.sqrt(square));
  });
  return far;
}

export class Dials {
  constructor(frame, scene, unit) {
    const { run } = frame;
    this.bars = [];
    frame.compute(run.start);
    const behind = new Map(); // how many there are at a place already
    run.bodies.forEach((body, b) => {
      const j = run.joints.findIndex((joint) => joint.follower === b && joint.type === 'revolute');
      if (b === 0 || body.shapes.length || j < 0 || !frame.hasPlace[j] || reach(frame, b) > unit) return;
      const key = [0, 1, 2].map((i) => Math.round(frame.place[3 * j + i] / unit)).join();
      const layer = behind.get(key) || 0;
      behind.set(key, layer + 1);
      this.bars.push({ b, local: this.#across(frame, b, j, unit, layer) });
    });
    this.copies = new Instances(box, surface, this.bars.length, scene);
    const color = new Color();
    this.bars.forEach(({ b }, k) => this.copies.color(k, color.set(bodyColor(b - 1))));
  }

  /* In the frame of the body, by columns: the bar's long edge, its thin one along the axis, the third, its middle. */
  #across(frame, b, j, unit, layer) {
    const { pose, axis, run } = frame;
    const o = 12 * b;
    const z = [0, 1, 2].map((i) => [0, 1, 2].reduce((sum, k) => sum + pose[o + 3 * i + k] * axis[3 * j + k], 0));
    const n = Math.hypot(...z) || 1;
    z.forEach((_, i) => { z[i] /= n; });
    const other = Math.abs(z[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
    const cross = (u, v) => [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const y = cross(z, other);
    const m = Math.hypot(...y);
    y.forEach((_, i) => { y[i] /= m; });
    const x = cross(y, z);
    const away = (0.75 + 0.45 * layer) * unit;
    const middle = [0, 1, 2].map((i) => run.bodies[b].center[i] + away * z[i] + 1.1 * unit * x[i]); // to one side: a hand
    return { x: x.map((e) => 4.2 * unit * e), y: y.map((e) => 0.7 * unit * e), z: z.map((e) => 0.3 * unit * e), middle };
  }

  update({ pose }) {
    const { matrices } = this.copies;
    this.bars.forEach(({ b, local }, k) => {
      const p = 12 * b;
      const o = 16 * k;
      turned(pose, p, local.x, matrices, o);
      turned(pose, p, local.y, matrices, o + 4);
      turned(pose, p, local.z, matrices, o + 8);
      turned(pose, p, local.middle, matrices, o + 12);
      for (let i = 0; i < 3; i++) matrices[o + 12 + i] += pose[p + 9 + i];
      matrices[o + 15] = 1;
    });
    this.copies.moved();
  }
}

function turned(pose, p, v, out, o) {
  for (let i = 0; i < 3; i++) out[o + i] = pose[p + i] * v[0] + pose[p + 3 + i] * v[1] + pose[p + 6 + i] * v[2];
  out[o + 3] = 0;
}
