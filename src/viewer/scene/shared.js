/* Geometries and materials that everything shares: few draw calls, few programs. */

import { BoxGeometry, ConeGeometry, CylinderGeometry, MeshLambertMaterial, SphereGeometry } from 'three';

export const rod = new CylinderGeometry(1, 1, 1, 10);
export const ball = new SphereGeometry(1, 24, 16);
export const bead = new SphereGeometry(1, 12, 8); // there may be thousands
export const box = new BoxGeometry(1, 1, 1);
export const barrel = new CylinderGeometry(1, 1, 1, 24);
export const tip = new ConeGeometry(1, 1, 10).translate(0, 0.5, 0); // its base at the origin
export const shaft = new CylinderGeometry(1, 1, 1, 6, 1, true).translate(0, 0.5, 0);

export const surface = new MeshLambertMaterial();
