import type { Knex } from 'knex';
import type { ImageReads } from './image-reads.ts';
import { IMAGE_COLUMNS, type ImageColumns } from './image-row.ts';

/** A prepared statement with an asterisk fails after a migration adds a column. */
const FIND_ALL_BY_ID = `select ${IMAGE_COLUMNS.join(', ')} from images where id = any(?)`;

/** Each connection prepares the statement once. */
export class PostgresPreparedReads implements ImageReads {
  constructor(private readonly knex: Knex) {}

  async findAllById(ids: readonly number[]): Promise<readonly ImageColumns[]> {
    const { rows } = await this.knex
      .raw<{ readonly rows: readonly ImageColumns[] }>(FIND_ALL_BY_ID, [[...ids]])
      .options({ name: 'images_by_id' });
    return rows;
  }
}
