/* Opens reports as a reader does, in Chromium without a window: they are drawn, play, show their tabs, complain of nothing and
 * ask nothing of the outside. Exits with 77 where there is no Chromium.
 * Usage: open.mjs [--pictures FOLDER] [--runs N] PAGE...   (N: runs that each page has; pictures: FOLDER/NAME.png, and NAME-dark.png of what
 * a dark system shows) */

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Browser, findBrowser } from './browser.mjs';

const drawing = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const { values: options, positionals: pages } = parseArgs({
  options: { pictures: { type: 'string' }, runs: { type: 'string' } }, allowPositionals: true,
});

const size = options.pictures ? { width: 1280, height: 800 } : { width: 1000, height: 620 }; // drawing in software takes time

/* Frames of a second of playing. */
async function play(page) {
  await page.until('detentViewer.frames.times.length > 0');
  await page.key(' ', 'Space');
  await page.until('detentViewer.report.clock.playing');
  const begin = await page.evaluate('detentViewer.report.clock.time');
  await page.until(`detentViewer.report.clock.time > ${begin}`);
  await new Promise((done) => setTimeout(done, 1000));
  if (await page.evaluate('detentViewer.report.clock.playing')) await page.key(' ', 'Space');
}

async function tabs(page) {
  const names = await page.evaluate('[...document.querySelectorAll("[role=tab]")].map((each) => each.textContent)');
  assert.ok(names.length >= 5, `tabs: ${names}`);
  for (const key of 'ebisp') await page.key(key);
  assert.equal(await page.evaluate('document.querySelector("[role=tab][aria-selected=true]").textContent'), 'Plots');
  await page.until('document.querySelector(".plot .u-over canvas, .plot canvas")');
}

/* In the middle of what happens. */
async function middle(page) {
  await page.evaluate(`(({ clock, active }) => {
    const [from, to] = [active.time[0], active.time[active.time.length - 1]];
    clock.seek(from + (to - from) / 3);
  })(detentViewer.report)`);
  await new Promise((done) => setTimeout(done, 500));
}

async function look(browser, path, features, suffix) {
  const page = await browser.open(pathToFileURL(resolve(path)).href, { ...size, features });
  try {
    await page.until('window.detentViewer || document.documentElement.dataset.failed', 60);
    assert.equal(await page.evaluate('document.documentElement.dataset.failed'), undefined);
    const runs = await page.evaluate('detentViewer.report.runs.length');
    if (options.runs) assert.equal(runs, Number(options.runs));
    await play(page);
    await tabs(page);
    await middle(page);
    if (options.pictures) writeFileSync(join(options.pictures, basename(path, '.html') + suffix + '.png'), await page.picture());
    const times = (await page.evaluate('Array.from(detentViewer.frames.times)')).sort((a, b) => a - b);
    assert.deepEqual(page.complaints, []);
    assert.deepEqual(page.requests.filter((url) => !url.startsWith('file:///') && !url.startsWith('data:')), []);
    return `${runs} runs, ${times.length} frames, ${times[times.length >> 1].toFixed(2)} ms of script in the median one`;
  } finally {
    await page.close();
  }
}

const program = findBrowser();
if (!program) {
  console.log('skipped: there is no Chromium');
  process.exit(77);
}
if (options.pictures) mkdirSync(options.pictures, { recursive: true });
const browser = new Browser(program, drawing);
let failures = 0;
for (const path of pages) {
  for (const [scheme, suffix] of options.pictures ? [['light', ''], ['dark', '-dark']] : [['light', '']]) {
    try {
      const told = await look(browser, path, [{ name: 'prefers-color-scheme', value: scheme }], suffix);
      console.log(`ok      ${basename(path)} ${scheme}: ${told}`);
    } catch (error) {
      failures++;
      console.log(`FAILED  ${basename(path)} ${scheme}: ${error.stack}`);
    }
  }
}
await browser.close();
process.exit(failures ? 1 : 0);
