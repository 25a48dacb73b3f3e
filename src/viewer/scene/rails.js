/* Rails of prismatic joints: as long as the run takes the joint, at rest in its base. The place of such a joint goes with its
 * follower, so that the rail lies behind it by what the joint has moved. */

import { Color } from 'three';
import { Instances } from './instances.js';
import { rod, surface } from './shared.js';

export class Rails {
  constructor(frame, scene, unit) {
    const { run } = frame;
    this.unit = unit;
    this.rails = [];
    run.joints.forEach((joint, j) => {
      const positions = frame.positions[j];
      if (joint.type !== 'prismatic' || !positions || !frame.hasPlace[j]) return;
      let low = Infinity;
      let high = -Infinity;
      for (const x of positions) {
        if (x < low) low = x;
        if (x > high) high = x;
      }
      if (high > low) this.rails.push({ j, low: Math.min(low, 0) - 1.5 * unit, high: Math.max(high, 0) + 1.5 * unit });
    });
    this.rods = new Instances(rod, surface, this.rails.length, scene);
    const color = new Color('#9aa1aa');
    this.rails.forEach((_, k) => this.rods.color(k, color));
  }

  update({ place, axis, position }) {
    const { rails, rods, unit } = this;
    for (let k = 0; k < rails.length; k++) {
      const { j, low, high } = rails[k];
      const p = 3 * j;
      const a = low - position[j];
      const b = high - position[j];
      rods.between(k, place[p] + a * axis[p], place[p + 1] + a * axis[p + 1], place[p + 2] + a * axis[p + 2],
        place[p] + b * axis[p], place[p + 1] + b * axis[p + 1], place[p + 2] + b * axis[p + 2], 0.1 * unit);
    }
    rods.moved();
  }
}
