/* Data put into the page, as `detent report` does it. */

import { readFileSync } from 'node:fs';

const slot = '<script id="detent-data" type="application/json">{}</script>';

export function filled(pagePath, data) {
  const page = readFileSync(pagePath, 'utf8');
  const at = page.indexOf(slot);
  if (at < 0 || page.indexOf(slot, at + 1) >= 0) throw new Error('the page has not one place for the data');
  const text = (typeof data === 'string' ? data : JSON.stringify(data))
    .replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  const middle = at + slot.indexOf('{}');
  return page.slice(0, middle) + text + page.slice(middle + 2);
}
