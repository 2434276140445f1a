import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: a proxy may serve the gallery below a path.
  base: './',
  plugins: [react()],
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
      checks: { pluginTimings: false },
    },
  },
});
