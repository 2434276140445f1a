import type { Knex } from 'knex';
import { ObjectionImageRepository } from '../../../src/adapters/sql/objection-image-repository.ts';
import type { SlowReads } from '../../../src/adapters/sql/slow-reads.ts';
import { readerOf } from '../../../src/adapters/sql/sql-fragment.ts';
import { SqlImageSearch } from '../../../src/adapters/sql/sql-image-search.ts';
import { SqlMetadataStore } from '../../../src/adapters/sql/sql-metadata-store.ts';
import { SqlTagIndex } from '../../../src/adapters/sql/sql-tag-index.ts';
import { SqlTimeline } from '../../../src/adapters/sql/sql-timeline.ts';
import { Calendar } from '../../../src/domain/image/calendar.ts';
import type { FindingUnderTest } from '../../contracts/finding.contract.ts';
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
    search: new SqlImageSearch(knex, unlimitedReads(knex)),
    timeline: new SqlTimeline(knex, unlimitedReads(knex), CALENDAR),
    clock,
  };
}

/** On the connections of all others, without a time limit. */
export function unlimitedReads(knex: Knex): SlowReads {
  return { run: async (_, work) => await work(readerOf(knex)) };
}

export function inMemoryFinding(clock = new ManualClock()): FindingPorts {
  const images = new InMemoryImageRepository(clock);
  const metadata = new InMemoryMetadata(images);
  const search = new InMemorySearch(images, CALENDAR);
  return { images, metadata, tags: metadata, search, timeline: search, clock };
}
