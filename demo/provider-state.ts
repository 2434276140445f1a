import { LRUCache } from 'lru-cache';
import type { Adapter, StoredModel } from 'oidc-provider';

/** Enough for the sessions and tokens of a demo; beyond it the oldest are dropped, and their owners sign in again. */
const MAX_ENTRIES = 5000;

export interface ProviderStateOptions {
  readonly maxEntries?: number;
  /** Milliseconds since any point in the past. */
  readonly now?: () => number;
}

/** Keeps sessions, grants, codes and tokens in memory, until they expire or the process ends. */
export class ProviderState {
  readonly #entries: LRUCache<string, StoredModel>;

  constructor({
    maxEntries = MAX_ENTRIES,
    now = (): number => performance.now(),
  }: ProviderStateOptions = {}) {
    this.#entries = new LRUCache({ max: maxEntries, perf: { now }, ttlResolution: 0 });
  }

  /** The part that keeps one kind of model; it has the form that `oidc-provider` asks for. */
  adapter(model: string): Adapter {
    const key = (id: string): string => `${model}:${id}`;
    const findWhere = async (matches: (payload: StoredModel) => boolean): Promise<StoredModel | undefined> =>
      this.#ofModel(model).find(([, payload]) => matches(payload))?.[1];
    return {
      upsert: async (id, payload, expiresIn) => {
        this.#entries.set(key(id), payload, expiresIn === undefined ? {} : { ttl: expiresIn * 1000 });
      },
      find: async (id) => this.#entries.get(key(id)),
      findByUid: (uid) => findWhere((payload) => payload.uid === uid),
      findByUserCode: (userCode) => findWhere((payload) => payload.userCode === userCode),
      consume: async (id) => {
        const payload = this.#entries.get(key(id));
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void this.#entries.delete(key(id)),
      revokeByGrantId: async (grantId) => {
        for (const [entry, payload] of this.#ofModel(model)) {
          if (payload.grantId === grantId) this.#entries.delete(entry);
        }
      },
    };
  }

  #ofModel(model: string): readonly (readonly [string, StoredModel])[] {
    return [...this.#entries.entries()].filter(([key]) => key.startsWith(`${model}:`));
  }
}
