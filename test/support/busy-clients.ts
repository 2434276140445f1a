import { createHash } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import sharp from 'sharp';
import { type CatalogClient, type ImageRecord, sha256Of, uploadedId } from './catalog-client.ts';

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
/** How long a client waits that was told to come again, or not answered. */
const BACK_OFF_MS = 20;

/** What the clients know: the service has to agree with it. */
export class Ledger {
  /** SHA-256 of everything that was ever sent, acknowledged or not. */
  readonly sent = new Set<string>();
  /** Acknowledged uploads that nobody has asked to delete: id → SHA-256. */
  readonly kept = new Map<number, string>();
  /** Records as the answers to uploads had them, where they came to their end: by id. */
  readonly records = new Map<number, ImageRecord>();
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
  /** Requests that were told to come again: the same is true of them. */
  refused = 0;
  /** Of all ids that an answer has named. */
  highestId = 0;
  /** Answers that said that an earlier upload under the key had made the image. */
  replays = 0;
  reads = 0;

  acknowledge(id: number, sha256: string): void {
    const isKnown = this.kept.has(id) || this.inDoubt.has(id) || this.deleted.has(id);
    expect(isKnown, `image ${id} had been there before`).to.equal(false);
    this.kept.set(id, sha256);
    this.see(id);
  }

  /** Images that are uploaded from now on have higher ids. */
  see(id: number): void {
    this.highestId = Math.max(this.highestId, id);
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

/** Does something at the given step of progress. */
export class Fuse {
  /** When it has been done. */
  readonly blown: Promise<void>;
  private left: number;
  private strike: () => void = () => undefined;

  constructor(act: () => void, steps: number) {
    this.left = steps;
    this.blown = new Promise((resolve) => {
      this.strike = () => {
        act();
        resolve();
      };
    });
  }

  get hasBlown(): boolean {
    return this.left <= 0;
  }

  burn(): void {
    this.left -= 1;
    if (this.left === 0) this.strike();
  }
}

/** One client of the catalog, which agrees with the others on a ledger. */
export interface BusyClient {
  readonly catalog: CatalogClient;
  readonly random: () => number;
  readonly ledger: Ledger;
}

export type Act = (client: BusyClient) => Promise<void>;

/** How long a client works, and what it puts up with. */
export interface Shift {
  readonly isOver: () => boolean;
  /** Whether something was killed, so that requests may go without an answer or be told to come again. */
  readonly isExcused: () => boolean;
  readonly onStep: () => void;
}

/**
 * One act after the other, until the shift is over. Every act is a step.
 *
 * @throws {Error} where an answer is wrong, or does not come although nothing was killed
 */
export async function keepBusy(
  client: BusyClient,
  chooseAct: (client: BusyClient) => Act,
  { isOver, isExcused, onStep }: Shift,
): Promise<void> {
  while (!isOver()) {
    try {
      await chooseAct(client)(client);
    } catch (error) {
      // Only a kill excuses a request without an answer; an answer that is wrong is never excused.
      if (!(isExcused() && leavesOpen(error))) throw error;
      if (error instanceof ComeAgain) client.ledger.refused += 1;
      else client.ledger.unanswered += 1;
      await delay(BACK_OFF_MS);
    }
    onStep();
  }
}

/**
 * An act again and again, until it is answered.
 *
 * @throws {Error} where an answer is wrong, or none has come when the deadline has passed
 */
export async function insist(act: () => Promise<void>, deadlineMs: number): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    try {
      await act();
      return;
    } catch (error) {
      if (!leavesOpen(error) || performance.now() > deadline) throw error;
      await delay(BACK_OFF_MS);
    }
  }
}

/** An answer that leaves open what has become of the request. */
class ComeAgain extends Error {}

/** `fetch` throws a `TypeError` where no answer comes, or not all of it. */
function leavesOpen(error: unknown): boolean {
  return error instanceof ComeAgain || error instanceof TypeError;
}

/** Of the service where its storage is away, or a key is held; and of what stands before it, where the service is. */
const OPEN_ANSWERS: Readonly<Record<number, string>> = {
  409: 'idempotency_key_in_use',
  502: 'bad_gateway',
  503: 'storage_unavailable',
  504: 'gateway_timeout',
};

async function expectStatus(response: Response, statuses: readonly number[], about: string): Promise<void> {
  if (statuses.includes(response.status)) return;
  const text = await response.text();
  const code = OPEN_ANSWERS[response.status];
  if (code === undefined) expect.fail(`${about}: ${response.status} ${text}`);
  expect(JSON.parse(text), `${about}: ${response.status}`).to.include({ code });
  expect(response.headers.get('retry-after'), `${about}: Retry-After of ${response.status}`).to.match(
    /^\d+$/,
  );
  throw new ComeAgain(`${about}: ${response.status} ${text}`);
}

/** A picture that was never sent before. */
export function uploadNew(makePicture: (random: () => number) => Promise<Picture>): Act {
  return async ({ catalog, random, ledger }) => {
    const { bytes, sha256, name } = await makePicture(random);
    ledger.sent.add(sha256);
    const { highestId } = ledger;
    const response = await catalog.upload(bytes, name);
    await expectStatus(response, [201], 'upload');
    await acknowledgeNew(response, sha256, highestId, ledger);
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
  const { highestId } = ledger;
  const response = await catalog.upload(upload.bytes, upload.name, headersOf(upload));
  await expectStatus(response, [201], `upload under ${upload.key}`);
  const isReplayed = response.headers.has('idempotency-replayed');
  if (isReplayed) ledger.replays += 1;
  ledger.finish({ ...upload, id: uploadedId(response) });
  // The image of a replay was made by an earlier try, before others that are known of.
  await acknowledgeNew(response, upload.sha256, isReplayed ? 0 : highestId, ledger);
}

/** The head of the answer is the acknowledgement: a kill may still cut off its body. */
async function acknowledgeNew(
  response: Response,
  sha256: string,
  idsBefore: number,
  ledger: Ledger,
): Promise<void> {
  const id = uploadedId(response);
  ledger.acknowledge(id, sha256);
  expect(id, 'an id above those that were known before').to.be.greaterThan(idsBefore);
  const record = (await response.json()) as ImageRecord;
  expect(record).to.include({ id, sha256 });
  ledger.records.set(id, record);
}

/** Sends an upload again that was acknowledged long ago: it makes no second image. */
export const repeatUnderKey: Act = async ({ catalog, random, ledger }) => {
  const upload = anyOf(ledger.finished, random);
  if (upload === undefined) return;
  const { id, bytes, name } = upload;
  const wasDeleted = ledger.deleted.has(id);
  const response = await catalog.upload(bytes, name, headersOf(upload));
  const mayBeDeleted = ledger.deleted.has(id) || ledger.inDoubt.has(id);
  const statuses = wasDeleted ? [404] : mayBeDeleted ? [201, 404] : [201];
  await expectStatus(response, statuses, `key of image ${id}`);
  if (response.status === 201) {
    expect(uploadedId(response)).to.equal(id);
    expect(response.headers.get('idempotency-replayed')).to.equal('true');
    ledger.replays += 1;
  }
  await response.arrayBuffer();
};

export const deleteOne: Act = async ({ catalog, random, ledger }) => {
  const id = ledger.takeAny(random);
  if (id === undefined) return;
  const response = await catalog.delete(id);
  // What stands before services may ask another one, where the first has died after it had deleted the image.
  if (response.status === 404) throw new ComeAgain(`delete of image ${id}: 404`);
  await expectStatus(response, [204], `delete of image ${id}`);
  ledger.confirmDelete(id);
};

/** Reads an image, as it is or made smaller. */
export const readOne: Act = async ({ catalog, random, ledger }) => {
  const [id, sha256] = anyOf([...ledger.kept], random) ?? [];
  if (id === undefined) return;
  const isOriginal = random() < 0.5;
  const response = await catalog.file(id, isOriginal ? '' : '?width=64');
  await expectStatus(response, ledger.kept.has(id) ? [200] : [200, 404], `bytes of image ${id}`);
  const readSha256 = await sha256Of(response);
  if (isOriginal && response.status === 200) expect(readSha256, `bytes of image ${id}`).to.equal(sha256);
  ledger.reads += 1;
};

/** Reads the catalog on from where it was, as a client does that mirrors it. */
export class Follower {
  private readonly seen = new Set<number>();
  private page = 'api/images?limit=25';
  private highest = 0;

  /** @throws {Error} where an image has come to be below one that was read before: by its cursor it would be missed */
  readonly readOn: Act = async ({ catalog, ledger }) => {
    const response = await catalog.read(this.page);
    await expectStatus(response, [200], 'page');
    const images = (await response.json()) as readonly ImageRecord[];
    const late = images.map(({ id }) => id).filter((id) => id < this.highest && !this.seen.has(id));
    expect(late, `images that came to be after image ${this.highest} was read`).to.deep.equal([]);
    for (const { id } of images) this.see(id, ledger);
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
    // The last page is read again: what is new comes there.
    if (next !== undefined) this.page = next;
  };

  /** @throws {Error} where it has missed one of these */
  expectSeen(ids: Iterable<number>): void {
    const missed = [...ids].filter((id) => !this.seen.has(id));
    expect(missed, 'images that a client misses who reads page by page').to.deep.equal([]);
  }

  private see(id: number, ledger: Ledger): void {
    this.seen.add(id);
    this.highest = Math.max(this.highest, id);
    ledger.see(id);
  }
}

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
