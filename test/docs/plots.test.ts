import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { drawPublishedPlots } from '../../bench/support/plots/published-plots.ts';

const DOCS = new URL('../../docs/', import.meta.url);

describe('The plots of docs/performance.md', () => {
  it('are those of the published results, all of them, light and dark', async () => {
    const page = await readFile(new URL('performance.md', DOCS), 'utf8');
    const plots = await drawPublishedPlots();

    for (const [name, svg] of plots) {
      expect(await readFile(new URL(`images/${name}`, DOCS), 'utf8'), name).to.equal(svg);
    }
    expect(page.match(/performance-[\w-]+\.svg/g)).to.have.members([...plots.keys()]);
  });
});
