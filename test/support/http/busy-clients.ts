import { createHash } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { expect } from 'chai';
import sharp from 'sharp';
import { untilNextLook } from '../time/until-next-look.ts';
import { type CatalogClient, type ImageRecord, sha256Of, uploadedId } from './catalog-client.ts';

export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
  readonly name: string;
}

/** An upload under an idempotency key or by a ticket, which is repeated until a response arrives. */
export interface KeyedUpload extends Picture {
  /** Of an upload by a ticket, its path on the web listener of any process. */
  readonly key: string;
}

export interface FinishedUpload extends KeyedUpload {
  readonly id: number;
}

/** What is known of the edits of an image: each sets the title and the only tag to the same text. */
interface Edits {
  /** Null before the first. */
  acknowledged: string | null;
  /** Of a request that is under way or got no response: it may have been carried out. */
  inDoubt: string | undefined;
}

/** Number of acknowledged uploads whose bytes are kept for a replay. */
const MAX_FINISHED = 8;
/** How long a client waits before it repeats a request. */

/** What the clients know about the catalog. The service must agree with it. */
export class Ledger {
  /** SHA-256 of all uploads, acknowledged or not. */
  readonly sent = new Set<string>();
  /** Acknowledged uploads that no client has tried to delete: id → SHA-256. */
  readonly kept = new Map<number, string>();
  /** Records from the complete responses to uploads, by id. */
  readonly records = new Map<number, ImageRecord>();
  /** Images with an unacknowledged delete request: id → SHA-256. */
  readonly inDoubt = new Map<number, string>();
  /** Acknowledged deletes: images that are in the trash or were erased. */
  readonly deleted = new Set<number>();
  /** Images that must be in the trash: id → SHA-256. */
  readonly trashed = new Map<number, string>();
  /** Images with an unacknowledged request to erase them. */
  readonly erasing = new Set<number>();
  readonly erased = new Set<number>();
  /** Images with a request to restore them, acknowledged or not. */
  readonly restored = new Set<number>();
  acknowledgedDeletes = 0;
  acknowledgedRestores = 0;
  private readonly moves = new Map<number, number>();
  private readonly removals = new Map<number, number>();
  /** By id. */
  readonly edits = new Map<number, Edits>();
  acknowledgedEdits = 0;
  /** Unfinished uploads and uploads without a response, by their idempotency key. */
  readonly unfinished = new Map<string, KeyedUpload>();
  /** The latest acknowledged uploads under a key. */
  readonly finished: FinishedUpload[] = [];
  /** Requests without a response. The service may have carried them out or not. */
  unanswered = 0;
  /** Requests with a response that asks to retry. The service may have carried them out or not. */
  refused = 0;
  /** The highest id in any response. */
  highestId = 0;
  /** Responses that replayed an earlier upload under the key. */
  replays = 0;
  /** Acknowledged uploads by ticket. */
  ticketUploads = 0;
  reads = 0;
  private begunEdits = 0;

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

  /** Moves an image out of those that must exist: between request and response, the result of a delete is unknown. */
  takeAny(random: () => number): number | undefined {
    const [id, sha256] = anyOf([...this.kept], random) ?? [];
    if (id === undefined || sha256 === undefined) return undefined;
    this.kept.delete(id);
    this.inDoubt.set(id, sha256);
    this.move(id);
    return id;
  }

  /** Moves an image out of those that must be in the trash. */
  takeTrashed(random: () => number, to: 'restored' | 'erased'): number | undefined {
    const [id, sha256] = anyOf([...this.trashed], random) ?? [];
    if (id === undefined || sha256 === undefined) return undefined;
    this.trashed.delete(id);
    this.move(id);
    if (to === 'erased') this.erasing.add(id);
    else {
      this.deleted.delete(id);
      this.restored.add(id);
      this.inDoubt.set(id, sha256);
    }
    return id;
  }

  confirmRestore(id: number): void {
    this.kept.set(id, this.inDoubt.get(id) ?? '');
    this.inDoubt.delete(id);
    this.acknowledgedRestores += 1;
  }

  confirmErase(id: number): void {
    this.erasing.delete(id);
    this.erased.add(id);
  }

  /** Requests that delete, restore or erase the image. */
  movesOf(id: number): number {
    return this.moves.get(id) ?? 0;
  }

  /** Deletes of the image that were acknowledged, or found to be done. */
  removalsOf(id: number): number {
    return this.removals.get(id) ?? 0;
  }

  private move(id: number): void {
    this.moves.set(id, this.movesOf(id) + 1);
  }

  /** An image without an edit in doubt, and a text that no other edit has. */
  beginEdit(random: () => number): { readonly id: number; readonly text: string } | undefined {
    const id = anyOf([...this.kept.keys()], random);
    if (id === undefined) return undefined;
    const edits = this.edits.get(id) ?? { acknowledged: null, inDoubt: undefined };
    if (edits.inDoubt !== undefined) return undefined;
    const text = `edit${this.begunEdits}`;
    this.begunEdits += 1;
    this.edits.set(id, { ...edits, inDoubt: text });
    return { id, text };
  }

  confirmEdit(id: number, text: string): void {
    this.edits.set(id, { acknowledged: text, inDoubt: undefined });
    this.acknowledgedEdits += 1;
  }

  /** The title of an image, once no edit is under way. It settles an edit in doubt. */
  settleEdits(id: number, title: string | null): void {
    const { acknowledged, inDoubt } = this.edits.get(id) ?? { acknowledged: null, inDoubt: undefined };
    const possible = [acknowledged, ...(inDoubt === undefined ? [] : [inDoubt])];
    expect(possible, `title of image ${id}`).to.include(title);
    this.edits.set(id, { acknowledged: title, inDoubt: undefined });
  }

  confirmDelete(id: number): void {
    this.settleDelete(id);
    this.acknowledgedDeletes += 1;
  }

  /** The image is in the trash. */
  settleDelete(id: number): void {
    this.trashed.set(id, this.inDoubt.get(id) ?? '');
    this.inDoubt.delete(id);
    this.deleted.add(id);
    this.removals.set(id, this.removalsOf(id) + 1);
  }

  summary(): string {
    const { kept, deleted, unanswered } = this;
    return `${kept.size + deleted.size} uploads and ${deleted.size} deletes acknowledged, ${unanswered} requests unanswered`;
  }
}

/** Runs an action at the given step of progress. */
export class Fuse {
  /** Resolves after the action. */
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

/** One client of the catalog. All clients share a ledger. */
export interface BusyClient {
  readonly catalog: CatalogClient;
  readonly random: () => number;
  readonly ledger: Ledger;
}

export type Act = (client: BusyClient) => Promise<void>;

/** How long a client works, and which failures it tolerates. */
export interface Shift {
  readonly isOver: () => boolean;
  /** Whether a process was killed, so that a request may get no response or one that asks to retry. */
  readonly isExcused: () => boolean;
  /** Whether decoders are killed, so that a request may get a response that asks to retry at any time. */
  readonly losesDecoders?: boolean;
  readonly onStep: () => void;
}

/**
 * Sends requests one after the other until the shift ends. Every request is a step.
 *
 * @throws {Error} if a response is wrong, or missing although no process was killed
 */
export async function keepBusy(
  client: BusyClient,
  chooseAct: (client: BusyClient) => Act,
  { isOver, isExcused, losesDecoders = false, onStep }: Shift,
): Promise<void> {
  while (!isOver()) {
    try {
      await chooseAct(client)(client);
    } catch (error) {
      // A missing response is accepted only after a kill; a wrong response is never accepted.
      const isExpected = isExcused() || (losesDecoders && error instanceof Overload);
      if (!(isExpected && leavesOpen(error))) throw error;
      if (error instanceof ComeAgain) client.ledger.refused += 1;
      else client.ledger.unanswered += 1;
      await untilNextLook();
    }
    onStep();
  }
}

/**
 * Repeats a request until it gets a response.
 *
 * @throws {Error} if a response is wrong, or none has arrived at the deadline
 */
export async function insist(act: () => Promise<void>, deadlineMs: number): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    try {
      await act();
      return;
    } catch (error) {
      if (!leavesOpen(error) || performance.now() > deadline) throw error;
      await untilNextLook();
    }
  }
}

/** A response after which it is unknown whether the request was carried out. */
export class ComeAgain extends Error {}

/** The decoder of the request was killed twice. */
class Overload extends ComeAgain {}

/** `fetch` throws a `TypeError` if the response is missing or incomplete. */
function leavesOpen(error: unknown): boolean {
  return error instanceof ComeAgain || error instanceof TypeError;
}

const OVERLOADED = 'overloaded';

/** Of a service whose storage or decoder is unavailable or whose key is held, and of a proxy whose service is unavailable. */
const OPEN_ANSWERS: Readonly<Record<number, readonly string[]>> = {
  409: ['idempotency_key_in_use'],
  502: ['bad_gateway'],
  503: ['storage_unavailable', OVERLOADED],
  504: ['gateway_timeout'],
};

export async function expectStatus(
  response: Response,
  statuses: readonly number[],
  about: string,
): Promise<void> {
  if (statuses.includes(response.status)) return;
  const text = await response.text();
  const codes = OPEN_ANSWERS[response.status];
  if (codes === undefined) expect.fail(`${about}: ${response.status} ${text}`);
  const { code } = JSON.parse(text) as { readonly code: string };
  expect(code, `${about}: ${response.status}`).to.be.oneOf([...codes]);
  expect(response.headers.get('retry-after'), `${about}: Retry-After of ${response.status}`).to.match(
    /^\d+$/,
  );
  const words = `${about}: ${response.status} ${text}`;
  throw code === OVERLOADED ? new Overload(words) : new ComeAgain(words);
}

/** Uploads a new picture. */
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

/** Uploads a new picture under an idempotency key. */
export function uploadNewUnderKey(makePicture: (random: () => number) => Promise<Picture>): Act {
  return async ({ catalog, random, ledger }) => {
    const picture = await makePicture(random);
    ledger.sent.add(picture.sha256);
    await sendUnderKey({ ...picture, key: `key-${picture.sha256.slice(0, 32)}` }, catalog, ledger);
  };
}

/** Uploads a new picture by a ticket of its own. */
export function uploadNewByTicket(makePicture: (random: () => number) => Promise<Picture>): Act {
  return async ({ catalog, random, ledger }) => {
    const { pathname: key } = await ticketOf(catalog);
    const picture = await makePicture(random);
    ledger.sent.add(picture.sha256);
    await sendUnderKey({ ...picture, key }, catalog, ledger);
  };
}

/** Nothing is stored for it. */
async function ticketOf(catalog: CatalogClient): Promise<URL> {
  const response = await catalog.read('api/uploads/tickets', {
    method: 'POST',
    body: JSON.stringify({ ttlSeconds: 86_400 }),
    headers: { 'content-type': 'application/json' },
  });
  await expectStatus(response, [200], 'ticket');
  const { urls } = (await response.json()) as { readonly urls: readonly string[] };
  return new URL(urls[0] ?? '');
}

function isTicket(key: string): boolean {
  return key.startsWith('/u/');
}

async function send({ key, bytes, name, sha256 }: KeyedUpload, catalog: CatalogClient): Promise<Response> {
  const headers = { 'x-content-sha256': sha256 };
  if (!isTicket(key)) return await catalog.upload(bytes, name, { ...headers, 'idempotency-key': key });
  const body = new FormData();
  body.append('file', new Blob([bytes]), name);
  // The process that made the ticket may be gone.
  return await fetch(new URL(key, await ticketOf(catalog)), { method: 'POST', body, headers });
}

/** The response to an upload by ticket has the id in its body alone. */
async function idOf({ key }: KeyedUpload, response: Response): Promise<number> {
  return isTicket(key) ? ((await response.clone().json()) as ImageRecord).id : uploadedId(response);
}

/** Sends an upload until it is acknowledged. */
export async function sendUnderKey(
  upload: KeyedUpload,
  catalog: CatalogClient,
  ledger: Ledger,
): Promise<void> {
  ledger.unfinished.set(upload.key, upload);
  const { highestId } = ledger;
  const response = await send(upload, catalog);
  await expectStatus(response, [201], `upload under ${upload.key}`);
  const id = await idOf(upload, response);
  const isReplayed = response.headers.has('idempotency-replayed');
  if (isReplayed) ledger.replays += 1;
  ledger.finish({ ...upload, id });
  // The image of a replay was made by an earlier attempt, so its id may be lower than known ids.
  const idsBefore = isReplayed ? 0 : highestId;
  if (isTicket(upload.key)) {
    acknowledgeId(id, upload.sha256, idsBefore, ledger);
    ledger.ticketUploads += 1;
    return;
  }
  await acknowledgeNew(response, upload.sha256, idsBefore, ledger);
}

/** The head of the response is the acknowledgement: a kill may still truncate its body. */
async function acknowledgeNew(
  response: Response,
  sha256: string,
  idsBefore: number,
  ledger: Ledger,
): Promise<void> {
  const id = uploadedId(response);
  acknowledgeId(id, sha256, idsBefore, ledger);
  const record = (await response.json()) as ImageRecord;
  expect(record).to.include({ id, sha256 });
  ledger.records.set(id, record);
}

function acknowledgeId(id: number, sha256: string, idsBefore: number, ledger: Ledger): void {
  ledger.acknowledge(id, sha256);
  expect(id, 'an id above those that were known before').to.be.greaterThan(idsBefore);
}

/** Repeats an upload that was acknowledged earlier, which makes no second image. */
export const repeatUnderKey: Act = async ({ catalog, random, ledger }) => {
  const upload = anyOf(ledger.finished, random);
  if (upload === undefined) return;
  const { id } = upload;
  const [wasDeleted, wasOpen] = [ledger.deleted.has(id), ledger.inDoubt.has(id)];
  const moves = ledger.movesOf(id);
  const response = await send(upload, catalog);
  const isOpen =
    wasOpen || ledger.inDoubt.has(id) || (ledger.movesOf(id) !== moves && !ledger.erased.has(id));
  const statuses = isOpen ? [201, 404] : wasDeleted ? [404] : ledger.deleted.has(id) ? [201, 404] : [201];
  await expectStatus(response, statuses, `key of image ${id}`);
  if (response.status === 201) {
    expect(await idOf(upload, response)).to.equal(id);
    expect(response.headers.get('idempotency-replayed')).to.equal('true');
    ledger.replays += 1;
  }
  await response.arrayBuffer();
};

export const deleteOne: Act = async ({ catalog, random, ledger }) => {
  const id = ledger.takeAny(random);
  if (id === undefined) return;
  const response = await catalog.delete(id);
  // A proxy may repeat the request to another service if the first one died after it had deleted the image.
  if (response.status === 404) throw new ComeAgain(`delete of image ${id}: 404`);
  await expectStatus(response, [204], `delete of image ${id}`);
  ledger.confirmDelete(id);
};

/** Sets the title and the tags of an image. */
export const editOne: Act = async ({ catalog, random, ledger }) => {
  const edit = ledger.beginEdit(random);
  if (edit === undefined) return;
  const { id, text } = edit;
  const moves = ledger.movesOf(id);
  const response = await catalog.patch(id, { title: text, tags: [text] });
  await expectStatus(response, ledger.movesOf(id) === moves ? [200] : [200, 404], `edit of image ${id}`);
  if (response.status === 200) ledger.confirmEdit(id, text);
  await response.arrayBuffer();
};

/** Reads an image or a rendition of it. */
export const readOne: Act = async ({ catalog, random, ledger }) => {
  const [id, sha256] = anyOf([...ledger.kept], random) ?? [];
  if (id === undefined) return;
  const moves = ledger.movesOf(id);
  const isOriginal = random() < 0.5;
  const response = await catalog.file(id, isOriginal ? '' : '?width=64');
  await expectStatus(response, ledger.movesOf(id) === moves ? [200] : [200, 404], `bytes of image ${id}`);
  const readSha256 = await sha256Of(response);
  if (isOriginal && response.status === 200) expect(readSha256, `bytes of image ${id}`).to.equal(sha256);
  ledger.reads += 1;
};

/** Reads the catalog on from the last image, like a client that mirrors it. */
export class Follower {
  private readonly seen = new Set<number>();
  private page = 'api/images?limit=25';
  private highest = 0;

  /** @throws {Error} if an image appears before one that was read earlier, so that the cursor would miss it */
  readonly readOn: Act = async ({ catalog, ledger }) => {
    const response = await catalog.read(this.page);
    await expectStatus(response, [200], 'page');
    const images = (await response.json()) as readonly ImageRecord[];
    // Who reads by id has to miss an image that was in the trash when its page was read.
    const isLate = (id: number): boolean =>
      id < this.highest && !this.seen.has(id) && !ledger.restored.has(id);
    const late = images.map(({ id }) => id).filter(isLate);
    expect(late, `images that came to be after image ${this.highest} was read`).to.deep.equal([]);
    for (const { id } of images) this.see(id, ledger);
    const [, next] = /^<(\?[^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
    // The last page is read again, because new images appear on it.
    if (next !== undefined) this.page = `api/images${next}`;
  };

  /** @throws {Error} if it has missed one of these images */
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

/** An upload that stalls half-way, so that there is a staged file whenever a process is killed. */
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

/** A picture of random pixels: no two are equal, and none compresses well. */
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
