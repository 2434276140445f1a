import type { Placement, Size } from './geometry.ts';

interface StageImageProps extends React.ComponentProps<'img'> {
  readonly alt: string;
  readonly fitted: Size;
  readonly placement: Placement;
}

/** A picture in the middle of its stage. */
export function StageImage({ fitted, placement, alt, ...props }: StageImageProps): React.JSX.Element {
  const { width, height } = fitted;
  const { zoom, x, y } = placement;
  const transform = `translate(${x}px, ${y}px) scale(${zoom})`;
  return (
    <img
      className="viewer-picture"
      draggable={false}
      decoding="sync"
      {...props}
      alt={alt}
      width={width}
      height={height}
      style={{ width, height, transform }}
    />
  );
}
