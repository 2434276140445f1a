// Adds the access token to the requests that <img> makes. It keeps no token: for every picture it asks the page, which
// has the current one. A worker may be stopped and started again at any time, and tokens expire.
const api = new URL(new URLSearchParams(location.search).get('api'));

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { destination, url } = event.request;
  const { origin, pathname } = new URL(url);
  // Send the token to the catalog only.
  if (destination === 'image' && origin === api.origin && pathname.startsWith('/api/image/')) {
    event.respondWith(fetchPicture(event));
  }
});

async function fetchPicture({ request, clientId }) {
  const token = await askForToken(await self.clients.get(clientId));
  return fetch(request.url, {
    headers: { Accept: request.headers.get('Accept') ?? 'image/*', Authorization: `Bearer ${token}` },
    credentials: 'omit',
    signal: request.signal,
  });
}

function askForToken(page) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(data), { once: true });
    port1.start();
    page.postMessage('token', [port2]);
  });
}
