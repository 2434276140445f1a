import type { ShowCode } from '../../src/adapters/openid/access-tokens.ts';

class SignInNeeded extends Error {}

interface Pending {
  readonly token: Promise<string>;
  /** Rejects as soon as a person has to act. */
  readonly code: Promise<never>;
}

/**
 * Tokens of a provider that may ask a person to confirm a code in a browser: a call then rejects with what the person has to do, and
 * a later one goes on.
 *
 * @param source makes a function that resolves to a token, and shows a code before that if a person has to confirm it
 */
export function signIn(source: (showCode: ShowCode) => () => Promise<string>): () => Promise<string> {
  let pending: Pending | undefined;
  let ask: (error: SignInNeeded) => void;
  const nextToken = source(({ address, userCode }) => {
    ask(new SignInNeeded(`Ask the person to open ${address} and to confirm ${userCode}. Then call again`));
  });
  const request = (): Pending => {
    const code = new Promise<never>((_resolve, reject) => {
      ask = reject;
    });
    const token = nextToken();
    // Both may reject while no call waits for them.
    for (const promise of [code, token]) promise.catch(() => undefined);
    return { token, code };
  };
  return async () => {
    pending ??= request();
    try {
      const token = await Promise.race([pending.token, pending.code]);
      pending = undefined;
      return token;
    } catch (error) {
      if (!(error instanceof SignInNeeded)) pending = undefined;
      throw error;
    }
  };
}
