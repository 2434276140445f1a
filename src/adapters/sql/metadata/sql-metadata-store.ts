import type { Knex } from 'knex';
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
import { type Author, NO_AUTHOR } from '../../../domain/ports/records/author.ts';
import type {
  EditedImages,
  ImageMetadataStore,
  MetadataRecords,
  PatchRefusal,
} from '../../../domain/ports/records/image-metadata-store.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { ChangeCounts, ChangeMaker, ChangeQuota } from '../changes/change-quota.ts';
import { type RecordedChange, recordChanges, recordTogether } from '../changes/record-changes.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { GroupCommit } from '../database/group-commit.ts';
import { tagsIn } from '../rows/field-columns.ts';
import { type Described, describedAmong } from './described-among.ts';
import { SearchIndex, WordBudget } from './search-index.ts';

/** One request writes this many before the event loop goes on. The event loop serves other requests in between: an image may have thousands of words. */
const IMAGES_AT_A_TIME = 20;

type Images = ReadonlyMap<number, Described>;

interface PatchRequest {
  readonly space: Space;
  readonly id: number;
  readonly patch: MetadataPatch;
  readonly refusal: PatchRefusal;
  readonly author: Author;
}

interface EditRequest {
  readonly space: Space;
  readonly ids: readonly number[];
  readonly edit: MetadataEdit;
  readonly maxWords: number;
  readonly author: Author;
}

export class SqlMetadataStore implements MetadataRecords {
  private readonly index: SearchIndex;
  private readonly patches = new GroupCommit<PatchRequest, ImageMetadata | undefined>((requests) =>
    this.quota.retrying(() => this.patchTogether(requests)),
  );

  constructor(
    private readonly database: CatalogDatabase,
    private readonly clock: Clock,
    calendar: Calendar,
    private readonly quota: ChangeQuota,
  ) {
    this.index = new SearchIndex(calendar);
  }

  in(space: Space): ImageMetadataStore {
    return {
      find: async (id) => await this.find(space, id),
      patch: async (id, patch, refusal = () => undefined, author = NO_AUTHOR) =>
        await this.patches.commit({ space, id, patch, refusal, author }),
      editMany: async (ids, edit, maxWords, author = NO_AUTHOR) =>
        await this.editMany({ space, ids, edit, maxWords, author }),
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
      const counts = await this.quota.open(requests.map(makerOf), this.clock.now(), transaction);
      for (const round of roundsOf(requests)) {
        const ids = round.map(({ id }) => id);
        await this.change(transaction, ids, (images) => {
          for (const one of round) outcomes.set(one, this.applyPatch(one, images.get(one.id), counts));
        });
      }
      await counts.save(transaction);
    });
    return requests.map((request) => outcomes.get(request));
  }

  private applyPatch(
    request: PatchRequest,
    image: Described | undefined,
    counts: ChangeCounts,
  ): ImageMetadata | undefined | Error {
    if (image?.space !== request.space) return undefined;
    const refusal = request.refusal(image.metadata);
    if (refusal !== undefined) return refusal;
    const after = changedMetadata(image, patchMetadata<NewMetadata>(image.metadata, request.patch));
    if (after === undefined) return image.metadata;
    const excess = counts.take(makerOf(request), 1);
    if (excess !== undefined) return excess;
    this.apply(image, after, request.author.by);
    return image.metadata;
  }

  private async editMany(request: EditRequest): Promise<EditedImages> {
    const { space, ids, edit, maxWords, author } = request;
    const asked = [...new Set(ids)];
    const updated = new Set<number>();
    const words = new WordBudget(maxWords);
    const editAll = (images: Images): void => {
      for (const [id, image] of images) {
        const after = changedMetadata(image, editMetadata<NewMetadata>(image.metadata, edit));
        if (after !== undefined) this.apply(image, after);
        updated.add(id);
      }
    };
    await this.database.change(async (transaction) => {
      const changes = await recordTogether(author.by, transaction, async () => {
        for (let start = 0; start < asked.length; start += IMAGES_AT_A_TIME) {
          const some = asked.slice(start, start + IMAGES_AT_A_TIME);
          await this.change(transaction, some, (found) => editAll(amongThose(found, space)), words);
        }
      });
      await this.quota.admit(makerOf(request), changes, this.clock.now(), transaction);
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
          const after = image && changedMetadata(image, recaptureMetadata(image.metadata, recapture));
          if (image !== undefined && after !== undefined) this.apply(image, after);
        }
      }),
    );
  }

  private apply(image: Described, after: NewMetadata, by?: string): void {
    image.metadata = { ...after, version: image.metadata.version + 1, updatedAt: this.clock.now() };
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
      if (row !== undefined) Object.assign(image.metadata, { tags: tagsIn(row.tags) });
    }
    await recordChanges(changed.map(updateOf), this.clock.now(), transaction);
  }
}

/** `undefined` if the image says the same already. A tag that is there keeps its spelling. */
function changedMetadata({ metadata }: Described, after: NewMetadata): NewMetadata | undefined {
  const known = new Map(metadata.tags.map((tag) => [foldTag(tag), tag]));
  const spelled = { ...after, tags: after.tags.map((tag) => known.get(foldTag(tag)) ?? tag) };
  return saysTheSame(metadata, spelled) ? undefined : spelled;
}

function makerOf({ space, author: { subject } }: Pick<PatchRequest, 'space' | 'author'>): ChangeMaker {
  return { space, subject };
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
