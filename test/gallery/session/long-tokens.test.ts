import { expect } from 'chai';
import { sessionOfPerson } from '../support/session-of-person.ts';
import { begin, describeVisits, gallery, load, servers, startServers } from '../support/visits.ts';

/** As a person whose token has 20,000 characters more. */
async function loadWithLongToken(): Promise<void> {
  const { value, ...session } = await sessionOfPerson(servers);
  const saved = JSON.parse(value) as { readonly access_token: string };
  const access_token = saved.access_token + 'x'.repeat(20_000);
  await gallery.giveSession({ ...session, value: JSON.stringify({ ...saved, access_token }) });
  gallery.watch.expectFault(/431|CORS policy|net::ERR_FAILED/);
  await load();
}

describeVisits('a token that is longer than the service accepts', undefined, () => {
  for (const origins of ['*', 'https://app.example.com']) {
    it(`is what the page names with CORS_ORIGIN=${origins}`, async () => {
      await startServers({ env: { CORS_ORIGIN: origins } });
      await begin();

      await loadWithLongToken();

      await gallery.page
        .getByText(/^The token of your sign-in is too long/)
        .first()
        .waitFor();
      expect(await gallery.page.getByText('cannot be reached').count()).to.equal(0);
    });
  }

  it('is judged as others are if the service has a larger limit', async () => {
    await startServers({ env: { NODE_OPTIONS: '--max-http-header-size=65536' } });
    await begin();
    const refused = gallery.page.waitForResponse(
      (response) => response.url().includes('/api/') && response.status() === 401,
    );
    gallery.watch.expectFault(/status of 401/);

    await loadWithLongToken();

    await refused;
    // With a new token, which is short.
    await gallery.emptyCatalog.waitFor();
    expect(await gallery.page.getByText('too long').count()).to.equal(0);
  });
});
