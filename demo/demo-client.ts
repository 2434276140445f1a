export interface DemoClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly audience: string;
}

/** The one client of the development identity provider. It is no secret: the provider answers on loopback only. */
export const DEMO_CLIENT: DemoClient = {
  clientId: 'demo',
  clientSecret: 'demo-secret',
  audience: 'https://image-catalog.example/',
};
