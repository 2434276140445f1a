import { GalleryParts } from './gallery-parts.ts';
import { RenderedHook } from './rendered-hook.ts';

let mounted: RenderedHook<unknown> | undefined;

/** Renders a hook as the gallery has it, until the test ends. */
export async function mount<Value>(
  hook: () => Value,
  parts = new GalleryParts(),
): Promise<RenderedHook<Value>> {
  await mounted?.unmount();
  const rendered = await RenderedHook.render(hook, parts.wrap);
  mounted = rendered;
  return rendered;
}

/** After each test of the description that calls it. */
export function unmountAfterwards(): void {
  afterEach(async () => {
    await mounted?.unmount();
    mounted = undefined;
  });
}
