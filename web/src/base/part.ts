import { loadPart } from './load-part.ts';
import { Store } from './store.ts';

/** Code that is loaded when it is needed, once. A load that has failed is tried again at its next use. */
export class Part<T, Chunk = unknown> {
  readonly loaded = new Store<T | undefined>(undefined);
  readonly #load: () => Promise<T>;
  #loading: Promise<void> | undefined;

  constructor(load: () => Promise<Chunk>, pick: (chunk: Chunk) => T) {
    this.#load = async () => await loadPart(load, pick);
    parts.add(this);
  }

  /** Rejects with what `Trouble` can report. */
  async load(): Promise<void> {
    if (this.loaded.get() !== undefined) return;
    this.#loading ??= this.#attempt();
    await this.#loading;
  }

  async #attempt(): Promise<void> {
    try {
      this.loaded.set(await this.#load());
    } finally {
      this.#loading = undefined;
    }
  }
}

const parts = new Set<Part<unknown>>();

/** Loads all parts, one after another, and those that they bring with them. What fails is loaded when it is needed. */
export async function loadAllParts(idle: () => Promise<void>): Promise<void> {
  for (const part of parts) {
    await idle();
    await part.load().catch(() => undefined);
  }
}
