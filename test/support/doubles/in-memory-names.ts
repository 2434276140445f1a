import {
  ImageNotFound,
  NameChanged,
  NameNotFound,
  PublishingRefused,
  QuotaExceeded,
} from '../../../src/domain/errors.ts';
import { MAX_NAMES_OF_IMAGE, type Name, type NamedImage } from '../../../src/domain/name/name.ts';
import type { NewName } from '../../../src/domain/ports/records/image-repository.ts';
import type {
  DanglingName,
  FoundImage,
  NameChange,
  NameRecords,
  NameSetting,
  Names,
  RecordedName,
  SetName,
} from '../../../src/domain/ports/records/names.ts';
import type { Space } from '../../../src/domain/space/space.ts';
import type { InMemoryImageRepository } from './in-memory-image-repository.ts';

interface OwnedName extends RecordedName {
  readonly space: Space;
}

export class InMemoryNames implements NameRecords {
  /** The highest one. */
  forgottenVersion = 0;
  /** By number, with names that are gone. */
  #names: readonly OwnedName[] = [];
  #lastNumber = 0;

  constructor(private readonly images: InMemoryImageRepository) {}

  in(space: Space): Names {
    return {
      find: async (name) => {
        const named = this.#findIn(space, name);
        const image = named && this.images.allIn(space).find(({ id }) => id === named.imageId);
        return image && { ...named, image };
      },
      set: async (name, imageId, change) => this.#set(space, name, imageId, change),
      remove: async (name, change) => this.#remove(space, name, change),
      list: async ({ prefix, after, limit, isPublic }) =>
        this.#names
          .flatMap((owned) => (owned.space === space ? (namedIn(owned) ?? []) : []))
          .filter((named) => isPublic === undefined || named.isPublic === isPublic)
          .filter(({ name }) => name.startsWith(prefix) && (after === undefined || name > after))
          .toSorted((one, other) => (one.name < other.name ? -1 : 1))
          .slice(0, limit),
    };
  }

  async findByNumber(number: number): Promise<RecordedName | undefined> {
    const found = this.#names.find((owned) => owned.number === number);
    return found && withoutSpace(found);
  }

  async findPublic(number: number): Promise<FoundImage | undefined> {
    const found = await this.findByNumber(number);
    const image = this.images.all().find(({ id }) => id === found?.imageId);
    return found?.isPublic && image ? { ...found, imageId: image.id, image } : undefined;
  }

  replaceAll(names: readonly OwnedName[]): void {
    const spaces = new Map(this.images.all().map(({ id, space }) => [id, space]));
    this.#names = names.map((one) =>
      one.imageId !== undefined && spaces.get(one.imageId) === one.space
        ? one
        : { ...one, imageId: undefined, isPublic: false },
    );
  }

  async highestNumber(): Promise<number> {
    return this.#lastNumber;
  }

  async reserveNumbers(upTo: number): Promise<void> {
    this.#lastNumber = Math.max(this.#lastNumber, upTo);
  }

  async forgetRemoved(time: Date): Promise<number> {
    const forgotten = this.#forgettable(time);
    this.#forget(forgotten);
    return forgotten.length;
  }

  async findDangling(): Promise<readonly DanglingName[]> {
    const spaces = new Map(this.images.all().map(({ id, space }) => [id, space]));
    return this.#names.flatMap(({ space, name, imageId }) => {
      if (imageId === undefined || spaces.get(imageId) === space) return [];
      return { space, name, imageId, isElsewhere: spaces.has(imageId) };
    });
  }

  /** Breaks the rule that a name points to an image of its space. */
  mispoint(name: Name, imageId: number): void {
    this.#names = this.#names.map((owned) => (owned.name === name ? { ...owned, imageId } : owned));
  }

  /** Gives an image so many names, whatever the limit. */
  plant(space: Space, imageId: number, count: number): void {
    for (let at = 1; at <= count; at += 1) {
      this.point(space, { name: `planted-${imageId}-${at}` as Name }, imageId, undefined);
    }
  }

  /** With names that are gone. */
  all(): readonly OwnedName[] {
    return this.#names;
  }

  /** @throws {NameChanged | PublishingRefused} */
  judge(space: Space, { name, matches, isPublic, mayPublish }: NewName): void {
    const before = this.#findIn(space, name);
    if (matches?.(before?.version) === false) throw new NameChanged();
    if ((isPublic ?? before?.isPublic) && !mayPublish) throw new PublishingRefused();
  }

  point(space: Space, { name, isPublic }: NewName, imageId: number, by: string | undefined): NamedImage {
    const before = this.#recordIn(space, name);
    const row: OwnedName = {
      name,
      number: before?.number ?? this.#nextNumber(),
      mark: before?.mark ?? Math.floor(Math.random() * 2 ** 48),
      imageId,
      isPublic: isPublic ?? before?.isPublic ?? false,
      version: (before?.version ?? this.forgottenVersion) + 1,
      updatedAt: this.images.clock.now(),
      space,
    };
    this.#replace(row);
    this.#change('name.set', row, imageId, by, row.isPublic);
    return this.#findIn(space, name) as NamedImage;
  }

  /** Names of an image that is going to be removed. */
  removeOf(imageId: number, by: string | undefined): void {
    const gone = this.#names
      .filter((owned) => owned.imageId === imageId)
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    for (const owned of gone) this.#end(owned, by);
  }

  /** Gives all names of a space to another one. */
  move(from: Space, to: Space): void {
    this.#names = this.#names.map((owned) => (owned.space === from ? { ...owned, space: to } : owned));
  }

  /** Of a space that is forgotten. */
  forget(space: Space): void {
    this.#forget(this.#names.filter((owned) => owned.space === space));
  }

  #forget(forgotten: readonly OwnedName[]): void {
    this.#names = this.#names.filter((owned) => !forgotten.includes(owned));
    this.forgottenVersion = Math.max(this.forgottenVersion, ...forgotten.map(({ version }) => version));
  }

  #forgettable(time: Date): readonly OwnedName[] {
    const { changes } = this.images;
    return this.#names.filter(
      ({ imageId, updatedAt, space, name }) =>
        imageId === undefined && updatedAt <= time && !changes.tellsOf(space, name),
    );
  }

  #set(space: Space, name: Name, imageId: number, { by, ...change }: NameSetting): SetName {
    if (!this.images.allIn(space).some(({ id }) => id === imageId)) throw new ImageNotFound();
    const { isPublic } = change;
    this.judge(space, { name, ...change });
    const before = this.#findIn(space, name);
    const isSame = before?.imageId === imageId;
    if (isSame && (isPublic ?? before.isPublic) === before.isPublic) return { named: before, isNew: false };
    const held = this.#names.filter((owned) => owned.imageId === imageId);
    if (!isSame && held.length >= MAX_NAMES_OF_IMAGE) throw new QuotaExceeded();
    return { named: this.point(space, { name, isPublic }, imageId, by), isNew: before === undefined };
  }

  #remove(space: Space, name: Name, { matches, by }: NameChange): void {
    const owned = this.#recordIn(space, name);
    if (owned?.imageId === undefined) throw new NameNotFound();
    this.judge(space, { name, matches, mayPublish: true });
    this.#end(owned, by);
  }

  #end(owned: OwnedName, by: string | undefined): void {
    const imageId = owned.imageId as number;
    this.#replace({ ...owned, imageId: undefined, isPublic: false, updatedAt: this.images.clock.now() });
    this.#change('name.removed', owned, imageId, by);
  }

  #change(
    type: 'name.set' | 'name.removed',
    { name, number: nameNumber, space }: OwnedName,
    imageId: number,
    by: string | undefined,
    isPublic?: boolean,
  ): void {
    const at = this.images.clock.now();
    this.images.changes.add({ type, space, imageId, name, nameNumber, isPublic, at, by: by ?? null });
  }

  #replace(row: OwnedName): void {
    const others = this.#names.filter(({ number }) => number !== row.number);
    this.#names = [...others, Object.freeze(row)].toSorted((one, other) => one.number - other.number);
  }

  #nextNumber(): number {
    this.#lastNumber += 1;
    return this.#lastNumber;
  }

  #recordIn(space: Space, name: Name): OwnedName | undefined {
    return this.#names.find((owned) => owned.space === space && owned.name === name);
  }

  #findIn(space: Space, name: Name): NamedImage | undefined {
    const owned = this.#recordIn(space, name);
    return owned && namedIn(owned);
  }
}

function namedIn(owned: OwnedName): NamedImage | undefined {
  const { imageId, ...others } = withoutSpace(owned);
  return imageId === undefined ? undefined : { ...others, imageId };
}

function withoutSpace({ space: _space, ...recorded }: OwnedName): RecordedName {
  return recorded;
}
