import { createHash } from 'node:crypto';
import type { ExportedLine, ExportSink } from '../../../src/domain/ports/commands/export-source.ts';
import { collect } from '../fixtures/bytes.ts';

/** The folder of an export, which outlives its runs. */
export class InMemoryExport implements ExportSink {
  readonly files = new Map<string, Uint8Array>();
  readonly lines: ExportedLine[] = [];

  async finished(): Promise<ReadonlyMap<number, string>> {
    const whole = this.lines.filter(({ file, size }) => this.files.get(file)?.length === size);
    return new Map(whole.map(({ id, file }) => [id, file]));
  }

  async digest(file: string): Promise<string | undefined> {
    const bytes = this.files.get(file);
    return bytes && digestOf(bytes);
  }

  async write(file: string, bytes: AsyncIterable<Uint8Array>, sha256: string): Promise<boolean> {
    const whole = await collect(bytes).catch(() => undefined);
    if (whole === undefined || digestOf(whole) !== sha256) return false;
    this.files.set(file, whole);
    return true;
  }

  async note(lines: readonly ExportedLine[]): Promise<void> {
    this.lines.push(...lines);
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
