// What a module remembers of an object under one change must not be there under the next.

/** While it watches, every WeakMap that is made can be emptied later. */
export function createResettableMaps() {
  const Native = WeakMap;
  const made = [];
  class Resettable {
    #inside = new Native();
    constructor() {
      made.push(this);
    }
    reset() {
      this.#inside = new Native();
    }
    get(key) {
      return this.#inside.get(key);
    }
    has(key) {
      return this.#inside.has(key);
    }
    set(key, value) {
      this.#inside.set(key, value);
      return this;
    }
    delete(key) {
      return this.#inside.delete(key);
    }
  }
  return {
    watch: () => {
      globalThis.WeakMap = Resettable;
    },
    unwatch: () => {
      globalThis.WeakMap = Native;
    },
    reset: () => {
      for (const map of made) map.reset();
    },
  };
}
