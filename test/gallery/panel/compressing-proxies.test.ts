import { expect } from 'chai';
import { COMPRESSING_PROXIES } from '../../support/servers/compressing-proxy.ts';
import { skipAloud } from '../../support/skipped/skip-aloud.ts';
import { eventually } from '../../support/time/eventually.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { catalog, describeVisits, gallery, other, signIn, startServers } from '../support/visits.ts';

for (const { title, program, isInstalled, alteredTag, start } of COMPRESSING_PROXIES) {
  describeVisits(`edits behind ${title}`, undefined, () => {
    beforeEach(async function () {
      if (!isInstalled()) skipAloud(this, `${program} is not installed`);
      await startServers({ openFront: start, pictures: () => makePictures(2) });
      await signIn();
    });

    async function expectTitle(expected: string | null): Promise<void> {
      const title = await eventually(
        async () => (await other.metadata(1)).title,
        (saved) => saved === expected,
      );
      expect(title).to.equal(expected);
    }

    it('are saved one after the other, and undone', async () => {
      const tags: string[] = [];
      gallery.page.on('response', (response) => {
        if (response.url().endsWith('/metadata')) tags.push(response.headers()['etag'] ?? '');
      });
      await gallery.select(0, 1);
      await gallery.selection.getByRole('button', { name: 'Star' }).click();
      await gallery.page.getByText('2 pictures starred').waitFor();
      await gallery.press('z');
      await gallery.page.getByText('Changes of 2 pictures undone.').waitFor();
      expect((await catalog.list()).map((image) => image.tags)).to.deep.equal([[], []]);
      await gallery.picture(0).click();
      await gallery.showPanel();
      for (const text of ['First', 'Second', 'Third']) {
        await gallery.titleField.fill(text);
        await gallery.descriptionField.focus();
        await expectTitle(text);
      }
      expect(tags).to.include(alteredTag.replace('t', 'm2'));
      gallery.watch.expectCalm(`edits behind ${title}`);
    });
  });
}
