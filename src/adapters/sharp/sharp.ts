import sharp from 'sharp';

// libvips reads many formats, some by way of parsers with a history. Only the two that the catalog keeps stay reachable:
// https://sharp.pixelplumbing.com/security
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] });

// Every picture is another file: an operation cache would only hold memory and file handles.
sharp.cache(false);

// One libvips thread per picture. Pictures are worked on side by side, not one by all cores.
sharp.concurrency(1);

/** sharp, made safe for pictures that strangers send. Nothing else imports `sharp` itself. */
export { sharp };

/** Work on the largest picture allowed takes a few seconds; what takes this long is an attack. */
export const DECODE_TIMEOUT_SECONDS = 30;
