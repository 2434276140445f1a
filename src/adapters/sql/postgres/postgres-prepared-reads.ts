import type { Knex } from 'knex';
import type { NameRow } from '../names/name-row.ts';
import {
  type NamedImageRow,
  type NameKey,
  type NameReads,
  selectNamedImages,
  selectNumberedNames,
} from '../names/named-image-row.ts';
import { type ImageReads, type OwnedColumns, selectOwnedImages } from '../records/image-row.ts';
import { sql } from '../database/sql-fragment.ts';
import { POSTGRES_DIALECT } from './postgres-dialect.ts';

const FIND_ALL_BY_ID = sql`${selectOwnedImages(POSTGRES_DIALECT)} where images.id = any(?)`.sql;

const FIND_ALL_NAMED = selectNamedImages([], POSTGRES_DIALECT).sql;
const FIND_ALL_NUMBERED = selectNumberedNames([], POSTGRES_DIALECT).sql;

/** Each connection prepares a statement once. */
export class PostgresPreparedReads implements ImageReads, NameReads {
  constructor(private readonly knex: Knex) {}

  async findAllById(ids: readonly number[]): Promise<readonly OwnedColumns[]> {
    return await this.all('catalog_images_by_id', FIND_ALL_BY_ID, [...ids]);
  }

  async findAllNamed(keys: readonly NameKey[]): Promise<readonly NamedImageRow[]> {
    return await this.all('catalog_images_by_name', FIND_ALL_NAMED, JSON.stringify(keys));
  }

  async findAllNumbered(numbers: readonly number[]): Promise<readonly NameRow[]> {
    return await this.all(
      'catalog_names_by_number',
      FIND_ALL_NUMBERED,
      JSON.stringify(numbers.map((number) => [number])),
    );
  }

  private async all<Row>(
    name: string,
    text: string,
    values: string | readonly number[],
  ): Promise<readonly Row[]> {
    const { rows } = await this.knex
      .raw<{ readonly rows: readonly Row[] }>(text, [values as Knex.Value])
      .options({ name });
    return rows;
  }
}
