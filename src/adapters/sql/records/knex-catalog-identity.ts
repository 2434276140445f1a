import type { Knex } from 'knex';
import type { UuidGenerator } from '../../../domain/ports/process/uuid-generator.ts';
import type { CatalogIdentity } from '../../../domain/ports/records/catalog-identity.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';

const TABLE = 'catalog_identity';
const SINGLETON = 1;

export class KnexCatalogIdentity implements CatalogIdentity {
  constructor(
    private readonly database: CatalogDatabase,
    private readonly uuids: UuidGenerator,
  ) {}

  async find(): Promise<string | undefined> {
    const { reader } = this.database;
    return await this.database.run(async () => {
      // The table may be missing: dry runs do not migrate.
      return (await reader.schema.hasTable(TABLE)) ? await read(reader) : undefined;
    });
  }

  async establish(): Promise<string> {
    const { knex } = this.database;
    return await this.database.run(async () => {
      const found = await read(knex);
      if (found !== undefined) return found;
      // The first of concurrent inserts wins.
      await knex(TABLE).insert(rowOf(this.uuids.next())).onConflict('singleton').ignore();
      return (await read(knex)) as string;
    });
  }

  async adopt(id: string): Promise<void> {
    await this.database.run(() =>
      this.database.knex(TABLE).insert(rowOf(id)).onConflict('singleton').merge(),
    );
  }
}

function rowOf(id: string): { readonly singleton: number; readonly id: string } {
  return { singleton: SINGLETON, id };
}

async function read(from: Knex): Promise<string | undefined> {
  const [id] = await from(TABLE).pluck<string[]>('id');
  return id;
}
