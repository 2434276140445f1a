import type { Logger } from 'pino';
import type { DecoderPool } from '../adapters/decoder/decoder-pool.ts';
import type { CatalogDatabase } from '../adapters/sql/database/catalog-database.ts';
import type { OpenDatabase } from '../adapters/sql/database/database-location.ts';
import type { ChangePorts, ChangeUseCases } from '../application/changes/change-use-cases.ts';
import type { UseCasePorts } from '../application/use-cases.ts';
import type { BlobStorage } from '../domain/ports/bytes/blob-store.ts';
import type { StagingArea } from '../domain/ports/bytes/staging-area.ts';
import type { OpenStore } from '../domain/ports/bytes/store-location.ts';
import type { ImageInspector } from '../domain/ports/pictures/image-inspector.ts';
import type { ProcessRegistry } from '../domain/ports/process/process-registry.ts';
import type { CopiedTables } from '../domain/ports/records/copied-tables.ts';
import type { InSpaces } from '../domain/ports/records/in-spaces.ts';
import type { SweepSlices } from '../domain/ports/records/sweep-slices.ts';
import type { TagIndex } from '../domain/ports/records/tag-index.ts';
import type { StorageConfig } from './config/config.ts';

/** What the container makes, for commands as well. */
export interface StorageParts extends UseCasePorts, ChangePorts {
  readonly config: StorageConfig;
  readonly log: Logger;
  readonly database: OpenDatabase;
  readonly catalog: CatalogDatabase;
  readonly processes: ProcessRegistry;
  readonly tags: InSpaces<TagIndex>;
  readonly sweepSlices: SweepSlices;
  readonly tables: CopiedTables;
  readonly changeUseCases: ChangeUseCases;
  readonly stores: { readonly blobs: OpenStore; readonly cache: OpenStore };
  readonly blobs: BlobStorage;
  readonly staging: StagingArea;
  readonly decoders: DecoderPool;
  /** Yields no pixels of the default rendition, and no metadata. */
  readonly inspector: ImageInspector;
}
