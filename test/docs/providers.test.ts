import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { PROVIDERS } from '../../src/infrastructure/commands/init/providers.ts';

const PAGE = new URL('../../docs/providers.md', import.meta.url);

describe('docs/providers.md', () => {
  it('has three lines for each provider that init knows, with its issuer and its keys', async () => {
    const sections = (await readFile(PAGE, 'utf8')).split(/^## /m).slice(1, -1);
    const { other: _other, ...known } = PROVIDERS;

    expect(sections).to.have.length(Object.keys(known).length);
    for (const [at, { name, issuer, keys }] of Object.values(known).entries()) {
      const [title = '', ...lines] = sections[at]?.split('\n').filter((line) => line !== '') ?? [];
      expect(name).to.include(title);
      expect(lines.map((line) => /^- \*\*(\w+):\*\*/.exec(line)?.[1])).to.deep.equal([
        'Issuer',
        'Audience',
        'Gallery',
      ]);
      expect(lines[0]).to.include(`\`${issuer}\``);
      if (!keys.startsWith('.well-known')) expect(lines[0]).to.include(`\`${keys}\``);
    }
  });
});
