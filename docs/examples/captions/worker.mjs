// Writes an alternative text for every new picture of every space: see docs/spaces.md. One token with the scopes for reading,
// writing and all spaces is enough. Node.js 20 or later.
import { createServer } from 'node:http';
import { CatalogSpaces } from '@image-catalog/client/spaces';
import { isSigned } from '../purge/signature.mjs';

const { CATALOG_URL, TOKEN_URL, CLIENT_ID, CLIENT_SECRET, AUDIENCE } = process.env;
const { WEBHOOK_SECRETS, MODEL_URL, PORT = '8083' } = process.env;

const spaces = new CatalogSpaces({ url: CATALOG_URL, getToken });

async function getToken() {
  const client = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET, audience: AUDIENCE };
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...client });
  const response = await fetch(TOKEN_URL, { method: 'POST', body });
  if (!response.ok) throw new Error(`No token: ${TOKEN_URL} responded with ${response.status}`);
  return (await response.json()).access_token;
}

/** Adapt it to your model. An alternative text is one line of at most 500 characters. */
async function describe(picture) {
  const signal = AbortSignal.timeout(60_000);
  const response = await fetch(MODEL_URL, { method: 'POST', body: picture, signal });
  const { ok, status } = response;
  if (!ok) throw Object.assign(new Error(`The model responded with ${status}`), { status });
  const { text } = await response.json();
  return [...(text ?? '').replace(/\s+/g, ' ').trim()].slice(0, 500).join('');
}

async function addText({ space, id }) {
  const catalog = spaces.in(space); // Sends the header `Space` with every request.
  if ((await catalog.metadata(id)).alt !== null) return;
  const rendition = await catalog.file(id, { width: 640, format: 'jpeg' });
  const text = await describe(await rendition.blob());
  // Read again: a person may have edited the image since. With `ifMatch` an even later edit wins, too.
  const { alt, etag } = await catalog.metadata(id);
  if (alt === null && text !== '') await catalog.edit(id, { alt: text }, { ifMatch: etag });
}

/** The picture was deleted, or it or its text is refused: another try would only hold up the other pictures. */
const isFinal = ({ code, status }) => code === 'image_not_found' || [400, 422].includes(status);

async function receive(request) {
  const body = Buffer.concat(await request.toArray());
  if (!isSigned(request.headers, body, WEBHOOK_SECRETS.split(' '))) return 401;
  const { type, data } = JSON.parse(body);
  try {
    if (type === 'image.created') await addText(data);
    return 204;
  } catch (error) {
    console.error(`Image ${data.id}: ${error.message}`);
    return isFinal(error) ? 204 : 503; // After 503 the catalog sends the message again.
  }
}

const server = createServer(async (request, response) => {
  const status = await receive(request).catch(console.error);
  response.writeHead(status ?? 400).end();
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
