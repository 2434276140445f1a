import { expect } from 'chai';
import { ImageCatalog } from '../../client/src/node.ts';
import { collectAll } from '../support/fixtures/collect-all.ts';
import { json, ScriptedServer, type Step } from '../support/servers/scripted-server.ts';

const ITEMS = [1, 2, 3].map((id) => ({ id, links: {} }));
const [ONE, ...OTHERS] = ITEMS;

/** Pages may be short or empty: the last is the one without `next`. */
function pagesOf(path: string): readonly Step[] {
  const next = (after: number): Readonly<Record<string, string>> => ({
    link: `<${path}?after=${after}>; rel="next"`,
  });
  return [
    json(200, [], next(10)),
    json(200, [ONE], next(11)),
    json(200, [], next(12)),
    json(200, [], next(13)),
    json(200, OTHERS, next(14)),
    json(200, []),
  ];
}

describe('Pages that are empty or short do not end', () => {
  let server: ScriptedServer;

  afterEach(() => server.stop());

  for (const [title, path, read] of [
    ['the list of images', '/api/images', (catalog) => catalog.list()],
    ['the list of names', '/api/names', (catalog) => catalog.listNames()],
    ['the groups of copies', '/api/images/copies', (catalog) => catalog.copies()],
    ['the trash', '/api/trash', (catalog) => catalog.listTrash()],
  ] as const satisfies ReadonlyArray<
    readonly [string, string, (catalog: ImageCatalog) => AsyncIterable<unknown>]
  >) {
    it(title, async () => {
      server = await ScriptedServer.start(...pagesOf(path));
      const catalog = new ImageCatalog({ url: server.url, getToken: () => 'token' });

      expect(await collectAll<unknown>(read(catalog))).to.deep.equal(ITEMS);
      const cursors = server.seen.map(({ url }) => new URL(url, server.url).searchParams.get('after'));
      expect(cursors).to.deep.equal([null, '10', '11', '12', '13', '14']);
    });
  }
});
