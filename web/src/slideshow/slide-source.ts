import type { ImageRecord, ListQuery } from '@image-catalog/client';
import type { ImagePages } from '../images/page-reader.ts';

/** Pictures of one request. */
const PAGE = 50;

/** The pictures of a walk in their order, read as far as they are needed. */
export class SlideSource {
  readonly #pages: Pick<ImagePages, 'page'>;
  readonly #query: ListQuery;
  readonly #records: ImageRecord[] = [];
  #next: string | undefined;
  #isComplete = false;
  #reading: Promise<void> | undefined;

  /** @param query filters, and an order */
  constructor(pages: Pick<ImagePages, 'page'>, query: ListQuery) {
    this.#pages = pages;
    this.#query = query;
  }

  /** Behind the last picture it begins again. `undefined` if there are no pictures. */
  async at(index: number): Promise<ImageRecord | undefined> {
    while (!this.#isComplete && index >= this.#records.length) await this.#read();
    return this.#records[this.#isComplete ? index % this.#records.length : index];
  }

  async #read(): Promise<void> {
    this.#reading ??= this.#readPage();
    try {
      await this.#reading;
    } finally {
      this.#reading = undefined;
    }
  }

  async #readPage(): Promise<void> {
    const after = this.#next === undefined ? {} : { after: this.#next };
    const { records, next } = await this.#pages.page({ ...this.#query, ...after, limit: PAGE });
    this.#records.push(...records);
    this.#next = next;
    this.#isComplete = next === undefined;
  }
}
