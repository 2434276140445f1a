import { IconButton } from '../controls/icon-button.tsx';
import { publishingTexts } from './publishing-texts.ts';

interface PublicAddressProps {
  readonly name: string;
  /** `undefined` until it is known. Nothing moves then. */
  readonly url: string | undefined;
  readonly onCopy: (url: string) => Promise<void>;
}

export function PublicAddress({ name, url, onCopy }: PublicAddressProps): React.JSX.Element {
  return (
    <div className="publishing-address">
      <span className="publishing-url">{url ?? publishingTexts().coming}</span>
      <IconButton
        icon="link"
        label={publishingTexts().copy(name)}
        aria-disabled={url === undefined || undefined}
        onClick={() => url !== undefined && void onCopy(url)}
      />
    </div>
  );
}
