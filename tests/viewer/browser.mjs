/* Chromium without a window, over a pair of pipes: as much of its protocol as the test of the page needs. */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function findBrowser() {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const folders = (process.env.PATH || '').split(':').filter(Boolean);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync) || null;
}

export class Browser {
  #waiting = new Map();
  #listeners = [];
  #rest = '';
  #count = 0;

  constructor(program, flags = []) {
    this.profile = mkdtempSync(join(tmpdir(), 'detent-viewer-'));
    this.process = spawn(program, ['--headless', '--no-sandbox', '--disable-dev-shm-usage', '--no-first-run', '--disable-extensions',
      '--disable-background-networking', '--disable-component-update', '--allow-file-access-from-files=false', '--hide-scrollbars',
      '--remote-debugging-pipe', `--user-data-dir=${this.profile}`, ...flags, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.ended = new Promise((resolve) => this.process.on('exit', resolve));
    this.process.stdio[4].setEncoding('utf8').on('data', (text) => this.#read(text));
    this.process.stdio[3].on('error', () => {});
    this.ended.then(() => { for (const { reject } of this.#waiting.values()) reject(new Error('the browser has ended')); });
  }

  #read(text) {
    const messages = (this.#rest + text).split('\0');
    this.#rest = messages.pop();
    for (const message of messages.map((each) => JSON.parse(each))) {
      const waiting = this.#waiting.get(message.id);
      if (!waiting) {
        for (const listener of this.#listeners) listener(message);
        continue;
      }
      this.#waiting.delete(message.id);
      if (message.error) waiting.reject(new Error(message.error.message));
      else waiting.resolve(message.result);
    }
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /* A page of its own size; `features` are media features, [{name, value}]. */
  async open(url, { width = 1280, height = 800, features = [], touch = false } = {}) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    this.#listeners.push((message) => { if (message.sessionId === sessionId) page.hear(message); });
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`);
    await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: touch ? 2 : 1, mobile: touch });
    if (touch) await page.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await page.send('Emulation.setEmulatedMedia', { features });
    await page.send('Page.navigate', { url });
    return page;
  }

  async close() {
    this.send('Browser.close').catch(() => {});
    const killer = setTimeout(() => this.process.kill('SIGKILL'), 5000);
    await this.ended;
    clearTimeout(killer);
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

class Page {
  constructor(browser, sessionId, targetId) {
    Object.assign(this, { browser, sessionId, targetId, complaints: [], requests: [] });
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  /* What the console would say in yellow or red, and whatever is asked of the outside. */
  hear({ method, params }) {
    if (method === 'Runtime.exceptionThrown') {
      const { exceptionDetails: details } = params;
      this.complaints.push(details.exception?.description || details.text);
    } else if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type)) {
      this.complaints.push(params.args.map((each) => each.value ?? each.description).join(' '));
    } else if (method === 'Log.entryAdded' && ['error', 'warning'].includes(params.entry.level)) {
      this.complaints.push(params.entry.text);
    } else if (method === 'Network.requestWillBeSent') {
      this.requests.push(params.request.url);
    }
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
    return result.value;
  }

  /* Until `expression` holds; `seconds` of waiting are too many. */
  async until(expression, seconds = 15) {
    const end = Date.now() + 1000 * seconds;
    while (Date.now() < end) {
      if (await this.evaluate(`Boolean(${expression})`).catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`not within ${seconds} s: ${expression} (${this.complaints.join('; ')})`);
  }

  async click(x, y) {
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'])
      await this.send('Input.dispatchMouseEvent', { type, x, y, button: type === 'mouseMoved' ? 'none' : 'left', clickCount: 1 });
  }

  async drag(x, y, toX, toY) {
    await this.send('Input.dispatchMouseEvent', { type: 'mousePressed', x, y, button: 'left', clickCount: 1 });
    for (let i = 1; i <= 4; i++)
      await this.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: x + (toX - x) * i / 4, y: y + (toY - y) * i / 4, button: 'left', buttons: 1 });
    await this.send('Input.dispatchMouseEvent', { type: 'mouseReleased', x: toX, y: toY, button: 'left', clickCount: 1 });
  }

  async key(key, code = key) {
    const text = key.length === 1 ? key : undefined;
    const windowsVirtualKeyCode = { Escape: 27, Home: 36, End: 35, ArrowRight: 39, ArrowLeft: 37 }[key];
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, text, windowsVirtualKeyCode });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, windowsVirtualKeyCode });
  }

  async picture() {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }

  close() {
    return this.browser.send('Target.closeTarget', { targetId: this.targetId });
  }
}
