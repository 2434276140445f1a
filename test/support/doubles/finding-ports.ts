import type { Knex } from 'knex';
import { SqlChangeFeed } from '../../../src/adapters/sql/changes/sql-change-feed.ts';
import { SqlNames } from '../../../src/adapters/sql/names/sql-names.ts';
import { ObjectionImageRepository } from '../../../src/adapters/sql/records/objection-image-repository.ts';
import { SqlSpaces } from '../../../src/adapters/sql/records/sql-spaces.ts';
import { SqlImageSearch } from '../../../src/adapters/sql/search/sql-image-search.ts';
import { SqlMetadataStore } from '../../../src/adapters/sql/search/sql-metadata-store.ts';
import { SqlTagIndex } from '../../../src/adapters/sql/search/sql-tag-index.ts';
import { SqlTimeline } from '../../../src/adapters/sql/search/sql-timeline.ts';
import { SqlSimilarImages } from '../../../src/adapters/sql/similar/sql-similar-images.ts';
import { SqlTrash } from '../../../src/adapters/sql/trash/sql-trash.ts';
import { Calendar } from '../../../src/domain/image/time/calendar.ts';
import { NO_LIMITS } from '../../../src/domain/space/space.ts';
import { CANDIDATES, type FindingUnderTest } from '../../contracts/search.contract.ts';
import type { TrashUnderTest } from '../../contracts/trash.contract.ts';
import { databaseOn } from '../fixtures/database-on.ts';
import { ManualClock } from '../time/manual-clock.ts';
import { InMemoryImageRepository } from './in-memory-image-repository.ts';
import { InMemoryMetadata } from './in-memory-metadata.ts';
import { InMemorySearch } from './in-memory-search.ts';
import { InMemorySimilarImages } from './in-memory-similar-images.ts';

/** Collects nothing. */
const CUT = { fewHits: 0, words: 2, portion: 2, collected: 0, candidates: CANDIDATES };

const CALENDAR = new Calendar('Europe/Berlin');

export type FindingPorts = Omit<FindingUnderTest, 'tearDown'>;
export type TrashPorts = Omit<TrashUnderTest, 'tearDown'>;

export function sqlFinding(knex: Knex, clock = new ManualClock()): FindingPorts {
  return {
    images: new ObjectionImageRepository(databaseOn(knex), clock, CALENDAR),
    metadata: new SqlMetadataStore(databaseOn(knex), clock, CALENDAR),
    tags: new SqlTagIndex(databaseOn(knex)),
    search: searchOf(knex),
    cut: new SqlImageSearch(databaseOn(knex), CUT),
    timeline: new SqlTimeline(databaseOn(knex), CALENDAR),
    clock,
  };
}

export function searchOf(knex: Knex): SqlImageSearch {
  return new SqlImageSearch(databaseOn(knex));
}

export function sqlTrash(knex: Knex, clock = new ManualClock()): TrashPorts {
  return {
    ...sqlFinding(knex, clock),
    trash: new SqlTrash(databaseOn(knex), clock, CALENDAR),
    spaces: new SqlSpaces(databaseOn(knex), NO_LIMITS),
    similarImages: new SqlSimilarImages(databaseOn(knex)),
    changes: new SqlChangeFeed(databaseOn(knex)),
    names: new SqlNames(databaseOn(knex), clock),
  };
}

export function inMemoryTrash(): TrashPorts {
  const images = new InMemoryImageRepository(new ManualClock());
  return {
    ...inMemoryFinding(images.clock as ManualClock, images),
    trash: images.trash,
    spaces: images.spaces,
    similarImages: new InMemorySimilarImages(images),
    changes: images.changes,
    names: images.names,
  };
}

export function inMemoryFinding(
  clock = new ManualClock(),
  images = new InMemoryImageRepository(clock),
): FindingPorts {
  const metadata = new InMemoryMetadata(images);
  const search = new InMemorySearch(images, CALENDAR);
  const cut = new InMemorySearch(images, CALENDAR, CANDIDATES);
  return { images, metadata, tags: metadata, search, cut, timeline: search, clock };
}
