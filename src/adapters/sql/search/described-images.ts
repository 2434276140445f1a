import type { Knex } from 'knex';
import type { ImageMetadata } from '../../../domain/image/metadata.ts';
import {
  type DescribedRecord,
  findMetadataRows,
  initialMetadata,
  type MetadataRow,
  metadataFromRow,
} from './metadata-row.ts';

/** An image whose metadata is to be changed. */
export interface Described {
  readonly record: DescribedRecord;
  /** As stored; `undefined` if the image was recorded by an older version. */
  readonly before: MetadataRow | undefined;
  metadata: ImageMetadata;
  /** Who has changed the metadata. */
  by?: string | undefined;
}

interface RecordColumns {
  readonly id: number;
  readonly original_name: string;
  readonly created_at: number;
}

/** By id, in the order of the ids; without those that are not there. */
export async function describedAmong(
  ids: readonly number[],
  connection: Knex,
): Promise<ReadonlyMap<number, Described>> {
  // The metadata first: an image that is removed in between is not there.
  const rows = await findMetadataRows(ids, connection);
  const records: readonly RecordColumns[] = await connection('images')
    .select('id', 'original_name', 'created_at')
    .whereIn('id', [...ids]);
  const found = new Map(records.map((record) => [record.id, recordFrom(record)]));
  const described = ids.flatMap((id) => {
    const record = found.get(id);
    const before = rows.get(id);
    const metadata = before === undefined ? initialMetadata() : metadataFromRow(before);
    return record === undefined ? [] : [[id, { record, before, metadata }] as const];
  });
  return new Map(described);
}

function recordFrom({ id, original_name, created_at }: RecordColumns): DescribedRecord {
  return { id: id, originalName: original_name, createdAt: new Date(created_at) };
}
