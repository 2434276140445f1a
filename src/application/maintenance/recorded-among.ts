import type { TransferEnds } from './transfer/transfer-plan.ts';

export async function recordedAmong(
  { source, target }: TransferEnds,
  uuids: readonly string[],
): Promise<ReadonlySet<string>> {
  const bySource = await source.images.findUuidsAmong(uuids);
  const byTarget = await target.images.findUuidsAmong(uuids);
  return new Set([...bySource, ...byTarget]);
}
