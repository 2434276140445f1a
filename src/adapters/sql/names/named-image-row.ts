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
  readonly name: Name;
  readonly number: number;
  readonly mark: number;
  readonly name_version: number;
  readonly set_at: number;
  readonly is_public: number;
}

/** A name that was found in its space. */
export interface OwnedImageRow extends NamedImageRow {
  readonly space_name: Space;
}

/** The keys are one parameter: one prepared statement is enough for any number of them. Names that are gone have no row. */
export function selectNamedImages(keys: readonly NameKey[], dialect: SqlDialect): SqlFragment {
  return sql`select spaces.name as space_name, ${namedColumns(dialect)} from ${dialect.jsonRows(keys)}
    join spaces on spaces.name = value ->> 0 join names on names.space = spaces.id and names.name = value ->> 1
    join images on images.id = names.image_id ${JOIN_METADATA}`;
}

/** The numbers are one parameter, too. */
export function selectPublicImages(numbers: readonly number[], dialect: SqlDialect): SqlFragment {
  return sql`select ${namedColumns(dialect)} from names join images on images.id = names.image_id ${JOIN_METADATA}
    where ${dialect.isAmong('names.number', numbers)} and names.is_public = 1`;
}

function namedColumns(dialect: SqlDialect): SqlFragment {
  return sql`names.name, names.number, names.mark, names.version as name_version, names.updated_at as set_at, names.is_public,
    ${catalogColumns(dialect)}`;
}

/** With names that are gone. */
export function selectNumberedNames(numbers: readonly number[], dialect: SqlDialect): SqlFragment {
  const rows = dialect.isAmong('number', numbers);
  return sql`select ${raw(NAME_COLUMNS)} from names where ${rows}`;
}

export function foundImageFrom(row: NamedImageRow): FoundImage {
  const { name, number, mark, name_version: version, set_at, id, is_public } = row;
  const named = { name, number, mark, version, updatedAt: new Date(set_at), imageId: id };
  return { ...named, isPublic: is_public === 1, image: catalogImageFromRow(row) };
}
