import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The web listener of a service that runs beside `vite`: see README.md. */
const SERVICE = 'http://127.0.0.1:3002';

/** The API reference is an entry of its own, and so is what comes before all else. */
function isOfGallery(id: string): boolean {
  return !/\/api-reference\/|\/swagger-ui-dist\/|\/ask-early\.ts$|\.html$/.test(id);
}

/** What a sign-in needs, and the pictures after it: first what is loaded before the rest is asked for. */
const NEEDED_NEXT = [
  /\/react-.*\.js$/,
  /\/oidc-sign-in-.*\.js$/,
  /\/pictures-.*\.css$/,
  /\/(?:open-gallery|rolldown-runtime)-.*\.js$/,
  /\/pictures-.*\.js$/,
];

/** Named in the page: `ask-early.ts` asks for them if there is a session, otherwise `main.ts` prefetches them later. */
function nameNeededNext(): Plugin {
  return {
    name: 'name-needed-next',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { path, bundle = {} }) => {
        if (path !== '/index.html') return [];
        const find = (name: RegExp): readonly string[] =>
          Object.keys(bundle).filter((file) => name.test(file));
        const needed = NEEDED_NEXT.flatMap(find).map((file) => ({
          tag: 'link',
          attrs: {
            rel: 'needed-next',
            href: `./${file}`,
            as: file.endsWith('.js') ? 'script' : 'style',
            crossorigin: true,
          },
        }));
        const early = find(/\/ask-early-.*\.js$/).map((file) => ({
          tag: 'script',
          attrs: { type: 'module', async: true, crossorigin: true, src: `./${file}` },
        }));
        // Before the other files, which take up the connections.
        return [...needed, ...early].map((tag) => ({ ...tag, injectTo: 'head-prepend' }));
      },
    },
  };
}

/** A request less, before those that the first picture needs. */
function inlineIcon(): Plugin {
  return {
    name: 'inline-icon',
    transformIndexHtml: (html) => {
      const icon = encodeURIComponent(
        readFileSync(join(import.meta.dirname, 'public/icons/icon.svg'), 'utf8').trim(),
      );
      return html.replace(/(<link rel="icon" href=")[^"]*/, `$1data:image/svg+xml,${icon}`);
    },
  };
}

/** In place of the helper of Vite for `import()`, by whose links a module can fail for as long as the page is open. */
function loadWithFiles(): Plugin {
  return {
    name: 'load-with-files',
    enforce: 'pre',
    apply: 'build',
    load: {
      filter: { id: /vite\/preload-helper\.js$/ },
      handler: () => `export { loadWithFiles as __vitePreload } from '/src/base/load-with-files.ts';`,
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: a proxy may serve the gallery below a path.
  base: './',
  plugins: [react(), nameNeededNext(), inlineIcon(), loadWithFiles()],
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: { '/config.json': SERVICE, '/openapi.json': SERVICE, '/d/': SERVICE },
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // The Content-Security-Policy allows neither inline code nor data: as the address of code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The API reference comes with Swagger UI as one file.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      input: {
        gallery: 'index.html',
        'ask-early': 'src/first/ask-early.ts',
        'api-reference': 'docs/index.html',
        'oauth2-redirect': 'docs/oauth2-redirect.html',
      },
      output: {
        codeSplitting: {
          // One request each for what a person needs to sign in, for React, and for the pictures with all else that they import,
          // instead of one for each part that another chunk shares.
          groups: [
            { name: 'gallery', tags: ['$initial'], test: isOfGallery },
            { name: 'react', test: /\/node_modules\/(?:react|react-dom|scheduler)\// },
            { name: 'pictures', test: /\/app\/open-gallery\.tsx$/ },
          ],
        },
      },
      checks: { pluginTimings: false },
    },
  },
});
