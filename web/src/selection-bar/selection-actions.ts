import type { ArchiveDownload } from '../archive/archive-download.ts';
import type { LinkCache } from '../catalog/link-cache.ts';
import { LinkMissing } from '../catalog/link-missing.ts';
import { saveFile } from '../catalog/save-file.ts';
import type { Deletions } from '../deletion/deletions.ts';
import { changeSelected } from '../edits/change-selected.ts';
import type { Edit } from '../edits/edit.ts';
import type { EditOptions, Edits } from '../edits/edits.ts';
import type { Notices } from '../notices/notices.ts';
import type { Selection } from '../selection/selection.ts';
import { selectionTexts } from '../selection/selection-texts.ts';
import type { Trouble } from '../trouble/trouble.ts';
import { selectionBarTexts } from './selection-bar-texts.ts';

export interface SelectionParts {
  readonly selection: Selection;
  readonly deletions: Pick<Deletions, 'delete'>;
  readonly notices: Pick<Notices, 'show'>;
  readonly trouble: Pick<Trouble, 'report'>;
  readonly edits: Pick<Edits, 'change' | 'refreshList'>;
  readonly links: Pick<LinkCache, 'url'>;
  readonly archive: Pick<ArchiveDownload, 'start'>;
}

/** What can be done with the selected pictures. Each result is said in words. */
export class SelectionActions {
  readonly #parts: SelectionParts;
  readonly #save: (url: string) => void;

  constructor(parts: SelectionParts, save: (url: string) => void = saveFile) {
    this.#parts = parts;
    this.#save = save;
  }

  async tag(change: Pick<Edit, 'addTags' | 'removeTags'>, options: EditOptions = {}): Promise<void> {
    const { edits, selection } = this.#parts;
    const textOf = selectionBarTexts().tagged;
    await changeSelected(edits, selection, [...selection.ids.get()], change, { ...options, textOf });
  }

  /** One original by its signed link, several as one file. */
  async download(): Promise<void> {
    const { selection, archive } = this.#parts;
    const [first, ...others] = selection.ids.get();
    if (first !== undefined && others.length > 0) await archive.start([first, ...others]);
    else if (first !== undefined) await this.#downloadOne(first);
  }

  /** @param ids the pictures that the person was asked about: the selection may have changed since then */
  delete(ids: readonly number[]): void {
    const { selection, deletions } = this.#parts;
    const selected = ids.filter((id) => selection.ids.get().has(id));
    selection.remove(ids);
    // Also ends a range that is being loaded.
    if (selection.ids.get().size === 0) selection.clear();
    deletions.delete(ids, { onUndone: () => selection.add(selected) });
  }

  async #downloadOne(id: number): Promise<void> {
    const { links, notices, trouble } = this.#parts;
    try {
      this.#save(await links.url(id, { download: true }));
    } catch (error) {
      if (error instanceof LinkMissing) notices.show(selectionTexts().missing(1), { tone: 'error' });
      else trouble.report(error);
    }
  }
}
