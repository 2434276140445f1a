import type { DeviceStorage } from '../../../web/src/base/setting.ts';

/** What a browser remembers, without a browser. */
export function storageOf(kept: Map<string, string>): DeviceStorage {
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}
