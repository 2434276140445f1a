import { expect } from 'chai';
import type { CDPSession } from 'playwright-core';
import { describeVisits, gallery, open, servers } from '../support/visits.ts';

interface Manifest {
  readonly errors: readonly unknown[];
  readonly data: string;
  readonly url: string;
}

describeVisits('an installation of the gallery', { isOneVisit: true }, () => {
  let devTools: CDPSession;

  before(async () => {
    await open();
    devTools = await gallery.page.context().newCDPSession(gallery.page);
  });

  it('is possible: the manifest and its icons are complete', async () => {
    const { errors, url, data } = (await devTools.send('Page.getAppManifest')) as Manifest;
    const { installabilityErrors } = (await devTools.send('Page.getInstallabilityErrors')) as {
      readonly installabilityErrors: readonly { readonly errorId: string }[];
    };

    expect(url).to.equal(`${servers.url}manifest.webmanifest`);
    expect(errors).to.deep.equal([]);
    expect(JSON.parse(data)).to.include({ display: 'standalone', start_url: './' });
    // A window of tests keeps nothing, so that nothing can be installed from it.
    expect(
      installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'),
    ).to.deep.equal([]);
    gallery.watch.expectCalm('the manifest');
  });

  it('has a frame in the colour of the theme, also of one that the person chose', async () => {
    const frame = async (): Promise<unknown> =>
      await gallery.page.evaluate(
        `[...document.querySelectorAll('meta[name="theme-color"]')].filter(({ media }) => matchMedia(media).matches).map(({ content }) => content)`,
      );
    await gallery.page.emulateMedia({ colorScheme: 'light' });
    expect(await frame()).to.deep.equal(['#fff']);
    await gallery.page.emulateMedia({ colorScheme: 'dark' });
    expect(await frame()).to.deep.equal(['#111214']);

    await gallery.signIn();
    await gallery.accountButton.click();
    await gallery.page.getByText('Light', { exact: true }).click();

    expect(await frame()).to.deep.equal(['#fff']);
  });
});
