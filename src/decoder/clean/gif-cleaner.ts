import type { CleanParts } from './clean-parts.ts';
import type { Cleaner, CleanSource } from './cleaner.ts';

// GIF89a, appendix A.
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
const TRAILER = 0x3b;

/** With introducer, label, length and terminator (GIF89a, 23). */
const CONTROL_BYTES = 8;
/** Up to the first sub-block (GIF89a, 26). */
const APPLICATION_BYTES = 14;
const NAME_BYTES = 11;
const LOOPS: readonly string[] = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

/** Keeps the graphic controls of texts that go, too: decoders that do not know texts apply them to the next image. */
export class GifCleaner implements Cleaner {
  constructor(
    private readonly clean: CleanParts,
    private readonly source: CleanSource,
  ) {}

  visit(type: string | number, start: number, end: number): void {
    const isControl = type === GRAPHIC_CONTROL && this.isControl(start, end);
    if (isControl || type === 'header' || type === 'image') this.clean.keep(start, end);
    if (type === APPLICATION) this.application(start);
  }

  end(): void {
    this.clean.write(Buffer.of(TRAILER));
  }

  private isControl(start: number, end: number): boolean {
    return end - start === CONTROL_BYTES && this.source.file[start + 2] === 4;
  }

  private application(start: number): void {
    const { file } = this.source;
    const content = start + APPLICATION_BYTES;
    const name = file.toString('latin1', content - NAME_BYTES, content);
    const loop = loopAt(file, content);
    if (file[start + 2] !== NAME_BYTES || !LOOPS.includes(name) || loop === undefined) return;
    this.clean.keep(start, content);
    this.clean.keep(loop, loop + 4);
    this.clean.write(Buffer.of(0));
  }
}

/** The sub-block with the number of rounds, which has three bytes and begins with 1. */
function loopAt(file: Buffer, start: number): number | undefined {
  for (let at = start; (file[at] ?? 0) !== 0; at += 1 + (file[at] as number)) {
    if (file[at] === 3 && file[at + 1] === 1) return at;
  }
  return undefined;
}
