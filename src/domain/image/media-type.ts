/** Files that the service can take, if the operator wants them. */
export const INPUT_FORMATS = ['jpeg', 'png', 'webp', 'gif'] as const;

export type InputFormat = (typeof INPUT_FORMATS)[number];

export type MediaType = `image/${InputFormat}`;

/** All types that records can have, whatever uploads may be now. */
export const MEDIA_TYPES: readonly MediaType[] = INPUT_FORMATS.map((format) => `image/${format}` as const);
