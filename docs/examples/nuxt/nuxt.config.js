export default defineNuxtConfig({
  modules: ['@nuxt/image'],
  image: {
    provider: 'catalog',
    providers: { catalog: { provider: '~/catalog-provider.js' } },
    densities: [1, 2, 3],
  },
  app: { head: { title: 'Pictures with Nuxt', htmlAttrs: { lang: 'en' } } },
  css: ['~/page.css'],
  compatibilityDate: '2026-11-01',
  telemetry: false,
});
