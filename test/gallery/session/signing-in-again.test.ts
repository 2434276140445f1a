import { expect } from 'chai';
import { describeVisits, gallery, servers, signIn } from '../support/visits.ts';

/** The gallery renews a token when two thirds of its time are over. */
const TOKEN_LIFETIME_SECONDS = 7;

describeVisits('signing in again', { accessTokenLifetimeSeconds: TOKEN_LIFETIME_SECONDS }, () => {
  beforeEach(() => signIn());

  it('happens in a window without an opener, which closes itself', async () => {
    gallery.watch.expectFault(/status of 400/);
    await gallery.page.route(/\/oauth\/token$/, (route) =>
      route.fulfill({
        status: 400,
        headers: { 'access-control-allow-origin': '*' },
        json: { error: 'invalid_grant' },
      }),
    );
    await gallery.banner('Your session has ended').waitFor();
    await gallery.page.unroute(/\/oauth\/token$/);
    // With its cookies the provider would ask nothing.
    await gallery.page.context().clearCookies();

    const [aside] = await Promise.all([gallery.page.waitForEvent('popup'), gallery.signInButton.click()]);
    await aside.waitForURL((url) => url.origin === new URL(servers.provider.issuer).origin);
    expect(await aside.evaluate('window.opener')).to.equal(null);

    await Promise.all([
      aside.waitForEvent('close'),
      // Not until the page has been loaded to which it leads: that closes itself.
      aside.getByRole('button', { name: 'Sign in as Demo' }).click({ noWaitAfter: true }),
    ]);
    await gallery.banner('Your session has ended').waitFor({ state: 'detached' });
    expect(await gallery.title.count()).to.equal(1);
  });
});
