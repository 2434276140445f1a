import type {
  ExportedLine,
  ExportFilter,
  ExportSink,
  ExportSource,
  SourceRecord,
} from '../../../domain/ports/commands/export-source.ts';
import type { Cancellation } from '../../../domain/ports/process/cancellation.ts';
import { mapConcurrently } from '../../concurrency/map-concurrently.ts';
import { batchesOf } from '../batches-of.ts';
import { ExportNames } from './export-names.ts';

/** Records are noted together. */
const BATCH_SIZE = 64;

/** A connection may break during a download. */
const ATTEMPTS = 3;

export interface ExportOutcome {
  readonly id: number;
  readonly file: string;
  readonly outcome: 'written' | 'present' | 'deleted' | 'damaged';
}

export interface ExportReport {
  written: number;
  /** An earlier export has written them. */
  present: number;
  /** Their images were deleted during the export. */
  deleted: number;
  /** The bytes do not have the digest of the record, or cannot be read. */
  damaged: number;
  /** The sum over the written files. */
  bytes: number;
}

export interface ExportOptions {
  readonly filter: ExportFilter;
  /** Downloads at a time. */
  readonly jobs: number;
  readonly stopped: Cancellation;
  readonly onOutcome: (outcome: ExportOutcome) => void;
}

/** Copies originals and records into a folder. A second run copies what is missing. */
export class ExportCatalog {
  private readonly report: ExportReport = { written: 0, present: 0, deleted: 0, damaged: 0, bytes: 0 };

  constructor(
    private readonly source: ExportSource,
    private readonly sink: ExportSink,
  ) {}

  /** Called once. Throws errors of the source and of the sink. */
  async execute(options: ExportOptions): Promise<Readonly<ExportReport>> {
    const finished = await this.sink.finished();
    const names = new ExportNames(finished.values());
    for await (const batch of batchesOf(this.source.records(options.filter), BATCH_SIZE)) {
      options.stopped.throwIfAborted();
      const missing: SourceRecord[] = [];
      for (const record of batch) {
        const file = finished.get(record.id);
        if (file === undefined) missing.push(record);
        else this.settle({ id: record.id, file, outcome: 'present' }, options);
      }
      const lines = await mapConcurrently(missing, options.jobs, (record) =>
        this.copy(record, names, options),
      );
      await this.sink.note(lines.filter((line) => line !== undefined));
    }
    return this.report;
  }

  private async copy(
    record: SourceRecord,
    names: ExportNames,
    options: ExportOptions,
  ): Promise<ExportedLine | undefined> {
    const { file, isThere } = await this.placeOf(record, names);
    const outcome = isThere ? 'written' : await this.write(record, file);
    this.settle({ id: record.id, file, outcome }, options);
    if (outcome !== 'written') return undefined;
    this.report.bytes += record.size;
    return { ...record, file };
  }

  /** A kill may have left the file without its line. Other files are not overwritten. */
  private async placeOf(
    record: SourceRecord,
    names: ExportNames,
  ): Promise<{ readonly file: string; readonly isThere: boolean }> {
    for (;;) {
      const file = names.take(record);
      const digest = await this.sink.digest(file);
      if (digest === undefined) return { file, isThere: false };
      if (digest === record.sha256) return { file, isThere: true };
    }
  }

  private async write(record: SourceRecord, file: string): Promise<ExportOutcome['outcome']> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const bytes = await this.source.open(record);
      if (bytes === undefined) return 'deleted';
      if (await this.sink.write(file, takeBytes(bytes, record.size), record.sha256)) return 'written';
    }
    return 'damaged';
  }

  private settle(outcome: ExportOutcome, { onOutcome }: ExportOptions): void {
    this.report[outcome.outcome] += 1;
    onOutcome(outcome);
  }
}

/** Fails if there are more, so that a source cannot fill the disk. */
async function* takeBytes(
  bytes: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let taken = 0;
  for await (const chunk of bytes) {
    taken += chunk.length;
    if (taken > size) throw new Error('The file is larger than its record says');
    yield chunk;
  }
}
