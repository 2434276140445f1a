import type { ImageCatalog, ImageMetadata } from '@image-catalog/client';
import { hasCode } from '../base/has-code.ts';
import type { Store } from '../base/store.ts';
import { forEachImage } from '../catalog/for-each-image.ts';
import { recordFields } from '../catalog/record-fields.ts';
import type { CurrentImages } from '../images/current-images.ts';
import type { Notices } from '../notices/notices.ts';
import type { Trouble } from '../trouble/trouble.ts';
import type { UndoSteps } from '../undo/undo-steps.ts';
import type { ViewState } from '../view-state/view-state.ts';
import { type ChangeOutcome, changeImages } from './change-images.ts';
import type { Edit } from './edit.ts';
import { editsTexts } from './edits-texts.ts';
import type { Editable } from './inverse-of.ts';
import { MOST_UNDONE } from './most-undone.ts';
import { shiftedTime } from './shifted-time.ts';
import { undoEdits } from './undo-edits.ts';

/** Pictures between two notices of how far an undo is. */
const PROGRESS_STEP = 100;

export interface EditsParts {
  readonly catalog: Pick<ImageCatalog, 'edit' | 'editMany' | 'metadata'>;
  readonly images: Pick<CurrentImages, 'list'>;
  readonly view: Store<ViewState>;
  readonly notices: Pick<Notices, 'show'>;
  readonly trouble: Pick<Trouble, 'report'>;
  readonly undo: Pick<UndoSteps, 'add'>;
}

export interface EditOptions {
  /** What is said, with the offer to undo it; an empty text is not shown. Without, it cannot be undone. */
  readonly textOf?: ((outcome: ChangeOutcome) => string) | undefined;
  /** @param done pictures */
  readonly onProgress?: (done: number) => void;
  /** Called with the pictures that were changed, by the edit and by its undo. */
  readonly onSaved?: ((ids: readonly number[]) => void) | undefined;
}

export interface UndoOffer extends Pick<EditOptions, 'onSaved'> {
  /** What was done. */
  readonly text: string;
}

/** An edit that can be undone. */
interface DoneEdit extends Pick<EditOptions, 'onSaved'> {
  readonly edit: Edit;
  readonly before: ReadonlyMap<number, Editable>;
}

/** Edits of many pictures at once. What was there before is kept until the undo time is over, whatever view is open then. */
export class Edits {
  readonly #parts: EditsParts;

  constructor(parts: EditsParts) {
    this.#parts = parts;
  }

  /** Never rejects. */
  async change(ids: readonly number[], edit: Edit, options: EditOptions = {}): Promise<ChangeOutcome> {
    const { textOf, onProgress, onSaved } = options;
    const known = textOf === undefined ? NOTHING_READ : await this.#read(ids, edit);
    const tried =
      known.error === undefined
        ? await changeImages(this.#parts.catalog, ids, edit, onProgress)
        : { updated: [], missing: [], refused: [], left: ids, error: known.error };
    const isDone = await this.#isShifted(tried.left, edit, known.before);
    const outcome = isDone ? { ...tried, updated: [...tried.updated, ...tried.left], left: [] } : tried;
    if (outcome.left.length > 0) this.#parts.trouble.report(outcome.error);
    const updated = new Set(outcome.updated);
    const before = new Map([...known.before].filter(([id]) => updated.has(id)));
    this.#say(textOf?.(outcome) ?? '', outcome, { edit, before, onSaved });
    onSaved?.(outcome.updated);
    return outcome;
  }

  /** For an edit that was saved elsewhere. */
  offerUndo(id: number, edit: Edit, before: Editable, { text, onSaved }: UndoOffer): void {
    const done = { edit, before: new Map([[id, before]]), onSaved };
    this.#parts.undo.add({ text, undo: () => void this.#undo(done) });
  }

  /** Not while the viewer shows a picture: it would lose its place. */
  async refreshList(): Promise<void> {
    const { images, view } = this.#parts;
    if (view.get().image === undefined) {
      await images.list.get()?.refresh();
      return;
    }
    const end = view.subscribe(() => {
      if (view.get().image !== undefined) return;
      end();
      void images.list.get()?.refresh();
    });
  }

  /** From the list as far as it has them: then an edit needs no further request. After an error nothing is changed. */
  async #read(ids: readonly number[], edit: Edit): Promise<Known> {
    if (ids.length > MOST_UNDONE) return NOTHING_READ;
    const { catalog, images } = this.#parts;
    const list = images.list.get();
    const before = new Map<number, Editable>();
    const failures = await forEachImage(ids, async (id) => {
      const record = edit.description === undefined ? list?.find(id) : undefined;
      before.set(id, record ?? (await catalog.metadata(id)));
    });
    return { before, error: failures.find(({ error }) => !hasCode(error, 'image_not_found'))?.error };
  }

  /** The response of a shift may be lost: asked for once more, it would move the times twice. */
  async #isShifted(
    left: readonly number[],
    { shiftMinutes }: Edit,
    before: ReadonlyMap<number, Editable>,
  ): Promise<boolean> {
    const id = left.findLast((one) => typeof before.get(one)?.takenAt === 'string');
    const takenAt = before.get(id ?? 0)?.takenAt;
    if (id === undefined || typeof takenAt !== 'string' || shiftMinutes === undefined) return false;
    const present = await this.#parts.catalog.metadata(id).catch(() => undefined);
    return present !== undefined && present.takenAt === shiftedTime(takenAt, shiftMinutes);
  }

  #say(text: string, { refused, left }: ChangeOutcome, done: DoneEdit): void {
    const { notices, undo } = this.#parts;
    const tone = refused.length + left.length > 0 ? 'error' : 'info';
    if (done.before.size > 0) undo.add({ text, tone, undo: () => void this.#undo(done) });
    else if (text !== '') notices.show(text, { tone });
  }

  async #undo(done: DoneEdit): Promise<void> {
    const { catalog, notices, trouble } = this.#parts;
    const count = done.before.size;
    let closeProgress = (): void => {};
    const outcome = await undoEdits(catalog, done.edit, done.before, (pictures) => {
      if (count < PROGRESS_STEP || pictures % PROGRESS_STEP > 0) return;
      closeProgress();
      closeProgress = notices.show(editsTexts().progress(pictures, count), { lifetimeMs: undefined });
    });
    closeProgress();
    const { undone, left, error } = outcome;
    if (left.size > 0) trouble.report(error);
    const run = (): void => void this.#undo({ ...done, before: left });
    notices.show(
      editsTexts().undone({ ...outcome, undone: undone.size, left: left.size }),
      left.size > 0
        ? { tone: 'error', lifetimeMs: undefined, action: { label: editsTexts().again, run } }
        : {},
    );
    this.#show(undone);
    done.onSaved?.([...undone.keys()]);
    await this.refreshList();
  }

  #show(edited: ReadonlyMap<number, ImageMetadata>): void {
    const list = this.#parts.images.list.get();
    const records = [...edited].flatMap(([id, metadata]) => {
      const record = list?.find(id);
      return record === undefined ? [] : [{ ...record, ...recordFields(metadata) }];
    });
    if (records.length > 0) list?.replace(...records);
  }
}

interface Known {
  readonly before: ReadonlyMap<number, Editable>;
  readonly error: unknown;
}

const NOTHING_READ: Known = { before: new Map(), error: undefined };
