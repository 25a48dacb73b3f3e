/* The names of the joints, over the picture. With very many of them only so many that they can be read. */

import { h } from './dom.js';

const most = 60;

export class Names {
  constructor(stage) {
    this.stage = stage;
    this.shown = false;
    this.labels = [];
    this.places = new Float32Array(0);
    this.element = h('div', { class: 'joint-names', 'aria-hidden': 'true' });
  }

  show(shown) {
    this.shown = shown;
    this.element.replaceChildren();
    this.labels = [];
    this.stage.dirty = true;
  }

  /* After a picture has been drawn. Names that would lie on each other share a label. */
  update() {
    if (!this.shown) return;
    const labels = [];
    for (const tile of this.stage.tiles) {
      const { joints } = tile.mechanism.run;
      if (this.places.length < 2 * joints.length) this.places = new Float32Array(2 * joints.length);
      this.stage.project(tile, this.places);
      const step = Math.max(1, Math.ceil(joints.length * this.stage.tiles.length / most));
      for (let j = 0; j < joints.length; j += step) {
        const x = this.places[2 * j];
        const y = this.places[2 * j + 1];
        const near = labels.find((label) => Math.abs(label.x - x) < 6 && Math.abs(label.y - y) < 6);
        if (near) near.text += `, ${joints[j].name}`;
        else if (x >= 0) labels.push({ text: joints[j].name, x, y });
      }
    }
    labels.forEach((label, n) => this.#place(n, label));
    for (let n = labels.length; n < this.labels.length; n++) this.labels[n].style.visibility = 'hidden';
  }

  #place(n, { text, x, y }) {
    if (!this.labels[n]) this.element.append(this.labels[n] = h('span', {}));
    const label = this.labels[n];
    if (label.textContent !== text) label.textContent = text;
    label.style.visibility = 'visible';
    label.style.transform = `translate(${x + 8}px, ${y - 18}px)`;
  }
}
