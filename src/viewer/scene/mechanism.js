/* The picture of one run. */

import { AmbientLight, DirectionalLight, GridHelper, HemisphereLight, Quaternion, Scene, Vector3 } from 'three';
import { Arrows } from './arrows.js';
import { Dials } from './dials.js';
import { extentOf } from './extent.js';
import { Frame } from './frame.js';
import { Joints } from './joints.js';
import { Rails } from './rails.js';
import { Shapes } from './shapes.js';
import { Sticks } from './sticks.js';

/* The thickness that everything is drawn with: a fraction of the size, less where there are many joints. */
function unitOf(run, radius) {
  return radius * 0.075 * Math.min(1, Math.max(0.2, Math.sqrt(8 / Math.max(run.joints.length, 1))));
}

export class Mechanism {
  constructor(run) {
    this.run = run;
    this.scene = new Scene();
    this.frame = new Frame(run);
    this.ready = false;
  }

  async prepare() {
    const { run, scene, frame } = this;
    if (!run.time.length) return;
    await frame.prepare();
    Object.assign(this, extentOf(frame));
    this.unit = unitOf(run, this.radius);
    this.parts = [new Shapes(run, scene, this.unit), new Sticks(run, scene, this.unit),
      new Dials(frame, scene, this.unit), new Rails(frame, scene, this.unit)];
    this.joints = new Joints(run, scene, this.unit);
    this.arrows = new Arrows(run, scene, this.unit);
    this.#surroundings();
    this.ready = true;
  }

  #surroundings() {
    const up = new Vector3(...this.run.up).normalize();
    this.sky = new HemisphereLight(0xffffff, 0x8a8f98, 1.6);
    this.sky.position.copy(up);
    this.sun = new DirectionalLight(0xffffff, 1.7);
    this.scene.add(this.sky, this.sun, this.sun.target, new AmbientLight(0xffffff, 0.25));
    this.grids = [false, true].map((dark) => {
      const cell = 10 ** Math.floor(Math.log10(this.radius));
      const cells = 2 * Math.ceil(2.2 * this.radius / cell);
      const grid = new GridHelper(cells * cell, cells, dark ? 0x4a515a : 0xb9bfc7, dark ? 0x2b3037 : 0xdfe2e6);
      grid.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), up));
      const along = this.center.dot(up);
      grid.position.copy(this.center).addScaledVector(up, this.floor - along - 1.6 * this.unit);
      this.scene.add(grid);
      return grid;
    });
  }

  setTheme(dark) {
    if (!this.ready) return;
    this.joints.setTheme(dark);
    this.arrows.setTheme(dark);
    this.grids[0].visible = !dark;
    this.grids[1].visible = dark;
  }

  async showForces() {
    if (this.frame.arrows || !this.ready) return;
    await this.frame.prepareForces();
    this.arrows.measure(this.frame.arrows);
  }

  /* `view` says what is drawn: arrows {friction, force, torque}, their scale, the joint picked out. */
  update(t, view) {
    this.frame.compute(t);
    for (const part of this.parts) part.update(this.frame);
    const picked = view.joint === null ? -1 : this.run.joints.findIndex((joint) => joint.name === view.joint);
    this.joints.update(this.frame, picked);
    this.arrows.update(this.frame, view.arrows, view.scale);
  }

  lightFrom(camera) {
    this.sun.position.copy(camera.position);
    this.sun.target.position.copy(this.center);
  }
}
