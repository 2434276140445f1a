import type { Knex } from 'knex';
import type { RowReader } from '../../src/adapters/sql/database/sql-fragment.ts';
import { SqlSpaces } from '../../src/adapters/sql/records/sql-spaces.ts';
import type { SpaceRecords } from '../../src/domain/ports/records/space-records.ts';
import { COMMON_SPACE, NO_LIMITS } from '../../src/domain/space/space.ts';
import { sqlTrash } from '../support/doubles/finding-ports.ts';
import { plantNames } from '../support/fixtures/plant-names.ts';
import { type SqlPorts, sqlPorts } from '../support/fixtures/sql-ports.ts';
import { ManualClock } from '../support/time/manual-clock.ts';
import { behavesLikeACatalogIdentity } from './catalog-identity.contract.ts';
import { behavesLikeAChangeFeed } from './change-feed.contract.ts';
import { findsCopyCandidates } from './copy-candidates.contract.ts';
import { behavesLikeIdempotencyKeys } from './idempotency-keys.contract.ts';
import { behavesLikeAnImageRepository } from './image-repository.contract.ts';
import { behavesLikeLinkKeys } from './link-keys.contract.ts';
import { matchesTheTableOfFields } from './metadata-columns.contract.ts';
import { keepsNames } from './names.contract.ts';
import { findsImages } from './search.contract.ts';
import { findsSimilarImages } from './similar-images.contract.ts';
import { keepsSpacesApart } from './spaces.contract.ts';
import { behavesLikeSweepSlices } from './sweep-slices.contract.ts';
import { behavesLikeATrash } from './trash.contract.ts';
import { behavesLikeWebhookEndpoints } from './webhook-endpoints.contract.ts';

/** An empty catalog, as three processes have opened it. */
interface OpenCatalog {
  readonly knexes: readonly [Knex, Knex, ...Knex[]];
  readonly preparedReads: RowReader;
  readonly reader?: Knex;
  readonly tearDown: () => Promise<void>;
}

interface Made extends SqlPorts {
  readonly knex: Knex;
  readonly clock: ManualClock;
  readonly processes: readonly [SqlPorts, SqlPorts, ...SqlPorts[]];
  /** Processes that have ended. */
  readonly gone: Set<string>;
  readonly tearDown: () => Promise<void>;
}

type All<Name extends keyof SqlPorts> = readonly [SqlPorts[Name], SqlPorts[Name], ...Array<SqlPorts[Name]>];

/** Registers tests of all guarantees of the ports of records. */
export function behavesLikeACatalog(open: () => Promise<OpenCatalog>): void {
  async function make(clock = new ManualClock()): Promise<Made> {
    const { knexes, tearDown, ...reads } = await open();
    const gone = new Set<string>();
    const isGone = (name: string): boolean => gone.has(name);
    const portsOf = (knex: Knex, at: number): SqlPorts =>
      sqlPorts(knex, { clock, processes: { self: `process-${at}`, isGone }, ...(at === 0 && reads) });
    const [first, second, ...others] = knexes.map(portsOf) as [SqlPorts, SqlPorts, ...SqlPorts[]];
    return { ...first, knex: knexes[0], clock, processes: [first, second, ...others], gone, tearDown };
  }

  matchesTheTableOfFields(make);
  behavesLikeAnImageRepository('SQL', make);
  behavesLikeACatalogIdentity('SQL', async () => {
    const made = await make();
    return { ...made, identities: ofEach(made, 'identity') };
  });
  behavesLikeLinkKeys('SQL', async () => {
    const made = await make();
    return { ...made, processes: ofEach(made, 'linkKeys') };
  });
  behavesLikeIdempotencyKeys('SQL', async () => {
    const made = await make();
    const another = {
      keys: made.processes[1].keys,
      end: () => void made.gone.add('process-1'),
      expire: async () => void (await made.knex('idempotency_keys').update({ lease_until: 1 })),
    };
    return { ...made, another };
  });
  keepsSpacesApart('SQL', async () => {
    const made = await make();
    const miscount = async (name: string): Promise<void> =>
      void (await made.knex('spaces').where({ name }).increment({ images: 1, bytes: 1 }));
    const boundedTo = (candidates: number): SpaceRecords =>
      new SqlSpaces(made.catalog, NO_LIMITS, candidates);
    return { ...made, processes: ofEach(made, 'images'), boundedTo, miscount };
  });
  keepsNames('SQL', async () => {
    const made = await make();
    return {
      ...made,
      processes: ofEach(made, 'images'),
      mispoint: async (name, image_id) =>
        void (await made.knex('names').where({ name }).update({ image_id })),
      plant: async (imageId, count) => await plantNames(made.knex, imageId, count),
    };
  });
  behavesLikeAChangeFeed('SQL', async () => {
    const made = await make();
    return { ...made, images: ofEach(made, 'images') };
  });
  behavesLikeWebhookEndpoints('SQL', async () => {
    const made = await make(BEFORE_ALL_DATABASES);
    return { ...made, processes: ofEach(made, 'webhookEndpoints'), images: made.images.in(COMMON_SPACE) };
  });
  behavesLikeSweepSlices('SQL', async () => {
    const made = await make();
    return { ...made, processes: ofEach(made, 'sweepSlices') };
  });
  findsSimilarImages('SQL', make);
  findsCopyCandidates('SQL', async () => {
    const made = await make();
    return { ...made, candidates: made.copyCandidates };
  });
  findsImages('SQL', finding);
  behavesLikeATrash('SQL', finding);

  async function finding(): Promise<ReturnType<typeof sqlTrash> & Pick<OpenCatalog, 'tearDown'>> {
    const { knexes, tearDown } = await open();
    return { ...sqlTrash(knexes[0]), tearDown };
  }
}

/** Before any database was started. */
export const BEFORE_ALL_DATABASES = new ManualClock(new Date('2001-01-01T00:00:00Z'));

function ofEach<Name extends keyof SqlPorts>({ processes }: Made, name: Name): All<Name> {
  const [first, second, ...others] = processes;
  return [first[name], second[name], ...others.map((ports) => ports[name])];
}
