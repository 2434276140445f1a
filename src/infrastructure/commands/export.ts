import { resolve } from 'node:path';
import { CatalogError } from '../../../client/src/node.ts';
import { FolderExportSink } from '../../adapters/filesystem/folder-export-sink.ts';
import { imageView } from '../../adapters/http/image/image-view.ts';
import { metadataView } from '../../adapters/http/metadata/metadata-view.ts';
import { ServiceExportSource } from '../../adapters/service-client/service-export-source.ts';
import { OpenImageFile } from '../../application/files/open-image-file.ts';
import { ExportCatalog, type ExportReport } from '../../application/maintenance/export/export-catalog.ts';
import { StorageExportSource } from '../../application/maintenance/export/storage-export-source.ts';
import type { ExportSource } from '../../domain/ports/commands/catalog-export.ts';
import { readEnvironment } from '../config/environment.ts';
import {
  CATALOG,
  type ChosenCatalog,
  FORMAT,
  type Format,
  JOBS,
  parseCatalog,
  parseFolder,
  parseFormat,
  parseJobs,
} from './command-line/shared-options.ts';
import { stopOnSignal } from './command-line/signals.ts';
import { exitCodeOf } from './command-line/unavailable.ts';
import { closingReport, countOf, parseCommandLine, UsageError } from './command-line/usage.ts';
import { remoteCatalog } from './remote-catalog.ts';
import { withStorage } from './with-storage.ts';

/** A request is repeated with growing delays, for some minutes. */
const RETRIES = 12;

interface ExportCommand extends ChosenCatalog {
  /** Absolute. */
  readonly folder: string;
  readonly since: Date | undefined;
  readonly jobs: number;
  readonly format: Format;
}

/** Resolves to 0, 1 if originals are damaged, 64 if the catalog refuses the token, 75 if it is unavailable. */
export async function exportCatalog(args: readonly string[]): Promise<number> {
  const command = parseExport(args);
  if (!command.direct) {
    const { images } = remoteCatalog(command.url, readEnvironment(), RETRIES);
    return await explainErrors(() => exportFrom(new ServiceExportSource(images), command));
  }
  return await withStorage(async ({ images, blobs, config }) => {
    const view = imageView(config.renditions.sizes);
    const source = new StorageExportSource(
      { images, space: command.space },
      new OpenImageFile(images, blobs),
      (image, described) => ({ ...view(image), space: image.space, metadata: metadataView(described) }),
    );
    return await exportFrom(source, command);
  });
}

/** @throws {UsageError} */
function parseExport(args: readonly string[]): ExportCommand {
  const { values, positionals } = parseCommandLine({
    args: [...args],
    allowPositionals: true,
    options: { ...CATALOG, ...JOBS, ...FORMAT, since: { type: 'string' } },
  });
  return {
    ...parseCatalog(values),
    folder: resolve(parseFolder('export', positionals)),
    since: values.since === undefined ? undefined : parseTime(values.since),
    jobs: parseJobs(values.jobs, 'downloads'),
    format: parseFormat(values.format),
  };
}

function parseTime(text: string): Date {
  const time = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/.test(text)
    ? new Date(text)
    : undefined;
  if (time !== undefined && !Number.isNaN(time.getTime())) return time;
  throw new UsageError('--since must be a day such as 2026-01-31 (UTC), or an RFC 3339 time');
}

async function exportFrom(
  source: ExportSource,
  { folder, since, jobs, format }: ExportCommand,
): Promise<number> {
  const stop = stopOnSignal();
  const sink = await FolderExportSink.open(folder);
  try {
    const report = await new ExportCatalog(source, sink).execute({
      since,
      jobs,
      stopped: stop.signal,
      onOutcome: (outcome) => {
        if (format === 'json') console.log(JSON.stringify(outcome));
        else if (outcome.outcome === 'damaged') console.log(`image ${outcome.id}: its bytes are damaged`);
      },
    });
    if (format === 'json') console.log(JSON.stringify({ report }));
    closingReport(summaryOf(report, folder), 'exported', { folder, ...report });
    return report.damaged > 0 ? 1 : 0;
  } catch (error) {
    const exitCode = stop.exitCode();
    if (exitCode === undefined) throw error;
    return exitCode;
  } finally {
    await sink.close();
  }
}

function summaryOf({ written, present, damaged }: Readonly<ExportReport>, folder: string): string {
  const rest = `${present} were there already, ${damaged} are damaged`;
  return `${countOf(written, 'original')} written to ${folder}; ${rest}.`;
}

async function explainErrors(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    console.error(`${error.message} (${error.code})`);
    return exitCodeOf(error);
  }
}
