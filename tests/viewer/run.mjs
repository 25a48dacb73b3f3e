/* Tests of the page of `detent report`: its file, its reading of data, and what it does in Chromium without a window. Exits
 * with 77 where there is no Chromium, after all that needs none. Usage: run.mjs [--timed] [PAGE]; --timed holds the
 * time of the script to its bound, too, which needs a machine that does nothing else. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileSync } from 'node:child_process';
import { Browser, findBrowser } from './browser.mjs';
import { dataTests } from './data_tests.mjs';
import { filled } from './fill.mjs';
import { PageTests } from './page_tests.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const words = process.argv.slice(2), timed = words[0] === '--timed';
const page = words[timed ? 1 : 0] || join(root, 'src/cli/report/page.html');
const drawing = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
let failures = 0;

async function test(name, body) {
  const begin = Date.now();
  try {
    await body();
    console.log(`ok      ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failures++;
    console.log(`FAILED  ${name}: ${error.stack}`);
  }
}

/* One file that loads nothing, with the notices of what is in it. */
function file() {
  const text = readFileSync(page, 'utf8');
  assert.ok(Buffer.byteLength(text) <= 2e6, 'more than 2 MB');
  filled(page, {});
  const script = text.slice(text.lastIndexOf('<script>') + 8, text.lastIndexOf('</script>'));
  const hash = createHash('sha256').update(script).digest('base64');
  assert.ok(text.includes(`default-src 'none'; script-src 'sha256-${hash}'`), 'the policy is not that of the script');
  for (const notice of ['three.js authors', 'Leon Sorokin', 'Permission is hereby granted, free of charge'])
    assert.ok(text.includes(notice), `no notice: ${notice}`);
}

/* The page is what its sources give, where the packages to build it are there. */
function built() {
  if (!existsSync(join(root, 'src/viewer/node_modules/esbuild'))) {
    console.log('        src/viewer has no packages: not compared with its sources (scripts/build-viewer --check)');
    return;
  }
  execFileSync(process.execPath, [join(root, 'src/viewer/build.mjs'), '--check', page], { stdio: ['ignore', 'ignore', 'inherit'] });
}

await test('file', file);
await test('built', built);
for (const [name, body] of Object.entries(dataTests)) await test(name, body);

const program = findBrowser();
if (program) {
  const folder = mkdtempSync(join(tmpdir(), 'detent-pages-'));
  for (const [flags, names] of [[drawing, ['used', 'hostile', 'poor', 'shapes', 'large', 'phone']], [['--disable-3d-apis'], ['flat']]]) {
    const browser = new Browser(program, flags);
    const tests = new PageTests(browser, page, folder);
    tests.timed = timed;
    for (const name of names) await test(name, () => tests[name]((line) => console.log(`        ${line}`)));
    await browser.close();
  }
  rmSync(folder, { recursive: true, force: true });
} else {
  console.log('skipped: the page itself, for there is no Chromium');
}
process.exit(failures ? 1 : program ? 0 : 77);
