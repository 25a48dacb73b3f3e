/* How large the mechanism is over the whole run: joints, centres of mass and shapes. */

import { Matrix4, Quaternion, Vector3 } from 'three';

/* Half the edges of the box around a shape, in the shape's frame. */
const halves = {
  box: ([x, y = x, z = x]) => [x / 2, y / 2, z / 2],
  sphere: ([r]) => [r, r, r],
  ellipsoid: ([x, y = x, z = x]) => [x, y, z],
  cylinder: ([r, length = 0]) => [r, r, length / 2],
  capsule: ([r, length = 0]) => [r, r, length / 2 + r],
};

export function poseOf(pose) {
  const p = Array.isArray(pose) && pose.length >= 7 && pose.every(Number.isFinite) ? pose : [0, 0, 0, 1, 0, 0, 0];
  return new Matrix4().compose(new Vector3(p[0], p[1], p[2]), new Quaternion(p[4], p[5], p[6], p[3]).normalize(), new Vector3(1, 1, 1));
}

/* Points of the body's frame between which its shapes lie, but for meshes. */
function cornersOf(body) {
  const corners = [];
  for (const shape of body.shapes) {
    const pose = poseOf(shape.pose);
    const points = [];
    if (shape.type === 'line') {
      for (let i = 0; i + 2 < shape.size.length; i += 3) points.push(shape.size.slice(i, i + 3));
    } else if (halves[shape.type]) {
      const [x, y, z] = halves[shape.type](shape.size);
      for (let k = 0; k < 8; k++) points.push([k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z]);
    }
    for (const point of points) corners.push(new Vector3(...point).applyMatrix4(pose).toArray());
  }
  return corners;
}

/* Calls `note` with every point of the frame. */
function visit(frame, corners, note) {
  const { run, pose, place, center } = frame;
  for (let j = 0; j < run.joints.length; j++) if (frame.hasPlace[j]) note(place[3 * j], place[3 * j + 1], place[3 * j + 2]);
  for (let b = 0; b < run.bodies.length; b++) {
    const o = 12 * b;
    if (b > 0) note(center[3 * b], center[3 * b + 1], center[3 * b + 2]);
    for (const [x, y, z] of corners[b]) {
      note(pose[o] * x + pose[o + 3] * y + pose[o + 6] * z + pose[o + 9], pose[o + 1] * x + pose[o + 4] * y + pose[o + 7] * z + pose[o + 10],
        pose[o + 2] * x + pose[o + 5] * y + pose[o + 8] * z + pose[o + 11]);
    }
  }
}

/* The points, their centre, radius and lowest height, from some rows: enough of them, and few where each has many points. */
export function extentOf(frame) {
  const { run } = frame;
  const corners = run.bodies.map(cornersOf);
  const each = run.joints.length + run.bodies.length + corners.reduce((sum, list) => sum + list.length, 0);
  const rows = run.time.length;
  const samples = Math.min(rows, Math.max(2, Math.min(60, Math.ceil(12000 / each))));
  const points = [];
  const low = new Vector3(Infinity, Infinity, Infinity);
  const high = new Vector3(-Infinity, -Infinity, -Infinity);
  const point = new Vector3();
  for (let k = 0; k < samples; k++) {
    frame.compute(run.time[Math.floor(k * (rows - 1) / Math.max(samples - 1, 1))]);
    visit(frame, corners, (x, y, z) => {
      if (!Number.isFinite(x + y + z)) return;
      points.push(x, y, z);
      low.min(point.set(x, y, z));
      high.max(point);
    });
  }
  if (!points.length) return { center: new Vector3(), radius: 1, floor: 0, points: [0, 0, 0] };
  const center = low.clone().add(high).divideScalar(2);
  const up = new Vector3(...run.up).normalize();
  let radius = 0;
  let floor = Infinity;
  for (let i = 0; i < points.length; i += 3) {
    point.fromArray(points, i);
    radius = Math.max(radius, point.distanceTo(center));
    floor = Math.min(floor, point.dot(up));
  }
  return { center, radius: radius || run.size || 1, floor, points };
}
