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
      if (!(await this.reader.schema.hasTable(TABLE))) return undefined;
      return await this.read(this.reader);
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

  private async read(from = this.knex): Promise<string | undefined> {
    const row = await from<IdentityRow, IdentityRow[]>(TABLE).first('id');
    return row?.id;
  }
}
