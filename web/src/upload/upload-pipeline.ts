import { isUnfinished } from './is-unfinished.ts';
import { type HoldVerdict, type Verdict, verdictOf } from './upload-error.ts';
import { UploadGate } from './upload-gate.ts';
import type { Failure, UploadItem, UploadState } from './upload-item.ts';
import { uploadName } from './upload-name.ts';
import type { UploadPorts } from './upload-ports.ts';
import type { Hold } from './upload-summary.ts';

/** Files that are prepared before it is their turn to be sent. */
const PREPARED_AHEAD = 200;
/** Digests that are looked up together although there are files to send. */
const LOOKUP_BATCH = 100;
/** Of the service. */
const MAX_LOOKUP = 1000;
/** Files to send that suffice for the time of a lookup. */
const SEND_AHEAD = 10;
const MAX_DIGESTS = 2;
/** Files are read into memory for their digests. */
const MAX_DIGEST_BYTES = 64 * 2 ** 20;
/** Connections that break while a file is sent although the service can be reached. */
const MAX_BREAKS = 5;

/** What the pipeline knows of a file until it is finished. */
interface Work {
  /** The same for all attempts, so that the picture is never stored twice. */
  key: string;
  stage: 'digest' | 'check' | 'send';
  digest: string | undefined;
  breaks: number;
  hasMismatched: boolean;
  abort: AbortController | undefined;
}

export interface PipelineListener {
  readonly onState: (item: UploadItem, state: UploadState) => void;
  /** The queue stops or goes on. */
  readonly onHold: () => void;
}

/**
 * A file passes three stages: its digest is computed, the digest is looked up, the bytes are sent. What is under way in
 * each stage is bounded, however many files wait.
 */
export class UploadPipeline {
  readonly #ports: UploadPorts;
  readonly #change: PipelineListener['onState'];
  readonly #gate: UploadGate;
  readonly #work = new Map<UploadItem, Work>();
  readonly #toDigest = new Set<UploadItem>();
  readonly #toCheck = new Set<UploadItem>();
  #toSend = new Set<UploadItem>();
  readonly #sending = new Map<AbortController, UploadItem>();
  /** The first file with a digest, until nothing is left to do. */
  readonly #firstByDigest = new Map<string, UploadItem>();
  #digests = 0;
  #digestBytes = 0;
  #isLookingUp = false;
  /** Until the service refuses to look up digests. */
  #canLookUp = true;
  #isPaused = false;
  /** The service has said that the space has no room. */
  #isFull = false;

  constructor(ports: UploadPorts, { onState, onHold }: PipelineListener) {
    this.#ports = ports;
    this.#change = onState;
    this.#gate = new UploadGate(ports, () => {
      this.advance();
      onHold();
    });
  }

  get hold(): Hold | undefined {
    return this.#gate.hold;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  tryNow(): void {
    this.#gate.tryNow();
  }

  /** The person asks for an upload: pictures may have been deleted since the space was full. */
  assumeRoom(): void {
    this.#isFull = false;
  }

  /** Continues in the stage in which the file was interrupted. Call `advance` afterwards. */
  enqueue(item: UploadItem): void {
    const work = this.#workOf(item);
    if (work.stage === 'check' && this.#canLookUp) this.#toCheck.add(item);
    else if (work.stage === 'digest') this.#toDigest.add(item);
    else this.#toSend.add(item);
    this.#change(item, { kind: 'waiting' });
  }

  /** Stops what is under way for the file and keeps what is known of it. The caller changes its state. */
  interrupt(item: UploadItem): void {
    this.#toDigest.delete(item);
    this.#toCheck.delete(item);
    this.#toSend.delete(item);
    this.#work.get(item)?.abort?.abort();
  }

  /** The next attempt may break as often as the first. */
  forgive(item: UploadItem): void {
    const work = this.#workOf(item);
    work.breaks = 0;
    work.hasMismatched = false;
  }

  forget(item: UploadItem): void {
    this.#work.delete(item);
  }

  pause(): void {
    this.#isPaused = true;
    const interrupted = [...this.#sending.values()].filter(({ state }) => state.get().kind === 'uploading');
    for (const item of interrupted) this.interrupt(item);
    for (const item of interrupted.toReversed()) this.#sendFirst(item);
  }

  unpause(): void {
    this.#isPaused = false;
  }

  /** Starts whatever may be started. */
  advance(): void {
    while (this.#hasRoomForDigest()) void this.#digest(first(this.#toDigest));
    if (this.#mayLookUp()) void this.#lookUp();
    if (this.#isFull) this.#failRest();
    while (this.#maySend()) void this.#send(first(this.#toSend));
    if (this.#work.size === 0) this.#firstByDigest.clear();
  }

  #hasRoomForDigest(): boolean {
    if (this.#toDigest.size === 0 || this.#digests >= MAX_DIGESTS) return false;
    if (this.#toCheck.size + this.#toSend.size >= PREPARED_AHEAD) return false;
    return this.#digests === 0 || this.#digestBytes + first(this.#toDigest).size <= MAX_DIGEST_BYTES;
  }

  async #digest(item: UploadItem): Promise<void> {
    this.#toDigest.delete(item);
    this.#change(item, { kind: 'hashing' });
    this.#digests += 1;
    this.#digestBytes += item.size;
    const digest = await this.#ports.digest(item.file).then(
      (value) => ({ value }),
      () => undefined,
    );
    this.#digests -= 1;
    this.#digestBytes -= item.size;
    if (item.state.get().kind === 'hashing') this.#digested(item, digest);
    this.advance();
  }

  #digested(item: UploadItem, digest: { readonly value: string | undefined } | undefined): void {
    if (digest === undefined) return this.#fail(item, 'unreadable');
    const work = this.#workOf(item);
    work.digest = digest.value;
    work.stage = 'send';
    if (digest.value === undefined) return this.enqueue(item);
    const earlier = this.#earlierOf(item, digest.value);
    if (earlier !== undefined) return this.#finish(item, { kind: 'repeated', first: earlier });
    if (!this.#canLookUp) return this.enqueue(item);
    work.stage = 'check';
    this.#toCheck.add(item);
    this.#change(item, { kind: 'checking' });
  }

  /** A file with the same bytes, of the same selection or on its way. */
  #earlierOf(item: UploadItem, digest: string): UploadItem | undefined {
    const earlier = this.#firstByDigest.get(digest);
    if (earlier !== undefined && earlier !== item) {
      const state = earlier.state.get();
      const counts = earlier.batch === item.batch ? state.kind !== 'cancelled' : isUnfinished(state);
      if (counts) return earlier;
    }
    this.#firstByDigest.set(digest, item);
    return undefined;
  }

  #mayLookUp(): boolean {
    if (this.#isLookingUp || this.#toCheck.size === 0 || !this.#hasSlot()) return false;
    return (
      this.#toCheck.size >= LOOKUP_BATCH ||
      this.#toSend.size <= SEND_AHEAD ||
      this.#digests + this.#toDigest.size === 0
    );
  }

  async #lookUp(): Promise<void> {
    const items = [...this.#toCheck].slice(0, MAX_LOOKUP);
    for (const item of items) {
      this.#toCheck.delete(item);
      this.#change(item, { kind: 'checking' });
    }
    this.#isLookingUp = true;
    const found = await this.#askFor(items);
    this.#isLookingUp = false;
    for (const item of items) {
      if (item.state.get().kind === 'checking') this.#checked(item, found);
    }
    this.advance();
  }

  /** @returns `undefined` if the lookup has to be repeated */
  async #askFor(items: readonly UploadItem[]): Promise<ReadonlyMap<string, readonly number[]> | undefined> {
    const digests = new Set(items.flatMap((item) => this.#workOf(item).digest ?? []));
    try {
      const found = await this.#ports.catalog.lookup([...digests]);
      this.#gate.succeed('lookup');
      return found;
    } catch (error) {
      const verdict = verdictOf(error);
      if (verdict.kind === 'hold' && verdict.hold !== 'forbidden') {
        this.#gate.stop(verdict);
        return undefined;
      }
      // A user may be allowed to upload but not to read. The check only saves time.
      this.#canLookUp = false;
      return new Map();
    }
  }

  #checked(item: UploadItem, found: ReadonlyMap<string, readonly number[]> | undefined): void {
    const work = this.#workOf(item);
    const image = found?.get(work.digest ?? '')?.[0];
    if (image !== undefined) return this.#finish(item, { kind: 'known', image });
    if (found !== undefined) work.stage = 'send';
    this.enqueue(item);
  }

  #hasSlot(): boolean {
    const underWay = this.#sending.size + (this.#isLookingUp ? 1 : 0);
    return !this.#isPaused && underWay < this.#gate.slots;
  }

  /** A request for each would be refused, too. Files that the catalog has already were found before. */
  #failRest(): void {
    for (const item of this.#toSend) this.#fail(item, 'quota_exceeded');
    this.#toSend.clear();
  }

  #maySend(): boolean {
    return this.#toSend.size > 0 && this.#hasSlot();
  }

  async #send(item: UploadItem): Promise<void> {
    const work = this.#workOf(item);
    const abort = new AbortController();
    this.#toSend.delete(item);
    this.#sending.set(abort, item);
    work.abort = abort;
    this.#change(item, { kind: 'uploading', sent: 0 });
    try {
      const { id } = await this.#upload(item, work, abort.signal);
      this.#gate.succeed('upload');
      this.#finish(item, { kind: 'uploaded', image: id });
    } catch (error) {
      if (!abort.signal.aborted) await this.#judge(item, verdictOf(error), abort.signal);
    }
    this.#sending.delete(abort);
    if (work.abort === abort) work.abort = undefined;
    this.advance();
  }

  async #upload(
    item: UploadItem,
    { key, digest }: Work,
    signal: AbortSignal,
  ): Promise<{ readonly id: number }> {
    return await this.#ports.catalog.upload(item.file, {
      name: uploadName(item.name),
      ...(digest !== undefined && { sha256: digest }),
      idempotencyKey: key,
      signal,
      onProgress: ({ loaded }) => {
        if (!signal.aborted) this.#change(item, { kind: 'uploading', sent: loaded });
      },
    });
  }

  async #judge(item: UploadItem, verdict: Verdict, signal: AbortSignal): Promise<void> {
    if (verdict.kind === 'hold') return await this.#hold(item, verdict, signal);
    this.#gate.succeed('upload');
    if (verdict.kind === 'refused') return this.#finish(item, verdict);
    if (verdict.kind === 'failed') return this.#fail(item, verdict.reason);
    if (verdict.kind === 'mismatch') return this.#digestAgain(item);
    this.#change(item, { kind: 'waiting' });
    this.#ports.clock.after(verdict.afterMs, () => {
      if (item.state.get().kind !== 'waiting') return;
      this.enqueue(item);
      this.advance();
    });
  }

  async #hold(item: UploadItem, verdict: HoldVerdict, signal: AbortSignal): Promise<void> {
    this.#gate.stop(verdict);
    if (verdict.hold === 'unreachable') {
      // Browsers report a file that cannot be read any more as an error of the network.
      const isReadable = await isStillReadable(item.file);
      if (signal.aborted) return;
      if (!isReadable) return this.#fail(item, 'unreadable');
      const work = this.#workOf(item);
      work.breaks += 1;
      if (work.breaks > MAX_BREAKS) return this.#fail(item, 'connection_lost');
    }
    this.#sendFirst(item);
  }

  #sendFirst(item: UploadItem): void {
    this.#toSend = new Set([item, ...this.#toSend]);
    this.#change(item, { kind: 'waiting' });
  }

  /** The file has changed since its digest was computed, or bytes were altered on their way: one more attempt. */
  #digestAgain(item: UploadItem): void {
    const work = this.#workOf(item);
    if (work.hasMismatched) return this.#fail(item, 'changed');
    work.hasMismatched = true;
    work.stage = 'digest';
    this.enqueue(item);
  }

  /** Keeps the key: the picture may be stored although the response was lost. */
  #fail(item: UploadItem, reason: Failure): void {
    const work = this.#workOf(item);
    if (reason === 'quota_exceeded') this.#isFull = true;
    work.stage = work.digest === undefined ? 'digest' : 'send';
    // A picture that was deleted needs a new key, and changed bytes a new digest.
    if (reason === 'changed' || reason === 'deleted_meanwhile') this.#work.delete(item);
    this.#change(item, { kind: 'failed', reason });
  }

  #finish(item: UploadItem, state: UploadState): void {
    this.#work.delete(item);
    this.#change(item, state);
  }

  #workOf(item: UploadItem): Work {
    const known = this.#work.get(item);
    if (known !== undefined) return known;
    const work: Work = {
      key: this.#ports.newKey(),
      stage: 'digest',
      digest: undefined,
      breaks: 0,
      hasMismatched: false,
      abort: undefined,
    };
    this.#work.set(item, work);
    return work;
  }
}

async function isStillReadable(file: File): Promise<boolean> {
  const lastByte = file.slice(Math.max(0, file.size - 1));
  return await lastByte.arrayBuffer().then(
    () => true,
    () => false,
  );
}

function first<T>(items: ReadonlySet<T>): T {
  for (const item of items) return item;
  throw new TypeError('The set is empty');
}
