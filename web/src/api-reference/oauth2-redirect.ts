/** What Swagger UI leaves in its window for the page that ends a sign-in. */
interface PendingSignIn {
  readonly state: string;
  readonly redirectUrl: string;
  readonly auth: { readonly name: string; code?: string };
  readonly callback: (result: { readonly auth: PendingSignIn['auth']; readonly redirectUrl: string }) => void;
  readonly errCb: (error: {
    readonly authId: string;
    readonly source: 'auth';
    readonly level: 'error';
    readonly message: string;
  }) => void;
}

const openedBy = window.opener as { readonly swaggerUIRedirectOauth2?: PendingSignIn } | null;
const pending = openedBy?.swaggerUIRedirectOauth2;
if (pending !== undefined) {
  finish(pending, new URLSearchParams(location.search));
  window.close();
}

function finish(signIn: PendingSignIn, response: URLSearchParams): void {
  const code = response.get('code');
  if (response.get('state') !== signIn.state) refuse(signIn, 'The sign-in is not the one that was begun');
  else if (code === null) refuse(signIn, reasonOf(response));
  else {
    signIn.auth.code = code;
    signIn.callback({ auth: signIn.auth, redirectUrl: signIn.redirectUrl });
  }
}

function refuse({ auth, errCb }: PendingSignIn, message: string): void {
  errCb({ authId: auth.name, source: 'auth', level: 'error', message });
}

/** RFC 6749, section 4.1.2.1. */
function reasonOf(response: URLSearchParams): string {
  const [error, description] = [response.get('error'), response.get('error_description')];
  return [error ?? 'The identity provider sent no code', description].filter(Boolean).join(': ');
}
