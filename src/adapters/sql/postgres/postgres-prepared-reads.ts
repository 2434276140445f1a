import type { Knex } from 'knex';
import { type ImageReads, type OwnedColumns, selectOwnedImages } from '../records/image-row.ts';
import { POSTGRES_DIALECT } from './postgres-dialect.ts';

const FIND_ALL_BY_ID = `${selectOwnedImages(POSTGRES_DIALECT)} where images.id = any(?)`;

/** Each connection prepares the statement once. */
export class PostgresPreparedReads implements ImageReads {
  constructor(private readonly knex: Knex) {}

  async findAllById(ids: readonly number[]): Promise<readonly OwnedColumns[]> {
    const { rows } = await this.knex
      .raw<{ readonly rows: readonly OwnedColumns[] }>(FIND_ALL_BY_ID, [[...ids]])
      .options({ name: 'catalog_images_by_id' });
    return rows;
  }
}
