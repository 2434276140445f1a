import { encodeCursor } from '../../src/adapters/http/listing/list-cursor.ts';
import { type Catalog, createdAtOf, sha256Of } from '../support/fill-catalog.ts';
import type { Job } from '../support/jobs.ts';
import type { Server } from '../support/server.ts';
import type { Workbench } from '../support/workbench.ts';

/** A service with a catalog of some size. */
export interface Filled {
  readonly catalog: Catalog;
  readonly server: Server;
}

/** Something whose cost is not to grow with the catalog. */
export interface Task {
  readonly name: string;
  /** Cost at the largest size to that at the smallest, where it is promised. */
  readonly target?: number;
  /** @param round counted from 0: what is deleted in one round is not there in the next */
  readonly job: (bench: Workbench, filled: Filled, round: number) => Promise<Job>;
}

const CONCURRENCY = 8;
const DELETES_PER_ROUND = 60;

/** What a page without filters is a page of, as `list-images-handler` writes it. */
const ASCENDING = JSON.stringify(['asc', null, null, null, null]);

function get(name: string, pathOf: (catalog: Catalog) => string, target?: number): Task {
  return {
    name,
    ...(target !== undefined && { target }),
    job: async (bench, { server, catalog }) => ({
      kind: 'get',
      requests: [{ url: new URL(pathOf(catalog), server.url).href, headers: bench.authorization }],
      connections: CONCURRENCY,
      seconds: bench.seconds,
      status: 200,
      atLeastBytes: 300,
    }),
  };
}

const deleting: Task = {
  name: 'delete',
  job: async (bench, { server }, round) => ({
    kind: 'each',
    method: 'DELETE',
    urls: Array.from(
      { length: DELETES_PER_ROUND },
      (_, index) => `${server.url}api/image/${100 + round * DELETES_PER_ROUND + index}`,
    ),
    headers: bench.authorization,
    connections: CONCURRENCY,
    status: 204,
  }),
};

const uploading: Task = {
  name: 'upload of 100 KB',
  job: (bench, { server }) =>
    bench.uploadJob(server, '100KB', { connections: CONCURRENCY, seconds: bench.seconds }),
};

/** Reads first: what the others leave behind is in nobody's way. */
export const TASKS: readonly Task[] = [
  get('record', ({ size }) => `api/image/${Math.ceil(size / 2)}`),
  get('first page of 50', () => 'api/images?limit=50', 1.2),
  get(
    'last page of 50',
    ({ size }) => `api/images?limit=50&after=${encodeCursor(size - 50, ASCENDING)}`,
    1.2,
  ),
  get('page of PNGs', () => 'api/images?limit=50&mediaType=image/png'),
  get('page by sha256', ({ size }) => `api/images?limit=50&sha256=${sha256Of(Math.ceil(size / 2))}`),
  get(
    'page created after, near the end',
    (catalog) => `api/images?limit=50&createdAfter=${createdAtOf(catalog, catalog.size - 60).toISOString()}`,
  ),
  deleting,
  uploading,
];
