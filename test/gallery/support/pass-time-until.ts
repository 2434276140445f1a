import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { eventually } from '../../support/time/eventually.ts';

/** Waits until something is seen, in the time of a page whose clock is installed: seconds of it take none. */
export async function passTimeUntil(seen: Locator): Promise<void> {
  const { clock } = seen.page();
  const isSeen = await eventually(async () => {
    await clock.fastForward(1000);
    return await seen.first().isVisible();
  }, Boolean);
  expect(isSeen, `${String(seen)} is seen`).to.equal(true);
}
