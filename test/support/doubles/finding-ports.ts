import type { Knex } from 'knex';
import { CatalogDatabase } from '../../../src/adapters/sql/database/catalog-database.ts';
import type { SlowReads } from '../../../src/adapters/sql/database/slow-reads.ts';
import { ObjectionImageRepository } from '../../../src/adapters/sql/records/objection-image-repository.ts';
import { SqlImageSearch } from '../../../src/adapters/sql/search/sql-image-search.ts';
import { SqlMetadataStore } from '../../../src/adapters/sql/search/sql-metadata-store.ts';
import { SqlTagIndex } from '../../../src/adapters/sql/search/sql-tag-index.ts';
import { SqlTimeline } from '../../../src/adapters/sql/search/sql-timeline.ts';
import { Calendar } from '../../../src/domain/image/time/calendar.ts';
import type { FindingUnderTest } from '../../contracts/search.contract.ts';
import { InMemoryImageRepository } from './in-memory-image-repository.ts';
import { InMemoryMetadata } from './in-memory-metadata.ts';
import { InMemorySearch } from './in-memory-search.ts';
import { ManualClock } from './manual-clock.ts';

const CALENDAR = new Calendar('Europe/Berlin');

export type FindingPorts = Omit<FindingUnderTest, 'tearDown'>;

export function sqlFinding(knex: Knex, clock = new ManualClock()): FindingPorts {
  return {
    images: new ObjectionImageRepository(knex, clock, undefined, knex, CALENDAR),
    metadata: new SqlMetadataStore(knex, clock, CALENDAR),
    tags: new SqlTagIndex(knex),
    search: searchOf(knex),
    timeline: new SqlTimeline(knex, unlimitedReads(knex), CALENDAR),
    clock,
  };
}

export function searchOf(knex: Knex): SqlImageSearch {
  return new SqlImageSearch(knex, unlimitedReads(knex));
}

/** On the connections of all others, without a time limit. */
export function unlimitedReads(knex: Knex): SlowReads {
  return { run: async (_, work) => await work(new CatalogDatabase(knex)) };
}

export function inMemoryFinding(clock = new ManualClock()): FindingPorts {
  const images = new InMemoryImageRepository(clock);
  const metadata = new InMemoryMetadata(images);
  const search = new InMemorySearch(images, CALENDAR);
  return { images, metadata, tags: metadata, search, timeline: search, clock };
}
