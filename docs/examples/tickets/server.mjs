// An application of which everyone may send a picture to the catalog, straight from the browser. With `npm run demo`:
// node docs/examples/tickets/server.mjs [port]
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { ImageCatalog } from '@image-catalog/client';

// The defaults are those of the demo. The token never leaves this server; it needs the scope for writing alone.
const {
  CATALOG_URL = 'http://127.0.0.1:3000/',
  TOKEN_URL = 'http://127.0.0.1:3001/oauth/token',
  CLIENT_ID = 'demo',
  CLIENT_SECRET = 'demo-secret',
  AUDIENCE = 'https://image-catalog.example/',
} = process.env;

const images = new ImageCatalog({ url: CATALOG_URL, getToken });

async function getToken() {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    audience: AUDIENCE,
  });
  const response = await fetch(TOKEN_URL, { method: 'POST', body });
  if (!response.ok) throw new Error(`No token: ${response.status} ${await response.text()}`);
  return (await response.json()).access_token;
}

/** Decide here who gets a ticket, and how many: a real application asks for its own session, and counts. */
async function sendTicket(response) {
  const metadata = { tags: ['from the example'] };
  const { urls } = await images.createTickets({ maxBytes: 20_000_000, ttlSeconds: 600, metadata });
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify({ url: urls[0] }));
}

async function sendPage(response) {
  const page = await readFile(new URL('index.html', import.meta.url));
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' });
  response.end(page);
}

const server = createServer(async ({ method, url }, response) => {
  try {
    if (method === 'POST' && url === '/ticket') await sendTicket(response);
    else if (method === 'GET' && url === '/') await sendPage(response);
    else response.writeHead(404).end();
  } catch (error) {
    console.error(error);
    response.writeHead(503, { 'Retry-After': '5' }).end();
  }
});
server.listen(Number(process.argv[2] ?? 8090), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
