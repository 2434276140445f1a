import { createHash } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { expect } from 'chai';
import sharp from 'sharp';
import { type CatalogClient, sha256Of, uploadedId } from './catalog-client.ts';
import type { RunningService } from './service-process.ts';

export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
  readonly name: string;
}

/** An upload under a key: sent again under it until it is answered. */
export interface KeyedUpload extends Picture {
  readonly key: string;
}

export interface FinishedUpload extends KeyedUpload {
  readonly id: number;
}

/** Answered uploads whose bytes are kept, to be sent again. */
const MAX_FINISHED = 8;

/** What the clients know: the service has to agree with it. */
export class Ledger {
  /** SHA-256 of everything that was ever sent, acknowledged or not. */
  readonly sent = new Set<string>();
  /** Acknowledged uploads that nobody has asked to delete: id → SHA-256. */
  readonly kept = new Map<number, string>();
  /** Images that somebody has asked to delete, and has heard nothing yet, or will not: id → SHA-256. */
  readonly inDoubt = new Map<number, string>();
  /** Acknowledged deletes. */
  readonly deleted = new Set<number>();
  /** Uploads under a key that are under way, or got no answer, by their key. */
  readonly unfinished = new Map<string, KeyedUpload>();
  /** The latest acknowledged uploads under a key. */
  readonly finished: FinishedUpload[] = [];
  /** Requests that got no answer: what they asked for may be done or not. */
  unanswered = 0;
  /** Answers that said that an earlier upload under the key had made the image. */
  replays = 0;
  reads = 0;

  acknowledge(id: number, sha256: string): void {
    const isKnown = this.kept.has(id) || this.inDoubt.has(id) || this.deleted.has(id);
    expect(isKnown, `image ${id} had been there before`).to.equal(false);
    this.kept.set(id, sha256);
  }

  finish(upload: FinishedUpload): void {
    this.unfinished.delete(upload.key);
    this.finished.push(upload);
    if (this.finished.length > MAX_FINISHED) this.finished.shift();
  }

  /** Takes an image out of those that must be there: from the request to its answer, a delete is in doubt. */
  takeAny(random: () => number): number | undefined {
    const [id, sha256] = anyOf([...this.kept], random) ?? [];
    if (id === undefined || sha256 === undefined) return undefined;
    this.kept.delete(id);
    this.inDoubt.set(id, sha256);
    return id;
  }

  confirmDelete(id: number): void {
    this.inDoubt.delete(id);
    this.deleted.add(id);
  }

  summary(): string {
    const { kept, deleted, unanswered } = this;
    return `${kept.size + deleted.size} uploads and ${deleted.size} deletes acknowledged, ${unanswered} requests unanswered`;
  }
}

/** Kills services at the given step of progress. */
export class Fuse {
  private left: number;

  constructor(
    private readonly services: readonly RunningService[],
    steps: number,
  ) {
    this.left = steps;
  }

  get hasBlown(): boolean {
    return this.left <= 0;
  }

  /** Whether a request to this service may go without an answer. */
  excuses(service: RunningService): boolean {
    return this.hasBlown && this.services.includes(service);
  }

  burn(): void {
    this.left -= 1;
    if (this.left === 0) for (const service of this.services) service.process.kill('SIGKILL');
  }
}

/** One client of one service, which agrees with the others on a ledger. */
export interface BusyClient {
  readonly service: RunningService;
  readonly catalog: CatalogClient;
  readonly random: () => number;
  readonly ledger: Ledger;
  readonly fuse: Fuse;
}

export type Act = (client: BusyClient) => Promise<void>;

/**
 * One act after the other, until the fuse blows. Every act burns it by one step.
 *
 * @throws {Error} where an answer is wrong, or does not come although nothing was killed
 */
export async function keepBusy(client: BusyClient, chooseAct: (client: BusyClient) => Act): Promise<void> {
  const { service, ledger, fuse } = client;
  while (!fuse.hasBlown) {
    try {
      await chooseAct(client)(client);
    } catch (error) {
      // Only a kill excuses a request without an answer; an answer that is wrong is never excused.
      if (!(fuse.excuses(service) && error instanceof TypeError)) throw error;
      ledger.unanswered += 1;
      return;
    }
    fuse.burn();
  }
}

/** A picture that was never sent before. */
export function uploadNew(makePicture: (random: () => number) => Promise<Picture>): Act {
  return async ({ catalog, random, ledger }) => {
    const { bytes, sha256, name } = await makePicture(random);
    ledger.sent.add(sha256);
    const response = await catalog.upload(bytes, name);
    expect(response.status).to.equal(201);
    // The head of the answer is the acknowledgement: a kill may still cut off its body.
    ledger.acknowledge(uploadedId(response), sha256);
    await response.arrayBuffer();
  };
}

/** The same under a key. */
export function uploadNewUnderKey(makePicture: (random: () => number) => Promise<Picture>): Act {
  return async ({ catalog, random, ledger }) => {
    const picture = await makePicture(random);
    ledger.sent.add(picture.sha256);
    await sendUnderKey({ ...picture, key: `key-${picture.sha256.slice(0, 32)}` }, catalog, ledger);
  };
}

/** Sends an upload, for the first time or again, until it is acknowledged. */
export async function sendUnderKey(
  upload: KeyedUpload,
  catalog: CatalogClient,
  ledger: Ledger,
): Promise<void> {
  ledger.unfinished.set(upload.key, upload);
  const response = await catalog.upload(upload.bytes, upload.name, headersOf(upload));
  expect(response.status).to.equal(201);
  const id = uploadedId(response);
  if (response.headers.has('idempotency-replayed')) ledger.replays += 1;
  ledger.acknowledge(id, upload.sha256);
  ledger.finish({ ...upload, id });
  await response.arrayBuffer();
}

/** Sends an upload again that was acknowledged long ago: it makes no second image. */
export const repeatUnderKey: Act = async ({ catalog, random, ledger }) => {
  const upload = anyOf(ledger.finished, random);
  if (upload === undefined) return;
  const { id, bytes, name } = upload;
  const wasDeleted = ledger.deleted.has(id);
  const response = await catalog.upload(bytes, name, headersOf(upload));
  const mayBeDeleted = ledger.deleted.has(id) || ledger.inDoubt.has(id);
  if (wasDeleted) expect(response.status, `key of deleted image ${id}`).to.equal(404);
  else if (!mayBeDeleted) expect(response.status, `key of image ${id}`).to.equal(201);
  if (response.status === 201) {
    expect(uploadedId(response)).to.equal(id);
    expect(response.headers.get('idempotency-replayed')).to.equal('true');
    ledger.replays += 1;
  } else {
    expect(response.status).to.equal(404);
  }
  await response.arrayBuffer();
};

export const deleteOne: Act = async ({ catalog, random, ledger }) => {
  const id = ledger.takeAny(random);
  if (id === undefined) return;
  const response = await catalog.delete(id);
  expect(response.status).to.equal(204);
  ledger.confirmDelete(id);
};

/** Reads an image, as it is or made smaller. */
export const readOne: Act = async ({ catalog, random, ledger }) => {
  const [id, sha256] = anyOf([...ledger.kept], random) ?? [];
  if (id === undefined) return;
  const isOriginal = random() < 0.5;
  const response = await catalog.file(id, isOriginal ? '' : '?width=64');
  if (ledger.kept.has(id)) expect(response.status, `image ${id}`).to.equal(200);
  const readSha256 = await sha256Of(response);
  if (isOriginal && response.status === 200) expect(readSha256, `bytes of image ${id}`).to.equal(sha256);
  ledger.reads += 1;
};

/** An upload that stops half-way and waits: whenever the kill comes, there is a staged file. */
export function stallUpload(url: string, token: string): ClientRequest {
  const upload = request(new URL('api/upload', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
  });
  upload.on('error', () => undefined);
  upload.write('--b\r\nContent-Disposition: form-data; name="file"; filename="stalled.png"\r\n\r\n');
  upload.write(Buffer.concat([PNG_SIGNATURE, Buffer.alloc(64 * 1024)]));
  return upload;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A picture of random pixels: no two are the same, and none compresses to nothing. */
export async function noise(random: () => number, pixels = 64 * 96): Promise<Picture> {
  const format = random() < 0.5 ? 'png' : 'jpeg';
  const width = 64 + Math.floor(random() * 64);
  const height = Math.max(64, Math.round(pixels / width));
  const picture = sharp(noisyPixels(width * height * 3, random), { raw: { width, height, channels: 3 } });
  const encoded = format === 'png' ? picture.png({ compressionLevel: 0 }) : picture.jpeg({ quality: 95 });
  const bytes = new Uint8Array(await encoded.toBuffer());
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), name: `noise.${format}` };
}

/** Xorshift32, four bytes at a time: megabytes in milliseconds. */
function noisyPixels(length: number, random: () => number): Uint8Array {
  const words = new Uint32Array(Math.ceil(length / 4));
  let state = Math.floor(random() * (2 ** 32 - 1)) + 1;
  for (let index = 0; index < words.length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
  return new Uint8Array(words.buffer, 0, length);
}

function anyOf<T>(items: readonly T[], random: () => number): T | undefined {
  return items[Math.floor(random() * items.length)];
}

function headersOf({ key, sha256 }: KeyedUpload): Record<string, string> {
  return { 'idempotency-key': key, 'x-content-sha256': sha256 };
}
