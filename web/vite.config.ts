import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The web listener of a service that runs beside `vite`: see README.md. */
const SERVICE = 'http://127.0.0.1:3002';

/** The API reference is an entry of its own. */
function isOfGallery(id: string): boolean {
  return !/\/api-reference\/|\/swagger-ui-dist\/|\.html$/.test(id);
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: a proxy may serve the gallery below a path.
  base: './',
  plugins: [react()],
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
          // One request for all that the first page needs, instead of one for each part that another chunk shares.
          groups: [{ name: 'gallery', tags: ['$initial'], test: isOfGallery }],
        },
      },
      checks: { pluginTimings: false },
    },
  },
});
