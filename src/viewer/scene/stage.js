/* The 3-D view: one renderer and one camera for all runs, each in a tile of its own or the active one alone. It draws only
 * when something has changed. */

import { Color, PerspectiveCamera, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Mechanism } from './mechanism.js';

/* Whether there is WebGL; asked first, for three.js complains aloud if there is none. */
export function hasWebGL() {
  try {
    return Boolean(document.createElement('canvas').getContext('webgl2'));
  } catch {
    return false;
  }
}

export class Stage {
  constructor(canvas, report) {
    this.canvas = canvas;
    this.report = report;
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.setScissorTest(true);
    this.renderer.debug.checkShaderErrors = false; // they are three.js's own, and asking waits for the compiler
    this.camera = new PerspectiveCamera(35, 1, 0.01, 1000);
    this.mechanisms = report.runs.map((run) => new Mechanism(run));
    this.view = { arrows: { friction: false, force: false, torque: false }, scale: 1, joint: null };
    this.tiled = report.runs.length > 1;
    this.margin = 0; // CSS pixels at the lower edge that something lies over
    this.dirty = true;
    this.background = new Color();
    this.tiles = [];
  }

  async prepare() {
    await Promise.all(this.mechanisms.map((mechanism) => mechanism.prepare()));
    const first = this.mechanisms.find((mechanism) => mechanism.ready);
    if (!first) return false;
    this.camera.up.set(...first.run.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener('change', () => { this.dirty = true; });
    this.fit();
    return true;
  }

  /* Across the axis if all joints share one, and a little from above; otherwise from the corner. */
  #direction(mechanism) {
    const { frame, run } = mechanism;
    const up = new Vector3(...run.up).normalize();
    const common = new Vector3();
    let planar = true;
    frame.compute(run.start);
    run.joints.forEach((joint, j) => {
      if (joint.type === 'prismatic' || !frame.hasPlace[j]) return;
      const axis = new Vector3().fromArray(frame.axis, 3 * j).normalize();
      if (!common.lengthSq()) common.copy(axis);
      else if (Math.abs(common.dot(axis)) < 0.99) planar = false;
    });
    if (!common.lengthSq() || Math.abs(common.dot(up)) > 0.9) planar = false;
    const other = Math.abs(up.x) < 0.7 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    const front = planar ? common : new Vector3().crossVectors(up, other).normalize();
    const side = new Vector3().crossVectors(up, front);
    return planar ? front.clone().addScaledVector(side, 0.22).addScaledVector(up, 0.22).normalize()
      : front.clone().addScaledVector(side, 0.7).addScaledVector(up, 0.5).normalize();
  }

  #fitted() {
    const ready = this.mechanisms.filter((mechanism) => mechanism.ready);
    return ready.find((mechanism) => mechanism.run === this.report.active) || ready[0];
  }

  /* As near as all of the whole run stays in sight, and in the middle of it. */
  fit() {
    const mechanism = this.#fitted();
    const direction = this.#direction(mechanism);
    const side = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const top = new Vector3().crossVectors(direction, side);
    const whole = Math.tan(this.camera.fov * Math.PI / 360);
    const tanY = whole * (1 - this.#covered());
    const tanX = whole * this.#aspect();
    const room = 6 * mechanism.unit;
    const target = mechanism.center.clone();
    let distance = 0;
    for (let turn = 0; turn < 6; turn++) { // perspective moves the middle as it is moved to
      const { x, y, far } = seen(mechanism.points, target, side, top, direction, distance, tanX, tanY, room);
      distance = far;
      target.addScaledVector(side, x).addScaledVector(top, y);
    }
    target.addScaledVector(top, -this.#covered() * whole * distance); // what lies over the lower edge hides nothing
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 50;
    this.controls.update();
    this.dirty = true;
  }

  /* The part of half a tile that switches lie over. */
  #covered() {
    const tile = this.tiles[0];
    return tile && tile.height > 0 ? Math.min(0.3, this.margin / tile.height) : 0;
  }

  #aspect() {
    const tile = this.tiles[0];
    return tile && tile.height > 0 ? tile.width / tile.height : 1;
  }

  /* The shown runs' tiles, in CSS pixels from the top left. */
  layout() {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    const drawn = this.mechanisms.filter((mechanism) => mechanism.ready && (this.tiled
      ? this.report.shown.has(mechanism.run.index) : mechanism.run === this.report.active));
    let columns = 1;
    for (let c = 1, best = 0; c <= drawn.length; c++) { // the largest squares
      const square = Math.min(width / c, height / Math.ceil(drawn.length / c));
      if (square > best) [best, columns] = [square, c];
    }
    const rows = Math.max(1, Math.ceil(drawn.length / columns));
    this.tiles = drawn.map((mechanism, i) => ({ mechanism, left: (i % columns) * width / columns,
      top: Math.floor(i / columns) * height / rows, width: width / columns, height: height / rows }));
    this.dirty = true;
    return this.tiles;
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    return this.layout();
  }

  setTheme(dark) {
    this.background.set(dark ? '#15181c' : '#f4f5f7');
    for (const mechanism of this.mechanisms) mechanism.setTheme(dark);
    this.dirty = true;
  }

  async showArrows(kind, shown) {
    this.view.arrows[kind] = shown;
    if (shown) await Promise.all(this.mechanisms.map((mechanism) => mechanism.showForces()));
    this.dirty = true;
  }

  draw(t) {
    if (!this.dirty) return false;
    this.dirty = false;
    const height = this.canvas.clientHeight;
    this.view.joint = this.report.joint;
    for (const tile of this.tiles) {
      const { mechanism } = tile;
      mechanism.update(t, this.view);
      mechanism.lightFrom(this.camera);
      const bottom = height - tile.top - tile.height;
      this.renderer.setViewport(tile.left, bottom, tile.width, tile.height);
      this.renderer.setScissor(tile.left, bottom, tile.width, tile.height);
      this.camera.aspect = tile.width / tile.height;
      this.camera.updateProjectionMatrix();
      mechanism.scene.background = this.background;
      this.renderer.render(mechanism.scene, this.camera);
    }
    return true;
  }

  /* Where the joints' places are on the canvas, CSS pixels, [x, y] one after the other; NaN for those that are not seen. */
  project(tile, out) {
    const { frame, run } = tile.mechanism;
    const point = new Vector3();
    this.camera.aspect = tile.width / tile.height;
    this.camera.updateProjectionMatrix();
    for (let j = 0; j < run.joints.length; j++) {
      point.fromArray(frame.place, 3 * j).project(this.camera);
      const seen = frame.hasPlace[j] && Math.abs(point.x) <= 1 && Math.abs(point.y) <= 1 && point.z < 1;
      out[2 * j] = seen ? tile.left + (point.x + 1) / 2 * tile.width : NaN;
      out[2 * j + 1] = seen ? tile.top + (1 - point.y) / 2 * tile.height : NaN;
    }
    return out;
  }

  /* The joint whose place is nearest to a point of the canvas (CSS pixels), within 16 of them. */
  jointAt(x, y) {
    const tile = this.tiles.find((each) => x >= each.left && x < each.left + each.width && y >= each.top && y < each.top + each.height);
    if (!tile) return null;
    const { frame, run } = tile.mechanism;
    const places = this.project(tile, new Float32Array(2 * run.joints.length));
    let best = 16;
    let found = null;
    run.joints.forEach((joint, j) => {
      const distance = Math.hypot(places[2 * j] - x, places[2 * j + 1] - y);
      if (distance < best) [best, found] = [distance, { joint, frame }];
    });
    return found;
  }
}

/* From `target` along `side` and `top`: how far off the middle of the points is, and how far the camera has to be from it. */
function seen(points, target, side, top, direction, distance, tanX, tanY, room) {
  const p = new Vector3();
  const ends = [Infinity, -Infinity, Infinity, -Infinity];
  let far = room;
  for (let i = 0; i < points.length; i += 3) {
    p.fromArray(points, i).sub(target);
    const x = p.dot(side);
    const y = p.dot(top);
    const z = p.dot(direction);
    far = Math.max(far, z + (Math.abs(x) + room) / tanX, z + (Math.abs(y) + room) / tanY);
    const scale = distance > z ? distance / (distance - z) : 1; // as it looks in the plane of the target
    ends[0] = Math.min(ends[0], x * scale);
    ends[1] = Math.max(ends[1], x * scale);
    ends[2] = Math.min(ends[2], y * scale);
    ends[3] = Math.max(ends[3], y * scale);
  }
  return { x: (ends[0] + ends[1]) / 2, y: (ends[2] + ends[3]) / 2, far };
}
