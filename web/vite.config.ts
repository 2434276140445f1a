import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The web listener of a service that runs beside `vite`: see README.md. */
const SERVICE = 'http://127.0.0.1:3002';

/** The API reference is an entry of its own. */
function isOfGallery(id: string): boolean {
  return !/\/api-reference\/|\/swagger-ui-dist\/|\.html$/.test(id);
}

/** What a sign-in needs, and the pictures after it: first what is loaded before the rest is asked for. */
const NEEDED_NEXT = [
  /\/react-.*\.js$/,
  /\/oidc-sign-in-.*\.js$/,
  /\/pictures-.*\.css$/,
  /\/(?:open-gallery|rolldown-runtime)-.*\.js$/,
  /\/pictures-.*\.js$/,
];

/** Named in the page; `main.ts` makes prefetches of them when what is needed first is there. */
function nameNeededNext(): Plugin {
  return {
    name: 'name-needed-next',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { path, bundle = {} }) => {
        if (path !== '/index.html') return [];
        const files = NEEDED_NEXT.flatMap((name) => Object.keys(bundle).filter((file) => name.test(file)));
        return files.map((file) => ({
          tag: 'link',
          attrs: {
            rel: 'needed-next',
            href: `./${file}`,
            as: file.endsWith('.js') ? 'script' : 'style',
            crossorigin: true,
          },
          injectTo: 'head',
        }));
      },
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
  plugins: [react(), nameNeededNext(), loadWithFiles()],
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
