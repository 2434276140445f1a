import { expect } from 'chai';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Change } from '../../../client/src/image-record.ts';
import { systemTimer } from '../../../src/adapters/system/system-timer.ts';
import { type Act, expectStatus } from './busy-clients.ts';
import type { CatalogClient, ImageRecord } from './catalog-client.ts';

const PAGE = 25;
const STREAM_MS = 300;

interface ReadPage {
  readonly changes: readonly Change[];
  readonly next: string;
  readonly more: boolean;
}

/** A client that keeps a copy of the catalog: a listing, then the pages of the feed. */
export class PagedCopy {
  private readonly images = new Map<number, ImageRecord>();
  private cursor: string | undefined;
  private isBehind = true;

  readonly readOn: Act = async ({ catalog, random }) => {
    if (this.cursor === undefined) return await this.begin(catalog);
    const wait = random() < 0.5 ? 0 : 1;
    const query = `after=${this.cursor}&limit=${PAGE}&wait=${wait}&include=image`;
    const response = await catalog.read(`api/changes?${query}`);
    await expectStatus(response, [200], 'changes');
    const { changes, next, more } = (await response.json()) as ReadPage;
    for (const { id, image } of changes) this.apply(id, image ?? undefined);
    this.cursor = next;
    this.isBehind = more;
  };

  get isAtEnd(): boolean {
    return this.cursor !== undefined && !this.isBehind;
  }

  expectCopy(listed: readonly ImageRecord[]): void {
    const copied = [...this.images.values()].toSorted((a, b) => a.id - b.id);
    expect(copied, 'the copy of a client that reads pages of the feed').to.deep.equal(listed);
  }

  private async begin(catalog: CatalogClient): Promise<void> {
    const response = await catalog.read('api/images');
    await expectStatus(response, [200], 'list');
    for (const image of (await response.json()) as readonly ImageRecord[]) this.apply(image.id, image);
    this.cursor = response.headers.get('changes-cursor') ?? '';
  }

  private apply(id: number, image: ImageRecord | undefined): void {
    if (image === undefined) this.images.delete(id);
    else this.images.set(id, image);
  }
}

/** A client that reads the feed as a stream, from its start, and connects again and again. */
export class StreamedCopy {
  private readonly versions = new Map<number, number>();
  private readonly trashed = new Map<number, number>();
  private last = '';

  readonly readOn: Act = async ({ catalog }) => {
    const leaving = new AbortController();
    const cancelLeaving = systemTimer(STREAM_MS, () => leaving.abort());
    try {
      const headers = { accept: 'text/event-stream', 'last-event-id': this.last };
      const response = await catalog.read('api/changes', { headers, signal: leaving.signal });
      await expectStatus(response, [200], 'stream');
      const parser = createParser({ onEvent: (event) => this.apply(event) });
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
      }
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    } finally {
      cancelLeaving();
    }
  };

  async isAtEnd(catalog: CatalogClient): Promise<boolean> {
    const response = await catalog.read(`api/changes${this.last && `?after=${this.last}`}`);
    return response.status === 200 && ((await response.json()) as ReadPage).changes.length === 0;
  }

  expectCopy(listed: readonly ImageRecord[]): void {
    const copied = [...this.versions.keys()].toSorted((a, b) => a - b);
    expect(copied, 'the images of a client that reads the stream').to.deep.equal(listed.map(({ id }) => id));
  }

  /** Every version, each once: a repeated or a missing change shows. */
  private apply({ id = '', data }: EventSourceMessage): void {
    const { type, id: image, version = 1 } = JSON.parse(data) as Change;
    this.last = id;
    if (type.startsWith('name.')) return;
    if (type === 'image.restored') return void this.versions.set(image, this.trashed.get(image) ?? version);
    if (type === 'image.trashed') this.trashed.set(image, this.versions.get(image) ?? version);
    const known = this.versions.get(image);
    if (type === 'image.created') expect(known, `image ${image} is created once`).to.equal(undefined);
    if (type === 'image.updated') expect(version, `version of image ${image}`).to.equal(Number(known) + 1);
    if (type === 'image.deleted' || type === 'image.trashed') this.versions.delete(image);
    else this.versions.set(image, version);
  }
}
