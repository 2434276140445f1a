/**
 * The development identity provider as a process of its own: prints `{"issuer":"…"}` and runs until it is told to end.
 * `WEB_URL` registers the gallery at that address, `DEMO_ORIGIN` one more page that signs in with the gallery's client.
 */
import { DEMO_CLIENT, DEMO_GALLERY_CLIENT_ID } from './demo-client.ts';
import { startIdentityProvider } from './identity-provider.ts';

const { PORT = '0', WEB_URL, DEMO_ORIGIN } = process.env;
const provider = await startIdentityProvider({
  ...DEMO_CLIENT,
  port: Number(PORT),
  ...(WEB_URL && {
    gallery: {
      clientId: DEMO_GALLERY_CLIENT_ID,
      url: WEB_URL,
      ...(DEMO_ORIGIN && { pageOrigin: DEMO_ORIGIN }),
    },
  }),
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void provider.close());
console.log(JSON.stringify({ issuer: provider.issuer }));
