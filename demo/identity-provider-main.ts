/** The development identity provider as a process of its own: prints `{"issuer":"…"}` and runs until it is told to end. */
import { DEMO_CLIENT } from './demo-client.ts';
import { startIdentityProvider } from './identity-provider.ts';

const provider = await startIdentityProvider({ ...DEMO_CLIENT, port: Number(process.env.PORT ?? 0) });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void provider.close());
console.log(JSON.stringify({ issuer: provider.issuer }));
