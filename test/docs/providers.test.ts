import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { PROVIDERS } from '../../src/infrastructure/commands/init/providers.ts';
import { providerSetups } from '../support/fixtures/provider-setups/all-setups.ts';

const PAGE = new URL('../../docs/providers.md', import.meta.url);

const COLUMNS = ['provider', 'issuer', 'keys', '`aud` comes from', 'scopes in', 'gallery', 'space'];

async function rows(): Promise<readonly (readonly string[])[]> {
  const lines = (await readFile(PAGE, 'utf8')).split('\n').filter((line) => line.startsWith('|'));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('docs/providers.md', () => {
  it('has a row for each provider that init knows, with its issuer and its keys', async () => {
    const [head, , ...table] = await rows();
    const { other: _other, ...known } = PROVIDERS;

    expect(head).to.deep.equal(COLUMNS);
    for (const { name, issuer, keys } of Object.values(known)) {
      const row = table.find(([, cell]) => cell === `\`${issuer}\``) ?? [];
      expect(row[2], name).to.equal(`\`${keys}\``);
      expect(row[5], name).to.be.oneOf(['yes', 'no']);
    }
  });

  it('has only issuers whose tokens test/e2e/provider-setups.test.ts sends', async () => {
    const setups = Object.values(providerSetups());
    const issuers = setups.flatMap(({ documents, issuer }) => [issuer, ...Object.keys(documents)]);

    for (const [name = '', cell = ''] of (await rows()).slice(2)) {
      const form = cell.replaceAll('`', '').replaceAll(/[.?/]/g, String.raw`\$&`);
      const pattern = new RegExp(`^${form.replaceAll(/[A-Z][A-Z_]+/g, '[^/]+')}$`);
      if (!name.includes('B2C'))
        expect(
          issuers.some((issuer) => pattern.test(issuer)),
          name,
        ).to.equal(true);
    }
  });
});
