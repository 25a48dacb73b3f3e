/* Bundles the viewer into one page. Usage: build.mjs [--check] PAGE; with --check it compares and says whether PAGE is what
 * the sources give. */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const read = (name) => readFileSync(join(here, name), 'utf8');
const slot = '<script id="detent-data" type="application/json">{}</script>';
const limit = 2e6;

async function bundled(entry) {
  const result = await build({ entryPoints: [join(here, entry)], absWorkingDir: here, bundle: true, minify: true, write: false,
    format: 'iife', target: ['es2022'], charset: 'utf8', legalComments: 'none', logLevel: 'warning' });
  return result.outputFiles[0].text.trim();
}

async function page() {
  const script = await bundled('main.js');
  const style = await bundled('style.css');
  for (const [name, text, bad] of [['script', script, /<\/script|<!--/i], ['style', style, /<\/style/i]])
    if (bad.test(text)) throw new Error(`the ${name} would end its own element`);
  const parts = { NOTICE: read('NOTICE').trim().replaceAll('--', '- -'), STYLE: style, SCRIPT: script,
    SCRIPT_HASH: `sha256-${createHash('sha256').update(script).digest('base64')}` };
  const text = read('index.html').replace(/@([A-Z_]+)@/g, (_, name) => parts[name]);
  if (text.split(slot).length !== 2) throw new Error('the page has not one place for the data');
  if (Buffer.byteLength(text) > limit) throw new Error(`the page has more than ${limit} bytes`);
  return text;
}

const arguments_ = process.argv.slice(2);
const check = arguments_[0] === '--check';
const path = arguments_[check ? 1 : 0];
const text = await page();
if (!check) {
  writeFileSync(path, text);
} else if (readFileSync(path, 'utf8') !== text) {
  console.error(`build-viewer: ${path} is not what the sources give; run scripts/build-viewer`);
  process.exit(1);
}
console.log(`build-viewer: ${path}, ${Buffer.byteLength(text)} bytes`);
