import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { decodeToken } from '../../src/adapters/http/auth/bearer-token.ts';
import { providerSetups } from '../support/fixtures/provider-setups/all-setups.ts';
import type { ProviderSetup } from '../support/fixtures/provider-setups/provider-setup.ts';
import { describeIf } from '../support/skipped/skip-aloud.ts';

const SHAPES = join(process.env.FIELD_DIR ?? '', 'providers/shapes.mjs');

/** A set-up as it is written elsewhere, with keys and times of its own. */
interface Shape extends Pick<ProviderSetup, 'issuer' | 'keys' | 'tokens'> {
  readonly aud: string;
  /** Empty if the document is among those of another set-up. */
  readonly discovery: ProviderSetup['documents'];
  readonly jwksUri?: string;
}

/** Members of keys and claims that each run makes anew. */
const MADE = ['n', 'e', 'x', 'y', 'iat', 'exp', 'nbf', 'auth_time'];

describeIf(
  process.env.FIELD_DIR !== undefined && existsSync(SHAPES),
  'FIELD_DIR names no shapes of providers',
)('The set-ups of providers that the tests make', () => {
  let shapes: Readonly<Record<string, Shape>>;
  const setups = providerSetups();

  before(async () => {
    const module = (await import(pathToFileURL(SHAPES).href)) as { providers: () => typeof shapes };
    shapes = module.providers();
  });

  it('have the addresses, documents, keys and claims of those in FIELD_DIR', () => {
    for (const [name, { issuer, aud, discovery, keys, tokens, jwksUri }] of Object.entries(shapes)) {
      const setup = setups[name];
      if (setup === undefined) throw new Error(`There is no set-up ${name}`);

      expect([setup.issuer, setup.audience], name).to.deep.equal([issuer, aud]);
      expect(withoutMade(setup.documents), name).to.deep.include(withoutMade(discovery));
      if (jwksUri !== undefined) expect(setup.keysUri, name).to.equal(jwksUri);
      expect(withoutMade(setup.keys), name).to.deep.include(withoutMade(keys));
      expect(read(setup.tokens), name).to.deep.equal(read(tokens));
    }
  });
});

/** Header and claims of each token. */
function read(tokens: ProviderSetup['tokens']): object {
  const entries = Object.entries(tokens).map(([kind, token]) => [
    kind,
    withoutMade(decodeToken(token) ?? {}),
  ]);
  return Object.fromEntries(entries) as object;
}

function withoutMade(value: object): object {
  return JSON.parse(JSON.stringify(value, comparable)) as object;
}

function comparable(name: string, member: unknown): unknown {
  if (MADE.includes(name)) return typeof member;
  return name.endsWith('_endpoint') ? new URL(String(member)).href : member;
}
