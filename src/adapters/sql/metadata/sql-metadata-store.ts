import type { Knex } from 'knex';
import { MetadataChanged } from '../../../domain/errors.ts';
import { editMetadata } from '../../../domain/image/edit-metadata.ts';
import type {
  EmbeddedMetadata,
  ImageMetadata,
  MetadataPatch,
  NewMetadata,
} from '../../../domain/image/image-metadata.ts';
import type { MetadataEdit } from '../../../domain/image/metadata-edit.ts';
import { patchMetadata } from '../../../domain/image/patch-metadata.ts';
import { recaptureMetadata } from '../../../domain/image/recapture-metadata.ts';
import { saysTheSame } from '../../../domain/image/says-the-same.ts';
import type { Calendar } from '../../../domain/image/time/calendar.ts';
import { foldTag } from '../../../domain/image/words/tags.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type {
  EditedImages,
  ImageMetadataStore,
  MetadataRecords,
} from '../../../domain/ports/records/image-metadata-store.ts';
import type { Space } from '../../../domain/space/space.ts';
import { type RecordedChange, recordChanges } from '../changes/record-changes.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { GroupCommit } from '../database/group-commit.ts';
import { metadataFromRow } from '../rows/metadata-row.ts';
import { type Described, describedAmong } from './described-among.ts';
import { SearchIndex, WordBudget } from './search-index.ts';

/** One request writes this many before the event loop goes on. The event loop serves other requests in between: an image may have thousands of words. */
const IMAGES_AT_A_TIME = 20;

type Images = ReadonlyMap<number, Described>;

interface PatchRequest {
  readonly space: Space;
  readonly id: number;
  readonly patch: MetadataPatch;
  readonly matches: (version: number) => boolean;
  readonly by: string | undefined;
}

interface EditRequest {
  readonly space: Space;
  readonly ids: readonly number[];
  readonly edit: MetadataEdit;
  readonly maxWords: number;
  readonly by: string | undefined;
}

export class SqlMetadataStore implements MetadataRecords {
  private readonly index: SearchIndex;
  private readonly patches = new GroupCommit<PatchRequest, ImageMetadata | undefined>((requests) =>
    this.patchTogether(requests),
  );

  constructor(
    private readonly database: CatalogDatabase,
    private readonly clock: Clock,
    calendar: Calendar,
  ) {
    this.index = new SearchIndex(calendar);
  }

  in(space: Space): ImageMetadataStore {
    return {
      find: async (id) => await this.find(space, id),
      patch: async (id, patch, matches = () => true, by?: string) =>
        await this.patches.commit({ space, id, patch, matches, by }),
      editMany: async (ids, edit, maxWords, by) => await this.editMany({ space, ids, edit, maxWords, by }),
    };
  }

  private async find(space: Space, id: number): Promise<ImageMetadata | undefined> {
    const found = await this.database.run(() => describedAmong([id], this.database.reader));
    return amongThose(found, space).get(id)?.metadata;
  }

  private async patchTogether(
    requests: readonly PatchRequest[],
  ): Promise<ReadonlyArray<ImageMetadata | undefined | Error>> {
    const outcomes = new Map<PatchRequest, ImageMetadata | undefined | Error>();
    await this.database.change(async (transaction) => {
      for (const round of roundsOf(requests)) {
        const ids = round.map(({ id }) => id);
        await this.change(transaction, ids, (images) => {
          for (const one of round) outcomes.set(one, this.applyPatch(one, images.get(one.id)));
        });
      }
    });
    return requests.map((request) => outcomes.get(request));
  }

  private applyPatch(
    { space, patch, matches, by }: PatchRequest,
    image: Described | undefined,
  ): ImageMetadata | undefined | Error {
    if (image?.space !== space) return undefined;
    if (!matches(image.metadata.version)) return new MetadataChanged();
    this.apply(image, patchMetadata<NewMetadata>(image.metadata, patch), by);
    return image.metadata;
  }

  private async editMany({ space, ids, edit, maxWords, by }: EditRequest): Promise<EditedImages> {
    const asked = [...new Set(ids)];
    const updated = new Set<number>();
    const words = new WordBudget(maxWords);
    await this.database.change(async (transaction) => {
      for (let start = 0; start < asked.length; start += IMAGES_AT_A_TIME) {
        const some = asked.slice(start, start + IMAGES_AT_A_TIME);
        const editAll = (found: Images): void => {
          for (const [id, image] of amongThose(found, space)) {
            this.apply(image, editMetadata<NewMetadata>(image.metadata, edit), by);
            updated.add(id);
          }
        };
        await this.change(transaction, some, editAll, words);
      }
    });
    return {
      updated: asked.filter((id) => updated.has(id)),
      missing: asked.filter((id) => !updated.has(id)),
    };
  }

  async recapture(files: ReadonlyMap<number, EmbeddedMetadata>): Promise<void> {
    await this.database.change((transaction) =>
      this.change(transaction, [...files.keys()], (images) => {
        for (const [id, recapture] of files) {
          const image = images.get(id);
          if (image !== undefined) this.apply(image, recaptureMetadata(image.metadata, recapture));
        }
      }),
    );
  }

  /** A tag that is there keeps its spelling. */
  private apply(image: Described, after: NewMetadata, by?: string): void {
    const { metadata } = image;
    const known = new Map(metadata.tags.map((tag) => [foldTag(tag), tag]));
    const spelled = { ...after, tags: after.tags.map((tag) => known.get(foldTag(tag)) ?? tag) };
    if (saysTheSame(metadata, spelled)) return;
    image.metadata = { ...spelled, version: metadata.version + 1, updatedAt: this.clock.now() };
    image.by = by;
  }

  /** Returned metadata is that after the spelling of the tags. */
  private async change(
    transaction: Knex.Transaction,
    ids: readonly number[],
    change: (images: Images) => void,
    words?: WordBudget,
  ): Promise<void> {
    const images = await describedAmong(ids, transaction);
    change(images);
    const changed = [...images.values()].filter(
      ({ before, metadata }) => before.version !== metadata.version,
    );
    const changes = changed.map(({ record, before, metadata }) => ({ before, after: { record, metadata } }));
    const rows = await this.index.write(transaction, changes, words);
    for (const [at, image] of changed.entries()) {
      const row = rows[at];
      if (row !== undefined) Object.assign(image.metadata, metadataFromRow(row));
    }
    await recordChanges(changed.map(updateOf), this.clock.now(), transaction);
  }
}

function updateOf({ record, metadata, by }: Described): RecordedChange {
  return {
    type: 'image.updated',
    imageId: record.id,
    spaceId: record.spaceId,
    version: metadata.version,
    by,
  };
}

function amongThose(images: Images, space: Space): Images {
  return new Map([...images].filter(([, image]) => image.space === space));
}

/** An image is once in each round: every version that a client gets is written, and in the feed of changes. */
function roundsOf(requests: readonly PatchRequest[]): readonly PatchRequest[][] {
  const rounds: PatchRequest[][] = [];
  const seen = new Map<number, number>();
  for (const request of requests) {
    const place = seen.get(request.id) ?? 0;
    seen.set(request.id, place + 1);
    (rounds[place] ??= []).push(request);
  }
  return rounds;
}
