import type { LinkKey } from '../ports/records/link-keys.ts';
import { LONGEST_LINK_MS } from './link-expiry.ts';

/**
 * Those whose links may still be good: the newest, and each former one until the last link that it has signed expires.
 *
 * @param keys newest first
 */
export function validKeys(keys: readonly LinkKey[], now: Date): readonly LinkKey[] {
  return keys.filter((_, place) => {
    const successor = keys[place - 1];
    return successor === undefined || now.getTime() < successor.createdAt.getTime() + LONGEST_LINK_MS;
  });
}
