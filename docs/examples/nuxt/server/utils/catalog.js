import { ImageCatalog } from '@image-catalog/client';

// The defaults are those of the demo. Secret and token stay on this server.
const {
  CATALOG_URL = 'http://127.0.0.1:3000/',
  TOKEN_URL = 'http://127.0.0.1:3001/oauth/token',
  CLIENT_ID: client_id = 'demo',
  CLIENT_SECRET: client_secret = 'demo-secret',
  AUDIENCE = 'https://image-catalog.example/',
  SCOPE: scope = 'images:publish',
} = process.env;

const images = new ImageCatalog({ url: CATALOG_URL, getToken });

/** Client credentials (RFC 6749), with the audience as RFC 8707 has it; Auth0 wants it as `audience` instead. */
async function getToken() {
  const fields = { grant_type: 'client_credentials', client_id, client_secret, resource: AUDIENCE, scope };
  const response = await fetch(TOKEN_URL, { method: 'POST', body: new URLSearchParams(fields) });
  if (!response.ok) throw new Error(`${TOKEN_URL}: ${response.status} ${await response.text()}`);
  return (await response.json()).access_token;
}

/** The published names with the records of their images. */
export async function listPictures() {
  const pictures = [];
  for await (const name of images.listNames({ public: true })) {
    const record = await images.get(name.id).catch((error) => {
      if (error.code !== 'image_not_found') throw error; // Deleted since its name was listed: leave it out.
    });
    if (record !== undefined) pictures.push({ name, record });
  }
  return pictures;
}

/** Uploads a file, and points the name to it: pages that show the name show the new picture. */
export async function publish(name, file) {
  await images.upload(file, { setName: { name, public: true } });
}
