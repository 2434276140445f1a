import type { Knex } from 'knex';
import { SqlImageSearch } from '../../../src/adapters/sql/search/sql-image-search.ts';
import { Calendar } from '../../../src/domain/image/time/calendar.ts';
import { CANDIDATES, type FindingUnderTest } from '../../contracts/search.contract.ts';
import type { TrashUnderTest } from '../../contracts/trash.contract.ts';
import { sqlPorts } from '../fixtures/sql-ports.ts';
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

export function sqlTrash(knex: Knex, clock = new ManualClock()): TrashPorts {
  const ports = sqlPorts(knex, { clock, timeZone: CALENDAR.timeZone });
  return { ...ports, cut: new SqlImageSearch(ports.catalog, CUT), clock };
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
