import { rawPng } from '../fixtures/raw-pictures.ts';
import { type Cost, costOf } from './process-cost.ts';
import type { RunningCatalog } from './running-catalog.ts';

/** Interlaced pictures of 50 megapixels and 16 bits, half of them rotated. A decoder holds all of each in memory. */
const PICTURES = 4;

/** One different picture per client. */
const RENDITIONS = [
  'width=16',
  'width=320&format=webp',
  'width=640&format=avif',
  'width=1080&format=jpeg',
  'width=1920&format=webp',
  'width=2048&height=640&fit=cover&format=png',
  'width=3840&format=jpeg',
  'height=3840&format=png',
];

/** The number of clients by status. */
export type Statuses = Readonly<Record<string, number>>;

export interface DecodeStorm {
  readonly uploads: Cost & { readonly statuses: Statuses };
  readonly renditions: Cost & { readonly statuses: Statuses };
}

/** Eight clients upload large pictures at the same time; then eight request renditions of them. */
export async function decodeStorm(catalog: RunningCatalog): Promise<DecodeStorm> {
  const { pid } = catalog.process;
  const client = catalog.client();
  const pictures = Array.from({ length: PICTURES }, (_, index) => new Uint8Array(largePicture(index)));
  const ids: number[] = [];
  const uploads = await costOf(pid, async () => {
    const responses = RENDITIONS.map(async (_, index) => {
      const response = await client.upload(
        pictures[index % PICTURES] as Uint8Array<ArrayBuffer>,
        'large.png',
      );
      const { id, code } = (await response.json()) as { id?: number; code?: string };
      if (id !== undefined) ids.push(id);
      return statusOf(response, code);
    });
    return await Promise.all(responses);
  });
  const renditions = await costOf(pid, async () => {
    const responses = RENDITIONS.map(async (query, index) => {
      const response = await client.file(ids[index % ids.length] ?? 0, `?${query}`);
      const body = await response.arrayBuffer();
      return statusOf(
        response,
        response.ok ? undefined : (JSON.parse(Buffer.from(body).toString()) as { code: string }).code,
      );
    });
    return await Promise.all(responses);
  });
  return {
    uploads: { ...uploads.cost, statuses: counted(uploads.result) },
    renditions: { ...renditions.cost, statuses: counted(renditions.result) },
  };
}

function largePicture(index: number): Buffer {
  return rawPng({
    width: 7071,
    height: 7071,
    colourType: 'rgba',
    bitDepth: 16,
    isInterlaced: true,
    ...(index % 2 === 0 && { noise: 1 + index }),
    ...(index >= PICTURES / 2 && { orientation: 6 }),
  });
}

function statusOf({ status }: Response, code: string | undefined): string {
  return code === undefined ? String(status) : `${status} ${code}`;
}

function counted(statuses: readonly string[]): Statuses {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
