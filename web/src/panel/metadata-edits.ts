import {
  CatalogError,
  type ImageCatalog,
  type ImageMetadata,
  type MetadataPatch,
} from '@image-catalog/client';
import { hasCode } from '../base/has-code.ts';
import { applyPatch } from './apply-patch.ts';

export type MetadataField = keyof MetadataPatch;

export type EditOutcome =
  | { readonly kind: 'saved' }
  /** A value is not allowed. `message` continues a sentence about it, as in `may not be blank`. */
  | { readonly kind: 'refused'; readonly field: MetadataField; readonly message: string }
  /** Another person has changed the same field: their version is shown. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** What is shown. */
export interface MetadataCache {
  get(id: number): ImageMetadata | undefined;
  set(id: number, metadata: ImageMetadata): void;
}

/** Edits of one picture that are under way. */
interface Queue {
  /** What the service has, as far as is known. */
  base: ImageMetadata;
  patches: readonly MetadataPatch[];
  last: Promise<unknown>;
}

/** A record, so that the compiler asks for a new field. */
const FIELD_SET: Readonly<Record<MetadataField, true>> = {
  title: true,
  description: true,
  alt: true,
  tags: true,
  takenAt: true,
  focus: true,
};
const FIELDS = Object.keys(FIELD_SET) as readonly MetadataField[];

/** Others may edit the same picture at the same time. */
const ATTEMPTS = 4;

/**
 * Shows an edit at once and takes it back if the service refuses it. The edits of a picture are sent one after the other,
 * each under the condition that no other client has changed the picture. A change of another field does not count, and tags
 * are merged.
 */
export class MetadataEdits {
  readonly #catalog: Pick<ImageCatalog, 'edit' | 'metadata'>;
  readonly #cache: MetadataCache;
  readonly #queues = new Map<number, Queue>();

  constructor(catalog: Pick<ImageCatalog, 'edit' | 'metadata'>, cache: MetadataCache) {
    this.#catalog = catalog;
    this.#cache = cache;
  }

  /** @param id of a picture whose metadata is shown */
  async save(id: number, patch: MetadataPatch): Promise<EditOutcome> {
    const shown = this.#cache.get(id);
    if (shown === undefined) throw new TypeError(`The metadata of ${id} is not there`);
    const queue = this.#queues.get(id) ?? { base: shown, patches: [], last: Promise.resolve() };
    this.#queues.set(id, queue);
    queue.patches = [...queue.patches, patch];
    this.#show(id, queue);
    const outcome = queue.last.then(() => this.#send(id, queue, patch));
    queue.last = outcome;
    return await outcome;
  }

  /** Never rejects: the next edit waits for it. */
  async #send(id: number, queue: Queue, patch: MetadataPatch): Promise<EditOutcome> {
    const outcome = await this.#sendUntilCurrent(id, queue, patch).catch(outcomeOf);
    queue.patches = queue.patches.filter((other) => other !== patch);
    if (queue.patches.length === 0) this.#queues.delete(id);
    this.#show(id, queue);
    return outcome;
  }

  async #sendUntilCurrent(id: number, queue: Queue, patch: MetadataPatch): Promise<EditOutcome> {
    let rebased = patch;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const edited = await this.#catalog.edit(id, rebased, { ifMatch: queue.base.etag });
        queue.base = { ...applyPatch(queue.base, rebased), ...edited };
        return { kind: 'saved' };
      } catch (error) {
        if (!hasCode(error, 'precondition_failed') || attempt === ATTEMPTS) throw error;
        const before = queue.base;
        queue.base = await this.#catalog.metadata(id);
        // The response to an edit can be lost: then the change is there already.
        if (isDone(rebased, queue.base)) return { kind: 'saved' };
        const next = rebase(rebased, before, queue.base);
        if (next === undefined) return { kind: 'conflict' };
        rebased = next;
      }
    }
  }

  #show(id: number, { base, patches }: Queue): void {
    this.#cache.set(id, patches.reduce(applyPatch, base));
  }
}

/** @returns the patch for the present version; `undefined` if another client has changed the same field */
function rebase(
  patch: MetadataPatch,
  before: ImageMetadata,
  present: ImageMetadata,
): MetadataPatch | undefined {
  const changed = FIELDS.filter((field) => field in patch && !isSame(before[field], present[field]));
  if (changed.some((field) => field !== 'tags')) return undefined;
  if (changed.length === 0) return patch;
  const wanted = patch.tags ?? [];
  const removed = before.tags.filter((tag) => !wanted.includes(tag));
  const added = wanted.filter((tag) => !before.tags.includes(tag) && !present.tags.includes(tag));
  return { ...patch, tags: [...present.tags.filter((tag) => !removed.includes(tag)), ...added] };
}

function isDone(patch: MetadataPatch, present: ImageMetadata): boolean {
  const patched = applyPatch(present, patch);
  return FIELDS.every((field) => isSame(patched[field], present[field]));
}

function isSame(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return JSON.stringify(a) === JSON.stringify(b);
  return a.length === b.length && a.every((tag) => b.includes(tag));
}

function outcomeOf(error: unknown): EditOutcome {
  if (!(error instanceof CatalogError) || error.code !== 'invalid_request') return { kind: 'failed', error };
  const [, name, message = ''] = /^Field "(\w+)" (.+)$/s.exec(error.message) ?? [];
  const field = FIELDS.find((known) => known === name);
  return field === undefined ? { kind: 'failed', error } : { kind: 'refused', field, message };
}
