import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { CatalogImage } from '../../src/domain/image/image.ts';
import type { ImageMetadata } from '../../src/domain/image/image-metadata.ts';
import type { Name, NamedImage } from '../../src/domain/name/name.ts';
import { isWithin } from '../../src/domain/space/is-within.ts';
import { COMMON_SPACE, type Limits, type Space } from '../../src/domain/space/space.ts';
import { CORRUPT_MARKER } from '../support/doubles/fake-image-inspector.ts';
import { jpegBytes } from '../support/fixtures/bytes.ts';

/** The catalog has broken its contract. */
export class Violation extends Error {}

export interface Picture {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly isCorrupt: boolean;
}

/** Few, so that clients meet. The last does not decode. */
export const PICTURES: readonly Picture[] = ['a cat', 'two dogs', 'three birds', CORRUPT_MARKER].map(
  (text) => {
    const bytes = jpegBytes(text);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { bytes, sha256, isCorrupt: text === CORRUPT_MARKER };
  },
);

/** One of them gets full. */
export const FULL = 'full' as Space;

export const SPACES: readonly Space[] = [COMMON_SPACE, FULL, 'another' as Space];

/** Of the picture sizes, so that both limits are met. */
export const LIMITS = { images: 3, bytes: sizeOf([PICTURES[0], PICTURES[0], PICTURES[1]]) };

export function spaceOf({ space }: { readonly space: number }): Space {
  return SPACES[space] as Space;
}

/** A ticket as a client has got it. */
export interface HeldTicket {
  readonly sealed: string;
  readonly expiresAt: Date;
  /** In the metadata of its image. */
  readonly title: string | undefined;
}

/** A file that a client wants to have in the catalog, however often it sends it. */
export interface Sent {
  readonly space: Space;
  /** Its own. */
  readonly name: string;
  readonly picture: Picture;
  /** For an upload by ticket, the name of the ticket. */
  readonly key: string | undefined;
  readonly ticket?: HeldTicket | undefined;
  readonly title: string | undefined;
  /** Attempts without a response, or with one that leaves open what has happened. */
  unknown: number;
  /** When the last response came. */
  respondedAt: number;
  /** The image of the 201. */
  acknowledged?: number;
  /** It has left nothing, and its key is free. */
  isRefusedAsFull?: boolean;
}

/** An image that a client has heard of. */
interface Known {
  readonly id: number;
  space?: Space;
  /** In the ledger's own time. */
  acknowledgedAt?: number;
  deletionsRequested: number;
  /** For good: by age it stays in the trash for longer than a run. */
  lossesRequested: number;
  deletedAt?: number;
  /** A response says that it is in the trash. */
  isTrashed?: true;
  /** From then on nobody knows whether it is there. */
  isRestored?: true;
  /** By version of the metadata, and when it was first seen. */
  readonly contents: Map<number, { readonly content: string; readonly at: number }>;
}

/** What equal versions have in common. */
type Content = Pick<ImageMetadata, 'title' | 'tags' | 'focus'>;

/** A name that a client has heard of. */
interface KnownName {
  readonly number: number;
  /** Where it pointed to, and when that was first seen. */
  readonly versions: Map<number, { readonly imageId: number; readonly at: number }>;
}

/** What clients know: requests and responses, and nothing of the inside. Throws `Violation` if two of them exclude each other. */
export class Ledger {
  readonly sent = new Map<string, Sent>();
  /** Of the space that gets full. */
  limits: Limits = LIMITS;
  readonly #known = new Map<number, Known>();
  readonly #keys = new Map<string, number>();
  readonly #names = new Map<string, KnownName>();
  #time = 0;

  /** When a request begins. */
  now(): number {
    this.#time += 1;
    return this.#time;
  }

  idsIn(space: Space): readonly number[] {
    return [...this.#known.values()].filter((one) => one.space === space).map(({ id }) => id);
  }

  /** Images that must be there, whatever is under way. */
  get standing(): readonly number[] {
    return [...this.#known.values()].filter(isStanding).map(({ id }) => id);
  }

  highestId(): number {
    return Math.max(0, ...this.#known.keys());
  }

  wants(sent: Omit<Sent, 'unknown' | 'respondedAt'>): Sent {
    const own = { ...sent, unknown: 0, respondedAt: 0 };
    this.sent.set(sent.name, own);
    return own;
  }

  /** @param floor the highest id that was known when the request began */
  created(sent: Sent, image: CatalogImage, floor: number): void {
    require(image.originalName === sent.name, `${sent.name} was stored under the name ${image.originalName}`);
    require(image.id > floor, `${sent.name} got the id ${image.id}, although ${floor} was given before`);
    require(image.title === (sent.title ?? null), `${sent.name} has the title ${image.title}`);
    this.#acknowledged(sent, image);
  }

  replayed(sent: Sent, image: CatalogImage): void {
    require(sent.key !== undefined, `${sent.name} was replayed without a key`);
    this.#acknowledged(sent, image);
  }

  /** A response to a request that began at `since`. */
  refuses(sent: Sent, code: string, since: number): void {
    const others = this.#othersIn(sent).filter((other) => other.key === sent.key);
    const isUnderWay = (one: Sent): boolean => one.unknown > 0 || one.respondedAt > since;
    const isUsedForOtherBytes = (): boolean =>
      others.some((other) => other.picture !== sent.picture && mayBeStored(other));
    const isUsedForTheseBytes = (): boolean =>
      [sent, ...others].some((one) => one.picture === sent.picture && mayBeStored(one));
    const isMeant: Readonly<Record<string, () => boolean>> = {
      overloaded: () => true,
      invalid_image: () => sent.picture.isCorrupt,
      idempotency_key_reused: () => sent.ticket === undefined && isUsedForOtherBytes(),
      ticket_used: () => sent.ticket !== undefined && isUsedForOtherBytes(),
      idempotency_key_in_use: () => isUnderWay(sent) || others.some(isUnderWay),
      // Other bytes are another refusal, also if the image was deleted.
      image_not_found: () => isUsedForTheseBytes() && this.#isDeletedImageOf(sent),
      quota_exceeded: () => this.#mayBeFull(sent, since),
    };
    sent.isRefusedAsFull = code === 'quota_exceeded';
    require(isMeant[code]?.() === true, `${sent.name} was refused: ${code}`);
  }

  #othersIn({ space, name }: Sent): readonly Sent[] {
    return [...this.sent.values()].filter((other) => other.space === space && other.name !== name);
  }

  /** Whether the space could be without room for it at some moment of the request. */
  #mayBeFull(sent: Sent, since: number): boolean {
    if (sent.space !== FULL) return false;
    const stored = this.#othersIn(sent).filter((other) => mayBeStored(other) && !this.#wasGone(other, since));
    // A key has one image.
    const byImage = new Map(stored.map((other) => [other.acknowledged ?? other.name, other.picture]));
    const pictures = [...byImage.values(), sent.picture];
    return !isWithin({ images: pictures.length, bytes: sizeOf(pictures) }, this.limits);
  }

  #wasGone({ acknowledged }: Sent, since: number): boolean {
    if (acknowledged === undefined) return false;
    const { deletedAt = since, isTrashed } = this.#of(acknowledged);
    // What is in the trash counts.
    return deletedAt < since && isTrashed === undefined;
  }

  /** Of its key. Without a response the client does not know which image that is. */
  #isDeletedImageOf(sent: Sent): boolean {
    const id = this.#keys.get(keyOf(sent));
    return id === undefined
      ? [...this.#known.values()].some((one) => one.deletionsRequested > 0)
      : !this.standing.includes(id);
  }

  #acknowledged(sent: Sent, image: CatalogImage): void {
    const { id } = image;
    this.sees(image, sent.space);
    require(image.sha256 === sent.picture.sha256, `${sent.name} got image ${id} of other bytes`);
    if (sent.key !== undefined) {
      const earlier = this.#keys.get(keyOf(sent)) ?? id;
      require(earlier === id, `the key ${sent.key} has made the images ${earlier} and ${id}`);
      this.#keys.set(keyOf(sent), id);
    }
    sent.acknowledged = id;
    this.acknowledges(id);
  }

  /** A record in a response to a client of this space. */
  sees(image: CatalogImage, space: Space, since = 0): void {
    this.belongsTo(image.id, space);
    require(this.sent.get(image.originalName)?.space === space, `image ${image.id} is of another space`);
    this.knows(image, since);
  }

  belongsTo(id: number, space: Space): void {
    const known = this.#of(id);
    known.space ??= space;
    require(known.space === space, `image ${id} of the space '${known.space}' is in '${space}'`);
  }

  /** A record in a response that began after `since`. */
  knows(image: CatalogImage, since = 0): void {
    const { id, title, tags, focus, metadataVersion } = image;
    const sent = this.sent.get(image.originalName);
    require(sent?.picture.sha256 === image.sha256, `image ${id} is nothing that was sent`);
    this.finds(id, since);
    this.hasContent(id, { title, tags, focus, version: metadataVersion }, since);
  }

  /** An image in a response to a request that began at `since`. */
  finds(id: number, since: number): void {
    require((this.#of(id).deletedAt ?? since) >= since, `image ${id} is there again after it was deleted`);
  }

  /** Metadata in a response to a request that began at `since`. Equal versions mean equal metadata. */
  hasContent(
    id: number,
    { title, tags, focus, version }: Content & Pick<ImageMetadata, 'version'>,
    since: number,
  ): void {
    const { contents } = this.#of(id);
    const content = JSON.stringify({ title, tags, focus });
    const earlier = contents.get(version) ?? { content, at: this.now() };
    require(earlier.content === content, `version ${version} of image ${id}: ${earlier.content}, ${content}`);
    contents.set(version, earlier);
    for (const [other, { at }] of contents) {
      require(at >= since || other <= version, `the version of image ${id} fell from ${other} to ${version}`);
    }
  }

  /**
   * Metadata in the response to a patch. The other fields are those of the version that it was made for.
   *
   * @param from `undefined` if it may be any version
   */
  isPatched(id: number, patch: Partial<Content>, { title, tags, focus }: Content, from?: number): void {
    const patched = { title, tags, focus };
    const isDone = isDeepStrictEqual({ ...patched, ...patch }, patched);
    require(isDone, `image ${id} did not get ${JSON.stringify(patch)}`);
    const before = from === undefined ? undefined : this.#of(id).contents.get(from);
    if (before === undefined) return;
    const expected: unknown = { ...(JSON.parse(before.content) as object), ...patch };
    const text = JSON.stringify(patch);
    require(isDeepStrictEqual(
      patched,
      expected,
    ), `${text} made ${JSON.stringify(patched)} of ${before.content}`);
  }

  /** The highest that a client has seen. */
  versionOf(id: number): number {
    return Math.max(1, ...this.#of(id).contents.keys());
  }

  /** A read of one image that began at `since` has not found it. */
  misses(id: number, since: number): void {
    const known = this.#of(id);
    const mustBeThere = isStanding(known) && (known.acknowledgedAt ?? since) < since;
    require(!mustBeThere, `image ${id} is not there, although nobody has deleted it`);
  }

  requestsDeletion(id: number, to?: 'into the trash'): void {
    const known = this.#of(id);
    known.deletionsRequested += 1;
    if (to === undefined) known.lossesRequested += 1;
  }

  trashed(id: number): void {
    this.#of(id).isTrashed = true;
    this.deleted(id);
  }

  requestsRestoration(id: number): void {
    const known = this.#of(id);
    known.isRestored = true;
    delete known.deletedAt;
  }

  /** Images that are in the trash, or were restored. */
  get kept(): readonly number[] {
    const all = [...this.#known.values()];
    return all.flatMap(({ id, isTrashed, lossesRequested }) =>
      isTrashed && lossesRequested === 0 ? [id] : [],
    );
  }

  /** A name in a response to a request that began at `since`. Equal versions mean the same image. */
  seesName(space: Space, { name, number, version, imageId }: NamedImage, since: number): void {
    const key = `${space}/${name}`;
    const known = this.#names.get(key) ?? { number, versions: new Map() };
    this.#names.set(key, known);
    require(known.number === number, `the name ${name} had the number ${known.number}, and has ${number}`);
    const earlier = known.versions.get(version) ?? { imageId, at: this.now() };
    require(earlier.imageId ===
      imageId, `version ${version} of ${name}: images ${earlier.imageId}, ${imageId}`);
    known.versions.set(version, earlier);
    for (const [other, { at }] of known.versions) {
      require(at >= since || other <= version, `the version of ${name} fell from ${other} to ${version}`);
    }
  }

  /** The highest that a client has seen; 0 if there is none. */
  versionOfName(space: Space, name: Name): number {
    return Math.max(0, ...(this.#names.get(`${space}/${name}`)?.versions.keys() ?? []));
  }

  deleted(id: number): void {
    const known = this.#of(id);
    if (known.isRestored) return;
    require(known.deletedAt === undefined, `image ${id} was deleted twice`);
    known.deletedAt = this.now();
  }

  /** A delete that this client sent once. */
  wasNotThereToDelete(id: number): void {
    const { acknowledgedAt, deletionsRequested } = this.#of(id);
    require(acknowledgedAt === undefined ||
      deletionsRequested > 1, `image ${id} could not be deleted, although nobody else has deleted it`);
  }

  /** Images that were acknowledged before this time, and must be there. */
  standingSince(time: number, space?: Space): readonly number[] {
    const ids = this.standing.filter((id) => (this.#of(id).acknowledgedAt ?? time) < time);
    return ids.filter((id) => space === undefined || this.#of(id).space === space);
  }

  isDeleted(id: number): boolean {
    return this.#of(id).deletedAt !== undefined;
  }

  /** A response says that the image was stored. */
  acknowledges(id: number): void {
    this.#of(id).acknowledgedAt ??= this.now();
  }

  #of(id: number): Known {
    const known = this.#known.get(id) ?? {
      id,
      deletionsRequested: 0,
      lossesRequested: 0,
      contents: new Map(),
    };
    this.#known.set(id, known);
    return known;
  }
}

function isStanding({ acknowledgedAt, deletionsRequested }: Known): boolean {
  return acknowledgedAt !== undefined && deletionsRequested === 0;
}

/** Keys of equal names in two spaces have nothing in common. */
function keyOf({ space, key = '' }: Sent): string {
  return `${space}/${key}`;
}

function mayBeStored({ acknowledged, unknown }: Sent): boolean {
  return acknowledged !== undefined || unknown > 0;
}

function sizeOf(pictures: ReadonlyArray<Picture | undefined>): number {
  return pictures.reduce((sum, picture) => sum + (picture?.bytes.byteLength ?? 0), 0);
}

/** @throws {Violation} */
export function require(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Violation(message);
}
