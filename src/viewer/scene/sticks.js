/* Bodies that have no shape: sticks from the centre of mass to the places of the body's joints, and a ball at the centre. */

import { Color } from 'three';
import { bodyColor } from '../palette.js';
import { Instances } from './instances.js';
import { bead, rod, surface } from './shared.js';

export class Sticks {
  constructor(run, scene, unit) {
    const bare = (b) => b > 0 && run.bodies[b] && !run.bodies[b].shapes.length;
    this.links = []; // body, joint
    run.joints.forEach((joint, j) => {
      for (const b of new Set([joint.base, joint.follower])) if (bare(b)) this.links.push(b, j);
    });
    this.bodies = run.bodies.map((_, b) => b).filter(bare);
    this.radius = 0.16 * unit;
    this.rods = new Instances(rod, surface, this.links.length / 2, scene);
    this.balls = new Instances(bead, surface, this.bodies.length, scene);
    const color = new Color();
    for (let k = 0; k < this.links.length; k += 2) this.rods.color(k / 2, color.set(bodyColor(this.links[k] - 1)));
    this.bodies.forEach((b, k) => this.balls.color(k, color.set(bodyColor(b - 1))));
  }

  update({ center, place, hasPlace }) {
    const { links, rods, balls, bodies, radius } = this;
    for (let k = 0; k < links.length; k += 2) {
      const c = 3 * links[k];
      const p = 3 * links[k + 1];
      if (hasPlace[links[k + 1]])
        rods.between(k / 2, center[c], center[c + 1], center[c + 2], place[p], place[p + 1], place[p + 2], radius);
      else rods.hide(k / 2);
    }
    for (let k = 0; k < bodies.length; k++) {
      const c = 3 * bodies[k];
      balls.ball(k, center[c], center[c + 1], center[c + 2], 1.7 * radius);
    }
    rods.moved();
    balls.moved();
  }
}
