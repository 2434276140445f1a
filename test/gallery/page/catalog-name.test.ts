import { expect } from 'chai';
import { describeVisits, gallery, open, startServers } from '../support/visits.ts';

const NAME = 'Family & friends of the museum, Zürich 🐈';

describeVisits('the name of the catalog', undefined, () => {
  it('is in the header and in the tab before the sign-in and behind it, and in the manifest', async () => {
    await startServers({ env: { WEB_TITLE: NAME } });
    await open();
    const heading = gallery.page.getByRole('heading', { level: 1 });
    await gallery.signInButton.waitFor();
    expect((await heading.textContent())?.trim()).to.equal(NAME);
    expect(await gallery.page.title()).to.equal(NAME);

    await gallery.signIn();
    await heading.getByRole('link', { name: `${NAME}: all pictures` }).waitFor();
    expect(await gallery.page.title()).to.equal(NAME);
    await gallery.page.goto(`${gallery.page.url()}?view=tags`);
    await gallery.page.getByRole('heading', { name: 'Tags', exact: true }).waitFor();
    expect(await gallery.page.title()).to.equal(`Tags – ${NAME}`);

    const manifest = `fetch('./manifest.webmanifest').then((response) => response.json())`;
    expect(await gallery.page.evaluate(manifest)).to.include({ name: NAME, short_name: NAME });
    expect(await gallery.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
    await gallery.page.setViewportSize({ width: 390, height: 800 });
    expect(await gallery.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
  });
});
