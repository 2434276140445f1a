import type { RenditionMaker } from '../../../src/domain/ports/pictures/rendition-maker.ts';
import { TOKENS } from '../../../src/infrastructure/tokens.ts';
import type { TestService } from './test-service.ts';

type Make = RenditionMaker['make'];

/** Wraps the encodes of a running service. The function that is returned ends that. */
export function wrapMaker(
  { container }: TestService,
  around: (make: Make, ...args: Parameters<Make>) => ReturnType<Make>,
): () => void {
  const maker: RenditionMaker = container.get(TOKENS.renditionMaker);
  const make = maker.make.bind(maker);
  maker.make = (...args) => around(make, ...args);
  return () => {
    maker.make = make;
  };
}

/** Calls `begun` when an encode opens the original, which it does when it begins, not while it is queued. */
export function watchEncodes(of: TestService, begun: () => unknown): void {
  wrapMaker(of, (make, source, ...rest) => {
    const open = async (): ReturnType<typeof source.open> => {
      await begun();
      return await source.open();
    };
    return make({ ...source, open }, ...rest);
  });
}
