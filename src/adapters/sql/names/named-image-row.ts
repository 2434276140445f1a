import type { Name } from '../../../domain/name/name.ts';
import type { FoundImage } from '../../../domain/ports/records/names.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import {
  type CatalogColumns,
  catalogColumns,
  catalogImageFromRow,
  JOIN_METADATA,
} from '../rows/image-columns.ts';

import { NAME_COLUMNS } from './name-row.ts';

export type NameKey = readonly [space: Space, name: Name];

/** A name with the image that it points to. */
export interface NamedImageRow extends CatalogColumns {
  readonly space_name: Space;
  readonly name: Name;
  readonly number: number;
  readonly mark: number;
  readonly name_version: number;
  readonly set_at: number;
}

/** The keys are one parameter: one prepared statement is enough for any number of them. Names that are gone have no row. */
export function selectNamedImages(keys: readonly NameKey[], dialect: SqlDialect): SqlFragment {
  return sql`select spaces.name as space_name, names.name, names.number, names.mark, names.version as name_version,
    names.updated_at as set_at, ${catalogColumns(dialect)} from ${dialect.jsonRows(keys)}
    join spaces on spaces.name = value ->> 0 join names on names.space = spaces.id and names.name = value ->> 1
    join images on images.id = names.image_id ${JOIN_METADATA}`;
}

/** The numbers are one parameter, too. With names that are gone. */
export function selectNumberedNames(numbers: readonly number[], dialect: SqlDialect): SqlFragment {
  const rows = dialect.isAmong('number', numbers);
  return sql`select ${raw(NAME_COLUMNS)} from names where ${rows}`;
}

export function foundImageFrom(row: NamedImageRow): FoundImage {
  const { name, number, mark, name_version: version, set_at, id } = row;
  const named = { name, number, mark, version, updatedAt: new Date(set_at), imageId: id };
  return { ...named, image: catalogImageFromRow(row) };
}
