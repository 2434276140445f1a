import { finished, type Transform } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { compressor } from './compressor.ts';
import type { ContentCoding } from './content-coding.ts';

/** The text of one piece of work, in UTF-16 units: other requests run between two. */
const PIECE_LENGTH = 256 * 1024;

/** Bytes of a response. */
export interface EncodedJson {
  readonly coding: ContentCoding;
  /** In their order; who sends them takes them away. */
  readonly chunks: Buffer[];
}

/** JSON of many items, encoded while it is made: it is never held as a whole beside its encoded bytes. */
export class JsonWriter {
  private text = '';
  private readonly chunks: Buffer[] = [];
  private coding: ContentCoding | undefined;
  private encoder: Transform | undefined;

  /** @param chooseCoding called once, and only if the text has several pieces */
  constructor(private readonly chooseCoding: () => ContentCoding) {}

  add(text: string): void {
    this.text += text;
  }

  /** Whether `encode` is to be called before more is added. */
  get isDue(): boolean {
    return this.text.length >= PIECE_LENGTH;
  }

  async encode(): Promise<void> {
    const piece = Buffer.from(this.text);
    this.text = '';
    this.coding ??= this.chooseCoding();
    if (this.coding === 'identity') {
      this.chunks.push(piece);
      await setImmediate();
      return;
    }
    this.encoder ??= this.open(this.coding);
    const { encoder } = this;
    await new Promise<void>((resolve, reject) => {
      encoder.write(piece, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Resolves to a Buffer, not encoded, if all of it is one piece. */
  async end(): Promise<Buffer | EncodedJson> {
    const { chunks, coding, encoder } = this;
    if (coding === undefined) return Buffer.from(this.text);
    if (this.text !== '') await this.encode();
    if (encoder !== undefined) await promisify(finished)(encoder.end());
    return { coding, chunks };
  }

  /** After an error, instead of `end`. */
  destroy(): void {
    this.encoder?.destroy();
  }

  private open(coding: 'br' | 'gzip'): Transform {
    return compressor(coding, 'whole').on('data', (chunk: Buffer) => this.chunks.push(chunk));
  }
}
