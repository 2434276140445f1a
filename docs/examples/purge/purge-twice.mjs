import { ALL } from './tags.mjs';

/** After a failure of a repetition. */
const RETRY_MS = 5_000;

/**
 * Purges at once, and again later: a response that was under way at the first time may have put the outdated picture into the cache
 * behind it.
 */
export class PurgeTwice {
  #due = [];
  #timer;

  /**
   * @param purge removes tags from the caches, or all
   * @param remember takes the cursor of the last change that was purged twice
   */
  constructor(purge, repeatMs, remember) {
    this.purgeCaches = purge;
    this.repeatMs = repeatMs;
    this.remember = remember;
  }

  /** Resolves when the tags were purged once. */
  async purge(tags, cursor) {
    await this.#purgeSome(tags);
    this.#due.push({ tags, cursor, at: Date.now() + this.repeatMs });
    this.#timer ??= setTimeout(() => this.#repeat(), this.repeatMs);
  }

  async #purgeSome(tags) {
    if (tags === ALL || tags.length > 0) await this.purgeCaches(tags);
  }

  /** All that is due by now, in one go. */
  async #repeat() {
    const due = this.#due.filter(({ at }) => at <= Date.now());
    try {
      const all = due.map(({ tags }) => tags);
      await this.#purgeSome(all.includes(ALL) ? ALL : [...new Set(all.flat())]);
      const cursor = due.findLast((one) => one.cursor !== undefined)?.cursor;
      if (cursor !== undefined) await this.remember(cursor);
      this.#due = this.#due.slice(due.length);
      this.#wait(Math.max(0, (this.#due[0]?.at ?? 0) - Date.now()));
    } catch (error) {
      console.error(error.message);
      this.#wait(RETRY_MS);
    }
  }

  #wait(ms) {
    this.#timer = this.#due.length === 0 ? undefined : setTimeout(() => this.#repeat(), ms);
  }
}
