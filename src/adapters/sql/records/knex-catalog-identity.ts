import type { Knex } from 'knex';
import type { UuidGenerator } from '../../../domain/ports/process/uuid-generator.ts';
import type { CatalogIdentity } from '../../../domain/ports/records/catalog-identity.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';

const TABLE = 'catalog_identity';
const SINGLETON = 1;

export class KnexCatalogIdentity implements CatalogIdentity {
  private readonly database: CatalogDatabase;

  /** @param reader for reads that would wait for writes on `knex` */
  constructor(
    private readonly knex: Knex,
    private readonly uuids: UuidGenerator,
    private readonly reader: Knex = knex,
  ) {
    this.database = new CatalogDatabase(knex);
  }

  async find(): Promise<string | undefined> {
    return await this.database.run(async () => {
      // The table may be missing: dry runs do not migrate.
      return (await this.reader.schema.hasTable(TABLE)) ? await read(this.reader) : undefined;
    });
  }

  async establish(): Promise<string> {
    return await this.database.run(async () => {
      const found = await read(this.knex);
      if (found !== undefined) return found;
      // The first of concurrent inserts wins.
      await this.knex(TABLE).insert(rowOf(this.uuids.next())).onConflict('singleton').ignore();
      return (await read(this.knex)) as string;
    });
  }

  async adopt(id: string): Promise<void> {
    await this.database.run(() => this.knex(TABLE).insert(rowOf(id)).onConflict('singleton').merge());
  }
}

function rowOf(id: string): { readonly singleton: number; readonly id: string } {
  return { singleton: SINGLETON, id };
}

async function read(from: Knex): Promise<string | undefined> {
  const [id] = await from(TABLE).pluck<string[]>('id');
  return id;
}
