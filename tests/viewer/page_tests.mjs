/* The page in a browser: what someone does with it, and what must not happen. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filled } from './fill.mjs';
import { chain, everyShape, f32, fourBar, i8, reportOf } from './made_data.mjs';

export class PageTests {
  constructor(browser, page, folder) {
    Object.assign(this, { browser, page, folder });
  }

  /* Opens the page with `data`; afterwards nobody may have complained, and nothing may have been asked of the outside. */
  async with(name, data, size, steps) {
    const path = join(this.folder, `${name}.html`);
    writeFileSync(path, filled(this.page, data));
    const page = await this.browser.open(pathToFileURL(path).href, size);
    await page.until('window.detentViewer || document.documentElement.dataset.failed', 60);
    try {
      await steps(page);
      assert.deepEqual(page.complaints, []);
      assert.deepEqual(page.requests.filter((url) => !url.startsWith('file:///') && !url.startsWith('data:')), []);
    } finally {
      await page.close();
    }
  }

  async used() {
    const data = reportOf(chain({ name: 'one' }), chain({ name: 'two', period: 5, end: 12 }), fourBar({ name: 'three' }));
    await this.with('used', data, { width: 1200, height: 760, features: [{ name: 'prefers-color-scheme', value: 'dark' }] }, async (page) => {
      await this.#time(page);
      await this.#events(page);
      await this.#keys(page);
      await this.#picks(page);
      await this.#runs(page);
      await this.#names(page);
    });
  }

  async #box(page, selector) {
    return page.evaluate(`(({ left, top, width, height }) => ({ left, top, width, height }))(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`);
  }

  async #press(page, selector) {
    const { left, top, width, height } = await this.#box(page, selector);
    await page.click(left + width / 2, top + height / 2);
  }

  /* What is dispatched may be acted on a little after it was said to be, on a machine that has other work. */
  async #becomes(page, expression, wanted) {
    const end = Date.now() + 10000;
    while (await page.evaluate(expression) !== wanted && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(await page.evaluate(expression), wanted, expression);
  }

  async #now(page) {
    return page.evaluate('detentViewer.report.clock.time');
  }

  async #time(page) {
    assert.equal(await this.#now(page), 0);
    await page.until('detentViewer.frames.times.length > 0');
    await this.#press(page, '.transport .play');
    await page.until('detentViewer.report.clock.time > 0.3');
    await this.#press(page, '.transport .play');
    await this.#becomes(page, 'detentViewer.report.clock.playing', false);
    const line = await this.#box(page, '.timeline');
    await page.drag(line.left + 0.3 * line.width, line.top + 20, line.left + 0.6 * line.width, line.top + 22);
    const scrubbed = await this.#now(page);
    assert.ok(Math.abs(scrubbed - 12 * (0.6 * line.width - 120) / (line.width - 134)) < 0.05, `scrubbed to ${scrubbed}`);
    await page.until('document.querySelector(".plot .u-over")');
    const plot = await this.#box(page, '.plot .u-over');
    await page.click(plot.left + plot.width / 4, plot.top + 20);
    await page.until('Math.abs(detentViewer.report.clock.time - 3) < 0.05');
    await page.drag(plot.left + plot.width / 4, plot.top + 20, plot.left + plot.width / 2, plot.top + 20);
    const view = await page.evaluate('detentViewer.report.clock.view');
    assert.ok(Math.abs(view[0] - 3) < 0.1 && Math.abs(view[1] - 6) < 0.1, `zoomed to ${view}`);
    await page.key('0');
    assert.deepEqual(await page.evaluate('detentViewer.report.clock.view'), [0, 12]);
  }

  async #events(page) {
    await this.#press(page, '#tab-Events');
    const wanted = await page.evaluate('detentViewer.side.panels.Events.list.scrollTop = 0, detentViewer.report.active.events[2].t');
    await page.until('document.querySelector(\'[data-index="2"]\')');
    await this.#press(page, '[data-index="2"]');
    await this.#becomes(page, 'detentViewer.report.clock.time', wanted);
    assert.match(await page.evaluate('document.querySelector(".story pre").textContent'), /^search at t = .*verified after 1 round/s);
    await page.key('.', 'Period');
    assert.equal(await this.#now(page), await page.evaluate(`detentViewer.report.active.events.find((event) => event.t > ${wanted}).t`));
  }

  async #keys(page) {
    await page.key('?');
    assert.ok(await page.evaluate('document.querySelector("dialog.sheet").open'));
    await page.key('Escape');
    await page.until('!document.querySelector("dialog[open]")');
    await page.evaluate('document.activeElement.blur()');
    await page.key('Home');
    assert.equal(await this.#now(page), 0);
    await page.key('ArrowRight');
    assert.equal(await this.#now(page), await page.evaluate('detentViewer.report.active.time[1]'));
    const theme = 'document.documentElement.dataset.theme';
    assert.equal(await page.evaluate(theme), 'dark'); // as the system says
    await page.key('d');
    assert.equal(await page.evaluate(theme), 'light');
    for (const key of 'qrm') await page.key(key);
    await page.until('detentViewer.viewer.stage.mechanisms.every((each) => each.frame.arrows)');
    assert.deepEqual(await page.evaluate('[...document.querySelectorAll(".arrow")].map((each) => each.getAttribute("aria-pressed"))'), ['true', 'true', 'true']);
    for (const [key, tab] of [['b', 'Energy'], ['i', 'Run'], ['s', 'Source'], ['p', 'Plots']]) {
      await page.key(key);
      assert.equal(await page.evaluate('document.querySelector("[role=tab][aria-selected=true]").textContent'), tab);
    }
  }

  /* A joint is picked out in the picture, and let go in the time line. */
  async #picks(page) {
    await page.until('!detentViewer.viewer.stage.dirty'); // the joints are where the picture of the last key has them
    const view = await this.#box(page, '.view canvas');
    const [x, y] = await page.evaluate(`((stage) => { const out = []; stage.project(stage.tiles[0], out); return out.slice(4, 6); })(detentViewer.viewer.stage)`);
    await page.click(view.left + x, view.top + y);
    const seen = `detentViewer.report.joint ?? "none, at [${[x, y]}] is " + detentViewer.viewer.stage.jointAt(${x}, ${y})?.joint.name`;
    await this.#becomes(page, seen, 'joint 3');
    assert.match(await page.evaluate('document.querySelector(".tip").textContent'), /^joint 3, (locked|wait|unlocked).*friction .* N m, force .* N/);
    await page.until('document.querySelector(".plots").textContent.includes("friction(joint 3)")');
    const line = await this.#box(page, '.timeline');
    await page.click(line.left + 90, line.top + 30 + 2 * 16 + 8);
    await this.#becomes(page, 'detentViewer.report.joint', null);
    assert.ok(await page.evaluate('!document.querySelector(".plots").textContent.includes("friction(joint 3)")'));
  }

  async #runs(page) {
    assert.equal(await page.evaluate('detentViewer.viewer.stage.tiles.length'), 3);
    await page.key('3');
    assert.equal(await page.evaluate('detentViewer.report.active.name'), 'three');
    await page.key('t');
    assert.equal(await page.evaluate('detentViewer.viewer.stage.tiles.length'), 1);
    await this.#press(page, '.run:nth-child(2) input');
    await this.#becomes(page, '[...detentViewer.report.shown].join()', '0,2');
    await page.until('detentViewer.side.panels.Plots.plots[0].lines.length === 1');
  }

  /* Whatever can be used says what it is. */
  async #names(page) {
    await page.send('Accessibility.enable');
    const { nodes } = await page.send('Accessibility.getFullAXTree');
    const used = nodes.filter((node) => !node.ignored && ['button', 'checkbox', 'slider', 'textbox', 'searchbox', 'combobox', 'tab', 'image'].includes(node.role?.value));
    assert.ok(used.length > 20);
    assert.deepEqual(used.filter((node) => !node.name?.value).map((node) => node.role.value), []);
  }

  /* Names that would like to be markup are text, wherever they come. */
  async hostile() {
    const bad = '</script><script>window.hurt=1</script><img src=x onerror="window.hurt=2"><!--\u2028&amp;';
    const run = chain({ bodies: 3, rows: 80, name: bad });
    Object.assign(run, { file: bad, source: `${bad}: ${bad} # ${bad}\n`, title: bad, outcome: bad, settings: [[bad, bad]], counters: [[bad, bad]] });
    for (const joint of run.joints) joint.name = `${bad}${joint.name}`;
    for (const body of run.bodies) body.name = bad;
    for (const event of run.events) Object.assign(event, { joint: run.joints[0].name, kind: bad, cause: bad, from: bad, to: bad, story: bad });
    run.outputs.push({ name: bad, unit: bad, value: run.outputs[0].value });
    run.joints[0].velocity = f32([1]); // told as a fault, with the name
    await this.with('hostile', reportOf(run, { ...run, name: `${bad}2` }), { width: 1000, height: 700 }, async (page) => {
      for (const tab of ['Plots', 'Events', 'Energy', 'Run', 'Source']) await page.evaluate(`detentViewer.side.show('${tab}')`);
      await page.evaluate('detentViewer.report.clock.seek(2), detentViewer.side.panels.Plots.choose(), document.querySelector("dialog.picker").close(), detentViewer.side.show("Events")');
      await page.evaluate('detentViewer.viewer.namesToggle.click()');
      await page.until('document.querySelector(".joint-names span")');
      await page.evaluate('detentViewer.report.pick(detentViewer.report.active.joints[0].name)');
      assert.equal(await page.evaluate('window.hurt'), undefined);
      assert.equal(await page.evaluate('document.querySelectorAll("img").length + document.querySelectorAll("script").length'), 2);
      const text = JSON.stringify(bad);
      for (const place of ['.run button', '.source', '.story pre', '.facts th', '.picker-list', '.plots', '.joint-names', '.tile-label', 'title', 'h1'])
        assert.ok(await page.evaluate(`document.querySelector('${place}').textContent.includes(${text})`), `${place} does not show the name as it is`);
    });
  }

  /* What is missing or wrong is said or left out; the rest is shown. */
  async poor() {
    const run = fourBar({ rows: 60 });
    run.joints[1].mode = i8([1, 2, 3]);
    run.joints[2].place = { f32: '!' };
    run.bodies[1].pose = f32([1, 2]);
    run.events.push({ t: 'never' });
    const bare = { name: 'bare', time: [0, 1] };
    await this.with('poor', reportOf(run, bare, {}), { width: 900, height: 600 }, async (page) => {
      await page.evaluate('detentViewer.side.show("Run")');
      assert.equal(await page.evaluate('document.querySelector("#tab-Run").textContent'), 'Run !');
      const said = await page.evaluate('document.querySelector(".faults").textContent');
      for (const words of [/the mode of pin has 3 numbers/, /the place of head cannot be read/, /the pose of crank has 2 numbers/, /time cannot be read/])
        assert.match(said, words);
      await page.evaluate('detentViewer.report.activate(detentViewer.report.runs[1])');
      await page.evaluate('detentViewer.report.clock.seek(0.5)');
      await page.until('!detentViewer.viewer.stage.dirty');
    });
    await this.with('empty', {}, { width: 900, height: 600 }, async (page) => {
      assert.match(await page.evaluate('document.body.textContent'), /There is no run in this page/);
      for (const key of [' ', '.', 'ArrowRight', 'End', 'f', 'r', 'n', 't', '1', 'e', 'b', 'i', 's', 'p', 'd']) await page.key(key);
    });
    for (const [text, said] of [['{"format": 2}', /format 2, this page reads format 1/], ['{"runs": [', /cannot be shown/]]) {
      await this.with('broken', text, { width: 600, height: 400 }, async (page) => {
        assert.match(await page.evaluate('document.querySelector("[role=alert]").textContent'), said);
      });
    }
  }

  /* All types of shapes are drawn where they are; a body whose shapes cannot be drawn has sticks. */
  async shapes() {
    await this.with('shapes', reportOf(everyShape()), { width: 600, height: 700 }, async (page) => {
      await page.until('detentViewer.viewer.stage.mechanisms[0].parts[0].meshes.length === 1');
      await page.until('!detentViewer.viewer.stage.dirty');
      const sets = await page.evaluate(`detentViewer.viewer.stage.mechanisms[0].parts[0].sets.map(({ copies, list }) => list.map((_, i) => {
        const m = [...copies.matrices.slice(16 * i, 16 * i + 16)];
        return { sizes: [0, 4, 8].map((o) => Math.hypot(m[o], m[o + 1], m[o + 2])), z: m[14] }; }))`);
      const near = (found, wanted) => assert.ok(Math.max(...found.map((x, i) => Math.abs(x - wanted[i]))) < 1e-6, `${found} instead of ${wanted}`);
      const [[box], [sphere, ...others], [barrel]] = sets;
      assert.deepEqual(sets.map((set) => set.length), [1, 4, 2, 2]); // a box; a ball, two of the capsule, an ellipsoid; two barrels; two rods
      near(box.sizes, [0.3, 0.2, 0.1]);
      near([...sphere.sizes, sphere.z], [0.15, 0.15, 0.15, 0.5]);
      near(barrel.sizes, [0.15, 0.2, 0.15]); // along its own y, which is the shape's z
      near(others.map((ball) => ball.z), [1.4, 1.6, 2]);
      assert.equal(await page.evaluate('detentViewer.viewer.stage.mechanisms[0].parts[1].bodies.join()'), '2');
    });
  }

  /* Milliseconds of script a frame with 300 bodies and all arrows: what three frames in four take at least, for the software that
   * draws here and others who use the machine interrupt the script. They are held to a bound where `timed` asks for it. */
  async large(report) {
    const data = reportOf(chain({ bodies: 300, rows: 200 }));
    await this.with('large', data, { width: 400, height: 300 }, async (page) => {
      await page.evaluate('Promise.all(["force", "torque", "friction"].map((kind) => detentViewer.viewer.stage.showArrows(kind, true)))');
      // As many frames without drawing as it takes until the browser has compiled what runs often.
      await page.evaluate('for (let i = 0; i < 300; i++) detentViewer.viewer.stage.mechanisms[0].update(i / 30, detentViewer.viewer.stage.view)');
      await page.evaluate('detentViewer.frames.times.length = 0, detentViewer.report.clock.loops = true, detentViewer.report.clock.play(true)');
      const soon = Date.now() + 6000, late = soon + 54000;
      while (await page.evaluate('detentViewer.frames.times.length') < 10 && Date.now() < late) await new Promise((resolve) => setTimeout(resolve, 200));
      while (Date.now() < soon && await page.evaluate('detentViewer.frames.times.length') < 200) await new Promise((resolve) => setTimeout(resolve, 200));
      const times = (await page.evaluate('detentViewer.frames.times')).sort((a, b) => a - b);
      assert.ok(times.length >= 3, `${times.length} frames`);
      const [quarter, median, most] = [0.25, 0.5, 0.9].map((part) => times[Math.floor(part * times.length)]);
      report(`300 bodies: ${quarter.toFixed(2)} ms of script a frame (lower quartile of ${times.length}), median ${median.toFixed(2)}, nine in ten below ${most.toFixed(2)}`);
      assert.ok(!this.timed || quarter <= 4, `${quarter} ms of script a frame`);
    });
  }

  /* 360 pixels wide: nothing sticks out, and what is touched is there. */
  async phone() {
    const data = reportOf(chain({ name: 'a long name of a run', rows: 200 }), fourBar({ rows: 100, name: 'another one' }));
    await this.with('phone', data, { width: 360, height: 740, touch: true }, async (page) => {
      for (const tab of ['Plots', 'Events', 'Energy', 'Run', 'Source']) {
        await page.evaluate(`detentViewer.side.show('${tab}')`);
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= 360'), `${tab} is wider than the screen`);
      }
      const last = await this.#box(page, 'header > button:last-of-type'), first = await this.#box(page, 'header > button');
      assert.ok(Math.abs(last.top - first.top) < 1 && last.left > first.left && last.left + last.width <= 360, 'the head is one line');
      const play = await this.#box(page, '.transport .play');
      assert.ok(play.height >= 30 && play.left >= 0 && play.top + play.height <= 740);
    });
  }

  /* Without WebGL all but the picture is there. To be run in a browser that has none. */
  async flat() {
    await this.with('flat', reportOf(fourBar({ rows: 100 })), { width: 900, height: 600 }, async (page) => {
      assert.match(await page.evaluate('document.querySelector(".view").textContent'), /WebGL is missing/);
      await page.key('End');
      assert.equal(await this.#now(page), 8);
      await page.key('f');
      await page.key('r');
      assert.ok(await page.evaluate('document.querySelectorAll(".plot canvas").length > 1'));
    });
  }
}
