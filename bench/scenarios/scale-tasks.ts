import { cursorsOf } from '../../src/adapters/http/listing/list-query.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { type Catalog, createdAtOf, sha256Of } from '../support/fill-catalog.ts';
import type { Job } from '../support/jobs.ts';
import type { ScenarioName } from '../support/scenario.ts';
import type { Server } from '../support/server.ts';
import type { Workbench } from '../support/workbench.ts';

export interface FilledService {
  readonly catalog: Catalog;
  readonly server: Server;
  /** Missing if all records are in one. */
  readonly spaces?: number;
}

/** A kind of request whose cost is measured at several sizes of the catalog. */
export interface Task extends ScenarioName {
  readonly about: string;
  /** CPU at the largest size to CPU at the smallest; missing if there is no target. */
  readonly target?: number;
  /** @param round counted from 0: each round deletes other images */
  readonly job: (bench: Workbench, service: FilledService, round: number) => Promise<Job>;
}

const CONCURRENCY = 8;
const DELETES_PER_ROUND = 60;
const MIN_RESPONSE_BYTES = 300;

function getTask(names: Pick<Task, 'name' | 'about' | 'target'>, pathOf: (catalog: Catalog) => string): Task {
  return {
    ...names,
    job: async (bench, { server, catalog }) =>
      bench.getJob(server, [pathOf(catalog)], {
        connections: CONCURRENCY,
        atLeastBytes: MIN_RESPONSE_BYTES,
      }),
  };
}

/** @param part of the catalog that is in front of the page */
function pageTask(name: string, about: string, order: 'asc' | 'desc', part: number): Task {
  return getTask({ name, about, target: 1.2 }, ({ size }) => {
    const cursor = cursorsOf(COMMON_SPACE, { order }).encode({ by: 'created', id: Math.ceil(size * part) });
    return `api/images?limit=50&order=${order}&after=${cursor}`;
  });
}

const READS: readonly Task[] = [
  getTask({ name: 'record', about: 'record' }, ({ size }) => `api/image/${Math.ceil(size / 2)}`),
  getTask({ name: 'first-page', about: 'first page of 50', target: 1.2 }, () => 'api/images?limit=50'),
  getTask(
    { name: 'last-page', about: 'last page of 50', target: 1.2 },
    ({ size }) =>
      `api/images?limit=50&after=${cursorsOf(COMMON_SPACE, {}).encode({ by: 'created', id: size - 50 })}`,
  ),
  pageTask('middle-page', 'middle page of 50', 'asc', 0.5),
  pageTask('middle-page-descending', 'middle page of 50, newest first', 'desc', 0.5),
  getTask(
    { name: 'middle-page-by-date', about: 'page created after, in the middle', target: 1.2 },
    (catalog) =>
      `api/images?limit=50&createdAfter=${createdAtOf(catalog, Math.ceil(catalog.size / 2)).toISOString()}`,
  ),
  getTask({ name: 'page-by-type', about: 'page of PNGs' }, () => 'api/images?limit=50&mediaType=image/png'),
  getTask(
    { name: 'page-by-sha256', about: 'page by sha256' },
    ({ size }) => `api/images?limit=50&sha256=${sha256Of(Math.ceil(size / 2))}`,
  ),
  getTask(
    { name: 'page-by-date', about: 'page created after, near the end' },
    (catalog) => `api/images?limit=50&createdAfter=${createdAtOf(catalog, catalog.size - 60).toISOString()}`,
  ),
];

const deletes: Task = {
  name: 'delete',
  about: 'delete',
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

const uploads: Task = {
  name: 'upload',
  about: 'upload of 100 KB',
  job: (bench, { server }) =>
    bench.uploadJob(server, '100KB', { connections: CONCURRENCY, seconds: bench.seconds }),
};

/** Reads come first, because the other tasks change the catalog. */
export const TASKS: readonly Task[] = [...READS, deletes, uploads];

const TARGET = 1.2;

/** The caller's images are the last ones. */
export const SPACE_TASKS: readonly Task[] = [
  getTask({ name: 'spaces-record', about: 'record', target: TARGET }, ({ size }) => `api/image/${size - 9}`),
  getTask(
    { name: 'spaces-page', about: 'first page of 50', target: TARGET },
    () => 'api/images?limit=50&order=desc',
  ),
  getTask({ name: 'spaces-search', about: 'search', target: TARGET }, () => 'api/images?limit=50&q=beach'),
  { ...uploads, name: 'spaces-upload', target: TARGET },
];
