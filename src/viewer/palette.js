/* Colours that are told apart without red and green: modes differ in lightness as well as in hue, and wherever they are
 * drawn in shape too; runs and quantities take the colours of Okabe and Ito. */

const modesLight = { locked: '#2f6db3', wait: '#e0ac00', unlocked: '#b23a48', none: '#8a9097' };
const modesDark = { locked: '#5a9be0', wait: '#f2cf4a', unlocked: '#e0667a', none: '#8a9097' };
const linesLight = ['#0072b2', '#d55e00', '#009e73', '#b85c93', '#a67c00', '#3a9bd1', '#5b5f66'];
const linesDark = ['#56b4e9', '#f08a3c', '#3fd08a', '#dd9cc3', '#e6b422', '#8fd0ff', '#b9bec6'];
const dashes = [[], [6, 3], [2, 3], [9, 3, 2, 3], [4, 4], [12, 4]];
const bodies = ['#8fa8c2', '#c2a98f', '#93b59b', '#b79fbd', '#bdb58a', '#8fb8ba', '#c49a9a', '#a3a9b2'];

export const modeClass = (mode) => {
  if (mode === 0) return 'locked';
  if (mode === 1 || mode === -1) return 'unlocked';
  return mode === 2 || mode === -2 ? 'wait' : 'none';
};

export const modeColors = (dark) => (dark ? modesDark : modesLight);
export const lineColor = (i, dark) => (dark ? linesDark : linesLight)[i % linesLight.length];
export const dashOf = (i) => dashes[i % dashes.length];
export const bodyColor = (i) => bodies[i % bodies.length];
