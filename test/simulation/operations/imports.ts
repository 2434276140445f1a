import {
  type FileDescription,
  ImportFolder,
} from '../../../src/application/maintenance/import/import-folder.ts';
import { DomainError } from '../../../src/domain/errors.ts';
import { MEDIA_TYPES } from '../../../src/domain/image/media-type.ts';
import { ImportError, type ImportTarget } from '../../../src/domain/ports/commands/import-target.ts';
import { COMMON_SPACE } from '../../../src/domain/space/space.ts';
import { STAYING } from '../../support/doubles/staying.ts';
import type { CatalogProcess } from '../catalog-process.ts';
import { PICTURES, type Picture, require } from '../ledger.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';
import type { OperationKind } from './operation-kind.ts';

/** The last does not decode. */
const FILES = ['one.jpg', 'two.jpg', 'three.jpg', 'broken.jpg'] as const;

export function fillFolder({ storage, ledger }: SimulatedCatalog): void {
  for (const [index, name] of FILES.entries()) {
    const picture = PICTURES[index] as Picture;
    storage.folder.files.set(name, picture.bytes);
    // An import sends a file as often as it likes.
    ledger.wants({ space: COMMON_SPACE, name, picture, key: undefined, title: undefined }).unknown = 1;
  }
}

export const IMPORT: OperationKind = {
  weight: 1,
  run: async (catalog, { process }) => {
    await catalog.attempt(() => importThrough(catalog, catalog.process(process)));
  },
};

/** Resolves to the number of files whose images are there. */
export async function importThrough(catalog: SimulatedCatalog, process: CatalogProcess): Promise<number> {
  const { ledger, storage } = catalog;
  const describe = (path: string): FileDescription => ({ name: path, isExported: false });
  const target = asService(process.importTargets.in(COMMON_SPACE));
  const folder = new ImportFolder(process.ports.folder, target, storage.journal, {
    dryRun: false,
    jobs: 2,
    accepted: MEDIA_TYPES,
    describe,
    stopped: STAYING,
    onOutcome: (outcome) => {
      if (outcome.outcome === 'created') {
        ledger.belongsTo(outcome.id as number, COMMON_SPACE);
        ledger.acknowledges(outcome.id as number);
      }
      if (outcome.outcome !== 'refused') return;
      require(outcome.path === 'broken.jpg', `${outcome.path} was refused: ${outcome.code}`);
    },
  });
  const report = await folder.execute();
  return report.created + report.present;
}

/** Errors as a client has them. */
function asService(target: ImportTarget): ImportTarget {
  return {
    lookUp: (...args) => target.lookUp(...args).catch(throwImportError),
    upload: (...args) => target.upload(...args).catch(throwImportError),
  };
}

function throwImportError(error: unknown): never {
  if (!(error instanceof DomainError)) throw error;
  const isRefusal = error.code === 'invalid_image';
  throw new ImportError(error.message, { code: error.code, isRefusal }, { cause: error });
}
