import { publicUrl } from '@image-catalog/client/public';
import { defineProvider } from '@nuxt/image/runtime';

/** `src` is the public address of a name. It has no quality and no crops, so other modifiers have no effect. */
export default defineProvider({
  getImage: (src, { modifiers: { width, format = 'auto' } }) => ({
    url: publicUrl({ url: src }, { width, format }),
  }),
});
