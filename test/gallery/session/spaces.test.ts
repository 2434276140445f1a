import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { expectAccessible } from '../support/accessibility.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { takeScreenshots } from '../support/screenshots.ts';
import { catalog, describeVisits, gallery, open, servers, signIn, startServers } from '../support/visits.ts';

const MOST_IMAGES = 10;

describeVisits('a space with a limit', undefined, () => {
  beforeEach(async () => {
    const env = { SPACE_MAX_IMAGES: String(MOST_IMAGES), SPACE_MAX_BYTES: '1000000000' };
    await startServers({ env, pictures: () => makePictures(MOST_IMAGES - 1) });
    await signIn();
  });

  function usage(): Locator {
    return gallery.page.getByRole('region', { name: 'Storage' });
  }

  it('shows its usage as bars in the menu of the account, anew each time', async () => {
    await gallery.accountButton.click();
    await usage().getByText('9 of 10 pictures').waitFor();
    await usage().getByText('Almost full').waitFor();
    const bar = usage().getByRole('meter', { name: 'Pictures' });
    expect(await bar.getAttribute('aria-valuetext')).to.equal('9 of 10 pictures');
    expect(await usage().getByRole('meter').count()).to.equal(2);
    gallery.watch.expectCalm('the menu of the account');
    await expectAccessible(gallery.page, 'the usage of a space');
    await takeScreenshots(gallery.page, 'space-usage');
    await gallery.page.emulateMedia({ forcedColors: 'active' });
    expect(
      await bar.evaluate((meter) => getComputedStyle(meter).getPropertyValue('forced-color-adjust')),
    ).to.equal('none');
    await gallery.press('Escape');

    await catalog.delete(1);
    await gallery.accountButton.click();
    await usage().getByText('8 of 10 pictures').waitFor();
    expect(await usage().getByText('Almost full').count()).to.equal(0);
  });

  it('takes uploads until it is full, and the rest when there is room again', async () => {
    gallery.watch.expectFault(/status of 403/);
    let refused = 0;
    gallery.page.on('response', (response) => {
      if (response.status() === 403) refused += 1;
    });
    await gallery.upload(await makePictures(12, 20));
    await gallery.expectUploads('1 uploaded, 11 failed');
    await gallery.uploads.getByText(/^The space is full\. Delete pictures/).waitFor();
    expect(refused).to.be.within(1, 3);
    await expectAccessible(gallery.page, 'uploads to a full space');
    await takeScreenshots(gallery.page, 'space-full');

    for (let id = 1; id <= 9; id += 1) await catalog.delete(id);
    await gallery.button('Try 11 again').click();
    await gallery.expectUploads('10 uploaded, 2 failed');
    expect(await catalog.list()).to.have.length(MOST_IMAGES);
  });
});

describeVisits('a token without a space', { env: { SPACE_CLAIM: 'org' } }, () => {
  beforeEach(() => open());

  it('leads to a page that says what is missing and whom to ask, and asks for nothing again', async () => {
    gallery.watch.expectFault(/status of 403/);
    const requests: string[] = [];
    gallery.page.on('request', (request) => requests.push(request.url()));
    await gallery.signInButton.click();
    await gallery.personButton.click();
    const title = gallery.page.getByRole('heading', { name: 'This account has no space in the catalog' });
    await title.waitFor();
    await gallery.page.getByText('Ask the operator of the catalog').waitFor();
    gallery.watch.expectCalm('a token without a space');
    await expectAccessible(gallery.page, 'a token without a space');
    await takeScreenshots(gallery.page, 'space-missing');
    expect(requests.filter((url) => url.startsWith(servers.apiUrl)).length).to.be.within(1, 4);

    // The provider knows the person.
    const another = gallery.page.waitForResponse((response) => response.url().endsWith('/oauth/token'));
    await gallery.button('Sign in again').click();
    await another;
    await title.waitFor();
    await gallery.signOutButton.click();
    await gallery.page.waitForURL((address) => address.href.startsWith(servers.provider.issuer));
    await gallery.signOutButton.click();
    await gallery.signInButton.waitFor();
  });
});
