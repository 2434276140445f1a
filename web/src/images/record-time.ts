import type { ImageRecord } from '@image-catalog/client';

const DAY_MS = 86_400_000;
const OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;

/** Epoch ms by which the timeline orders; a time without an offset is taken for UTC. */
export function timeOf({ takenAt, createdAt }: ImageRecord): number {
  if (takenAt === null) return Date.parse(createdAt);
  return Date.parse(OFFSET.test(takenAt) ? takenAt : `${takenAt}Z`);
}

/** Days of the timeline that may hold the picture: the time zone of the service is not known. */
export function daysAround(record: ImageRecord): readonly string[] {
  const { takenAt } = record;
  if (takenAt !== null && !OFFSET.test(takenAt)) return [takenAt.slice(0, 10)];
  const time = timeOf(record);
  return [0, DAY_MS, -DAY_MS].map((shift) => new Date(time + shift).toISOString().slice(0, 10));
}
