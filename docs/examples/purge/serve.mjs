// Receives the webhooks of the catalog, and removes from Varnish what has changed. See README.md.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { PurgeTwice } from './purge-twice.mjs';
import { isSigned } from './signature.mjs';
import { ALL, tagsOf } from './tags.mjs';
import { purgeVarnish } from './varnish.mjs';

const { WEBHOOK_SECRETS, CACHE_URLS, CATALOG_URL, CATALOG_TOKEN, STATE_FILE = 'purged-up-to' } = process.env;
const { HOST = '127.0.0.1', PORT = '8082', REPEAT_SECONDS = '15' } = process.env;

/** Larger bodies are no messages of the catalog. */
const MAX_BYTES = 64 * 1024;

const caches = CACHE_URLS.split(',');
const purges = new PurgeTwice((tags) => purgeVarnish(caches, tags), Number(REPEAT_SECONDS) * 1000, remember);

/** What was purged twice is over. A restart begins behind it. */
async function remember(cursor) {
  await writeFile(`${STATE_FILE}.new`, cursor);
  await rename(`${STATE_FILE}.new`, STATE_FILE);
}

async function lastRemembered() {
  try {
    return await readFile(STATE_FILE, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Purges what this program may have missed or purged once only. */
async function catchUp(after) {
  if (after === undefined || CATALOG_URL === undefined) return await purges.purge(ALL);
  const address = new URL(`api/changes?limit=1000&after=${after}`, CATALOG_URL);
  const response = await fetch(address, { headers: { authorization: `Bearer ${CATALOG_TOKEN}` } });
  // `cursor_expired`: the feed does not reach back so far, or the catalog was restored.
  if (response.status === 410) return await purges.purge(ALL);
  if (!response.ok) throw new Error(`The catalog responded with ${response.status}`);
  const { changes, next, more } = await response.json();
  await purges.purge(
    changes.flatMap(({ type, ...data }) => tagsOf(type, data)),
    next,
  );
  if (more) await catchUp(next);
}

async function receive(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BYTES) return 413;
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (!isSigned(request.headers, body, WEBHOOK_SECRETS.split(' '))) return 401;
  const { type, data } = JSON.parse(body);
  // The catalog sends a message again if there is no 2xx.
  await purges.purge(tagsOf(type, data), data?.cursor);
  return 204;
}

const server = createServer(async (request, response) => {
  try {
    response.writeHead(await receive(request)).end();
  } catch (error) {
    console.error(error.message);
    response.writeHead(503).end();
  }
});

await catchUp(await lastRemembered());
server.listen(Number(PORT), HOST, () => console.log(`http://${HOST}:${server.address().port}/`));
