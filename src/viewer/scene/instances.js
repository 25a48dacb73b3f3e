/* Many copies of one geometry in one draw call. Matrices are written straight into the array that goes to the card. */

import { DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh } from 'three';

export class Instances {
  constructor(geometry, material, count, scene) {
    this.mesh = new InstancedMesh(geometry, material, Math.max(count, 1));
    this.mesh.frustumCulled = false;
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * Math.max(count, 1)).fill(1), 3);
    this.matrices = this.mesh.instanceMatrix.array;
    this.colors = this.mesh.instanceColor.array;
    this.mesh.count = count;
    scene.add(this.mesh);
  }

  set visible(visible) { this.mesh.visible = visible; }

  /* The copy's own y goes along (ux, uy, uz), a unit vector, `length` long; across it is `radius` wide. */
  along(i, px, py, pz, ux, uy, uz, length, radius) {
    const m = this.matrices;
    const o = 16 * i;
    const sign = uz >= 0 ? 1 : -1; // an orthonormal basis without a branch that jumps (Duff et al. 2017)
    const a = -1 / (sign + uz);
    const b = ux * uy * a;
    m[o] = radius * (1 + sign * ux * ux * a); m[o + 1] = radius * sign * b; m[o + 2] = -radius * sign * ux;
    m[o + 4] = length * ux; m[o + 5] = length * uy; m[o + 6] = length * uz;
    m[o + 8] = -radius * b; m[o + 9] = -radius * (sign + uy * uy * a); m[o + 10] = radius * uy;
    m[o + 12] = px; m[o + 13] = py; m[o + 14] = pz;
    m[o + 3] = m[o + 7] = m[o + 11] = 0;
    m[o + 15] = 1;
  }

  /* From (ax, ay, az) to (bx, by, bz), for a geometry whose y goes from -1/2 to 1/2. */
  between(i, ax, ay, az, bx, by, bz, radius) {
    const dx = bx - ax;
    const dy = by - ay;
    const dz = bz - az;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(length > 0)) this.hide(i);
    else this.along(i, (ax + bx) / 2, (ay + by) / 2, (az + bz) / 2, dx / length, dy / length, dz / length, length, radius);
  }

  ball(i, x, y, z, radius) {
    this.along(i, x, y, z, 0, 1, 0, radius, radius);
  }

  hide(i) {
    this.matrices.fill(0, 16 * i, 16 * i + 16);
  }

  color(i, color) {
    color.toArray(this.colors, 3 * i);
  }

  moved() { this.mesh.instanceMatrix.needsUpdate = true; }

  colored() { this.mesh.instanceColor.needsUpdate = true; }

  dispose() { this.mesh.dispose(); }
}
