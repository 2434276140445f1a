import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/** Between two looks at something that another process does and does not report. */
export async function untilNextLook(): Promise<void> {
  await delay(LOOK_EVERY_MS);
}
