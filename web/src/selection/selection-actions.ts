import { type Clock, systemClock } from '../clock.ts';
import type { Changes } from '../contexts/changes.ts';
import type { Page } from '../contexts/page.ts';
import type { Service } from '../contexts/service.ts';
import type { View } from '../contexts/view.ts';
import { texts } from '../texts.ts';
import { saveFile } from './save-file.ts';
import { type TagChange, type TagOptions, tagImages } from './tag-images.ts';

/** A browser asks once whether a page may save several files, and saves no more than some at a time. */
export const MAX_DOWNLOADS = 50;
const DOWNLOAD_PAUSE_MS = 600;

export interface SelectionParts
  extends Pick<View, 'selection'>,
    Pick<Changes, 'deletions'>,
    Pick<Page, 'notices' | 'trouble'> {
  readonly catalog: Pick<Service['catalog'], 'tag'>;
  readonly links: Pick<Service['links'], 'url'>;
  readonly images: { readonly list: { get(): { refresh(): Promise<void> } | undefined } };
}

interface Surroundings {
  readonly clock: Clock;
  readonly save: (url: string) => void;
}

/** What can be done with the selected pictures. Each result is said in words. */
export class SelectionActions {
  readonly #parts: SelectionParts;
  readonly #clock: Clock;
  readonly #save: (url: string) => void;

  constructor(parts: SelectionParts, { clock, save }: Surroundings = { clock: systemClock, save: saveFile }) {
    this.#parts = parts;
    this.#clock = clock;
    this.#save = save;
  }

  /** Pictures that were not changed stay selected, alone. */
  async tag(change: TagChange, options: TagOptions = {}): Promise<void> {
    const { catalog, selection, images, notices, trouble } = this.#parts;
    const outcome = await tagImages(catalog, [...selection.ids.get()], change, options);
    const isComplete = outcome.refused.length + outcome.left.length === 0;
    notices.show(texts.selection.tagged(outcome), { tone: isComplete ? 'info' : 'error' });
    if (outcome.left.length > 0) trouble.report(outcome.error);
    if (!isComplete) selection.ids.set(new Set([...outcome.refused, ...outcome.left]));
    else if (outcome.missing.length > 0) selection.ids.set(new Set(outcome.updated));
    void images.list.get()?.refresh();
  }

  /** Saves the originals one after another, by signed links: the browser shows their progress. */
  async download(): Promise<void> {
    const { selection, notices } = this.#parts;
    const ids = [...selection.ids.get()];
    if (ids.length > MAX_DOWNLOADS) {
      notices.show(texts.selection.tooManyDownloads(MAX_DOWNLOADS), { tone: 'error' });
      return;
    }
    const urls = await this.#downloadLinks(ids);
    if (urls.length > 1) notices.show(texts.selection.downloading(urls.length));
    for (const [index, url] of urls.entries()) {
      if (index > 0) await new Promise<void>((resolve) => this.#clock.after(DOWNLOAD_PAUSE_MS, resolve));
      this.#save(url);
    }
  }

  delete(): void {
    const { selection, deletions } = this.#parts;
    const ids = [...selection.ids.get()];
    selection.clear();
    deletions.delete(ids, { onUndone: () => selection.add(ids) });
  }

  /** Of those that are there still. */
  async #downloadLinks(ids: readonly number[]): Promise<readonly string[]> {
    const { links, notices, trouble } = this.#parts;
    const results = await Promise.allSettled(ids.map((id) => links.url(id, { download: true })));
    const reasons = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    const failed = reasons.find((reason) => !isMissing(reason));
    if (failed !== undefined) trouble.report(failed);
    const missing = reasons.filter(isMissing).length;
    if (missing > 0) notices.show(texts.selection.missing(missing), { tone: 'error' });
    return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }
}

function isMissing(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'LinkMissing';
}
