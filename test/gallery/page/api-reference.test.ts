import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/time/eventually.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { takeScreenshots } from '../support/screenshots.ts';
import { describeVisits, gallery, open, servers } from '../support/visits.ts';

/**
 * Swagger UI has the path of an operation as a link within the button that opens it, headings and
 * landmarks of its own, and a list without a name.
 */
const SWAGGER_UI = ['heading-order', 'nested-interactive', 'region', 'select-name'];

describeVisits('the API reference', {}, () => {
  let page: Page;

  beforeEach(async () => {
    page = (await open({}, 'docs/')).page;
    await page.getByRole('heading', { name: /Image Catalog/ }).waitFor();
  });

  it('shows every operation of the service, and asks no other host', async () => {
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await page.reload();
    await page.getByText('/api/images', { exact: true }).first().waitFor();

    const asked = await eventually(
      () => [...hosts].sort(),
      ({ length }) => length > 1,
    );
    expect(asked).to.deep.equal(
      [servers.url, servers.provider.issuer].map((url) => new URL(url).host).sort(),
    );
    gallery.watch.expectCalm('the API reference');
    await takeScreenshots(page, 'api-reference');
  });

  it('is accessible, as far as Swagger UI is', async () => {
    await expectAccessible(page, 'the API reference', SWAGGER_UI);
  });

  it('signs in and calls the service', async () => {
    // What comes from the network, Swagger UI puts where something else was.
    gallery.watch.expectFault(/^layout shift/);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.dialog-ux');
    await dialog.getByText('images:read').first().waitFor();
    for (const scope of await dialog.getByRole('checkbox').all()) await scope.check({ force: true });
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      dialog.getByRole('button', { name: 'Apply given OAuth2 credentials' }).first().click(),
    ]);
    await Promise.all([
      popup.waitForEvent('close'),
      // Not until the page has been loaded to which it leads: that closes itself.
      popup.getByRole('button', { name: 'Sign in as Demo' }).click({ noWaitAfter: true }),
    ]);
    await dialog.getByRole('button', { name: 'Remove authorization' }).first().waitFor();
    await dialog.getByRole('button', { name: 'Close' }).first().click();

    const operation = page.locator('[id$="listImages"]').first();
    await operation.getByRole('button').first().click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();

    await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    gallery.watch.expectCalm('a call from the API reference');
  });
});
