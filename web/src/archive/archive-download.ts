import type { ImageCatalog } from '@image-catalog/client';
import { Store } from '../base/store.ts';
import type { Notices } from '../notices/notices.ts';
import type { Trouble } from '../trouble/trouble.ts';
import type { ArchiveFile } from './archive-file.ts';
import { archiveTexts } from './archive-texts.ts';

export interface ArchiveProgress {
  /** Pictures that were asked for. */
  readonly count: number;
  readonly receivedBytes: number;
  /** `undefined` until the service has responded. */
  readonly totalBytes: number | undefined;
}

export interface ArchiveParts {
  readonly catalog: Pick<ImageCatalog, 'archive'>;
  readonly notices: Pick<Notices, 'show'>;
  readonly trouble: Pick<Trouble, 'report'>;
  readonly choose: (name: string) => Promise<ArchiveFile | undefined>;
}

const NAME = 'images.zip';

/** The progress is shown in so many steps. */
const STEPS = 200;

/** The file would be larger than the browser can hold. */
class TooLarge extends Error {}

/** Downloads many originals as one file; one download at a time. */
export class ArchiveDownload {
  /** `undefined` while nothing is downloaded. */
  readonly progress = new Store<ArchiveProgress | undefined>(undefined);
  readonly #parts: ArchiveParts;
  #abort = new AbortController();

  constructor(parts: ArchiveParts) {
    this.#parts = parts;
  }

  /** Never rejects: how it ends is said in a notice. */
  async start(ids: readonly number[]): Promise<void> {
    const { notices, choose } = this.#parts;
    if (this.progress.get() !== undefined) {
      notices.show(archiveTexts().underWay, { tone: 'error' });
      return;
    }
    this.#abort = new AbortController();
    this.progress.set({ count: ids.length, receivedBytes: 0, totalBytes: undefined });
    const file = await choose(NAME);
    if (file !== undefined) await this.#downloadTo(file, ids);
    this.progress.set(undefined);
  }

  cancel(): void {
    this.#abort.abort();
  }

  async #downloadTo(file: ArchiveFile, ids: readonly number[]): Promise<void> {
    const { notices } = this.#parts;
    try {
      await this.#receive(file, ids);
      await file.close();
      notices.show(archiveTexts().done(ids.length));
    } catch (error) {
      // Ends the response, too, if it was the file that failed.
      const wasCancelled = this.#abort.signal.aborted;
      this.#abort.abort();
      await file.discard();
      if (wasCancelled) notices.show(archiveTexts().cancelled);
      else this.#explain(error, file);
    }
  }

  async #receive(file: ArchiveFile, ids: readonly number[]): Promise<void> {
    const { signal } = this.#abort;
    const response = await this.#parts.catalog.archive(ids, { signal });
    const length = response.headers.get('content-length');
    const totalBytes = length === null ? undefined : Number(length);
    if ((totalBytes ?? 0) > file.maxBytes) throw new TooLarge();
    let receivedBytes = 0;
    const reader = response.body?.getReader();
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      signal.throwIfAborted();
      await file.write(read.value);
      receivedBytes += read.value.length;
      this.#show({ count: ids.length, receivedBytes, totalBytes });
    }
  }

  #show(progress: ArchiveProgress): void {
    const { receivedBytes = 0, totalBytes = 0 } = this.progress.get() ?? {};
    const step = (progress.totalBytes ?? 0) / STEPS;
    const isNews = progress.totalBytes !== totalBytes || progress.receivedBytes - receivedBytes >= step;
    if (isNews) this.progress.set(progress);
  }

  #explain(error: unknown, file: ArchiveFile): void {
    const { notices, trouble } = this.#parts;
    // The connection broke: the service does so if a file cannot be read, because a short archive must never look whole.
    const isBroken = error instanceof TypeError || error instanceof DOMException;
    if (error instanceof TooLarge) {
      notices.show(archiveTexts().tooLarge(file.maxBytes), { tone: 'error', lifetimeMs: undefined });
    } else if (isBroken) notices.show(archiveTexts().broken, { tone: 'error', lifetimeMs: undefined });
    else trouble.report(error);
  }
}
