import { expect } from 'chai';
import { RunningCatalog } from '../support/servers/running-catalog.ts';

interface Described {
  readonly servers: ReadonlyArray<{ readonly url: string }>;
}

const API_URL = 'https://images.example.com/catalog/';

describe('The built service describes its API', () => {
  let catalog: RunningCatalog | undefined;

  afterEach(async () => {
    await catalog?.stop();
    catalog = undefined;
  });

  it('with the address and the port of its listener', async () => {
    catalog = await RunningCatalog.start();

    const document = (await (await catalog.request('api/openapi.json')).json()) as Described;

    expect(document.servers).to.deep.equal([{ url: catalog.url.replace(/\/$/, '') }]);
  });

  it('with API_URL, in the same bytes on the management listener and after a restart', async () => {
    catalog = await RunningCatalog.start({ env: { API_URL, MANAGEMENT_PORT: '0' } });
    const management = catalog.logged(({ msg }) => msg === 'management listening')[0]?.['port'];

    const first = await catalog.request('api/openapi.json');
    const withoutToken = await fetch(`http://127.0.0.1:${String(management)}/openapi.json`);
    const [text, same] = [await first.text(), await withoutToken.text()];
    await catalog.process.stop();
    await catalog.restart();
    const second = await catalog.request('api/openapi.json');

    expect((JSON.parse(text) as Described).servers).to.deep.equal([
      { url: 'https://images.example.com/catalog' },
    ]);
    expect([same, await second.text()]).to.deep.equal([text, text]);
    const tags = [first, withoutToken, second].map(({ headers }) => headers.get('etag'));
    expect(new Set(tags).size).to.equal(1);
  });
});
