/* Bodies that have shapes. Boxes, balls and barrels are copies of one geometry each; a capsule is a barrel and two balls;
 * a line is a chain of rods; a mesh is a geometry of its own. */

import { BufferAttribute, BufferGeometry, Color, DoubleSide, Matrix4, Mesh, MeshLambertMaterial, Quaternion, Vector3 } from 'three';
import { columnOf } from '../data/column.js';
import { bodyColor } from '../palette.js';
import { poseOf } from './extent.js';
import { Instances } from './instances.js';
import { ball, barrel, box, rod, surface } from './shared.js';

const upright = new Matrix4().makeRotationX(Math.PI / 2); // three's barrels go along y, ours along z

const scaled = (x, y, z) => new Matrix4().makeScale(x, y, z);
const moved = (x, y, z) => new Matrix4().makeTranslation(x, y, z);
const barrelOf = (radius, length) => upright.clone().multiply(scaled(radius, length, radius));

/* The rod between two points of the body. */
function rodOf(a, b, radius) {
  const from = new Vector3(...a);
  const way = new Vector3(...b).sub(from);
  const length = way.length();
  if (!(length > 0)) return null;
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), way.clone().divideScalar(length));
  return new Matrix4().compose(from.addScaledVector(way, 0.5), turn, new Vector3(radius, length, radius));
}

/* The parts that each type is made of: [geometry, matrix in the frame of the shape]. */
const makers = {
  box: ([x, y = x, z = x]) => [['box', scaled(x, y, z)]],
  sphere: ([r]) => [['ball', scaled(r, r, r)]],
  ellipsoid: ([x, y = x, z = x]) => [['ball', scaled(x, y, z)]],
  cylinder: ([r, length]) => [['barrel', barrelOf(r, length)]],
  capsule: ([r, length]) => [['barrel', barrelOf(r, length)], ...[-1, 1].map((side) =>
    ['ball', moved(0, 0, side * length / 2).multiply(scaled(r, r, r))])],
  line: (size, width) => {
    if (size.length < 6) return [['rod', barrelOf(size[1] || width, size[0])]];
    const parts = [];
    for (let i = 3; i + 2 < size.length; i += 3) {
      const matrix = rodOf(size.slice(i - 3, i), size.slice(i, i + 3), width);
      if (matrix) parts.push(['rod', matrix]);
    }
    return parts;
  },
};

export class Shapes {
  constructor(run, scene, unit) {
    const parts = { box: [], ball: [], barrel: [], rod: [] };
    this.meshes = [];
    this.scene = scene;
    run.bodies.forEach((body, b) => body.shapes.forEach((shape) => {
      const color = /^#[0-9a-f]{6}$/i.test(shape.color) ? shape.color : bodyColor(b > 0 ? b - 1 : 7);
      if (shape.type === 'mesh') this.#mesh(shape, b, color);
      if (!makers[shape.type]) return;
      const pose = poseOf(shape.pose);
      for (const [kind, matrix] of makers[shape.type](shape.size, 0.16 * unit))
        parts[kind].push({ body: b, color, local: pose.clone().multiply(matrix).elements });
    }));
    const geometries = { box, ball, barrel, rod };
    this.sets = Object.entries(parts).filter(([, list]) => list.length).map(([kind, list]) => {
      const copies = new Instances(geometries[kind], surface, list.length, scene);
      const color = new Color();
      list.forEach((part, i) => copies.color(i, color.set(part.color)));
      return { copies, list };
    });
  }

  async #mesh(shape, body, color) {
    try {
      const points = await columnOf(shape.vertices).load();
      const faces = await columnOf(shape.faces).load();
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(Float32Array.from(points), 3));
      geometry.setIndex(new BufferAttribute(Uint32Array.from(faces), 1));
      geometry.computeVertexNormals();
      const mesh = new Mesh(geometry, new MeshLambertMaterial({ color, side: DoubleSide }));
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      this.scene.add(mesh);
      this.meshes.push({ mesh, body, local: poseOf(shape.pose).elements });
    } catch { /* a mesh without points is not drawn; its body has its joints' axes */ }
  }

  update({ pose }) {
    for (const { copies, list } of this.sets) {
      for (let i = 0; i < list.length; i++) product(pose, 12 * list[i].body, list[i].local, copies.matrices, 16 * i);
      copies.moved();
    }
    for (const { mesh, body, local } of this.meshes) {
      product(pose, 12 * body, local, mesh.matrix.elements, 0);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }
}

/* `out` = pose (twelve numbers) times local (sixteen). */
function product(pose, p, local, out, o) {
  for (let c = 0; c < 4; c++) {
    const x = local[4 * c];
    const y = local[4 * c + 1];
    const z = local[4 * c + 2];
    for (let i = 0; i < 3; i++)
      out[o + 4 * c + i] = pose[p + i] * x + pose[p + 3 + i] * y + pose[p + 6 + i] * z + (c === 3 ? pose[p + 9 + i] : 0);
    out[o + 4 * c + 3] = c === 3 ? 1 : 0;
  }
}
