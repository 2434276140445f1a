import { expect } from 'chai';
import { skipAloud } from '../../support/skipped/skip-aloud.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { GalleryServers } from '../support/gallery-servers.ts';
import { isLighthouseThere, runLighthouse } from '../support/run-lighthouse.ts';

const PICTURES = 30;

describe('the gallery in Lighthouse', function () {
  let servers: GalleryServers;

  before(async function () {
    if (!isLighthouseThere()) skipAloud(this, 'there is no Lighthouse (npm ci --prefix test/lighthouse)');
    servers = await GalleryServers.start();
    await servers.upload(await makePictures(PICTURES));
  });

  after(() => servers?.stop());

  it('is accessible and follows best practices, signed out and signed in, on phones and desktops', async () => {
    const judgements = await runLighthouse(servers.url, ['accessibility', 'best-practices']);

    const full = { accessibility: 1, 'best-practices': 1 };
    expect(judgements).to.deep.equal([
      { view: 'sign-in page', device: 'phone', scores: full, faults: [] },
      { view: 'sign-in page', device: 'desktop', scores: full, faults: [] },
      { view: 'grid', device: 'phone', scores: full, faults: [] },
      { view: 'grid', device: 'desktop', scores: full, faults: [] },
    ]);
  });
});
