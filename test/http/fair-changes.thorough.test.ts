import { expect } from 'chai';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { TestService } from '../support/http/test-service.ts';
import {
  type OpenRecords,
  openFiles,
  openPostgres,
  openSqlite,
  storageOf,
} from '../support/http/test-storage.ts';
import { PostgresServer } from '../support/servers/postgres-server.ts';

const EDITORS = 32;
/** Four changes are under way when the other subject asks, the next four may end just before its change does, and that is one more. */
const MAX_CHANGES_MEANWHILE = 9;

/** The description with the most words: each pair of neighbours is one. */
function longText(at: number): string {
  return String.fromCodePoint(
    ...Array.from({ length: 5_000 }, (_, index) => 0x4e00 + ((index * 7 + at * 13) % 20_000)),
  );
}

const DATABASES: ReadonlyArray<readonly [string, OpenRecords]> = [
  ['SQLite', openSqlite],
  ['Postgres', openPostgres],
];

for (const [database, openRecords] of DATABASES) {
  describe(`${EDITORS} of the largest PATCHes of one subject at a time on ${database}`, function () {
    let service: TestService;
    let ids: readonly number[];
    let editors: ReadonlyArray<Promise<void>>;
    const stopped = new AbortController();

    before(async function () {
      if (database === 'Postgres' && (await PostgresServer.shared()) === undefined) this.skip();
      service = await TestService.start({ openStorage: storageOf(openRecords, openFiles) });
      const images = service.container.get(TOKENS.images).in(COMMON_SPACE);
      const added = Array.from({ length: EDITORS + 1 }, () => images.add(newImage()));
      ids = (await Promise.all(added)).map(({ id }) => id);
      editors = ids.slice(1).map((id) => editOn(id));
    });

    after(async () => {
      stopped.abort();
      await Promise.all(editors ?? []);
      await service?.stop();
    });

    async function editOn(id: number): Promise<void> {
      for (let round = 0; !stopped.signal.aborted; round += 1) {
        const status = await send('alice', 'PATCH', `/api/image/${id}/metadata`, {
          description: longText(id + round),
        });
        // On a slow machine, changes of alice wait for her others for more than 10 seconds.
        expect(status).to.be.oneOf([200, 503]);
      }
    }

    async function send(sub: string, method: string, path: string, body?: object): Promise<number> {
      const response = await fetch(service.url + path, {
        method,
        headers: {
          Authorization: service.bearerWith({ sub }),
          'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      await response.arrayBuffer();
      return response.status;
    }

    /** Its number: the feed shows all changes that were written before. */
    async function newestChange(): Promise<number> {
      return (await service.container.get(TOKENS.changes).latest()).number;
    }

    it('delay a change of another subject by those that are under way alone', async () => {
      const id = ids[0] as number;
      const others: ReadonlyArray<readonly [number, string, string, object?]> = [
        [200, 'PATCH', `/api/image/${id}/metadata`, { title: 'Cat' }],
        [200, 'POST', '/api/images/metadata', { ids: [id], addTags: ['cat'] }],
        [201, 'PUT', '/api/names/cat', { id }],
        [204, 'DELETE', '/api/names/cat'],
        [404, 'POST', `/api/trash/${id}/restore`],
      ];
      for (const [status, method, path, body] of others) {
        const before = await newestChange();

        expect(await send('bob', method, path, body)).to.equal(status);

        expect((await newestChange()) - before, `${method} ${path}`).to.be.at.most(MAX_CHANGES_MEANWHILE);
      }
    });
  });
}
