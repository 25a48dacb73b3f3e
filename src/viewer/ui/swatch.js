/* A piece of a line as a plot draws it. */

import { dashOf, lineColor } from '../palette.js';
import { theme } from './theme.js';

export function swatch(color, dash) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  svg.setAttribute('viewBox', '0 0 22 8');
  svg.setAttribute('class', 'line-swatch');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', 'M0 4h22');
  path.setAttribute('stroke', lineColor(color, theme.dark));
  path.setAttribute('stroke-width', '2.5');
  path.setAttribute('stroke-dasharray', dashOf(dash).join(' '));
  svg.append(path);
  return svg;
}
