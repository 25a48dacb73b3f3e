/* Joints: a barrel about the axis of a revolute joint, a bar along that of a prismatic one, a ball for a spherical one, coloured by mode; on
 * the ground a foot. Welds are not drawn. */

import { Color } from 'three';
import { modeClass, modeColors } from '../palette.js';
import { Instances } from './instances.js';
import { barrel, box, surface, tip } from './shared.js';

export class Joints {
  constructor(run, scene, unit) {
    this.kinds = [['prismatic', box, 2.2, 0.55], ['', barrel, 0.95, 0.42]].map(([type, geometry, length, radius]) => {
      const joints = run.joints.map((_, j) => j).filter((j) => run.joints[j].type !== 'weld' && (run.joints[j].type === 'prismatic') === (type !== ''));
      return { joints, copies: new Instances(geometry, surface, joints.length, scene), length: length * unit, radius: radius * unit };
    });
    this.feet = run.joints.map((_, j) => j).filter((j) => run.joints[j].base === 0 || run.joints[j].follower === 0);
    this.signs = this.feet.map((j) => (run.joints[j].base === 0 ? 1 : 0)); // the place goes with the follower
    this.cones = new Instances(tip, surface, this.feet.length, scene);
    this.unit = unit;
    this.up = run.up;
    this.shownModes = new Int8Array(run.joints.length).fill(101);
    this.colors = {};
  }

  setTheme(dark) {
    for (const [name, value] of Object.entries(modeColors(dark))) this.colors[name] = new Color(value);
    const foot = new Color(dark ? '#666d76' : '#a5abb3');
    this.feet.forEach((_, k) => this.cones.color(k, foot));
    this.cones.colored();
    this.shownModes.fill(101);
  }

  update({ place, axis, position, mode, hasPlace }, picked) {
    let recolored = picked !== this.picked;
    for (const { joints, copies, length, radius } of this.kinds) {
      for (let k = 0; k < joints.length; k++) {
        const j = joints[k];
        const large = j === picked ? 1.6 : 1;
        if (hasPlace[j]) this.#oriented(copies, k, 3 * j, place, axis, large * length, large * radius);
        else copies.hide(k);
        if (mode[j] !== this.shownModes[j]) {
          copies.color(k, this.colors[modeClass(mode[j])]);
          this.shownModes[j] = mode[j];
          recolored = true;
        }
      }
      copies.moved();
      if (recolored) copies.colored();
    }
    this.picked = picked;
    this.#feet(place, axis, position, hasPlace);
  }

  #oriented(copies, k, p, place, axis, length, radius) {
    const x = axis[p];
    const y = axis[p + 1];
    const z = axis[p + 2];
    const n = Math.sqrt(x * x + y * y + z * z);
    if (n > 0) copies.along(k, place[p], place[p + 1], place[p + 2], x / n, y / n, z / n, length, radius);
    else copies.ball(k, place[p], place[p + 1], place[p + 2], 1.4 * radius);
  }

  /* That of a prismatic joint stays where the joint is at zero. */
  #feet(place, axis, position, hasPlace) {
    const [x, y, z] = this.up;
    const h = 1.1 * this.unit;
    for (let k = 0; k < this.feet.length; k++) {
      const p = 3 * this.feet[k];
      const d = this.signs[k] * position[this.feet[k]];
      if (hasPlace[this.feet[k]])
        this.cones.along(k, place[p] - d * axis[p] - h * x, place[p + 1] - d * axis[p + 1] - h * y, place[p + 2] - d * axis[p + 2] - h * z,
          x, y, z, h, 0.75 * this.unit);
      else this.cones.hide(k);
    }
    this.cones.moved();
  }
}
