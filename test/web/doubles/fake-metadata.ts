import { CatalogError, type ImageMetadata, type MetadataPatch } from '@image-catalog/client';
import { NOTHING_WRITTEN } from '../../support/fixtures/nothing-written.ts';

type Known = Omit<ImageMetadata, 'capture' | 'updatedAt'>;

/** The metadata of some images, as the service keeps them. */
export class FakeMetadata {
  readonly images = new Map<number, Known>();
  /** As in `read 1`, `edit 1` and `edit many 1 2`. */
  readonly requests: string[] = [];
  /** Called with each request before it; what it throws is the response. */
  before: (request: string) => unknown = () => undefined;

  add(id: number, known: Partial<Known> = {}): this {
    this.images.set(id, {
      ...NOTHING_WRITTEN,
      etag: `"m1"`,
      ...known,
    });
    return this;
  }

  /** By another client. */
  put(id: number, changed: Partial<Known>): void {
    const known = this.#find(id);
    const version = Number(/\d+/.exec(known.etag)?.[0]) + 1;
    this.images.set(id, { ...known, ...changed, etag: `"m${version}"` });
  }

  readonly metadata = async (id: number): Promise<ImageMetadata> => {
    await this.#begin(`read ${id}`);
    return { ...this.#find(id), capture: { takenAt: CAMERA_TIME }, updatedAt: null };
  };

  readonly edit = async (
    id: number,
    { takenAt, ...patch }: MetadataPatch,
    { ifMatch }: { readonly ifMatch?: string } = {},
  ): Promise<ImageMetadata> => {
    await this.#begin(`edit ${id}`);
    if (this.#find(id).etag !== ifMatch) throw refusal('precondition_failed', 412);
    this.put(id, {
      ...(patch as Partial<Known>),
      ...(takenAt !== undefined && { takenAt: takenAt ?? CAMERA_TIME }),
    });
    return { ...this.#find(id), capture: {}, updatedAt: null };
  };

  readonly editMany = async (
    ids: readonly number[],
    { title, description, addTags = [], removeTags = [], shiftTaken }: EditMany,
  ): Promise<{ updated: readonly number[]; missing: readonly number[] }> => {
    await this.#begin(`edit many ${ids.join(' ')}`);
    const updated = ids.filter((id) => this.images.has(id));
    for (const id of updated) {
      const { tags, takenAt } = this.#find(id);
      const kept = tags.filter((tag) => !removeTags.includes(tag));
      this.put(id, {
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        tags: [...kept, ...addTags.filter((tag) => !kept.includes(tag))].sort(),
        ...(shiftTaken === '+PT1H' && takenAt !== null && { takenAt: takenAt.replace('T12', 'T13') }),
      });
    }
    return { updated, missing: ids.filter((id) => !this.images.has(id)) };
  };

  async #begin(request: string): Promise<void> {
    this.requests.push(request);
    await Promise.resolve();
    this.before(request);
  }

  #find(id: number): Known {
    const known = this.images.get(id);
    if (known === undefined) throw refusal('image_not_found', 404);
    return known;
  }
}

interface EditMany {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
  readonly shiftTaken?: string;
}

/** Of all files. */
export const CAMERA_TIME = '2026-06-01T12:00:00.000';

function refusal(code: string, status: number): CatalogError {
  return new CatalogError('No', { code, status });
}
