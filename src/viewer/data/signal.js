/* Who wants to know is told: the one way in which parts of the page hear of each other. */
export class Signal {
  #listeners = new Set();

  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  send(value) {
    for (const listener of this.#listeners) listener(value);
  }
}
