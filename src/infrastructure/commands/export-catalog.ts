import { resolve } from 'node:path';
import * as z from 'zod';
import { FolderExportSink } from '../../adapters/filesystem/folder-export-sink.ts';
import { metadataView } from '../../adapters/http/metadata/metadata-view.ts';
import { imageView } from '../../adapters/http/record/image-view.ts';
import { ServiceExportSource } from '../../adapters/service-client/service-export-source.ts';
import { OpenImageFile } from '../../application/files/open-image-file.ts';
import { ExportCatalog, type ExportReport } from '../../application/maintenance/export/export-catalog.ts';
import { StorageExportSource } from '../../application/maintenance/export/storage-export-source.ts';
import type { ExportFilter, ExportSource } from '../../domain/ports/commands/export-source.ts';
import { readEnvironment } from '../config/read-environment.ts';
import { resolveAll } from '../resolve-all.ts';
import { command } from './command-line/command.ts';
import { operand, option, TEXT } from './command-line/option.ts';
import { countOf, type Format } from './command-line/output.ts';
import { CATALOG, formatOption, jobsOption, SPACE } from './command-line/shared-options.ts';
import { untilSignal } from './command-line/until-signal.ts';
import { remoteCatalog } from './remote-catalog.ts';
import { withStorage } from './with-storage.ts';

/** A request is repeated with growing delays, for some minutes. */
const RETRIES = 12;

const TIME = z
  .union(
    [z.iso.date(), z.iso.datetime({ offset: true })],
    'must be a day such as 2026-01-31 (UTC), or an RFC 3339 time',
  )
  .transform((text) => new Date(text))
  .optional();

const ACTOR = z
  .string()
  .refine((text) => text !== '' && Array.from(text).length <= 255, 'must be 1 to 255 characters');

/** Exit code 1 if originals are damaged, 64 if the catalog refuses the token, 75 if it is unavailable. */
export const exportCatalog = command({
  summary:
    'copies originals and records into a folder, which import reads back; a second run adds what is missing',
  operands: { folder: operand('FOLDER', TEXT) },
  options: {
    ...CATALOG,
    space: option('NAME', "only this space, '' being one (default: all)", SPACE.optional(), {
      needs: 'direct',
    }),
    since: option('TIME', 'only images uploaded after a day (2026-01-31) or an RFC 3339 time', TIME),
    createdBy: option('NAME', 'only images whose `createdBy` is exactly this text', ACTOR.optional()),
    jobs: jobsOption('downloads', 16),
    format: formatOption('one line per image, then the report'),
  },
  run: async ({ folder, url, direct, space, since, createdBy, ...options }) => {
    const plan = { ...options, filter: { since, createdBy }, folder: resolve(folder) };
    if (!direct) {
      const { images } = remoteCatalog(url, readEnvironment(), RETRIES);
      return await exportFrom(new ServiceExportSource(images), plan);
    }
    return await withStorage(async (storage) => {
      const { images, blobs, storageConfig } = resolveAll(storage, 'images', 'blobs', 'storageConfig');
      const source = new StorageExportSource(
        { images, space },
        new OpenImageFile(images, blobs),
        (image, described) => ({
          ...imageView(image, storageConfig),
          space: image.space,
          metadata: metadataView(described),
        }),
      );
      return await exportFrom(source, plan);
    });
  },
});

interface ExportPlan {
  /** Absolute. */
  readonly folder: string;
  readonly filter: ExportFilter;
  readonly jobs: number;
  readonly format: Format;
}

async function exportFrom(source: ExportSource, plan: ExportPlan): Promise<number> {
  const { folder, filter, jobs, format } = plan;
  return await untilSignal(async ({ signal: stopped }) => {
    const sink = await FolderExportSink.open(folder);
    try {
      const report = await new ExportCatalog(source, sink).execute({
        filter,
        jobs,
        stopped,
        onOutcome: (outcome) => {
          if (format === 'json') console.log(JSON.stringify(outcome));
          else if (outcome.outcome === 'damaged') console.log(`image ${outcome.id}: its bytes are damaged`);
        },
      });
      if (format === 'json') console.log(JSON.stringify({ report }));
      console.error(summaryOf(report, folder));
      return report.damaged > 0 ? 1 : 0;
    } finally {
      await sink.close();
    }
  });
}

function summaryOf({ written, present, damaged }: Readonly<ExportReport>, folder: string): string {
  const rest = `${present} were there already, ${damaged} are damaged`;
  return `${countOf(written, 'original')} written to ${folder}; ${rest}.`;
}
