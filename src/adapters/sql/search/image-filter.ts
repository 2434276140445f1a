import type { Knex } from 'knex';
import type { SearchFilter } from '../../../domain/ports/records/image-search.ts';

// A hash leaves few rows, a media type about half of the catalog. Without statistics SQLite may choose either index; the
// expression keeps it from choosing that of the media type.
const MEDIA_TYPE_UNINDEXED = "media_type || '' = ?";

// Times never decrease with the id (see `add`), so a bound on the time is a bound on the id, found with one index seek.
// Pages are read in the order of the ids: a bound on the id keeps their cost independent of the time.
const CREATED_AFTER =
  'id > coalesce((select id from images where created_at <= ? order by created_at desc, id desc limit 1), 0)';
const CREATED_BEFORE =
  'id < coalesce((select id from images where created_at >= ? order by created_at, id limit 1), 9223372036854775807)';

export function applyFilter(
  query: Knex.QueryBuilder,
  { mediaType, sha256, createdAfter, createdBefore }: SearchFilter,
): void {
  if (sha256 !== undefined) void query.where('sha256', sha256);
  if (mediaType !== undefined && sha256 === undefined) void query.where('media_type', mediaType);
  if (mediaType !== undefined && sha256 !== undefined) void query.whereRaw(MEDIA_TYPE_UNINDEXED, [mediaType]);
  if (createdAfter !== undefined) void query.whereRaw(CREATED_AFTER, [createdAfter.getTime()]);
  if (createdBefore !== undefined) void query.whereRaw(CREATED_BEFORE, [createdBefore.getTime()]);
}
