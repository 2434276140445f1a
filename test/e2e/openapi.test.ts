import { expect } from 'chai';
import { RunningCatalog } from '../support/servers/running-catalog.ts';

interface Described {
  readonly servers: ReadonlyArray<{ readonly url: string }>;
}

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
});
