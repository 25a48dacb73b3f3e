/* Arrows at the joints: friction along the axis, the reaction's force and torque on the follower. Each kind has a scale of
 * its own, so that all but the largest fiftieth of what a run has fits; torques have two heads. */

import { Color, MeshLambertMaterial } from 'three';
import { Instances } from './instances.js';
import { shaft, tip } from './shared.js';

export const arrowKinds = {
  friction: { label: 'Friction', light: '#b3541e', dark: '#ff9f5c' },
  force: { label: 'Reaction force', light: '#00796b', dark: '#4fd6c0' },
  torque: { label: 'Reaction torque', light: '#7a4fa3', dark: '#c9a2ee' },
};

/* The value that one in fifty of the magnitudes exceeds, from a thousand rows at most. */
function usual(columns, width) {
  const found = [];
  for (const values of columns) {
    if (!values) continue;
    const rows = values.length / width;
    const step = Math.max(1, Math.ceil(rows * columns.length / 50000));
    for (let row = 0; row < rows; row += step) {
      let sum = 0;
      for (let i = 0; i < width; i++) sum += values[row * width + i] ** 2;
      if (sum > 0 && Number.isFinite(sum)) found.push(Math.sqrt(sum));
    }
  }
  found.sort((a, b) => a - b);
  return found.length ? found[Math.min(found.length - 1, Math.floor(0.98 * found.length))] : 0;
}

export class Arrows {
  constructor(run, scene, unit) {
    this.unit = unit;
    this.run = run;
    this.material = new MeshLambertMaterial({ transparent: true, opacity: 0.92 });
    this.kinds = {};
    for (const kind of Object.keys(arrowKinds)) {
      const count = run.joints.length;
      this.kinds[kind] = { shafts: new Instances(shaft, this.material, count, scene),
        tips: new Instances(tip, this.material, 2 * count, scene), usual: 0 };
    }
  }

  /* Once the numbers are there. */
  measure({ frictions, forces, torques }) {
    const turns = frictions.filter((_, j) => this.run.joints[j].type !== 'prismatic');
    const slides = frictions.filter((_, j) => this.run.joints[j].type === 'prismatic');
    this.frictionOf = [usual(turns, 1), usual(slides, 1)]; // N m and N do not share a scale
    this.kinds.force.usual = usual(forces, 3);
    this.kinds.torque.usual = usual(torques, 3);
  }

  setTheme(dark) {
    const color = new Color();
    for (const [kind, { shafts, tips }] of Object.entries(this.kinds)) {
      color.set(dark ? arrowKinds[kind].dark : arrowKinds[kind].light);
      for (let i = 0; i < shafts.mesh.count; i++) shafts.color(i, color);
      for (let i = 0; i < tips.mesh.count; i++) tips.color(i, color);
      shafts.colored();
      tips.colored();
    }
  }

  update(frame, shown, scale) {
    const { joints } = this.run;
    for (const [kind, { shafts, tips }] of Object.entries(this.kinds))
      shafts.visible = tips.visible = Boolean(shown[kind] && frame.arrows);
    if (!frame.arrows) return;
    const longest = 7 * this.unit * scale;
    for (let j = 0; j < joints.length; j++) {
      const p = 3 * j;
      const turns = joints[j].type !== 'prismatic';
      if (shown.friction) {
        const { axis } = frame;
        const f = frame.friction[j] / (this.frictionOf[turns ? 0 : 1] || Infinity);
        this.#arrow(this.kinds.friction, j, frame, f * axis[p], f * axis[p + 1], f * axis[p + 2], longest, turns);
      }
      if (shown.force) this.#vector(this.kinds.force, j, frame, frame.force, longest, false);
      if (shown.torque) this.#vector(this.kinds.torque, j, frame, frame.torque, longest, true);
    }
    for (const [kind, { shafts, tips }] of Object.entries(this.kinds)) {
      if (!shown[kind]) continue;
      shafts.moved();
      tips.moved();
    }
  }

  #vector(kind, j, frame, values, longest, turns) {
    const f = 1 / (kind.usual || Infinity);
    const p = 3 * j;
    this.#arrow(kind, j, frame, f * values[p], f * values[p + 1], f * values[p + 2], longest, turns);
  }

  /* (x, y, z): 1 long where the value is the usual largest one; what is more than twice that is drawn twice as long. */
  #arrow({ shafts, tips }, j, { place, hasPlace }, x, y, z, longest, turns) {
    const size = Math.sqrt(x * x + y * y + z * z);
    const length = Math.min(size, 2) * longest;
    if (!(hasPlace[j] && length > 0.02 * this.unit)) {
      shafts.hide(j);
      tips.hide(2 * j);
      tips.hide(2 * j + 1);
      return;
    }
    const p = 3 * j;
    const ux = x / size;
    const uy = y / size;
    const uz = z / size;
    const px = place[p];
    const py = place[p + 1];
    const pz = place[p + 2];
    const head = Math.min((turns ? 0.8 : 1.1) * this.unit, (turns ? 0.4 : 0.6) * length);
    const body = length - (turns ? 1.9 : 1) * head;
    shafts.along(j, px, py, pz, ux, uy, uz, Math.max(body, 0), 0.14 * this.unit);
    tips.along(2 * j, px + (length - head) * ux, py + (length - head) * uy, pz + (length - head) * uz, ux, uy, uz, head, 0.42 * head);
    if (!turns) tips.hide(2 * j + 1);
    else tips.along(2 * j + 1, px + body * ux, py + body * uy, pz + body * uz, ux, uy, uz, head, 0.42 * head);
  }
}
