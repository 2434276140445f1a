import type { Platform, UploadSource } from '../platform/platform.ts';

/** Sends the header `Space` with every request. */
export function platformIn<Source extends UploadSource>(
  space: string,
  platform: Platform<Source>,
): Platform<Source> {
  const header = { Space: encodeURIComponent(space) };
  return {
    ...platform,
    fetch: async (url, init) => {
      const headers = { ...(init.headers as Record<string, string>), ...header };
      return await (platform.fetch ?? fetch)(url, { ...init, headers });
    },
    upload: async (request) =>
      await platform.upload({ ...request, headers: { ...request.headers, ...header } }),
  };
}
