// Serves the example on loopback: node docs/examples/gallery/serve.mjs [port]
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const port = Number(process.argv[2] ?? 8080);

const files = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/sw.js': ['sw.js', 'text/javascript; charset=utf-8'],
  '/thumbhash.js': ['../../../node_modules/thumbhash/thumbhash.js', 'text/javascript; charset=utf-8'],
};

createServer(async (request, response) => {
  const file = files[new URL(request.url ?? '/', 'http://localhost').pathname];
  if (file === undefined) return response.writeHead(404).end();
  const [path, type] = file;
  const content = await readFile(new URL(path, import.meta.url));
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(content);
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/`));
