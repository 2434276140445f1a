import { createHash, randomBytes } from 'node:crypto';
import { request } from 'playwright-core';
import { DEMO_CLIENT, DEMO_GALLERY_CLIENT_ID } from '../../../demo/demo-client.ts';
import { userKey } from '../../../web/src/session/user-key.ts';
import type { GalleryServers, Scope } from './gallery-servers.ts';

/** What the session storage of a tab has in which the person is signed in. */
export interface SavedSession {
  /** Of the gallery. */
  readonly origin: string;
  readonly key: string;
  readonly value: string;
}

/** Signs in as the gallery does, by requests alone: two pages less to load than in a browser. */
export async function sessionOfPerson(
  { url, provider: { issuer }, scopes: all }: Pick<GalleryServers, 'url' | 'provider' | 'scopes'>,
  scopes: readonly Scope[] = all,
): Promise<SavedSession> {
  const verifier = randomBytes(32).toString('base64url');
  const client = { client_id: DEMO_GALLERY_CLIENT_ID, redirect_uri: url };
  const person = await request.newContext();
  try {
    const button = await person.get(`${issuer}auth`, {
      params: {
        ...client,
        audience: DEMO_CLIENT.audience,
        response_type: 'code',
        scope: ['openid', 'offline_access', ...scopes].join(' '),
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      },
    });
    const code = new URL((await person.post(button.url())).url()).searchParams.get('code') ?? '';
    const grant = { ...client, grant_type: 'authorization_code', code, code_verifier: verifier };
    const response = await person.post(`${issuer}oauth/token`, { form: grant });
    const { expires_in, ...tokens } = (await response.json()) as { expires_in: number; id_token: string };
    const [, claims = ''] = tokens.id_token.split('.');
    const profile = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object;
    const expires_at = Math.floor(Date.now() / 1000) + expires_in;
    const config = { issuer, clientId: DEMO_GALLERY_CLIENT_ID };
    const value = JSON.stringify({ ...tokens, profile, expires_at });
    return { origin: new URL(url).origin, key: userKey(config), value };
  } finally {
    await person.dispose();
  }
}
