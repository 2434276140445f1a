// Writes an alternative text for every new picture of every space: see docs/spaces.md. One token with the scopes for reading,
// writing and all spaces is enough. Node.js 20 or later.
import { createServer } from 'node:http';
import { CatalogError } from '@image-catalog/client';
import { CatalogSpaces } from '@image-catalog/client/spaces';
import { isSigned } from '../purge/signature.mjs';

const { CATALOG_URL, TOKEN_URL, CLIENT_ID, CLIENT_SECRET, AUDIENCE } = process.env;
const { WEBHOOK_SECRETS, MODEL_URL, PORT = '8083' } = process.env;

const spaces = new CatalogSpaces({ url: CATALOG_URL, getToken });

async function getToken() {
  const client = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET, audience: AUDIENCE };
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...client });
  const response = await fetch(TOKEN_URL, { method: 'POST', body });
  return (await response.json()).access_token;
}

/** Adapt it to your model. An alternative text has at most 500 characters. */
async function describe(picture) {
  const response = await fetch(MODEL_URL, { method: 'POST', body: picture });
  if (!response.ok) throw new Error(`The model responded with ${response.status}`);
  return (await response.json()).text;
}

async function addText({ space, id }) {
  // Sends the header `Space` with every request.
  const catalog = spaces.in(space);
  const { alt, etag } = await catalog.metadata(id);
  if (alt !== null) return;
  const rendition = await catalog.file(id, { width: 640, format: 'jpeg' });
  // With `ifMatch` a person who was faster wins.
  await catalog.edit(id, { alt: await describe(await rendition.blob()) }, { ifMatch: etag });
}

/** The picture was deleted, or a person has edited it: there is nothing more to do. */
const DONE = ['image_not_found', 'precondition_failed'];

async function receive(request) {
  const body = Buffer.concat(await request.toArray());
  if (!isSigned(request.headers, body, WEBHOOK_SECRETS.split(' '))) return 401;
  const { type, data } = JSON.parse(body);
  if (type !== 'image.created') return 204;
  await addText(data).catch((error) => {
    if (!(error instanceof CatalogError && DONE.includes(error.code))) throw error;
  });
  return 204;
}

const server = createServer(async (request, response) => {
  try {
    response.writeHead(await receive(request)).end();
  } catch (error) {
    // The catalog sends the message again.
    console.error(error.message);
    response.writeHead(503).end();
  }
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
