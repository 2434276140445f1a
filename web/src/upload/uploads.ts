import { Store } from '../base/store.ts';
import type { SkippedFolder } from './dropped-files.ts';
import { isUnfinished } from './is-unfinished.ts';
import { type AcceptedFile, type TakenFile, takeIn } from './upload-intake.ts';
import { UploadItem, type UploadState } from './upload-item.ts';
import { UploadPipeline } from './upload-pipeline.ts';
import type { UploadPorts } from './upload-ports.ts';
import { EMPTY_SUMMARY, type Skipped, type UploadSummary, UploadTotals } from './upload-summary.ts';

const PUBLISH_MS = 100;
const REFRESH_MS = 3000;

export interface AddOptions {
  /** Files of folders that are no pictures are skipped; others are refused. */
  readonly fromFolder?: boolean;
}

/** The uploads since the page was opened, and what users can do with them. */
export class Uploads {
  /** Follows the states with a short delay: thousands of files change it a few times a second. */
  readonly summary = new Store<UploadSummary>(EMPTY_SUMMARY);
  /** In the order in which they were added. */
  readonly items = new Store<readonly UploadItem[]>([]);
  /** The ids of the pictures that this page has uploaded. */
  readonly stored = new Set<number>();
  readonly #ports: UploadPorts;
  readonly #pipeline: UploadPipeline;
  readonly #totals = new UploadTotals();
  #skipped: Skipped = EMPTY_SUMMARY.skipped;
  /** Selections and folders that are being read. */
  readonly #intakes = new Set<AbortController>();
  #lastBatch = 0;
  #lastId = 0;
  #cancelPublish: (() => void) | undefined;
  #mustPublish = false;
  #cancelRefresh: (() => void) | undefined;

  constructor(ports: UploadPorts) {
    this.#ports = ports;
    this.#pipeline = new UploadPipeline(ports, {
      onState: (item, state) => this.#change(item, state),
      onHold: () => this.#publishSoon(),
    });
  }

  /** Whether something would be lost with the page. */
  get hasUnfinished(): boolean {
    return this.#totals.unfinished > 0 || this.#intakes.size > 0;
  }

  add(
    files: Iterable<File> | AsyncIterable<File | SkippedFolder>,
    { fromFolder = false }: AddOptions = {},
  ): void {
    this.#pipeline.assumeRoom();
    void this.#takeIn(files, fromFolder);
  }

  pause(item: UploadItem): void {
    if (!isUnfinished(item.state.get())) return;
    this.#pipeline.interrupt(item);
    this.#change(item, { kind: 'paused' });
    this.#pipeline.advance();
  }

  resume(item: UploadItem): void {
    if (item.state.get().kind !== 'paused') return;
    this.#pipeline.enqueue(item);
    this.#pipeline.advance();
  }

  cancel(item: UploadItem): void {
    if (!isUnfinished(item.state.get())) return;
    this.#cancel(item);
    // The same bytes were left out for the sake of this file.
    for (const other of this.items.get()) {
      const state = other.state.get();
      if (state.kind === 'repeated' && state.first === item) this.#pipeline.enqueue(other);
    }
    this.#pipeline.advance();
  }

  /** Tries a failed or cancelled upload again. */
  retry(item: UploadItem): void {
    const { kind } = item.state.get();
    if (kind !== 'failed' && kind !== 'cancelled') return;
    this.#pipeline.assumeRoom();
    this.#pipeline.forgive(item);
    this.#pipeline.enqueue(item);
    this.#pipeline.advance();
  }

  pauseAll(): void {
    this.#pipeline.pause();
    this.#publishSoon();
  }

  /** Resumes files that were paused one by one as well. */
  resumeAll(): void {
    this.#pipeline.unpause();
    for (const item of this.#in('paused')) this.#pipeline.enqueue(item);
    this.#pipeline.advance();
    this.#publishSoon();
  }

  cancelAll(): void {
    for (const intake of this.#intakes) intake.abort();
    this.#pipeline.unpause();
    for (const item of this.items.get()) if (isUnfinished(item.state.get())) this.#cancel(item);
    this.#publishSoon();
  }

  /** Tries all failed and cancelled uploads again. */
  retryAll(): void {
    this.#pipeline.assumeRoom();
    for (const item of [...this.#in('failed'), ...this.#in('cancelled')]) {
      this.#pipeline.forgive(item);
      this.#pipeline.enqueue(item);
    }
    this.#pipeline.advance();
  }

  /** Takes finished files out of the list. */
  clearFinished(): void {
    const [kept, removed] = partition(this.items.get(), ({ state }) => isUnfinished(state.get()));
    for (const item of removed) {
      this.#totals.remove(item);
      this.#pipeline.forget(item);
    }
    this.#skipped = EMPTY_SUMMARY.skipped;
    this.items.set(kept);
    this.#publishSoon();
  }

  /** Does not wait any longer until the queue tries again by itself. */
  tryNow(): void {
    this.#pipeline.tryNow();
  }

  async #takeIn(
    files: Iterable<File> | AsyncIterable<File | SkippedFolder>,
    fromFolder: boolean,
  ): Promise<void> {
    const intake = new AbortController();
    this.#intakes.add(intake);
    this.#lastBatch += 1;
    const batch = this.#lastBatch;
    if (this.#totals.unfinished === 0) this.#pipeline.unpause();
    this.#publishSoon();
    try {
      for await (const chunk of takeIn(files, { fromFolder, ...this.#ports })) {
        if (intake.signal.aborted) return;
        this.#append(chunk, batch);
      }
    } finally {
      this.#intakes.delete(intake);
      this.#publishSoon();
    }
  }

  #append(chunk: readonly TakenFile[], batch: number): void {
    const added: UploadItem[] = [];
    for (const taken of chunk) {
      if ('skipped' in taken) this.#skip(taken.skipped);
      else added.push(this.#itemOf(taken, batch));
    }
    this.items.update((items) => [...items, ...added]);
    for (const item of added) {
      this.#totals.add(item);
      if (isUnfinished(item.state.get())) this.#pipeline.enqueue(item);
    }
    this.#pipeline.advance();
    this.#publishSoon();
  }

  #itemOf({ file, size, state }: AcceptedFile, batch: number): UploadItem {
    this.#lastId += 1;
    return new UploadItem(this.#lastId, file, size, batch, state);
  }

  #skip(kind: 'other' | 'heic' | 'system'): void {
    const { files, heic, system } = this.#skipped;
    this.#skipped = {
      files: files + 1,
      heic: heic + (kind === 'heic' ? 1 : 0),
      system: system + (kind === 'system' ? 1 : 0),
    };
  }

  #cancel(item: UploadItem): void {
    const state = item.state.get();
    // The service may have stored the picture already.
    if (state.kind === 'uploading' && state.sent >= item.size) this.#refreshSoon();
    this.#pipeline.interrupt(item);
    this.#change(item, { kind: 'cancelled' });
  }

  #in(kind: UploadState['kind']): readonly UploadItem[] {
    return this.items.get().filter(({ state }) => state.get().kind === kind);
  }

  #change(item: UploadItem, state: UploadState): void {
    this.#totals.change(item, item.state.get(), state);
    item.state.set(state);
    if (state.kind === 'uploaded') {
      this.stored.add(state.image);
      this.#refreshSoon();
    }
    if (this.#cancelRefresh !== undefined && !this.hasUnfinished) this.#refresh();
    this.#publishSoon();
  }

  #refreshSoon(): void {
    this.#cancelRefresh ??= this.#ports.clock.after(REFRESH_MS, () => this.#refresh());
  }

  #refresh(): void {
    this.#cancelRefresh?.();
    this.#cancelRefresh = undefined;
    this.#ports.onUploaded();
  }

  #publishSoon(): void {
    this.#mustPublish = true;
    if (this.#cancelPublish === undefined) this.#publish();
  }

  #publish(): void {
    this.#cancelPublish = undefined;
    if (!this.#mustPublish) return;
    this.#mustPublish = false;
    this.summary.set(this.#summarize());
    this.#cancelPublish = this.#ports.clock.after(PUBLISH_MS, () => this.#publish());
  }

  #summarize(): UploadSummary {
    const { counts, unfinished, progress } = this.#totals;
    return {
      counts,
      progress,
      waiting: unfinished,
      uploaded: counts.uploaded,
      skipped: this.#skipped,
      reading: this.#intakes.size > 0,
      paused: this.#pipeline.isPaused,
      hold: this.#pipeline.hold,
      full: this.#pipeline.isFull,
    };
  }
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): readonly [T[], T[]] {
  const groups: [T[], T[]] = [[], []];
  for (const item of items) groups[test(item) ? 0 : 1].push(item);
  return groups;
}
