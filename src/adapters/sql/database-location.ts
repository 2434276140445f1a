import type { Knex } from 'knex';
import type { RecordCopy } from '../../domain/ports/catalog-copy.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { ImageReads } from './image-reads.ts';

/** Where the records are kept: a parsed URL. It opens nothing before `open`. */
export interface DatabaseLocation {
  /** Names the kind of database. */
  readonly kind: string;

  /** Folder on this machine that must exist before the database is opened; `undefined` if there is none. */
  readonly folder: string | undefined;

  /** A text that is the same for all spellings of one existing place; `undefined` if the location itself is as good. */
  identity(): Promise<string | undefined>;

  /** Rejects if `open` would create the database. */
  requireExisting(): Promise<void>;

  /** @param poolMax connections at most, for engines that have a server */
  open(poolMax: number): OpenDatabase;

  /** @throws {CopyUnsupported} */
  requireCopyable(): void;
}

/** A database in use. Connections are made when they are needed. */
export interface OpenDatabase {
  readonly knex: Knex;
  /** Connections that only read, if reads would wait for writes on those of `knex`. */
  readonly reader: Knex;
  /** The fastest read of images by id. */
  readonly imageReads: ImageReads;

  /** Brings the schema up to date. Resolves to the names of the migrations that ran. */
  migrate(migrations: Knex.MigrationSource<unknown>): Promise<readonly string[]>;

  /** Copies all records, as of one moment, into an empty folder of this machine. */
  copyTo(folder: string, clock: Clock): Promise<RecordCopy>;

  close(): Promise<void>;
}
