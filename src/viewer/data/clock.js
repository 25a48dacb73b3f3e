/* The time shown, and how it runs; and the stretch of time that plots and time line show. */

import { Signal } from './signal.js';

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export class Clock {
  constructor() {
    this.start = 0;
    this.end = 0;
    this.time = 0;
    this.speed = 1;
    this.playing = false;
    this.loops = false;
    this.view = [0, 0];
    this.changed = new Signal(); // time, playing, speed
    this.viewChanged = new Signal();
  }

  /* In real time if that takes between three seconds and a minute, otherwise so that it does. */
  setRange(start, end) {
    this.start = start;
    this.end = end;
    this.time = start;
    this.view = [start, end];
    const length = end - start;
    if (length > 60) this.speed = speeds.find((speed) => length / speed <= 60) || speeds[speeds.length - 1];
    else if (length > 0 && length < 3) this.speed = speeds.filter((speed) => length / speed >= 3).pop() || speeds[0];
    this.changed.send();
    this.viewChanged.send();
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.start), this.end);
    this.changed.send();
  }

  play(playing) {
    if (playing && this.time >= this.end) this.time = this.start;
    this.playing = playing && this.end > this.start;
    this.changed.send();
  }

  setSpeed(speed) {
    this.speed = speed;
    this.changed.send();
  }

  faster(steps) {
    let nearest = 0;
    speeds.forEach((speed, i) => {
      if (Math.abs(Math.log(speed / this.speed)) < Math.abs(Math.log(speeds[nearest] / this.speed))) nearest = i;
    });
    this.setSpeed(speeds[Math.min(Math.max(nearest + steps, 0), speeds.length - 1)]);
  }

  /* `seconds` of the viewer's time have passed. */
  tick(seconds) {
    if (!this.playing) return;
    const next = this.time + seconds * this.speed;
    if (next < this.end) {
      this.seek(next);
    } else if (this.loops) {
      this.seek(this.start);
    } else {
      this.playing = false;
      this.seek(this.end);
    }
  }

  setView(from, to) {
    const whole = this.end - this.start;
    const length = Math.min(Math.max(to - from, whole * 1e-9), whole);
    const first = Math.min(Math.max(from, this.start), this.end - length);
    this.view = [first, first + length];
    this.viewChanged.send();
  }

  zoom(factor, around = this.time) {
    const [from, to] = this.view;
    this.setView(around - (around - from) * factor, around + (to - around) * factor);
  }
}
