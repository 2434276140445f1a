import { LinkExpired } from '../../domain/errors.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';

/** Whole ones until a link expires, at the time of the call; 0 if it has expired. */
export type SecondsLeft = () => number;

/**
 * Of a link that is good.
 *
 * @param expiry Unix seconds
 * @throws {LinkExpired}
 */
export function secondsLeft(expiry: number, clock: Clock): SecondsLeft {
  const msLeft = (): number => expiry * 1000 - clock.now().getTime();
  if (msLeft() <= 0) throw new LinkExpired();
  return () => Math.max(0, Math.floor(msLeft() / 1000));
}
