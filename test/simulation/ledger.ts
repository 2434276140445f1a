import { createHash } from 'node:crypto';
import type { CatalogImage } from '../../src/domain/image/image.ts';
import type { ImageMetadata } from '../../src/domain/image/metadata.ts';
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

/** A file that a client wants to have in the catalog, however often it sends it. */
export interface Sent {
  /** Its own. */
  readonly name: string;
  readonly picture: Picture;
  readonly key: string | undefined;
  readonly title: string | undefined;
  /** Attempts without a response, or with one that leaves open what has happened. */
  unknown: number;
  /** When the last response came. */
  respondedAt: number;
  /** The image of the 201. */
  acknowledged?: number;
}

/** An image that a client has heard of. */
interface Known {
  readonly id: number;
  /** In the ledger's own time. */
  acknowledgedAt?: number;
  deletionsRequested: number;
  deletedAt?: number;
  /** By version of the metadata, and when it was first seen. */
  readonly contents: Map<number, { readonly content: string; readonly at: number }>;
}

/** What clients know: requests and responses, and nothing of the inside. Throws `Violation` if two of them exclude each other. */
export class Ledger {
  readonly sent = new Map<string, Sent>();
  readonly #known = new Map<number, Known>();
  readonly #keys = new Map<string, number>();
  #time = 0;

  /** When a request begins. */
  now(): number {
    this.#time += 1;
    return this.#time;
  }

  get ids(): readonly number[] {
    return [...this.#known.keys()];
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
    const others = [...this.sent.values()].filter((other) => other !== sent && other.key === sent.key);
    const isUnderWay = (one: Sent): boolean => one.unknown > 0 || one.respondedAt > since;
    const isMeant: Readonly<Record<string, () => boolean>> = {
      overloaded: () => true,
      invalid_image: () => sent.picture.isCorrupt,
      idempotency_key_reused: () => others.some(({ picture }) => picture !== sent.picture),
      idempotency_key_in_use: () => isUnderWay(sent) || others.some(isUnderWay),
      image_not_found: () => this.#isDeletedImageOf(sent),
    };
    require(isMeant[code]?.() === true, `${sent.name} was refused: ${code}`);
  }

  /** Of its key. Without a response the client does not know which image that is. */
  #isDeletedImageOf({ key = '' }: Sent): boolean {
    const id = this.#keys.get(key);
    return id === undefined
      ? [...this.#known.values()].some((one) => one.deletionsRequested > 0)
      : !this.standing.includes(id);
  }

  #acknowledged(sent: Sent, image: CatalogImage): void {
    const { id } = image;
    this.sees(image);
    require(image.sha256 === sent.picture.sha256, `${sent.name} got image ${id} of other bytes`);
    if (sent.key !== undefined) {
      const earlier = this.#keys.get(sent.key) ?? id;
      require(earlier === id, `the key ${sent.key} has made the images ${earlier} and ${id}`);
      this.#keys.set(sent.key, id);
    }
    sent.acknowledged = id;
    this.acknowledges(id);
  }

  /** A record in a response that began after `since`. */
  sees(image: CatalogImage, since = 0): void {
    const { id, title, tags, metadataVersion } = image;
    const sent = this.sent.get(image.originalName);
    require(sent?.picture.sha256 === image.sha256, `image ${id} is nothing that was sent`);
    this.finds(id, since);
    this.hasContent(id, { title, tags, version: metadataVersion }, since);
  }

  /** An image in a response to a request that began at `since`. */
  finds(id: number, since: number): void {
    require((this.#of(id).deletedAt ?? since) >= since, `image ${id} is there again after it was deleted`);
  }

  /** Metadata in a response to a request that began at `since`. Equal versions mean equal metadata. */
  hasContent(
    id: number,
    { title, tags, version }: Pick<ImageMetadata, 'title' | 'tags' | 'version'>,
    since: number,
  ): void {
    const { contents } = this.#of(id);
    const content = JSON.stringify([title, tags]);
    const earlier = contents.get(version) ?? { content, at: this.now() };
    require(earlier.content === content, `version ${version} of image ${id}: ${earlier.content}, ${content}`);
    contents.set(version, earlier);
    for (const [other, { at }] of contents) {
      require(at >= since || other <= version, `the version of image ${id} fell from ${other} to ${version}`);
    }
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

  requestsDeletion(id: number): void {
    this.#of(id).deletionsRequested += 1;
  }

  deleted(id: number): void {
    const known = this.#of(id);
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
  standingSince(time: number): readonly number[] {
    return this.standing.filter((id) => (this.#of(id).acknowledgedAt ?? time) < time);
  }

  isDeleted(id: number): boolean {
    return this.#of(id).deletedAt !== undefined;
  }

  /** A response says that the image was stored. */
  acknowledges(id: number): void {
    this.#of(id).acknowledgedAt ??= this.now();
  }

  #of(id: number): Known {
    const known = this.#known.get(id) ?? { id, deletionsRequested: 0, contents: new Map() };
    this.#known.set(id, known);
    return known;
  }
}

function isStanding({ acknowledgedAt, deletionsRequested }: Known): boolean {
  return acknowledgedAt !== undefined && deletionsRequested === 0;
}

/** @throws {Violation} */
export function require(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Violation(message);
}
