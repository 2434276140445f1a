export interface DemoClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly audience: string;
}

/** The client of programs at the development identity provider. It is no secret: the provider listens on loopback only. */
export const DEMO_CLIENT: DemoClient = {
  clientId: 'demo',
  clientSecret: 'demo-secret',
  audience: 'https://image-catalog.example/',
};

/** The client of the gallery at the development identity provider. */
export const DEMO_GALLERY_CLIENT_ID = 'image-catalog-gallery';
