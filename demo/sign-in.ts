import type { Middleware } from 'koa';
import type { Interaction, Provider } from 'oidc-provider';
import { showPage } from './provider-page.ts';

export interface Person {
  readonly sub: string;
  readonly name: string;
}

export interface SignInOptions {
  /** The one person who can sign in. */
  readonly person: Person;
  readonly audience: string;
  readonly isOver: (error: unknown) => boolean;
}

const FOLDER = '/sign-in/';

export function signInPath(uid: string): string {
  return `${FOLDER}${uid}`;
}

/** The page between the gallery and its tokens: one button signs the demo's person in and grants what the client asked for. */
export function signIn(provider: Provider, { person, audience, isOver }: SignInOptions): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith(FOLDER)) return next();
    try {
      const interaction = await provider.interactionDetails(ctx.req, ctx.res);
      if (ctx.method !== 'POST') return showPage(ctx, 'Sign in', button(person));
      const grantId = await saveGrant(provider, interaction, person, audience);
      const result = { login: { accountId: person.sub }, consent: { grantId } };
      const continueAt = await provider.interactionResult(ctx.req, ctx.res, result);
      ctx.redirect(continueAt);
      ctx.status = 303;
    } catch (error) {
      if (!isOver(error)) throw error;
      ctx.status = 400;
      showPage(ctx, 'This sign-in is over', '<p>Go back to the application and sign in again.</p>');
    }
  };
}

function button({ name }: Person): string {
  return [
    '<p>This identity provider is for development. It asks for no password.</p>',
    `<form method="post"><button autofocus>Sign in as ${name}</button></form>`,
  ].join('\n');
}

async function saveGrant(
  provider: Provider,
  { params }: Interaction,
  person: Person,
  audience: string,
): Promise<string> {
  const grant = new provider.Grant({ accountId: person.sub, clientId: params.client_id });
  const { scope = '' } = params;
  grant.addOIDCScope(scope);
  grant.addResourceScope(audience, scope);
  return await grant.save();
}
