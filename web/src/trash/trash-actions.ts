import type { ImageCatalog } from '@image-catalog/client';
import { hasCode } from '../base/has-code.ts';
import { type Failure, forEachImage } from '../catalog/for-each-image.ts';
import { deletionTexts } from '../deletion/deletion-texts.ts';
import type { Deletions } from '../deletion/deletions.ts';
import { reportFailures } from '../deletion/report-failures.ts';
import type { Notices } from '../notices/notices.ts';
import { trashTexts } from './trash-texts.ts';

export interface TrashParts {
  readonly catalog: Pick<ImageCatalog, 'restoreImage' | 'eraseImage'>;
  readonly deletions: Pick<Deletions, 'restored' | 'restoredHere'>;
  readonly notices: Pick<Notices, 'show'>;
  readonly images: {
    readonly list: { get(): { refresh(): Promise<void>; show(ids: readonly number[]): void } | undefined };
  };
}

/** @param done pictures so far */
type OnProgress = (done: number) => void;

/** What can be done with pictures in the trash. Each result is said in words. */
export class TrashActions {
  readonly #parts: TrashParts;

  constructor(parts: TrashParts) {
    this.#parts = parts;
  }

  /** @returns those that are not in the trash any more */
  async restore(ids: readonly number[], onProgress: OnProgress): Promise<readonly number[]> {
    const { catalog, deletions, images, notices } = this.#parts;
    // The feed of changes may be faster than a response.
    for (const id of ids) deletions.restoredHere.add(id);
    const failures = await sendAll(ids, (id) => catalog.restoreImage(id), onProgress);
    reportFailures(notices, failures, trashTexts().notRestored);
    const restored = without(ids, failures);
    if (restored.length > 0) {
      deletions.restored(restored);
      images.list.get()?.show(restored);
      void images.list.get()?.refresh();
      notices.show(deletionTexts().undone(restored.length));
    }
    return without(ids, failures.filter(isThere));
  }

  /** @returns those that are not in the trash any more */
  async erase(ids: readonly number[], onProgress: OnProgress): Promise<readonly number[]> {
    const { catalog, notices } = this.#parts;
    const failures = (await sendAll(ids, (id) => catalog.eraseImage(id), onProgress)).filter(isThere);
    reportFailures(notices, failures, trashTexts().notErased);
    const erased = without(ids, failures);
    if (erased.length > 0) notices.show(trashTexts().erased(erased.length));
    return erased;
  }
}

async function sendAll(
  ids: readonly number[],
  send: (id: number) => Promise<unknown>,
  onProgress: OnProgress,
): Promise<readonly Failure[]> {
  let done = 0;
  return await forEachImage(ids, async (id) => {
    await send(id).finally(() => onProgress((done += 1)));
  });
}

function isThere({ error }: Failure): boolean {
  return !hasCode(error, 'image_not_found');
}

function without(ids: readonly number[], failures: readonly Failure[]): readonly number[] {
  const failed = new Set(failures.map(({ id }) => id));
  return ids.filter((id) => !failed.has(id));
}
