import type { TransferEnds } from './transfer-plan.ts';

/** Which of the UUIDs the source or the target has a record of. */
export async function recordedAmong(
  { source, target }: TransferEnds,
  uuids: readonly string[],
): Promise<ReadonlySet<string>> {
  const bySource = await source.images.findUuidsAmong(uuids);
  const byTarget = await target.images.findUuidsAmong(uuids);
  return new Set([...bySource, ...byTarget]);
}
