import type { ImageCatalog, ImageMetadata, ImageRecord, MetadataPatch } from '@image-catalog/client';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { hasCode } from '../base/has-code.ts';
import { metadataKey, metadataQuery } from '../catalog/metadata-query.ts';
import { recordFields } from '../catalog/record-fields.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import type { Edit } from '../edits/edit.ts';
import { useEdits } from '../edits/use-edits.ts';
import type { CurrentImages } from '../images/current-images.ts';
import { useImages } from '../images/use-images.ts';
import { useNotices } from '../notices/use-notices.ts';
import { failureReason } from '../states/failure-reason.ts';
import { useTrouble } from '../trouble/use-trouble.ts';
import { type EditOutcome, MetadataEdits } from './metadata-edits.ts';
import { panelTexts } from './panel-texts.ts';
import { valueRefusal } from './value-refusal.ts';

export interface PanelMetadata {
  /** `undefined` until it is loaded. */
  readonly metadata: ImageMetadata | undefined;
  readonly error: unknown;
  readonly retry: () => void;
  /** @returns why a value was refused; other troubles are shown elsewhere */
  readonly save: (patch: MetadataPatch) => Promise<string | undefined>;
}

export function useMetadata(id: number): PanelMetadata {
  const catalog = useCatalog();
  const images = useImages();
  const notices = useNotices();
  const trouble = useTrouble();
  const edits = useEdits();
  const queries = useQueryClient();
  const { data, error } = useQuery({ ...metadataQuery(catalog, id), meta: { isReported: true } });

  async function save(patch: MetadataPatch): Promise<string | undefined> {
    await queries.cancelQueries({ queryKey: metadataKey(id) });
    const before = queries.getQueryData<ImageMetadata>(metadataKey(id));
    const outcome = await editsOf(catalog, images, queries).save(id, patch);
    if (outcome.kind === 'saved') afterSaving(patch);
    if (outcome.kind === 'saved' && before !== undefined) offerUndo(patch, before);
    return report(outcome, patch);
  }

  function afterSaving(patch: MetadataPatch): void {
    if (patch.tags !== undefined) void queries.invalidateQueries({ queryKey: ['tags'] });
    // The picture may belong to another place now.
    if (patch.takenAt !== undefined) void images.list.get()?.refresh();
  }

  function offerUndo(patch: MetadataPatch, before: ImageMetadata): void {
    const edit = editOf(patch, before);
    if (edit === undefined) return;
    edits.offerUndo(id, edit, before, {
      text: panelTexts().changed,
      onSaved: () => {
        for (const queryKey of [metadataKey(id), ['image', id], ['tags']]) {
          void queries.invalidateQueries({ queryKey });
        }
      },
    });
  }

  function report(outcome: EditOutcome, patch: MetadataPatch): string | undefined {
    if (outcome.kind === 'refused') return panelTexts().refused(valueRefusal(outcome.message));
    if (outcome.kind === 'failed') {
      // The field may be gone with its picture.
      trouble.report(outcome.error);
      return notSaved(outcome.error);
    }
    if (outcome.kind === 'conflict') {
      const action = { label: panelTexts().mine, run: () => void save(patch) };
      notices.show(panelTexts().conflict, { action, lifetimeMs: undefined });
    }
    return undefined;
  }

  return {
    metadata: data,
    error,
    retry: () => void queries.resetQueries({ queryKey: metadataKey(id) }),
    save,
  };
}

/** `undefined` for what has a button of its own that brings back what was there. */
function editOf({ title, description, alt, tags }: MetadataPatch, before: ImageMetadata): Edit | undefined {
  if (title !== undefined) return { title };
  if (description !== undefined) return { description };
  if (alt !== undefined) return { alt };
  if (tags === undefined) return undefined;
  const [now, then] = [tags ?? [], before.tags];
  return {
    addTags: now.filter((tag) => !then.includes(tag)),
    removeTags: then.filter((tag) => !now.includes(tag)),
  };
}

function notSaved(problem: unknown): string {
  if (hasCode(problem, 'image_not_found')) return panelTexts().gone;
  return panelTexts().notSaved(failureReason(problem));
}

/** One for the page: edits can be under way when their picture is not shown any more. */
const instances = new WeakMap<ImageCatalog, MetadataEdits>();

function editsOf(catalog: ImageCatalog, images: CurrentImages, queries: QueryClient): MetadataEdits {
  const known = instances.get(catalog);
  if (known !== undefined) return known;
  const edits = new MetadataEdits(catalog, {
    get: (id) => queries.getQueryData<ImageMetadata>(metadataKey(id)),
    set: (id, metadata) => {
      queries.setQueryData(metadataKey(id), metadata);
      const record = queries.getQueryData<ImageRecord>(['image', id]);
      if (record === undefined) return;
      const changed = { ...record, ...recordFields(metadata) };
      queries.setQueryData(['image', id], changed);
      images.list.get()?.replace(changed);
    },
  });
  instances.set(catalog, edits);
  return edits;
}
