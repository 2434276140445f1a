import type { Knex } from 'knex';
import type { UuidGenerator } from '../../../domain/ports/process/uuid-generator.ts';
import type { CatalogIdentity } from '../../../domain/ports/records/catalog-identity.ts';
import { CatalogDatabase } from '../database/catalog-database.ts';

const TABLE = 'catalog_identity';
const SINGLETON = 1;

interface IdentityRow {
  readonly singleton: number;
  readonly id: string;
}

export class KnexCatalogIdentity implements CatalogIdentity {
  private readonly database: CatalogDatabase;

  constructor(
    private readonly knex: Knex,
    private readonly uuids: UuidGenerator,
  ) {
    this.database = new CatalogDatabase(knex);
  }

  async find(): Promise<string | undefined> {
    return await this.database.run(async () => {
      // The table may be missing: dry runs do not migrate, and a transfer reads the identity of its source before it migrates it.
      if (!(await this.knex.schema.hasTable(TABLE))) return undefined;
      return await this.read();
    });
  }

  async establish(): Promise<string> {
    return await this.database.run(async () => {
      const found = await this.read();
      if (found !== undefined) return found;
      // The first of concurrent inserts wins.
      await this.rows.insert(this.rowOf(this.uuids.next())).onConflict('singleton').ignore();
      const made = await this.read();
      if (made === undefined) throw new TypeError('What was inserted is not there');
      return made;
    });
  }

  async adopt(id: string): Promise<void> {
    await this.database.run(() => this.rows.insert(this.rowOf(id)).onConflict('singleton').merge());
  }

  private get rows(): Knex.QueryBuilder<IdentityRow, IdentityRow[]> {
    return this.knex<IdentityRow, IdentityRow[]>(TABLE);
  }

  private rowOf(id: string): IdentityRow {
    return { singleton: SINGLETON, id };
  }

  private async read(): Promise<string | undefined> {
    const row = await this.rows.first('id');
    return row?.id;
  }
}
