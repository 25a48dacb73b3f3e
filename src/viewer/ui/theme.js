/* Light or dark: as the system says, until the switch is used. */

import { Signal } from '../data/signal.js';

const system = matchMedia('(prefers-color-scheme: dark)');

export const theme = {
  changed: new Signal(),
  chosen: null,

  get dark() { return this.chosen === null ? system.matches : this.chosen === 'dark'; },

  apply() {
    document.documentElement.dataset.theme = this.dark ? 'dark' : 'light';
    this.changed.send();
  },

  flip() {
    this.chosen = this.dark ? 'light' : 'dark';
    this.apply();
  },
};

system.addEventListener('change', () => theme.apply());

/* The colours that canvases draw with are those of the style sheet. */
export function cssColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
